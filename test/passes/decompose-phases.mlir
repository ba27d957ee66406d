// If this fails, gradients of strided convolutions of windows that the stride does not divide multiply by zeros, as the same
// layers do in prediction, whose programs stay as they are.
// RUN: symc-opt %s -split-input-file -sg-decompose | FileCheck %s

// Two taps along an axis at odd places of the border's image, one at even ones; zeros behind the data where two taps reach.
// CHECK-LABEL: sg.graph @main(
// CHECK: sg.slice(%arg1) {begin = array<i64: [[NONE:-?[0-9]+]], [[NONE]], 1, 1>, end = array<i64: [[NONE]], [[NONE]], 3, 3>, step = array<i64: 1, 1, 2, 2>} : (tensor<4x3x3x3xf32>) -> tensor<4x3x1x1xf32>
// CHECK: sg.convolution(%arg0, %{{.*}}) {kernel = array<i64: 1, 1>, {{.*}}pad = array<i64: 0, 0>, pad_end = array<i64: 0, 0>{{.*}} -> tensor<2x3x5x4xf32>
// CHECK: sg.convolution(%arg0, %{{.*}}) {kernel = array<i64: 1, 2>, {{.*}}pad = array<i64: 0, 0>, pad_end = array<i64: 0, 1>{{.*}} -> tensor<2x3x5x4xf32>
// CHECK: sg.convolution(%arg0, %{{.*}}) {kernel = array<i64: 2, 1>, {{.*}}pad = array<i64: 0, 0>, pad_end = array<i64: 1, 0>{{.*}} -> tensor<2x3x5x4xf32>
// CHECK: sg.convolution(%arg0, %{{.*}}) {kernel = array<i64: 2, 2>, {{.*}}pad = array<i64: 0, 0>, pad_end = array<i64: 1, 1>{{.*}} -> tensor<2x3x5x4xf32>
// CHECK: sg.concat
// CHECK: sg.depth_to_space(%{{.*}}) {block_size = 2 : i64} : (tensor<2x12x5x4xf32>) -> tensor<2x3x10x8xf32>
// CHECK-NOT: sg.slice
sg.graph @main(%x: tensor<2x4x5x4xf32>, %w: tensor<4x3x3x3xf32>) -> (tensor<2x3x10x8xf32>) attributes {training} {
  %0 = sg.deconvolution(%x, %w) {kernel = array<i64: 3, 3>, stride = array<i64: 2, 2>, pad = array<i64: 1, 1>, adj = array<i64: 1, 1>, num_filter = 3 : i64} : (tensor<2x4x5x4xf32>, tensor<4x3x3x3xf32>) -> tensor<2x3x10x8xf32>
  sg.heads %0 : tensor<2x3x10x8xf32>
}

// -----

// A window shorter than the stride leaves places to which no tap leads.
// CHECK-LABEL: sg.graph @main(
// CHECK-COUNT-4: sg.convolution(
// CHECK-NOT: sg.convolution(
// CHECK: sg.depth_to_space(%{{.*}}) {block_size = 3 : i64}
sg.graph @main(%x: tensor<1x4x3x3xf32>, %w: tensor<4x3x2x2xf32>) -> (tensor<1x3x8x8xf32>) attributes {training} {
  %0 = sg.deconvolution(%x, %w) {kernel = array<i64: 2, 2>, stride = array<i64: 3, 3>, num_filter = 3 : i64} : (tensor<1x4x3x3xf32>, tensor<4x3x2x2xf32>) -> tensor<1x3x8x8xf32>
  sg.heads %0 : tensor<1x3x8x8xf32>
}

// -----

// CHECK-LABEL: sg.graph @main(
// CHECK-COUNT-1: sg.convolution(
// CHECK-NOT: sg.convolution(
sg.graph @main(%x: tensor<2x4x5x4xf32>, %w: tensor<4x3x3x3xf32>) -> (tensor<2x3x10x8xf32>) {
  %0 = sg.deconvolution(%x, %w) {kernel = array<i64: 3, 3>, stride = array<i64: 2, 2>, pad = array<i64: 1, 1>, adj = array<i64: 1, 1>, num_filter = 3 : i64} : (tensor<2x4x5x4xf32>, tensor<4x3x3x3xf32>) -> tensor<2x3x10x8xf32>
  sg.heads %0 : tensor<2x3x10x8xf32>
}

// -----

// Channels alone have weights of their own.
// CHECK-LABEL: sg.graph @main(
// CHECK-NOT: sg.transpose
// CHECK: sg.convolution(%arg0, %{{.*}}) {kernel = array<i64: 1, 1>, {{.*}}num_group = 4 : i64{{.*}} : (tensor<2x4x5x4xf32>, tensor<4x1x1x1xf32>) -> tensor<2x4x5x4xf32>
// CHECK-NOT: sg.transpose
// CHECK: sg.convolution(%arg0, %{{.*}}) {kernel = array<i64: 2, 2>, {{.*}}num_group = 4 : i64{{.*}} : (tensor<2x4x5x4xf32>, tensor<4x1x2x2xf32>) -> tensor<2x4x5x4xf32>
// CHECK: sg.depth_to_space(%{{.*}}) {block_size = 2 : i64} : (tensor<2x16x5x4xf32>) -> tensor<2x4x10x8xf32>
sg.graph @main(%x: tensor<2x4x5x4xf32>, %w: tensor<4x1x3x3xf32>) -> (tensor<2x4x10x8xf32>) attributes {training} {
  %0 = sg.deconvolution(%x, %w) {kernel = array<i64: 3, 3>, stride = array<i64: 2, 2>, pad = array<i64: 1, 1>, adj = array<i64: 1, 1>, num_filter = 4 : i64, num_group = 4 : i64} : (tensor<2x4x5x4xf32>, tensor<4x1x3x3xf32>) -> tensor<2x4x10x8xf32>
  sg.heads %0 : tensor<2x4x10x8xf32>
}
