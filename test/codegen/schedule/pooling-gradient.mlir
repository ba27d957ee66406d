// If this fails, gradients of poolings are computed by the reference kernel, or leave the blocks of channels of the layers
// beside them.
// RUN: symc-opt --kernel-choose-layouts --kernel-schedule %s | FileCheck %s

// CHECK-LABEL: kernel.program @main_program
// CHECK: kernel.pool "max"
// CHECK: kernel.pool_gradient "max" slope(%{{.*}} : memref<2x2x4x4x16xf32{{.*}}ins(%{{.*}}, %{{.*}} : memref<2x2x8x8x16xf32{{.*}}, memref<2x2x4x4x16xf32{{.*}}out(%{{.*}} : memref<2x2x8x8x16xf32{{.*}}pad = #kernel.padding<top = 1, bottom = 1, left = 1, right = 1>
// An average reads neither image nor result.
// CHECK: kernel.pool_gradient "avg" slope(%{{.*}} : memref<2x2x1x1x16xf32{{.*}}ins() out(%{{.*}} : memref<2x2x8x8x16xf32{{.*}}kernel = array<i64: 8, 8>
// CHECK-NOT: kernel.call
sg.graph @main(%x: tensor<2x32x8x8xf32> {sg.name = "x"}, %g: tensor<2x32x1x1xf32> {sg.name = "g"}) -> (tensor<2x32x8x8xf32>, tensor<2x32x8x8xf32>) {
  %0 = sg.pooling(%x) {kernel = array<i64: 3, 3>, stride = array<i64: 2, 2>, pad = array<i64: 1, 1>} : (tensor<2x32x8x8xf32>) -> tensor<2x32x4x4xf32>
  %1 = sg.pooling_gradient(%x, %0, %0) {kernel = array<i64: 3, 3>, stride = array<i64: 2, 2>, pad = array<i64: 1, 1>} : (tensor<2x32x8x8xf32>, tensor<2x32x4x4xf32>, tensor<2x32x4x4xf32>) -> tensor<2x32x8x8xf32>
  %2 = sg.pooling_gradient(%x, %g, %g) {pool_type = "avg", global_pool = true} : (tensor<2x32x8x8xf32>, tensor<2x32x1x1xf32>, tensor<2x32x1x1xf32>) -> tensor<2x32x8x8xf32>
  sg.heads %1, %2 : tensor<2x32x8x8xf32>, tensor<2x32x8x8xf32>
}
