// Each backward node that is refused, and why.
// RUN: symc-opt %s -split-input-file -verify-diagnostics=only-expected -sg-expand-backward

sg.graph @main(%x: tensor<2x3xf32>, %g: tensor<4x3xf32>) -> (tensor<2x3xf32>) attributes {training} {
  // expected-error @+1 {{has no gradient, in MXNet neither; 'kr_backward' computes it}}
  %y = sg.khatri_rao(%x, %x) {num_args = 2 : i64} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  %d:2 = sg.backward(%x, %x, %y, %g) {operand_count = 2 : i64, result_count = 1 : i64, arriving = array<i64: 0>} : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>) loc("kr_backward")
  sg.heads %d#0 : tensor<2x3xf32>
}

// -----

// expected-error @+1 {{gradients need fixed extents, but T is chosen at run time}}
sg.graph @main(%x: tensor<?xf32, #sg.extents<()[s0] -> (s0)>>, %g: tensor<?xf32, #sg.extents<()[s0] -> (s0)>>) -> (tensor<?xf32, #sg.extents<()[s0] -> (s0)>>)
    attributes {training, dim_names = ["T"], dim_min = array<i64: 1>, dim_max = array<i64: 9>} {
  %y = sg.unary(%x) {fn = "tanh"} : (tensor<?xf32, #sg.extents<()[s0] -> (s0)>>) -> tensor<?xf32, #sg.extents<()[s0] -> (s0)>>
  %d = sg.backward(%x, %y, %g) {operand_count = 1 : i64, result_count = 1 : i64, arriving = array<i64: 0>} : (tensor<?xf32, #sg.extents<()[s0] -> (s0)>>, tensor<?xf32, #sg.extents<()[s0] -> (s0)>>, tensor<?xf32, #sg.extents<()[s0] -> (s0)>>) -> tensor<?xf32, #sg.extents<()[s0] -> (s0)>>
  sg.heads %d : tensor<?xf32, #sg.extents<()[s0] -> (s0)>>
}
