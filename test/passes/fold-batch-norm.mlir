// If this fails, a network pays for its normalisations at each run, or a scale
// that is not one number a channel gets lost in the weights.
// RUN: symc-opt --sg-fold-batch-norm %s | FileCheck %s
// RUN: symc-opt --sg-fold-batch-norm --sg-fold-batch-norm %s | FileCheck %s

sg.weight @w : tensor<4x3x1x1xf32>
sg.weight @b : tensor<4xf32>
sg.weight @s : tensor<1x4x1x1xf32>
sg.weight @row : tensor<1x1x1x8xf32>
sg.weight @fw : tensor<4x3xf32>
sg.weight @fb : tensor<4xf32>

// A scale goes into the weights and the bias, then a shift into the bias.
// CHECK-LABEL: @scale_shift(
// CHECK: %[[W:.*]] = sg.parameter @w
// CHECK: %[[B:.*]] = sg.parameter @b
// CHECK: %[[FLAT:.*]] = sg.reshape({{.*}}) {shape = array<i64: 4>}
// CHECK: %[[COL:.*]] = sg.reshape(%[[FLAT]]) {shape = array<i64: 4, 1, 1, 1>}
// CHECK: %[[WS:.*]] = sg.binary(%[[W]], %[[COL]]) {broadcast = true, fn = "mul"}
// CHECK: %[[BS:.*]] = sg.binary(%[[B]], %[[FLAT]]) {fn = "mul"}
// CHECK: %[[BST:.*]] = sg.binary(%[[BS]], %{{.*}}) {fn = "add"}
// CHECK: %[[Y:.*]] = sg.convolution(%{{.*}}, %[[WS]], %[[BST]])
// CHECK: sg.heads %[[Y]]
sg.graph @scale_shift(%x: tensor<2x3x8x8xf32> {sg.name = "x"}) -> (tensor<2x4x8x8xf32>) {
  %w = sg.parameter @w : tensor<4x3x1x1xf32>
  %b = sg.parameter @b : tensor<4xf32>
  %s = sg.parameter @s : tensor<1x4x1x1xf32>
  %0 = sg.convolution(%x, %w, %b) {kernel = array<i64: 1, 1>, num_filter = 4 : i64} : (tensor<2x3x8x8xf32>, tensor<4x3x1x1xf32>, tensor<4xf32>) -> tensor<2x4x8x8xf32>
  %1 = sg.binary(%0, %s) {fn = "mul", broadcast = true} : (tensor<2x4x8x8xf32>, tensor<1x4x1x1xf32>) -> tensor<2x4x8x8xf32>
  %2 = sg.binary(%1, %s) {fn = "add", broadcast = true} : (tensor<2x4x8x8xf32>, tensor<1x4x1x1xf32>) -> tensor<2x4x8x8xf32>
  sg.heads %2 : tensor<2x4x8x8xf32>
}

// A shift gives a layer without bias one.
// CHECK-LABEL: @new_bias(
// CHECK: %[[T:.*]] = sg.reshape({{.*}}) {shape = array<i64: 4>}
// CHECK: sg.fully_connected(%{{.*}}, %{{.*}}, %[[T]]) {num_hidden = 4 : i64}
sg.graph @new_bias(%x: tensor<2x3xf32> {sg.name = "x"}) -> (tensor<2x4xf32>) {
  %w = sg.parameter @fw : tensor<4x3xf32>
  %b = sg.parameter @fb : tensor<4xf32>
  %0 = sg.fully_connected(%x, %w) {num_hidden = 4 : i64, no_bias = true} : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<2x4xf32>
  %1 = sg.binary(%0, %b) {fn = "add", broadcast = true} : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  sg.heads %1 : tensor<2x4xf32>
}

// Nearest misses: the scale varies along a row, or comes from data, or the
// layer's own result is read as well.
// CHECK-LABEL: @misses(
// CHECK-COUNT-3: sg.binary({{.*}}fn = "mul"
// CHECK: sg.heads
sg.graph @misses(%x: tensor<2x3x8x8xf32> {sg.name = "x"}, %d: tensor<1x4x1x1xf32> {sg.name = "d"}) -> (tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>) {
  %w = sg.parameter @w : tensor<4x3x1x1xf32>
  %s = sg.parameter @s : tensor<1x4x1x1xf32>
  %row = sg.parameter @row : tensor<1x1x1x8xf32>
  %0 = sg.convolution(%x, %w) {kernel = array<i64: 1, 1>, num_filter = 4 : i64, no_bias = true} : (tensor<2x3x8x8xf32>, tensor<4x3x1x1xf32>) -> tensor<2x4x8x8xf32>
  %1 = sg.binary(%0, %row) {fn = "mul", broadcast = true} : (tensor<2x4x8x8xf32>, tensor<1x1x1x8xf32>) -> tensor<2x4x8x8xf32>
  %2 = sg.convolution(%x, %w) {kernel = array<i64: 1, 1>, num_filter = 4 : i64, no_bias = true} : (tensor<2x3x8x8xf32>, tensor<4x3x1x1xf32>) -> tensor<2x4x8x8xf32>
  %3 = sg.binary(%2, %d) {fn = "mul", broadcast = true} : (tensor<2x4x8x8xf32>, tensor<1x4x1x1xf32>) -> tensor<2x4x8x8xf32>
  %4 = sg.convolution(%x, %w) {kernel = array<i64: 1, 1>, num_filter = 4 : i64, no_bias = true} : (tensor<2x3x8x8xf32>, tensor<4x3x1x1xf32>) -> tensor<2x4x8x8xf32>
  %5 = sg.binary(%4, %s) {fn = "mul", broadcast = true} : (tensor<2x4x8x8xf32>, tensor<1x4x1x1xf32>) -> tensor<2x4x8x8xf32>
  sg.heads %1, %3, %4, %5 : tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>, tensor<2x4x8x8xf32>
}
