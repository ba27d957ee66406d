// If this fails, weights, labels or sizes known only at run time get wrong
// extents, or a graph that tells enough is refused.
// RUN: symc-opt --sg-infer-shapes %s | FileCheck %s
// What is known stays as it is.
// RUN: symc-opt --sg-infer-shapes --sg-infer-shapes %s | FileCheck %s

// A weight's extents come from data; the graph's type follows.
// CHECK: sg.weight @w : tensor<5x12xf32>
sg.weight @w : tensor<*xf32>
// CHECK-LABEL: @forward(
// CHECK-SAME: -> tensor<2x5xf32>
// CHECK: sg.parameter @w : tensor<5x12xf32>
sg.graph @forward(%data: tensor<2x3x4xf32> {sg.name = "data"}) -> (tensor<*xf32>) {
  %w = sg.parameter @w : tensor<*xf32>
  %0 = sg.fully_connected(%data, %w) {num_hidden = 5 : i64, no_bias = true} : (tensor<2x3x4xf32>, tensor<*xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// The same weight, read by another graph, is known there from the start.
// CHECK-LABEL: @shared(
// CHECK: sg.unary({{.*}}) {fn = "exp"} : (tensor<5x12xf32>) -> tensor<5x12xf32>
sg.graph @shared() -> (tensor<*xf32>) {
  %w = sg.parameter @w : tensor<*xf32>
  %0 = sg.unary(%w) {fn = "exp"} : (tensor<*xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// An argument's extents come from the node that reads it, two nodes up.
// CHECK-LABEL: @backward(
// CHECK-SAME: %{{.*}}: tensor<4x7xf32>{{.*}}, %{{.*}}: tensor<4x7xf32>
sg.graph @backward(%a: tensor<*xf32> {sg.name = "a"}, %b: tensor<4x7xf32> {sg.name = "b"}) -> (tensor<*xf32>) {
  %0 = sg.unary(%a) {fn = "relu"} : (tensor<*xf32>) -> tensor<*xf32>
  %1 = sg.binary(%0, %b) {fn = "add"} : (tensor<*xf32>, tensor<4x7xf32>) -> tensor<*xf32>
  sg.heads %1 : tensor<*xf32>
}

// A size of run time goes through windows as an expression, and no graph of
// fixed sizes gets one.
// CHECK-LABEL: @symbolic(
// CHECK: sg.convolution({{.*}}) {{.*}} -> tensor<1x8x?x?xf32, #sg.extents<()[s0, s1] -> (1, 8, s0 - 2, s1)>>
// CHECK: sg.pooling({{.*}}) {{.*}} -> tensor<1x8x?x?xf32, #sg.extents<()[s0, s1] -> (1, 8, {{.*}})>>
sg.graph @symbolic(%data: tensor<1x3x?x?xf32, #sg.extents<()[s0, s1] -> (1, 3, s0, s1)>> {sg.name = "data"}, %w: tensor<*xf32> {sg.name = "w"}) -> (tensor<*xf32>) attributes {dim_names = ["h", "w"], dim_min = array<i64: 12, 12>, dim_max = array<i64: 64, 64>} {
  %0 = sg.convolution(%data, %w) {kernel = array<i64: 3, 3>, pad = array<i64: 0, 1>, num_filter = 8 : i64, no_bias = true} : (tensor<1x3x?x?xf32, #sg.extents<()[s0, s1] -> (1, 3, s0, s1)>>, tensor<*xf32>) -> tensor<*xf32>
  %1 = sg.pooling(%0) {kernel = array<i64: 3, 3>, stride = array<i64: 2, 2>, pooling_convention = "full"} : (tensor<*xf32>) -> tensor<*xf32>
  sg.heads %1 : tensor<*xf32>
}
