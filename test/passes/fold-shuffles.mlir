// If this fails, a run moves shuffled channels that the next layer could read where they lie, or a
// layer reads others than before.
// RUN: symc-opt --split-input-file --sg-fold-shuffles=any-groups %s | FileCheck %s
// RUN: symc-opt --split-input-file --sg-fold-shuffles %s | FileCheck %s --check-prefix=FEW

// ShuffleNet's unit: the depthwise layer's weights and bias, and the vector behind it, take the
// order of the channels before; the layer with groups reads them in turn.
// CHECK-LABEL: @unit(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<1x12x8x8xf32>
// CHECK: %[[V:.*]] = sg.parameter @v
// CHECK-NOT: tensor<1x4x3x8x8xf32>
// CHECK: sg.reshape(%{{.*}}) {shape = array<i64: 1, 4, 3, 9>}
// CHECK: sg.transpose({{.*}}) {axes = array<i64: 0, 2, 1, 3>}
// CHECK: %[[D:.*]] = sg.reshape({{.*}} -> tensor<12x1x3x3xf32>
// CHECK: sg.reshape(%{{.*}}) {shape = array<i64: 1, 4, 3, 1>}
// CHECK: %[[B:.*]] = sg.reshape({{.*}} -> tensor<12xf32>
// CHECK: %[[C:.*]] = sg.convolution(%[[X]], %[[D]], %[[B]])
// CHECK: sg.reshape(%{{.*}}) {shape = array<i64: 1, 4, 3, 1>}
// CHECK: %[[S:.*]] = sg.reshape({{.*}} -> tensor<1x12x1x1xf32>
// CHECK: %[[T:.*]] = sg.binary(%[[C]], %[[S]])
// CHECK: %[[P:.*]] = sg.pooling(%[[T]])
// CHECK: %[[R:.*]] = sg.unary(%[[P]])
// CHECK: sg.convolution(%[[R]], %[[V]]) {{{.*}}num_group = 3 : i64{{.*}}shuffle = array<i64: 3>}
// Groups that a target has no code for are read in their order.
// FEW-LABEL: @unit(
// FEW: sg.transpose({{.*}}) {axes = array<i64: 0, 2, 1, 3, 4>}
// FEW-NOT: shuffle
sg.weight @d : tensor<12x1x3x3xf32>
sg.weight @b : tensor<12xf32>
sg.weight @s : tensor<1x12x1x1xf32>
sg.weight @v : tensor<6x4x1x1xf32>
sg.graph @unit(%x: tensor<1x12x8x8xf32> {sg.name = "x"}) -> (tensor<1x6x3x3xf32>) {
  %d = sg.parameter @d : tensor<12x1x3x3xf32>
  %b = sg.parameter @b : tensor<12xf32>
  %s = sg.parameter @s : tensor<1x12x1x1xf32>
  %v = sg.parameter @v : tensor<6x4x1x1xf32>
  %0 = sg.reshape(%x) {shape = array<i64: 1, 3, 4, 8, 8>} : (tensor<1x12x8x8xf32>) -> tensor<1x3x4x8x8xf32>
  %1 = sg.transpose(%0) {axes = array<i64: 0, 2, 1, 3, 4>} : (tensor<1x3x4x8x8xf32>) -> tensor<1x4x3x8x8xf32>
  %2 = sg.reshape(%1) {shape = array<i64: 1, 12, 8, 8>} : (tensor<1x4x3x8x8xf32>) -> tensor<1x12x8x8xf32>
  %3 = sg.convolution(%2, %d, %b) {kernel = array<i64: 3, 3>, num_filter = 12, num_group = 12} : (tensor<1x12x8x8xf32>, tensor<12x1x3x3xf32>, tensor<12xf32>) -> tensor<1x12x6x6xf32>
  %4 = sg.binary(%3, %s) {fn = "mul", numpy = true} : (tensor<1x12x6x6xf32>, tensor<1x12x1x1xf32>) -> tensor<1x12x6x6xf32>
  %5 = sg.pooling(%4) {kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>} : (tensor<1x12x6x6xf32>) -> tensor<1x12x3x3xf32>
  %6 = sg.unary(%5) {fn = "relu"} : (tensor<1x12x3x3xf32>) -> tensor<1x12x3x3xf32>
  %7 = sg.convolution(%6, %v) {kernel = array<i64: 1, 1>, num_filter = 6, num_group = 3, no_bias = true} : (tensor<1x12x3x3xf32>, tensor<6x4x1x1xf32>) -> tensor<1x6x3x3xf32>
  sg.heads %7 : tensor<1x6x3x3xf32>
}

// -----

// A layer without groups has its weights' inputs in the order before, on every target.
// CHECK-LABEL: @whole(
// CHECK: sg.reshape(%{{.*}}) {shape = array<i64: 6, 4, 3, 1>}
// CHECK: sg.transpose({{.*}}) {axes = array<i64: 0, 2, 1, 3>}
// CHECK: %[[W:.*]] = sg.reshape({{.*}} -> tensor<6x12x1x1xf32>
// CHECK: sg.convolution(%arg0, %[[W]])
// FEW-LABEL: @whole(
// FEW: sg.convolution(%arg0,
sg.weight @w : tensor<6x12x1x1xf32>
sg.graph @whole(%x: tensor<1x12x8x8xf32> {sg.name = "x"}) -> (tensor<1x6x8x8xf32>) {
  %w = sg.parameter @w : tensor<6x12x1x1xf32>
  %0 = sg.reshape(%x) {shape = array<i64: 1, 3, 4, 8, 8>} : (tensor<1x12x8x8xf32>) -> tensor<1x3x4x8x8xf32>
  %1 = sg.transpose(%0) {axes = array<i64: 0, 2, 1, 3, 4>} : (tensor<1x3x4x8x8xf32>) -> tensor<1x4x3x8x8xf32>
  %2 = sg.reshape(%1) {shape = array<i64: 1, 12, 8, 8>} : (tensor<1x4x3x8x8xf32>) -> tensor<1x12x8x8xf32>
  %3 = sg.convolution(%2, %w) {kernel = array<i64: 1, 1>, num_filter = 6, no_bias = true} : (tensor<1x12x8x8xf32>, tensor<6x12x1x1xf32>) -> tensor<1x6x8x8xf32>
  sg.heads %3 : tensor<1x6x8x8xf32>
}

// -----

// Two readers, a head, and a transpose of rows and columns: nothing is folded.
// CHECK-LABEL: @others(
// CHECK-COUNT-3: sg.transpose
// CHECK-NOT: shuffle
sg.weight @w : tensor<6x12x1x1xf32>
sg.graph @others(%x: tensor<1x12x8x8xf32> {sg.name = "x"}) -> (tensor<1x6x8x8xf32>, tensor<1x6x8x8xf32>, tensor<1x12x8x8xf32>, tensor<1x6x8x8xf32>) {
  %w = sg.parameter @w : tensor<6x12x1x1xf32>
  %0 = sg.reshape(%x) {shape = array<i64: 1, 3, 4, 8, 8>} : (tensor<1x12x8x8xf32>) -> tensor<1x3x4x8x8xf32>
  %1 = sg.transpose(%0) {axes = array<i64: 0, 2, 1, 3, 4>} : (tensor<1x3x4x8x8xf32>) -> tensor<1x4x3x8x8xf32>
  %2 = sg.reshape(%1) {shape = array<i64: 1, 12, 8, 8>} : (tensor<1x4x3x8x8xf32>) -> tensor<1x12x8x8xf32>
  %3 = sg.convolution(%2, %w) {kernel = array<i64: 1, 1>, num_filter = 6, no_bias = true} : (tensor<1x12x8x8xf32>, tensor<6x12x1x1xf32>) -> tensor<1x6x8x8xf32>
  %4 = sg.convolution(%2, %w) {kernel = array<i64: 1, 1>, num_filter = 6, no_bias = true} : (tensor<1x12x8x8xf32>, tensor<6x12x1x1xf32>) -> tensor<1x6x8x8xf32>
  %5 = sg.reshape(%x) {shape = array<i64: 1, 2, 6, 8, 8>} : (tensor<1x12x8x8xf32>) -> tensor<1x2x6x8x8xf32>
  %6 = sg.transpose(%5) {axes = array<i64: 0, 2, 1, 3, 4>} : (tensor<1x2x6x8x8xf32>) -> tensor<1x6x2x8x8xf32>
  %7 = sg.reshape(%6) {shape = array<i64: 1, 12, 8, 8>} : (tensor<1x6x2x8x8xf32>) -> tensor<1x12x8x8xf32>
  %8 = sg.reshape(%x) {shape = array<i64: 1, 3, 4, 8, 8>} : (tensor<1x12x8x8xf32>) -> tensor<1x3x4x8x8xf32>
  %9 = sg.transpose(%8) {axes = array<i64: 0, 2, 1, 4, 3>} : (tensor<1x3x4x8x8xf32>) -> tensor<1x4x3x8x8xf32>
  %10 = sg.reshape(%9) {shape = array<i64: 1, 12, 8, 8>} : (tensor<1x4x3x8x8xf32>) -> tensor<1x12x8x8xf32>
  %11 = sg.convolution(%10, %w) {kernel = array<i64: 1, 1>, num_filter = 6, no_bias = true} : (tensor<1x12x8x8xf32>, tensor<6x12x1x1xf32>) -> tensor<1x6x8x8xf32>
  sg.heads %3, %4, %7, %11 : tensor<1x6x8x8xf32>, tensor<1x6x8x8xf32>, tensor<1x12x8x8xf32>, tensor<1x6x8x8xf32>
}
