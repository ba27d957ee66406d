// If this fails, a part of a blocked image is copied where it could be read in
// place, or a part that begins inside a block is read from the wrong channels.
// RUN: symc-opt --kernel-choose-layouts --kernel-schedule %s | FileCheck %s
// RUN: symc-opt --kernel-choose-layouts=reference=true "--kernel-schedule=reference=true" %s | FileCheck %s --check-prefix=ONLY

// The residual of the sum is every second pixel of the first layer's result: a view
// with twice the strides. Channels from a whole block on are a view as well.
// CHECK-LABEL: kernel.program @main_program
// CHECK: %[[ALL:.*]] = kernel.buffer() : memref<1x3x4x4x16xf32>
// CHECK: kernel.conv
// CHECK: %[[STEP:.*]] = memref.reinterpret_cast %[[ALL]] to offset: [0], sizes: [1, 3, 2, 2, 16], strides: [768, 256, 128, 32, 1]
// CHECK-NOT: kernel.copy
// CHECK: kernel.loops ins(%[[STEP]]
// CHECK: %[[PART:.*]] = memref.reinterpret_cast %[[ALL]] to offset: [320], sizes: [1, 2, 2, 4, 16], strides: [768, 256, 64, 16, 1]
// CHECK: kernel.loops ins(%[[PART]]
// Channel 8 lies in the middle of a block: a copy.
// CHECK: kernel.copy {{.*}} to memref<1x40x4x4xf32

// ONLY: kernel.call "symc_ref_slice_f32"
// ONLY: kernel.call "symc_ref_slice_axis_f32"
sg.weight @w : tensor<48x16x1x1xf32>
sg.graph @main(%x: tensor<1x16x4x4xf32> {sg.name = "x"}) -> (tensor<1x48x2x2xf32>, tensor<1x32x2x4xf32>, tensor<1x40x4x4xf32>) {
  %w = sg.parameter @w : tensor<48x16x1x1xf32>
  %0 = sg.convolution(%x, %w) {kernel = array<i64: 1, 1>, num_filter = 48 : i64, no_bias = true} : (tensor<1x16x4x4xf32>, tensor<48x16x1x1xf32>) -> tensor<1x48x4x4xf32>
  %1 = sg.slice(%0) {begin = array<i64: 0, 0, 0, 0>, end = array<i64: 1, 48, 4, 4>, step = array<i64: 1, 1, 2, 2>} : (tensor<1x48x4x4xf32>) -> tensor<1x48x2x2xf32>
  %2 = sg.unary(%1) {fn = "exp"} : (tensor<1x48x2x2xf32>) -> tensor<1x48x2x2xf32>
  %3 = sg.slice(%0) {begin = array<i64: 0, 16, -3>, end = array<i64: 1, 48, 3>} : (tensor<1x48x4x4xf32>) -> tensor<1x32x2x4xf32>
  %4 = sg.unary(%3) {fn = "exp"} : (tensor<1x32x2x4xf32>) -> tensor<1x32x2x4xf32>
  %5 = sg.slice_axis(%0) {axis = 1 : i64, begin = 8 : i64, end = 48 : i64} : (tensor<1x48x4x4xf32>) -> tensor<1x40x4x4xf32>
  sg.heads %2, %4, %5 : tensor<1x48x2x2xf32>, tensor<1x32x2x4xf32>, tensor<1x40x4x4xf32>
}
