// If this fails, the branches of an Inception block read their input once each, or a part
// of the merged result has the channels of another one.
// RUN: symc-opt --split-input-file --sg-merge-convolutions=block-width=16 %s | FileCheck %s
// RUN: symc-opt --split-input-file --sg-merge-convolutions=block-width=16 --sg-merge-convolutions=block-width=16 %s | FileCheck %s

sg.weight @v : tensor<32x64x1x1xf32>
sg.weight @w : tensor<48x64x1x1xf32>
sg.weight @a : tensor<32xf32>
sg.weight @b : tensor<48xf32>

// Weights that come later move before the convolution; the function is computed once.
// CHECK-LABEL: @branches(
// CHECK: %[[VW:.*]] = sg.concat(%{{.*}}, %{{.*}}) {dim = 0 : i64, num_args = 2 : i64} : (tensor<32x64x1x1xf32>, tensor<48x64x1x1xf32>) -> tensor<80x64x1x1xf32>
// CHECK: %[[AB:.*]] = sg.concat(%{{.*}}, %{{.*}}) {dim = 0 : i64, num_args = 2 : i64} : (tensor<32xf32>, tensor<48xf32>) -> tensor<80xf32>
// CHECK: %[[C:.*]] = sg.convolution(%{{.*}}, %[[VW]], %[[AB]]) {{.*}}num_filter = 80 : i64{{.*}} -> tensor<1x80x8x8xf32>
// CHECK: %[[R:.*]] = sg.unary(%[[C]]) {fn = "relu"}
// CHECK: %[[FIRST:.*]] = sg.slice_axis(%[[R]]) {axis = 1 : i64, begin = 0 : i64, end = 32 : i64}
// CHECK: %[[SECOND:.*]] = sg.slice_axis(%[[R]]) {axis = 1 : i64, begin = 32 : i64, end = 80 : i64}
// CHECK: sg.heads %[[FIRST]], %[[SECOND]]
sg.graph @branches(%x: tensor<1x64x8x8xf32> {sg.name = "x"}) -> (tensor<1x32x8x8xf32>, tensor<1x48x8x8xf32>) {
  %v = sg.parameter @v : tensor<32x64x1x1xf32>
  %a = sg.parameter @a : tensor<32xf32>
  %0 = sg.convolution(%x, %v, %a) {kernel = array<i64: 1, 1>, num_filter = 32 : i64} : (tensor<1x64x8x8xf32>, tensor<32x64x1x1xf32>, tensor<32xf32>) -> tensor<1x32x8x8xf32>
  %1 = sg.unary(%0) {fn = "relu"} : (tensor<1x32x8x8xf32>) -> tensor<1x32x8x8xf32>
  %w = sg.parameter @w : tensor<48x64x1x1xf32>
  %b = sg.parameter @b : tensor<48xf32>
  %2 = sg.convolution(%x, %w, %b) {kernel = array<i64: 1, 1>, num_filter = 48 : i64} : (tensor<1x64x8x8xf32>, tensor<48x64x1x1xf32>, tensor<48xf32>) -> tensor<1x48x8x8xf32>
  %3 = sg.unary(%2) {fn = "relu"} : (tensor<1x48x8x8xf32>) -> tensor<1x48x8x8xf32>
  sg.heads %1, %3 : tensor<1x32x8x8xf32>, tensor<1x48x8x8xf32>
}

// -----

sg.weight @v : tensor<32x64x1x1xf32>
sg.weight @w : tensor<32x64x1x1xf32>

// Nearest misses: another stride, another input, another function, weights of the caller.
// CHECK-LABEL: @misses(
// CHECK-NOT: sg.concat
// CHECK: sg.heads
sg.graph @misses(%x: tensor<1x64x8x8xf32> {sg.name = "x"}, %y: tensor<1x64x8x8xf32> {sg.name = "y"}, %u: tensor<32x64x1x1xf32> {sg.name = "u"}) -> (tensor<1x32x8x8xf32>, tensor<1x32x4x4xf32>, tensor<1x32x8x8xf32>, tensor<1x32x8x8xf32>, tensor<1x32x8x8xf32>) {
  %v = sg.parameter @v : tensor<32x64x1x1xf32>
  %w = sg.parameter @w : tensor<32x64x1x1xf32>
  %0 = sg.convolution(%x, %v) {kernel = array<i64: 1, 1>, num_filter = 32 : i64, no_bias = true} : (tensor<1x64x8x8xf32>, tensor<32x64x1x1xf32>) -> tensor<1x32x8x8xf32>
  %1 = sg.convolution(%x, %w) {kernel = array<i64: 1, 1>, stride = array<i64: 2, 2>, num_filter = 32 : i64, no_bias = true} : (tensor<1x64x8x8xf32>, tensor<32x64x1x1xf32>) -> tensor<1x32x4x4xf32>
  %2 = sg.convolution(%y, %w) {kernel = array<i64: 1, 1>, num_filter = 32 : i64, no_bias = true} : (tensor<1x64x8x8xf32>, tensor<32x64x1x1xf32>) -> tensor<1x32x8x8xf32>
  %3 = sg.convolution(%x, %w) {kernel = array<i64: 1, 1>, num_filter = 32 : i64, no_bias = true} : (tensor<1x64x8x8xf32>, tensor<32x64x1x1xf32>) -> tensor<1x32x8x8xf32>
  %4 = sg.unary(%3) {fn = "relu"} : (tensor<1x32x8x8xf32>) -> tensor<1x32x8x8xf32>
  %5 = sg.convolution(%x, %u) {kernel = array<i64: 1, 1>, num_filter = 32 : i64, no_bias = true} : (tensor<1x64x8x8xf32>, tensor<32x64x1x1xf32>) -> tensor<1x32x8x8xf32>
  sg.heads %0, %1, %2, %4, %5 : tensor<1x32x8x8xf32>, tensor<1x32x4x4xf32>, tensor<1x32x8x8xf32>, tensor<1x32x8x8xf32>, tensor<1x32x8x8xf32>
}
