// If this fails, upsampling by channels leaves the layout around it, or runs in a scalar reference kernel.
// RUN: symc-opt --kernel-choose-layouts --kernel-schedule %s | FileCheck %s
// RUN: symc-opt --symc-schedule=targets=x86-64-v3 %s -o /dev/null

sg.weight @w : tensor<64x16x1x1xf32>

// The four blocks of channels of a layer go to every second row and column of what the next step reads in blocks.
// CHECK-LABEL: kernel.program @main_program
// CHECK: kernel.conv
// CHECK: %[[TO:.*]] = kernel.buffer() : memref<1x1x8x12x16xf32>
// CHECK: %[[DEPTH:.*]] = memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [1, 2, 2, 1, 4, 6, 16], strides: [1536, 768, 384, 384, 96, 16, 1]
// CHECK: %[[SPACE:.*]] = memref.reinterpret_cast %[[TO]] to offset: [0], sizes: [1, 2, 2, 1, 4, 6, 16], strides: [1536, 192, 16, 1536, 384, 32, 1]
// CHECK: kernel.copy %[[DEPTH]] to %[[SPACE]]
// CHECK: kernel.pool
// Three channels do not fill a block: rows, and back.
// CHECK: kernel.copy {{.*}} : memref<2x2x2x3x4x5xf32, strided<[240, 120, 60, 20, 5, 1]>> to memref<2x2x2x3x4x5xf32, strided<[240, 10, 1, 80, 20, 2]>>
// CHECK: kernel.copy {{.*}} : memref<2x2x2x3x4x5xf32, strided<[240, 10, 1, 80, 20, 2]>> to memref<2x2x2x3x4x5xf32, strided<[240, 120, 60, 20, 5, 1]>>
// CHECK-NOT: kernel.call
// CHECK: kernel.program @prepare_program
sg.graph @main(%x: tensor<1x16x4x6xf32> {sg.name = "x"}, %y: tensor<2x12x4x5xf32> {sg.name = "y"}) -> (tensor<1x16x4x6xf32>, tensor<2x12x4x5xf32>) {
  %w = sg.parameter @w : tensor<64x16x1x1xf32>
  %0 = sg.convolution(%x, %w) {kernel = array<i64: 1, 1>, num_filter = 64 : i64, no_bias = true} : (tensor<1x16x4x6xf32>, tensor<64x16x1x1xf32>) -> tensor<1x64x4x6xf32>
  %1 = sg.depth_to_space(%0) {block_size = 2 : i64} : (tensor<1x64x4x6xf32>) -> tensor<1x16x8x12xf32>
  %2 = sg.pooling(%1) {kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>} : (tensor<1x16x8x12xf32>) -> tensor<1x16x4x6xf32>
  %3 = sg.depth_to_space(%y) {block_size = 2 : i64} : (tensor<2x12x4x5xf32>) -> tensor<2x3x8x10xf32>
  %4 = sg.space_to_depth(%3) {block_size = 2 : i64} : (tensor<2x3x8x10xf32>) -> tensor<2x12x4x5xf32>
  sg.heads %2, %4 : tensor<1x16x4x6xf32>, tensor<2x12x4x5xf32>
}
