// RUN: symc-opt --sg-infer-shapes --sg-infer-types -split-input-file -verify-diagnostics=only-expected %s
// Each constraint is an error that says what was found and what is needed.

sg.graph @percentile_c1(%a: tensor<2x3xf32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{axis -1 is named twice}}
  %0 = sg.percentile(%a) {q_scalar = 30.0 : f64, axis = array<i64: 1, -1>} : (tensor<2x3xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @percentile_c2(%a: tensor<2x3xf32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{parameter 'q_scalar' is 100.5, needs 0 to 100}}
  %0 = sg.percentile(%a) {q_scalar = 100.5 : f64} : (tensor<2x3xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @percentile_c2_rank(%a: tensor<2x3xf32>, %q: tensor<2x2xf32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{q has shape [2, 2], needs rank 0 or 1}}
  %0 = sg.percentile(%a, %q) : (tensor<2x3xf32>, tensor<2x2xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @percentile_c3(%a: tensor<2x3xf32>, %q: tensor<4xf32>) -> (tensor<4x2xf32>) {
  // expected-error @+1 {{output has shape [4, 2] but needs [4, 3]}}
  %0 = sg.percentile(%a, %q) {axis = array<i64: 0>} : (tensor<2x3xf32>, tensor<4xf32>) -> tensor<4x2xf32>
  sg.heads %0 : tensor<4x2xf32>
}

// -----

sg.graph @percentile_c4(%a: tensor<2xf64>) -> (tensor<f32>) {
  // expected-error @+1 {{output has element type float32 but needs float64}}
  %0 = sg.percentile(%a) {q_scalar = 1.0 : f64} : (tensor<2xf64>) -> tensor<f32>
  sg.heads %0 : tensor<f32>
}

// -----

sg.graph @bincount_c1(%a: tensor<2x3xui8>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{data has shape [2, 3], needs rank 0 or 1}}
  %0 = sg.bincount(%a) : (tensor<2x3xui8>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @bincount_c2(%a: tensor<3xi64>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{data is int64, whose values leave the size of the result without a bound; needs uint8 or int8}}
  %0 = sg.bincount(%a) : (tensor<3xi64>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @body(%x: tensor<4xui8>, %s: tensor<4xf32>) -> (tensor<*x!sg.unknown>, tensor<4xf32>) {
  // expected-error @+1 {{is in the body of a loop or choice, where no value may decide a size}}
  %0 = sg.bincount(%x) : (tensor<4xui8>) -> tensor<*x!sg.unknown>
  sg.heads %0, %s : tensor<*x!sg.unknown>, tensor<4xf32>
}
sg.graph @bincount_c3(%x: tensor<5x4xui8>, %s: tensor<4xf32>) -> (tensor<*x!sg.unknown>, tensor<*xf32>) {
  %0:2 = sg.foreach(%x, %s) {num_args = 3, num_outputs = 2, num_out_data = 1, in_data_locs = array<i64: 0>, in_state_locs = array<i64: 1>, remain_locs = array<i64>, bodies = [@body]} :
      (tensor<5x4xui8>, tensor<4xf32>) -> (tensor<*x!sg.unknown>, tensor<*xf32>)
  sg.heads %0#0, %0#1 : tensor<*x!sg.unknown>, tensor<*xf32>
}
