// RUN: symc-opt --sg-infer-shapes -split-input-file -verify-diagnostics=only-expected %s
// Each constraint is an error that says what was found and what is needed.

sg.graph @boolean_mask_c1(%data: tensor<4x3xf32>, %index: tensor<4xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{parameter 'axis' is 1, needs 0}}
  %0 = sg.boolean_mask(%data, %index) {axis = 1 : i64} : (tensor<4x3xf32>, tensor<4xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @boolean_mask_c2(%data: tensor<f32>, %index: tensor<4xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{data has shape [], needs at least one extent}}
  %0 = sg.boolean_mask(%data, %index) : (tensor<f32>, tensor<4xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @boolean_mask_c2_index(%data: tensor<4x3xf32>, %index: tensor<3xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{index has shape [3] but needs [4]}}
  %0 = sg.boolean_mask(%data, %index) : (tensor<4x3xf32>, tensor<3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @boolean_mask_c4(%data: tensor<4x3xf32>, %index: tensor<4xf32>) -> (tensor<?x2xf32>) {
  // expected-error @+1 {{output has shape [?, 2] but needs [s0, 3]}}
  %0 = sg.boolean_mask(%data, %index) : (tensor<4x3xf32>, tensor<4xf32>) -> tensor<?x2xf32>
  sg.heads %0 : tensor<?x2xf32>
}

// -----

sg.graph @body(%x: tensor<4xf32>, %s: tensor<4xf32>) -> (tensor<*xf32>, tensor<4xf32>) {
  // expected-error @+1 {{is in the body of a loop or choice, where no value may decide a size}}
  %0 = sg.boolean_mask(%x, %s) : (tensor<4xf32>, tensor<4xf32>) -> tensor<*xf32>
  sg.heads %0, %s : tensor<*xf32>, tensor<4xf32>
}
sg.graph @boolean_mask_c3(%x: tensor<5x4xf32>, %s: tensor<4xf32>) -> (tensor<*xf32>, tensor<*xf32>) {
  %0:2 = sg.foreach(%x, %s) {num_args = 3, num_outputs = 2, num_out_data = 1, in_data_locs = array<i64: 0>, in_state_locs = array<i64: 1>, remain_locs = array<i64>, bodies = [@body]} :
      (tensor<5x4xf32>, tensor<4xf32>) -> (tensor<*xf32>, tensor<*xf32>)
  sg.heads %0#0, %0#1 : tensor<*xf32>, tensor<*xf32>
}

// -----

sg.graph @body(%x: tensor<4xf32>, %s: tensor<4xf32>) -> (tensor<*xi64>, tensor<4xf32>) {
  // expected-error @+1 {{is in the body of a loop or choice, where no value may decide a size}}
  %0 = sg.nonzero(%x) : (tensor<4xf32>) -> tensor<*xi64>
  sg.heads %0, %s : tensor<*xi64>, tensor<4xf32>
}
sg.graph @nonzero_c2(%x: tensor<5x4xf32>, %s: tensor<4xf32>) -> (tensor<*xi64>, tensor<*xf32>) {
  %0:2 = sg.foreach(%x, %s) {num_args = 3, num_outputs = 2, num_out_data = 1, in_data_locs = array<i64: 0>, in_state_locs = array<i64: 1>, remain_locs = array<i64>, bodies = [@body]} :
      (tensor<5x4xf32>, tensor<4xf32>) -> (tensor<*xi64>, tensor<*xf32>)
  sg.heads %0#0, %0#1 : tensor<*xi64>, tensor<*xf32>
}

// -----

sg.graph @body(%x: tensor<4xf32>, %s: tensor<4xf32>) -> (tensor<*xf32>, tensor<4xf32>) {
  // expected-error @+1 {{is in the body of a loop or choice, where no value may decide a size}}
  %0 = sg.unique(%x) : (tensor<4xf32>) -> tensor<*xf32>
  sg.heads %0, %s : tensor<*xf32>, tensor<4xf32>
}
sg.graph @unique_c2(%x: tensor<5x4xf32>, %s: tensor<4xf32>) -> (tensor<*xf32>, tensor<*xf32>) {
  %0:2 = sg.foreach(%x, %s) {num_args = 3, num_outputs = 2, num_out_data = 1, in_data_locs = array<i64: 0>, in_state_locs = array<i64: 1>, remain_locs = array<i64>, bodies = [@body]} :
      (tensor<5x4xf32>, tensor<4xf32>) -> (tensor<*xf32>, tensor<*xf32>)
  sg.heads %0#0, %0#1 : tensor<*xf32>, tensor<*xf32>
}

// -----

sg.graph @nonzero_c1(%data: tensor<f32>) -> (tensor<*xi64>) {
  // expected-error @+1 {{data has shape [], needs at least one extent}}
  %0 = sg.nonzero(%data) : (tensor<f32>) -> tensor<*xi64>
  sg.heads %0 : tensor<*xi64>
}

// -----

sg.graph @nonzero_c3(%data: tensor<4x3xf32>) -> (tensor<?x3xi64>) {
  // expected-error @+1 {{output has shape [?, 3] but needs [s0, 2]}}
  %0 = sg.nonzero(%data) : (tensor<4x3xf32>) -> tensor<?x3xi64>
  sg.heads %0 : tensor<?x3xi64>
}

// -----

sg.graph @unique_c1(%data: tensor<4x3xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{axis 2 is outside data's shape [4, 3]}}
  %0 = sg.unique(%data) {axis = 2 : i64} : (tensor<4x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @unique_c3(%data: tensor<4x3xf32>) -> (tensor<*xf32>, tensor<11xi64>) {
  // expected-error @+1 {{has shape [11] but needs [12]}}
  %0:2 = sg.unique(%data) {return_inverse = true} : (tensor<4x3xf32>) -> (tensor<*xf32>, tensor<11xi64>)
  sg.heads %0#0, %0#1 : tensor<*xf32>, tensor<11xi64>
}

// -----

sg.graph @body(%x: tensor<6x4xf32>, %s: tensor<4xf32>) -> (tensor<*xi64>, tensor<4xf32>) {
  %b = sg.expand_dims(%x) {axis = 0 : i64} : (tensor<6x4xf32>) -> tensor<1x6x4xf32>
  %c = sg.slice_axis(%b) {axis = 2 : i64, begin = 0 : i64, end = 1 : i64} : (tensor<1x6x4xf32>) -> tensor<1x6x1xf32>
  %d = sg.swap_axis(%c) {dim1 = 1 : i64, dim2 = 2 : i64} : (tensor<1x6x1xf32>) -> tensor<1x1x6xf32>
  // expected-error @+1 {{is in the body of a loop or choice, where no value may decide a size}}
  %0 = sg.non_max_suppression(%b, %d) {most = 3 : i64} : (tensor<1x6x4xf32>, tensor<1x1x6xf32>) -> tensor<*xi64>
  sg.heads %0, %s : tensor<*xi64>, tensor<4xf32>
}
sg.graph @non_max_suppression_c2(%x: tensor<5x6x4xf32>, %s: tensor<4xf32>) -> (tensor<*xi64>, tensor<*xf32>) {
  %0:2 = sg.foreach(%x, %s) {num_args = 3, num_outputs = 2, num_out_data = 1, in_data_locs = array<i64: 0>, in_state_locs = array<i64: 1>, remain_locs = array<i64>, bodies = [@body]} :
      (tensor<5x6x4xf32>, tensor<4xf32>) -> (tensor<*xi64>, tensor<*xf32>)
  sg.heads %0#0, %0#1 : tensor<*xi64>, tensor<*xf32>
}
