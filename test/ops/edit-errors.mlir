// RUN: symc-opt --sg-infer-shapes -split-input-file -verify-diagnostics=only-expected %s
// Each constraint is an error that says what was found and what is needed.

sg.graph @insert_c1(%a: tensor<2x3xf32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{axis 2 is outside arr's shape [2, 3]}}
  %0 = sg.insert(%a) {kind = "index", val = 1.0 : f64, axis = 2 : i64, operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<2x3xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @insert_c2(%a: tensor<2x3xf32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{parameter 'step' is None, needs a number}}
  %0 = sg.insert(%a) {kind = "slice", val = 1.0 : f64, axis = 1 : i64, operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<2x3xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @insert_c2_zero(%a: tensor<2x3xf32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{parameter 'step' is 0, needs another number}}
  %0 = sg.insert(%a) {kind = "slice", val = 1.0 : f64, step = 0 : i64, operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<2x3xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @insert_c3(%a: tensor<2x3xf32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{place 4 is outside -3..3 along axis 1 of arr's shape [2, 3]}}
  %0 = sg.insert(%a) {kind = "index", val = 1.0 : f64, int_ind = 4 : i64, axis = 1 : i64, operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<2x3xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @insert_c4(%a: tensor<2x3xf32>, %b: tensor<2x1x3xf32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{values has shape [2, 1, 3], needs fixed extents and rank 2 at most}}
  %0 = sg.insert(%a, %b) {kind = "index", axis = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0>} : (tensor<2x3xf32>, tensor<2x1x3xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @insert_c4_fit(%a: tensor<2x3xf32>, %b: tensor<4xf32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{values has shape [4] with 4 elements along axis 0, needs 1 or 2}}
  %0 = sg.insert(%a, %b) {kind = "index", axis = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0>} : (tensor<2x3xf32>, tensor<4xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @insert_c5(%a: tensor<2x3xf32>, %b: tensor<2xf32>, %c: tensor<2x1xi64>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{obj has shape [2, 1], needs rank 0 or 1 and a fixed extent}}
  %0 = sg.insert(%a, %b, %c) {kind = "tensor", axis = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 1>} : (tensor<2x3xf32>, tensor<2xf32>, tensor<2x1xi64>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @insert_c5_rank0(%a: tensor<2x3xf32>, %b: tensor<2xf32>, %c: tensor<i64>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{values has 1 slices along its first axis and 2 along axis 1, needs as many for an obj of rank 0}}
  %0 = sg.insert(%a, %b, %c) {kind = "tensor", axis = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 1>} : (tensor<2x3xf32>, tensor<2xf32>, tensor<i64>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @delete_c1(%a: tensor<2x3xf32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{axis -3 is outside arr's shape [2, 3]}}
  %0 = sg.delete(%a) {int_ind = 0 : i64, axis = -3 : i64} : (tensor<2x3xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @delete_c2(%a: tensor<2x3xf32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{parameter 'step' is 0, needs another number}}
  %0 = sg.delete(%a) {step = 0 : i64, axis = 1 : i64} : (tensor<2x3xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @delete_c3(%a: tensor<2x3xf32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{place -4 is outside -3..2 along axis 1 of arr's shape [2, 3]}}
  %0 = sg.delete(%a) {int_ind = -4 : i64, axis = 1 : i64} : (tensor<2x3xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @delete_c4(%a: tensor<2x3xf32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{arr has shape [2, 3], of which nothing is left along axis 1}}
  %0 = sg.delete(%a) {step = 1 : i64, axis = 1 : i64} : (tensor<2x3xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @delete_c3_fixed(%a: tensor<2x?xf32, #sg.extents<()[s0] -> (2, s0)>>) -> (tensor<*x!sg.unknown>)
    attributes {dim_names = ["n"], dim_min = array<i64: 1>, dim_max = array<i64: 9>} {
  // expected-error @+1 {{arr has shape [2, s0], whose extent along axis 1 has to be fixed}}
  %0 = sg.delete(%a) {int_ind = 0 : i64, axis = 1 : i64} : (tensor<2x?xf32, #sg.extents<()[s0] -> (2, s0)>>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @body(%x: tensor<4xf32>, %s: tensor<4xf32>) -> (tensor<*xf32>, tensor<4xf32>) {
  // expected-error @+1 {{is in the body of a loop or choice, where no value may decide a size}}
  %0 = sg.delete(%x, %s) : (tensor<4xf32>, tensor<4xf32>) -> tensor<*xf32>
  sg.heads %0, %s : tensor<*xf32>, tensor<4xf32>
}
sg.graph @delete_c5(%x: tensor<5x4xf32>, %s: tensor<4xf32>) -> (tensor<*xf32>, tensor<*xf32>) {
  %0:2 = sg.foreach(%x, %s) {num_args = 3, num_outputs = 2, num_out_data = 1, in_data_locs = array<i64: 0>, in_state_locs = array<i64: 1>, remain_locs = array<i64>, bodies = [@body]} :
      (tensor<5x4xf32>, tensor<4xf32>) -> (tensor<*xf32>, tensor<*xf32>)
  sg.heads %0#0, %0#1 : tensor<*xf32>, tensor<*xf32>
}
