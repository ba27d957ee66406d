// If this fails, gradients of convolutions call a reference kernel to reverse their weights: in training that is a view
// that goes backwards, copied where rows are needed.
// RUN: symc-opt --split-input-file --kernel-choose-layouts --kernel-schedule %s | FileCheck %s

// CHECK-LABEL: kernel.program @main_program
// CHECK: %[[W:.*]] = memref.reinterpret_cast %{{.*}} to offset: [8], sizes: [32, 16, 3, 3], strides: [144, 9, -3, -1]
// CHECK: kernel.pack_panels %[[W]]
// CHECK: kernel.conv
// CHECK: %[[X:.*]] = memref.reinterpret_cast %{{.*}} to offset: [7], sizes: [1, 16, 8, 8], strides: [1024, 64, 8, -1]
// CHECK-NOT: kernel.call
sg.graph @main(%x: tensor<1x16x8x8xf32> {sg.name = "x"}, %w: tensor<32x16x3x3xf32> {sg.name = "w"}) -> (tensor<1x32x6x6xf32>, tensor<1x16x8x8xf32>) attributes {training} {
  %0 = sg.reverse(%w) {axis = array<i64: 2, -1>} : (tensor<32x16x3x3xf32>) -> tensor<32x16x3x3xf32>
  %1 = sg.convolution(%x, %0) {kernel = array<i64: 3, 3>, num_filter = 32 : i64, no_bias = true} : (tensor<1x16x8x8xf32>, tensor<32x16x3x3xf32>) -> tensor<1x32x6x6xf32>
  %2 = sg.reverse(%x) {axis = array<i64: 3>} : (tensor<1x16x8x8xf32>) -> tensor<1x16x8x8xf32>
  sg.heads %1, %2 : tensor<1x32x6x6xf32>, tensor<1x16x8x8xf32>
}

// -----

// Prediction leaves it to the reference kernel.
// CHECK-LABEL: kernel.program @main_program
// CHECK: kernel.call "symc_ref_reverse_f32"
sg.graph @main(%x: tensor<4x4xf32> {sg.name = "x"}) -> (tensor<4x4xf32>) {
  %0 = sg.reverse(%x) {axis = array<i64: 1>} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  sg.heads %0 : tensor<4x4xf32>
}
