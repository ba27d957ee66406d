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
