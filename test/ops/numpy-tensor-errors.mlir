// RUN: symc-opt --sg-infer-shapes -split-input-file -verify-diagnostics=only-expected %s
// Each constraint of a numpy operator is an error that says what was found and what is needed.

sg.graph @numpy_reduce_c1(%a: tensor<2x3xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{axis 2 is outside a's shape [2, 3]}}
  %0 = sg.numpy_reduce(%a) {kind = "sum", axis = array<i64: 2>} :
      (tensor<2x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @numpy_reduce_c2(%a: tensor<2x3xf32>) -> (tensor<1xf32>) {
  // expected-error @+1 {{output has shape [1] but needs []}}
  %0 = sg.numpy_reduce(%a) {kind = "sum"} :
      (tensor<2x3xf32>) -> tensor<1xf32>
  sg.heads %0 : tensor<1xf32>
}

// -----

sg.graph @numpy_reduce_c3(%a: tensor<2x3xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{parameter 'initial' is 1, needs None}}
  %0 = sg.numpy_reduce(%a) {kind = "sum", initial = 1.0 : f64} :
      (tensor<2x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @numpy_var_c1(%a: tensor<2x3xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{axis 1 is named twice}}
  %0 = sg.numpy_var(%a) {axis = array<i64: 1, 1>} :
      (tensor<2x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @numpy_std_c1(%a: tensor<2x3xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{axis 1 is named twice}}
  %0 = sg.numpy_std(%a) {axis = array<i64: 1, 1>} :
      (tensor<2x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @numpy_var_c2(%a: tensor<2x3xf32>) -> (tensor<3xf32>) {
  // expected-error @+1 {{var has shape [3] but needs [2]}}
  %0 = sg.numpy_var(%a) {axis = array<i64: 1>} :
      (tensor<2x3xf32>) -> tensor<3xf32>
  sg.heads %0 : tensor<3xf32>
}

// -----

sg.graph @numpy_std_c2(%a: tensor<2x3xf32>) -> (tensor<3xf32>) {
  // expected-error @+1 {{std has shape [3] but needs [2]}}
  %0 = sg.numpy_std(%a) {axis = array<i64: 1>} :
      (tensor<2x3xf32>) -> tensor<3xf32>
  sg.heads %0 : tensor<3xf32>
}

// -----

sg.graph @numpy_arg_reduce_c1(%a: tensor<2x3xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{axis 2 is outside data's shape [2, 3]}}
  %0 = sg.numpy_arg_reduce(%a) {kind = "argmax", axis = 2 : i64} :
      (tensor<2x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @numpy_arg_reduce_c2(%a: tensor<2x3xf32>) -> (tensor<3xf32>) {
  // expected-error @+1 {{output has shape [3] but needs [2]}}
  %0 = sg.numpy_arg_reduce(%a) {kind = "argmax", axis = 1 : i64} :
      (tensor<2x3xf32>) -> tensor<3xf32>
  sg.heads %0 : tensor<3xf32>
}

// -----

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

sg.graph @numpy_concatenate_c1(%a: tensor<2xf32>, %b: tensor<2xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{axis 1 is outside data's shape [2]}}
  %0 = sg.numpy_concatenate(%a, %b) {num_args = 2 : i64, axis = 1 : i64} :
      (tensor<2xf32>, tensor<2xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @numpy_concatenate_c2(%a: tensor<2x3xf32>, %b: tensor<2x4xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{operand 1 has shape [2, 4], which does not lie behind [2, 3] along axis 0}}
  %0 = sg.numpy_concatenate(%a, %b) {num_args = 2 : i64} :
      (tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @numpy_stack_c1(%a: tensor<2x3xf32>, %b: tensor<2x4xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{operand 1 has shape [2, 4], which does not lie behind [2, 3] along axis 0}}
  %0 = sg.numpy_stack(%a, %b) {num_args = 2 : i64, kind = "vertical"} :
      (tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @numpy_split_c1(%a: tensor<2x3xf32>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) {
  // expected-error @+1 {{data has shape [2, 3], needs axis 2}}
  %0:3 = sg.numpy_split(%a) {indices = array<i64>, sections = 3 : i64, depth = true} :
      (tensor<2x3xf32>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>)
  sg.heads %0#0, %0#1, %0#2 : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>
}

// -----

sg.graph @numpy_split_c2(%a: tensor<2x1xf32>) -> (tensor<*xf32>, tensor<*xf32>) {
  // expected-error @+1 {{data has shape [2, 1], whose extent along axis 1 does not make 2 parts}}
  %0:2 = sg.numpy_split(%a) {indices = array<i64>, sections = 2 : i64, depth = false} :
      (tensor<2x1xf32>) -> (tensor<*xf32>, tensor<*xf32>)
  sg.heads %0#0, %0#1 : tensor<*xf32>, tensor<*xf32>
}

// -----

sg.graph @numpy_split_c2_order(%a: tensor<2x3xf32>) -> (tensor<*xf32>, tensor<*xf32>) {
  // expected-error @+1 {{part 0 goes from 2 to 1 along axis 1 of data's shape [2, 3]}}
  %0:2 = sg.numpy_split(%a) {indices = array<i64: 2, 1>, depth = false} :
      (tensor<2x3xf32>) -> (tensor<*xf32>, tensor<*xf32>)
  sg.heads %0#0, %0#1 : tensor<*xf32>, tensor<*xf32>
}

// -----

sg.graph @numpy_split_c2_none(%a: tensor<2x3xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{parameters 'sections' and 'indices' are both empty, needs one of them}}
  %0 = sg.numpy_split(%a) {indices = array<i64>, depth = false} :
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

sg.graph @numpy_pad_c1(%a: tensor<2x3xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{pad_width holds 2 numbers, needs 4 for data's shape [2, 3]}}
  %0 = sg.numpy_pad(%a) {pad_width = "((1, 1),)"} :
      (tensor<2x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @numpy_pad_c1_text(%a: tensor<2x3xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{parameter 'pad_width' is '((1, -1),)', needs pairs of numbers of at least 0}}
  %0 = sg.numpy_pad(%a) {pad_width = "((1, -1),)"} :
      (tensor<2x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @numpy_pad_c2(%a: tensor<2x3xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{data has shape [2, 3], whose axis 0 cannot be padded by 2 in mode reflect}}
  %0 = sg.numpy_pad(%a) {pad_width = "((2, 0), (0, 0))", mode = "reflect"} :
      (tensor<2x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @numpy_pad_c3(%a: tensor<2x3xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{parameter 'reflect_type' is 'odd', needs 'even'}}
  %0 = sg.numpy_pad(%a) {pad_width = "((1, 0), (0, 0))", reflect_type = "odd"} :
      (tensor<2x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @numpy_diff_c1(%a: tensor<2x3xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{a has shape [2, 3], needs a fixed extent above n = 3 along axis 1}}
  %0 = sg.numpy_diff(%a) {n = 3 : i64} :
      (tensor<2x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @numpy_var_c3(%a: tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>>) -> (tensor<*xf32>) {
  // expected-error @+1 {{a has shape [s0, 3], which ddof = 1 needs fixed}}
  %0 = sg.numpy_var(%a) {ddof = 1 : i64} :
      (tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @numpy_std_c3(%a: tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>>) -> (tensor<*xf32>) {
  // expected-error @+1 {{a has shape [s0, 3], which ddof = 1 needs fixed}}
  %0 = sg.numpy_std(%a) {ddof = 1 : i64} :
      (tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>>) -> tensor<*xf32>
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

sg.graph @numpy_concatenate_c3(%a: tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>>, %b: tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>>) -> (tensor<*xf32>) {
  // expected-error @+1 {{needs a fixed extent along axis 0}}
  %0 = sg.numpy_concatenate(%a, %b) {num_args = 2 : i64} :
      (tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>>, tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @numpy_stack_c2(%a: tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>>, %b: tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>>) -> (tensor<*xf32>) {
  // expected-error @+1 {{needs a fixed extent along axis 0}}
  %0 = sg.numpy_stack(%a, %b) {num_args = 2 : i64, kind = "vertical"} :
      (tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>>, tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @numpy_norm_c1(%a: tensor<2x3xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{axis 1 is named twice}}
  %0 = sg.numpy_norm(%a) {axis = array<i64: 1, 1>} : (tensor<2x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @numpy_norm_c1_count(%a: tensor<2x3xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{reduces 1 axes with flag = 2, needs 2}}
  %0 = sg.numpy_norm(%a) {axis = array<i64: 1>, flag = 2 : i64} : (tensor<2x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @numpy_norm_c1_three(%a: tensor<2x3x4xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{reduces 3 axes with flag = 0, needs 1 or 2}}
  %0 = sg.numpy_norm(%a) {axis = array<i64: 0, 1, 2>, flag = 0 : i64} : (tensor<2x3x4xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @numpy_norm_c5(%a: tensor<2x?xf32, #sg.extents<()[s0] -> (2, s0)>>) -> (tensor<*xf32>)
    attributes {dim_names = ["n"], dim_min = array<i64: 1>, dim_max = array<i64: 9>} {
  // expected-error @+1 {{data has shape [2, s0], whose matrices need fixed extents}}
  %0 = sg.numpy_norm(%a) {flag = 2 : i64} : (tensor<2x?xf32, #sg.extents<()[s0] -> (2, s0)>>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @numpy_norm_c2(%a: tensor<2x3xf32>) -> (tensor<3xf32>) {
  // expected-error @+1 {{has shape [3] but needs [2]}}
  %0 = sg.numpy_norm(%a) {axis = array<i64: 1>} : (tensor<2x3xf32>) -> tensor<3xf32>
  sg.heads %0 : tensor<3xf32>
}

// -----

sg.graph @numpy_norm_c3(%a: tensor<2x3xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{parameter 'axis' is given, needs None with flag = -2}}
  %0 = sg.numpy_norm(%a) {flag = -2 : i64, axis = array<i64: 1>} : (tensor<2x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @numpy_ediff1d_c1(%a: tensor<2x3xf32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{has 1 operands, but its parameters need 2}}
  %0 = sg.numpy_ediff1d(%a) {to_end_arr_given = true} : (tensor<2x3xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @numpy_ediff1d_c2(%a: tensor<1xf32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{a has shape [1], which has no neighbours}}
  %0 = sg.numpy_ediff1d(%a) : (tensor<1xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @numpy_ediff1d_c2_open(%a: tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{operand 0 has shape [s0, 3], needs fixed extents}}
  %0 = sg.numpy_ediff1d(%a) : (tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @numpy_average_c1(%a: tensor<2x3xf32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{axis 2}}
  %0 = sg.numpy_average(%a) {axis = array<i64: 2>, weighted = false} : (tensor<2x3xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @numpy_average_c2(%a: tensor<2x3xf32>, %b: tensor<3xf32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{weights has shape [3] but a [2, 3], needs a's shape or one axis}}
  %0 = sg.numpy_average(%a, %b) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @numpy_average_c3(%a: tensor<2x3xf32>) -> (tensor<3xf32>) {
  // expected-error @+1 {{has shape [3] but needs [2]}}
  %0 = sg.numpy_average(%a) {axis = array<i64: 1>, weighted = false} : (tensor<2x3xf32>) -> tensor<3xf32>
  sg.heads %0 : tensor<3xf32>
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
