// If this fails, gradients of biases make rows of images that lie in blocks: in training they are sums over the
// blocks, in the order of the weights' gradients, whatever borders the images have.
// RUN: symc-opt --kernel-choose-layouts --kernel-schedule %s | FileCheck %s

// CHECK-LABEL: kernel.program @main_program
// CHECK: kernel.pool
// CHECK-NOT: kernel.copy
// CHECK: kernel.fill %[[ONES:.*]] with 1.000000e+00
// CHECK: kernel.depthwise_weights data(%{{.*}} : memref<2x3x4x4x16xf32, strided<[0, 0, 0, 0, 1]>>) slope(%{{.*}} : memref<2x3x4x4x16xf32{{.*}}sums(%{{.*}} : memref<1x1x3x1x1x1x16xf32>)
// CHECK: kernel.join_sums %{{.*}} to %{{.*}} : memref<1x3x1x16xf32{{.*}} to memref<40x1xf32
// What lies in rows is summed there.
// CHECK: kernel.reduce ins(%{{.*}} : memref<40x2x16xf32
sg.graph @main(%x: tensor<2x40x8x8xf32> {sg.name = "x"}, %y: tensor<2x40x4x4xf32> {sg.name = "y"}) -> (tensor<40xf32>, tensor<40xf32>) attributes {training} {
  %0 = sg.pooling(%x) {kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>} : (tensor<2x40x8x8xf32>) -> tensor<2x40x4x4xf32>
  %1 = sg.reduce(%0) {kind = "sum", axis = array<i64: 0, 2, 3>} : (tensor<2x40x4x4xf32>) -> tensor<40xf32>
  %2 = sg.reduce(%y) {kind = "sum", axis = array<i64: 0, 2, 3>} : (tensor<2x40x4x4xf32>) -> tensor<40xf32>
  sg.heads %1, %2 : tensor<40xf32>, tensor<40xf32>
}
