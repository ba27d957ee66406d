// If this fails, gradients of biases make rows of images that lie in blocks: in training their sums are taken over the
// blocks.
// RUN: symc-opt --kernel-choose-layouts --kernel-schedule %s | FileCheck %s

// CHECK-LABEL: kernel.program @main_program
// CHECK: kernel.pool
// CHECK-NOT: kernel.copy
// CHECK: kernel.reduce ins(%{{.*}} : memref<3x16x2x16xf32{{.*}}row_outs(%{{.*}} : memref<3x16xf32
// CHECK: kernel.copy %{{.*}} : memref<40xf32{{.*}} to memref<40xf32
// What lies in rows is summed there.
// CHECK: kernel.reduce ins(%{{.*}} : memref<40x2x16xf32
sg.graph @main(%x: tensor<2x40x8x8xf32> {sg.name = "x"}, %y: tensor<2x40x4x4xf32> {sg.name = "y"}) -> (tensor<40xf32>, tensor<40xf32>) attributes {training} {
  %0 = sg.pooling(%x) {kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>} : (tensor<2x40x8x8xf32>) -> tensor<2x40x4x4xf32>
  %1 = sg.reduce(%0) {kind = "sum", axis = array<i64: 0, 2, 3>} : (tensor<2x40x4x4xf32>) -> tensor<40xf32>
  %2 = sg.reduce(%y) {kind = "sum", axis = array<i64: 0, 2, 3>} : (tensor<2x40x4x4xf32>) -> tensor<40xf32>
  sg.heads %1, %2 : tensor<40xf32>, tensor<40xf32>
}
