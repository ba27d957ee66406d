// If this fails, a layer over volumes copies its data once for each tap of the depth, or reads images of another place.
// RUN: symc-opt --split-input-file --kernel-choose-layouts --kernel-schedule %s | FileCheck %s
// RUN: symc-opt --split-input-file --symc-schedule=targets=x86-64-v3 %s -o /dev/null

sg.weight @w : tensor<16x16x1x1xf32>
sg.weight @v : tensor<16x48x3x3xf32>

// The first layer writes its images between those around the volume, with the border that the second one needs; of
// its windows, each has the blocks of three images and begins an image behind the one before.
// CHECK-LABEL: kernel.program @main_program
// CHECK: %[[ALL:.*]] = kernel.buffer() : memref<6x1x8x8x16xf32>
// CHECK: %[[OWN:.*]] = memref.reinterpret_cast %[[ALL]] to offset: [1168], sizes: [4, 1, 6, 6, 16]
// CHECK: kernel.conv {{.*}}out(%[[OWN]]
// CHECK: %[[FRONT:.*]] = memref.reinterpret_cast %[[ALL]] to offset: [144], sizes: [1, 1, 6, 6, 16]
// CHECK: kernel.loops {{.*}}outs(%[[FRONT]]
// CHECK: %[[BACK:.*]] = memref.reinterpret_cast %[[ALL]] to offset: [5264], sizes: [1, 1, 6, 6, 16]
// CHECK: kernel.copy {{.*}} to %[[BACK]]
// CHECK: %[[WINDOWS:.*]] = memref.reinterpret_cast %[[ALL]] to offset: [0], sizes: [4, 3, 8, 8, 16], strides: [1024, 1024, 128, 16, 1]
// CHECK: kernel.conv data(%[[WINDOWS]]
sg.graph @main(%x: tensor<4x16x6x6xf32> {sg.name = "x"}) -> (tensor<4x16x6x6xf32>) {
  %w = sg.parameter @w : tensor<16x16x1x1xf32>
  %v = sg.parameter @v : tensor<16x48x3x3xf32>
  %0 = sg.convolution(%x, %w) {kernel = array<i64: 1, 1>, num_filter = 16 : i64, no_bias = true} : (tensor<4x16x6x6xf32>, tensor<16x16x1x1xf32>) -> tensor<4x16x6x6xf32>
  %1 = sg.slice_axis(%0) {axis = 0 : i64, begin = 0 : i64, end = 1 : i64} : (tensor<4x16x6x6xf32>) -> tensor<1x16x6x6xf32>
  %2 = sg.fill_like(%1) {value = 0.0 : f64} : (tensor<1x16x6x6xf32>) -> tensor<1x16x6x6xf32>
  %3 = sg.concat(%2, %0, %2) {dim = 0 : i64, num_args = 3 : i64} : (tensor<1x16x6x6xf32>, tensor<4x16x6x6xf32>, tensor<1x16x6x6xf32>) -> tensor<6x16x6x6xf32>
  %4 = sg.unfold_images(%3) {size = 3 : i64} : (tensor<6x16x6x6xf32>) -> tensor<4x48x6x6xf32>
  %5 = sg.convolution(%4, %v) {kernel = array<i64: 3, 3>, pad = array<i64: 1, 1>, num_filter = 16 : i64, no_bias = true} : (tensor<4x48x6x6xf32>, tensor<16x48x3x3xf32>) -> tensor<4x16x6x6xf32>
  sg.heads %5 : tensor<4x16x6x6xf32>
}

// -----

// Channels that do not fill blocks: a view of rows, of which the reader makes blocks.
sg.weight @v : tensor<16x36x1x1xf32>

// CHECK-LABEL: kernel.program @main_program
// CHECK: %[[ROWS:.*]] = memref.reinterpret_cast %arg0 to offset: [0], sizes: [2, 2, 3, 4, 16], strides: [288, 192, 4, 1, 12]
// CHECK: kernel.copy %[[ROWS]] to
sg.graph @main(%x: tensor<5x12x3x4xf32> {sg.name = "x"}) -> (tensor<2x16x3x4xf32>) {
  %v = sg.parameter @v : tensor<16x36x1x1xf32>
  %0 = sg.unfold_images(%x) {size = 3 : i64, step = 2 : i64} : (tensor<5x12x3x4xf32>) -> tensor<2x36x3x4xf32>
  %1 = sg.convolution(%0, %v) {kernel = array<i64: 1, 1>, num_filter = 16 : i64, no_bias = true} : (tensor<2x36x3x4xf32>, tensor<16x36x1x1xf32>) -> tensor<2x16x3x4xf32>
  sg.heads %1 : tensor<2x16x3x4xf32>
}
