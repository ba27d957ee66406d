// If this fails, a user is told a symptom instead of the place where the
// unknown shapes start.
// RUN: symc-opt --sg-infer-shapes -split-input-file -verify-diagnostics %s

// The first argument without a shape, and how to give it one.
// expected-error @below {{shape inference stopped with 2 of 2 nodes unknown}}
sg.graph @main(
    // expected-note @below {{it starts at argument 'data', which has no shape; pass --shape data=...}}
    %data: tensor<*xf32> {sg.name = "data"}) -> (tensor<*xf32>) {
  %0 = sg.unary(%data) {fn = "relu"} : (tensor<*xf32>) -> tensor<*xf32>
  %1 = sg.unary(%0) {fn = "exp"} : (tensor<*xf32>) -> tensor<*xf32>
  sg.heads %1 : tensor<*xf32>
}

// -----

// expected-error @below {{shape inference stopped with 1 of 1 nodes unknown}}
sg.graph @main(
    // expected-note @below {{it starts at argument 'data', which has shape [2, ?]; pass --shape data=...}}
    %data: tensor<2x?xf32> {sg.name = "data"}) -> (tensor<*xf32>) {
  %0 = sg.unary(%data) {fn = "relu"} : (tensor<2x?xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

// No argument is unknown, a node's own parameters leave its result open.
// expected-error @below {{shape inference stopped with 1 of 1 nodes unknown}}
sg.graph @main() -> (tensor<*xf32>) {
  // expected-note@unknown {{it starts at node 'n', whose result has shape [?, 3]}}
  %0 = sg.full() {value = 0.0 : f64, shape = array<i64: 0, 3>} : () -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// -----

// Two nodes want different extents of one weight.
sg.weight @w : tensor<*xf32>
sg.graph @main(%a: tensor<2x3xf32> {sg.name = "a"},
    // expected-note @below {{data is argument 'b', shape [2, 4]}}
    %b: tensor<2x4xf32> {sg.name = "b"}) -> (tensor<*xf32>, tensor<*xf32>) {
  // expected-note @below {{weight is argument 'w', shape [5, 3]}}
  %w = sg.parameter @w : tensor<*xf32>
  %0 = sg.fully_connected(%a, %w) {num_hidden = 5 : i64, no_bias = true} : (tensor<2x3xf32>, tensor<*xf32>) -> tensor<*xf32>
  // expected-error @below {{weight}}
  %1 = sg.fully_connected(%b, %w) {num_hidden = 5 : i64, no_bias = true} : (tensor<2x4xf32>, tensor<*xf32>) -> tensor<*xf32>
  sg.heads %0, %1 : tensor<*xf32>, tensor<*xf32>
}

// -----

// The result's extents are known without the input's; the input's are needed.
// expected-error @below {{the shape of an input is unknown}}
sg.graph @main(
    // expected-note @below {{it starts at argument 'data', which has shape [2, ?]; pass --shape data=...}}
    %data: tensor<2x?xf32> {sg.name = "data"}, %w: tensor<*xf32> {sg.name = "w", sg.optional}) -> (tensor<*xf32>) {
  %0 = sg.fully_connected(%data, %w) {num_hidden = 5 : i64, no_bias = true, flatten = false} : (tensor<2x?xf32>, tensor<*xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

// A layer over everything of an image of any height would need weights of any size.
// expected-error @below {{weight 'w' has shape [5, s0 * 3], which changes with a size that is chosen at run time}}
sg.weight @w : tensor<*xf32>
sg.graph @main(%data: tensor<2x3x?xf32, #sg.extents<()[s0] -> (2, 3, s0)>> {sg.name = "data"}) -> (tensor<*xf32>) attributes {dim_names = ["h"], dim_min = array<i64: 12>, dim_max = array<i64: 64>} {
  %w = sg.parameter @w : tensor<*xf32>
  %0 = sg.fully_connected(%data, %w) {num_hidden = 5 : i64, no_bias = true} : (tensor<2x3x?xf32, #sg.extents<()[s0] -> (2, 3, s0)>>, tensor<*xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

// What is wrong in a module of several, as several batch sizes make them.
module {
  sg.weight @p : tensor<672xf32>
  sg.graph @main(%x: tensor<2x3x4xf32> {sg.name = "x"}, %h: tensor<1x3x8xf32> {sg.name = "h"}) -> (tensor<2x3x8xf32>) {
    %p = sg.parameter @p : tensor<672xf32>
    // expected-error @+1 {{parameter 'num_layers' is 0, needs at least 1}}
    %0 = sg.rnn(%x, %p, %h, %h) {state_size = 8 : i64, num_layers = 0 : i64, mode = "lstm", operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>} : (tensor<2x3x4xf32>, tensor<672xf32>, tensor<1x3x8xf32>, tensor<1x3x8xf32>) -> tensor<2x3x8xf32>
    sg.heads %0 : tensor<2x3x8xf32>
  }
}

// -----

// A function that the operator does not list.
sg.graph @main(%x: tensor<2xf32> {sg.name = "x"}) -> (tensor<2xf32>) {
  // expected-error @+1 {{parameter 'fn' expects one of relu, sigmoid,}}
  %0 = sg.unary(%x) {fn = "elru"} : (tensor<2xf32>) -> tensor<2xf32>
  sg.heads %0 : tensor<2xf32>
}
