// RUN: symc-opt --sg-infer-shapes -split-input-file -verify-diagnostics=only-expected %s
// Each constraint of a numpy operator is an error that says what was found and what is needed.

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
  // expected-error @+1 {{a has shape [2, 3], needs an extent above n = 3 along axis 1}}
  %0 = sg.numpy_diff(%a) {n = 3 : i64} :
      (tensor<2x3xf32>) -> tensor<*xf32>
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

sg.graph @numpy_diff_c1_many(%a: tensor<2x5000xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{n is 4097, needs at most 4096 differences}}
  %0 = sg.numpy_diff(%a) {n = 4097 : i64} :
      (tensor<2x5000xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}
