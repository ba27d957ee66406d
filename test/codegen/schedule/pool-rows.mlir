// If this fails, an image in rows is copied to blocks of channels only to be summed, or one in blocks to rows.
// RUN: symc-opt --kernel-choose-layouts --kernel-schedule %s | FileCheck %s

// CHECK-LABEL: kernel.program @main_program
// CHECK: kernel.conv
// CHECK: kernel.pool "avg"
// CHECK: kernel.reduce ins(%{{.*}} : memref<16x64xf32
sg.weight @w : tensor<16x16x1x1xf32>
sg.graph @main(%x: tensor<1x16x8x8xf32> {sg.name = "x"}, %y: tensor<1x16x8x8xf32> {sg.name = "y"}) -> (tensor<1x16x1x1xf32>, tensor<1x16x1x1xf32>) {
  %w = sg.parameter @w : tensor<16x16x1x1xf32>
  %0 = sg.convolution(%x, %w) {kernel = array<i64: 1, 1>, num_filter = 16 : i64, no_bias = true} : (tensor<1x16x8x8xf32>, tensor<16x16x1x1xf32>) -> tensor<1x16x8x8xf32>
  %1 = sg.pooling(%0) {global_pool = true, kernel = array<i64: 1, 1>, pool_type = "avg"} : (tensor<1x16x8x8xf32>) -> tensor<1x16x1x1xf32>
  %2 = sg.pooling(%y) {global_pool = true, kernel = array<i64: 1, 1>, pool_type = "avg"} : (tensor<1x16x8x8xf32>) -> tensor<1x16x1x1xf32>
  sg.heads %1, %2 : tensor<1x16x1x1xf32>, tensor<1x16x1x1xf32>
}
