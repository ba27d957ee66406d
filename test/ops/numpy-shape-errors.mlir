// RUN: symc-opt --sg-infer-shapes -split-input-file -verify-diagnostics=only-expected %s
// Each constraint of a numpy operator is an error that says what was found and what is needed.

sg.graph @numpy_reshape_c1(%a: tensor<2x3xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{parameter 'newshape' has the code -2, needs at least -1}}
  %0 = sg.numpy_reshape(%a) {newshape = array<i64: -2, -1>} :
      (tensor<2x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @numpy_reshape_c1_short(%a: tensor<2x3xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{data has shape [2, 3], too short for the codes of newshape}}
  %0 = sg.numpy_reshape(%a) {newshape = array<i64: -5, -5>, codes = true} :
      (tensor<2x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @numpy_reshape_c1_skip(%a: tensor<2x3xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{data has shape [2, 3] with the extent 2 where code -3 of newshape needs 1}}
  %0 = sg.numpy_reshape(%a) {newshape = array<i64: -3, -2>, codes = true} :
      (tensor<2x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @numpy_reshape_c1_zero(%a: tensor<2x3xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{newshape has an extent of 0}}
  %0 = sg.numpy_reshape(%a) {newshape = array<i64: 0, -1>} :
      (tensor<2x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @numpy_reshape_c2(%a: tensor<2x3xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{whose elements do not divide by the extents}}
  %0 = sg.numpy_reshape(%a) {newshape = array<i64: 4, -1>} :
      (tensor<2x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @numpy_reshape_c3(%a: tensor<2x3xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{parameter 'order' is 'F', needs 'C'}}
  %0 = sg.numpy_reshape(%a) {newshape = array<i64: -1>, order = "F"} :
      (tensor<2x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @numpy_squeeze_c1(%a: tensor<2x1xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{a has shape [2, 1] with the extent 2 along axis 0, needs 1}}
  %0 = sg.numpy_squeeze(%a) {axis = array<i64: 0>} :
      (tensor<2x1xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @numpy_broadcast_to_c1(%a: tensor<2x3xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{array has shape [2, 3] but shape has 1 extents}}
  %0 = sg.numpy_broadcast_to(%a) {shape = array<i64: 3>} :
      (tensor<2x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @numpy_broadcast_to_c1_extent(%a: tensor<2x3xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{array has shape [2, 3], whose extent 2 does not repeat to 4}}
  %0 = sg.numpy_broadcast_to(%a) {shape = array<i64: 4, 3>} :
      (tensor<2x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @numpy_roll_c1(%a: tensor<2x3xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{shift holds 3 numbers, needs 1 or 2}}
  %0 = sg.numpy_roll(%a) {shift = array<i64: 1, 2, 3>, axis = array<i64: 0, 1>} :
      (tensor<2x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @numpy_flip_c1(%a: tensor<2x3xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{axis 2 is outside data's shape [2, 3]}}
  %0 = sg.numpy_flip(%a) {axis = array<i64: 2>} : (tensor<2x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @numpy_flip_c2(%a: tensor<2x3xf32>) -> (tensor<3x2xf32>) {
  // expected-error @+1 {{output has shape [3, 2] but needs [2, 3]}}
  %0 = sg.numpy_flip(%a) : (tensor<2x3xf32>) -> tensor<3x2xf32>
  sg.heads %0 : tensor<3x2xf32>
}

// -----

sg.graph @numpy_rot90_c1(%a: tensor<2x3xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{axes names 1 axes, needs 2}}
  %0 = sg.numpy_rot90(%a) {axes = array<i64: 0>} :
      (tensor<2x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @numpy_moveaxis_c1(%a: tensor<2x3xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{source names 1 axes and destination 2}}
  %0 = sg.numpy_moveaxis(%a) {source = array<i64: 0>, destination = array<i64: 0, 1>} :
      (tensor<2x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @numpy_atleast_c1(%a: tensor<2xf32>) -> (tensor<2x1xf32>) {
  // expected-error @+1 {{needs [1, 2]}}
  %0 = sg.numpy_atleast(%a) {num_args = 1 : i64, least = 2 : i64} :
      (tensor<2xf32>) -> tensor<2x1xf32>
  sg.heads %0 : tensor<2x1xf32>
}

// -----

sg.graph @numpy_diagonal_c1(%a: tensor<2x3xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{axis 1 is named twice}}
  %0 = sg.numpy_diagonal(%a) {axis1 = 1 : i64, axis2 = 1 : i64} :
      (tensor<2x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @numpy_diagonal_c2(%a: tensor<2x3xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{data has shape [2, 3], whose planes have no diagonal 3}}
  %0 = sg.numpy_diagonal(%a) {offset = 3 : i64} :
      (tensor<2x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @numpy_roll_c2(%a: tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>>) -> (tensor<*xf32>) {
  // expected-error @+1 {{data has shape [s0, 3], needs fixed extents}}
  %0 = sg.numpy_roll(%a) {shift = array<i64: 1>, axis = array<i64: 0>} :
      (tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @numpy_roll_c2_flat(%a: tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>>) -> (tensor<*xf32>) {
  // expected-error @+1 {{data has shape [s0, 3], needs fixed extents}}
  %0 = sg.numpy_roll(%a) {shift = array<i64: 1>} :
      (tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @numpy_diagflat_c1(%a: tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>>) -> (tensor<*xf32>) {
  // expected-error @+1 {{data has shape [s0, 3], needs fixed extents}}
  %0 = sg.numpy_diagflat(%a) :
      (tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @numpy_tril_c1(%a: tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>>) -> (tensor<*xf32>) {
  // expected-error @+1 {{data has shape [s0, 3], needs planes of fixed extents}}
  %0 = sg.numpy_tril(%a) :
      (tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @numpy_diag_indices_c1(%a: tensor<2x3xf32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{data has shape [2, 3], needs rank 2 or more and equal, fixed extents}}
  %0 = sg.numpy_diag_indices(%a) : (tensor<2x3xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @numpy_diag_indices_c2(%a: tensor<3x3xf32>) -> (tensor<3x2xi64>) {
  // expected-error @+1 {{has shape [3, 2] but needs [2, 3]}}
  %0 = sg.numpy_diag_indices(%a) : (tensor<3x3xf32>) -> tensor<3x2xi64>
  sg.heads %0 : tensor<3x2xi64>
}
