// Each graph whose gradient is refused, and why.
// RUN: symc-opt %s -split-input-file -verify-diagnostics=only-expected -sg-gradient="arguments=x"

// expected-error @+1 {{sg-gradient needs a graph that is computed as in training}}
sg.graph @main(%x: tensor<3xf32> {sg.name = "x"}) -> (tensor<3xf32> {sg.name = "y"}) {
  sg.heads %x : tensor<3xf32>
}

// -----

sg.graph @main(%x: tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>> {sg.name = "x"}) -> (tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>> {sg.name = "y"})
    attributes {training, dim_names = ["T"], dim_min = array<i64: 1>, dim_max = array<i64: 9>} {
  // expected-error @+1 {{has a gradient that needs an extent that is fixed, but T is chosen at run time}}
  %y = sg.sort(%x) {axis = 0 : i64} : (tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>>) -> tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>>
  sg.heads %y : tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>>
}

// -----

// expected-error @+1 {{the gradient of output 'y' is an input, whose extents are fixed or chosen, but it has shape [s0 * 3]}}
sg.graph @main(%x: tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>> {sg.name = "x"}) -> (tensor<?xf32, #sg.extents<()[s0] -> (s0 * 3)>> {sg.name = "y"})
    attributes {training, dim_names = ["T"], dim_min = array<i64: 1>, dim_max = array<i64: 9>} {
  %y = sg.reshape(%x) {shape = array<i64: -1>} : (tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>>) -> tensor<?xf32, #sg.extents<()[s0] -> (s0 * 3)>>
  sg.heads %y : tensor<?xf32, #sg.extents<()[s0] -> (s0 * 3)>>
}

// -----

// expected-error @+1 {{the gradient of 'x' is wanted, whose elements are int32, no floats}}
sg.graph @main(%x: tensor<3xi32> {sg.name = "x"}) -> (tensor<3xi32> {sg.name = "y"}) attributes {training} {
  sg.heads %x : tensor<3xi32>
}

// -----

// expected-error @+1 {{a gradient of 'x' is named, which is no argument that the outputs depend on}}
sg.graph @main(%a: tensor<3xf32> {sg.name = "a"}) -> (tensor<3xf32> {sg.name = "y"}) attributes {training} {
  sg.heads %a : tensor<3xf32>
}

// -----

sg.graph @main(%x: tensor<2x3xf32> {sg.name = "x"}) -> (tensor<4x3xf32> {sg.name = "y"}) attributes {training} {
  // expected-error @+1 {{'khatri_rao' has no gradient, in MXNet neither; the gradient of argument 'x' is wanted}}
  %0 = sg.khatri_rao(%x, %x) {num_args = 2 : i64} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  sg.heads %0 : tensor<4x3xf32>
}

// -----

sg.graph @main(%x: tensor<4x3xf32> {sg.name = "x"}) -> (tensor<4xf32> {sg.name = "y"}) attributes {training} {
  // expected-error @+1 {{'argmax_channel' has no gradient, in MXNet neither; the gradient of argument 'x' is wanted}}
  %0 = sg.arg_reduce(%x) {kind = "argmax", axis = 1 : i64, channel = true} : (tensor<4x3xf32>) -> tensor<4xf32>
  sg.heads %0 : tensor<4xf32>
}

// -----

sg.graph @main(%x: tensor<4xf32> {sg.name = "x"}) -> (tensor<?xf32, #sg.extents<()[s0] -> (s0)>> {sg.name = "y"})
    attributes {training, dim_names = ["y.0"], dim_min = array<i64: 0>, dim_max = array<i64: 4>} {
  // expected-error @+1 {{decides an extent by the values that it gets, and gradients need fixed extents}}
  %0 = sg.unique(%x) {size = 0 : i64} : (tensor<4xf32>) -> tensor<?xf32, #sg.extents<()[s0] -> (s0)>>
  sg.heads %0 : tensor<?xf32, #sg.extents<()[s0] -> (s0)>>
}

// -----

// expected-error @+1 {{the gradient of output 'y' is an input, but node 'mask' decides an extent of it by the values that it gets}}
sg.graph @main(%x: tensor<4x3xf32> {sg.name = "x"}, %m: tensor<4xf32> {sg.name = "m"}) -> (tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>> {sg.name = "y"})
    attributes {training, dim_names = ["y.0"], dim_min = array<i64: 0>, dim_max = array<i64: 4>} {
  %0 = sg.boolean_mask(%x, %m) {size = 0 : i64} : (tensor<4x3xf32>, tensor<4xf32>) -> tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>> loc("mask")
  sg.heads %0 : tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>>
}

// -----

sg.graph @body(%x: tensor<2x3xf32> {sg.name = "row"}) -> (tensor<4x3xf32>) attributes {training} {
  // expected-error @+1 {{'khatri_rao' has no gradient, in MXNet neither; the gradient of argument 'row' is wanted}}
  %0 = sg.khatri_rao(%x, %x) {num_args = 2 : i64} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  sg.heads %0 : tensor<4x3xf32>
}
sg.graph @main(%x: tensor<5x2x3xf32> {sg.name = "x"}) -> (tensor<5x4x3xf32> {sg.name = "y"}) attributes {training} {
  %0 = sg.foreach(%x) {num_args = 2, num_outputs = 1, num_out_data = 1, in_data_locs = array<i64: 0>, in_state_locs = array<i64>, remain_locs = array<i64>, bodies = [@body]} : (tensor<5x2x3xf32>) -> tensor<5x4x3xf32>
  sg.heads %0 : tensor<5x4x3xf32>
}

// -----

sg.weight @x : tensor<3xf32>
// expected-error @+1 {{the gradient of 'x' is wanted, which graph @body of a node reads by itself and not by an input}}
sg.graph @body(%a: tensor<3xf32>) -> (tensor<3xf32>) attributes {training} {
  %x = sg.parameter @x : tensor<3xf32>
  %0 = sg.binary(%a, %x) {fn = "mul"} : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  sg.heads %0 : tensor<3xf32>
}
sg.graph @main(%a: tensor<5x3xf32> {sg.name = "a"}) -> (tensor<5x3xf32> {sg.name = "y"}) attributes {training} {
  %x = sg.parameter @x : tensor<3xf32>
  %0 = sg.foreach(%a) {num_args = 2, num_outputs = 1, num_out_data = 1, in_data_locs = array<i64: 0>, in_state_locs = array<i64>, remain_locs = array<i64>, bodies = [@body]} : (tensor<5x3xf32>) -> tensor<5x3xf32>
  %1 = sg.binary(%0, %x) {fn = "mul", broadcast = true} : (tensor<5x3xf32>, tensor<3xf32>) -> tensor<5x3xf32>
  sg.heads %1 : tensor<5x3xf32>
}

// -----

sg.graph @body(%x: tensor<2x4xf32>, %g: tensor<4xf32>, %m: tensor<4xf32>) -> (tensor<2x4xf32>, tensor<4xf32>) attributes {training} {
  %y = sg.batch_norm(%x, %g, %g, %m, %g) {} : (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<2x4xf32>)
  sg.heads %y, %m : tensor<2x4xf32>, tensor<4xf32>
}
sg.graph @main(%x: tensor<3x2x4xf32> {sg.name = "x"}, %g: tensor<4xf32> {sg.name = "g"}, %m: tensor<4xf32> {sg.name = "m"}) -> (tensor<3x2x4xf32> {sg.name = "y"}) attributes {training} {
  // expected-error @+1 {{changes an auxiliary state that is no input of all iterations, which cannot be compiled}}
  %0:2 = sg.foreach(%x, %m, %g) {num_args = 4, num_outputs = 2, num_out_data = 1, in_data_locs = array<i64: 0>, in_state_locs = array<i64: 2>, remain_locs = array<i64: 1>, bodies = [@body]} :
      (tensor<3x2x4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<3x2x4xf32>, tensor<4xf32>)
  sg.heads %0#0 : tensor<3x2x4xf32>
}

// -----

sg.graph @main(%x: tensor<1x2x8x8xf32> {sg.name = "x"}) -> (tensor<1x2x7x7xf32> {sg.name = "y"}) attributes {training} {
  // expected-error @+1 {{has a pad_end, with which it has no gradient}}
  %y = sg.pooling(%x) {kernel = array<i64: 3, 3>, pad_end = array<i64: 1, 1>, pool_type = "avg"} : (tensor<1x2x8x8xf32>) -> tensor<1x2x7x7xf32>
  sg.heads %y : tensor<1x2x7x7xf32>
}
