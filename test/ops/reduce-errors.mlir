// RUN: symc-opt --sg-infer-shapes -split-input-file -verify-diagnostics=only-expected %s
// Each constraint of a reduction is an error that says what was found and what is needed.

sg.graph @reduce_c1(%a: tensor<2x3xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{axis 2 is outside data's shape [2, 3]}}
  %0 = sg.reduce(%a) {kind = "sum", axis = array<i64: 2>} : (tensor<2x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @reduce_c2(%a: tensor<2x3xf32>) -> (tensor<2x1xf32>) {
  // expected-error @+1 {{output has shape [2, 1] but needs [2]}}
  %0 = sg.reduce(%a) {kind = "sum", axis = array<i64: 1>} : (tensor<2x3xf32>) -> tensor<2x1xf32>
  sg.heads %0 : tensor<2x1xf32>
}

// -----

sg.graph @norm_c1(%a: tensor<2x3xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{axis -1 is named twice}}
  %0 = sg.norm(%a) {axis = array<i64: 1, -1>} : (tensor<2x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @norm_c2(%a: tensor<2x3xf32>) -> (tensor<3xf32>) {
  // expected-error @+1 {{output has shape [3] but needs [2]}}
  %0 = sg.norm(%a) {axis = array<i64: 1>} : (tensor<2x3xf32>) -> tensor<3xf32>
  sg.heads %0 : tensor<3xf32>
}

// -----

sg.graph @moments_c1(%a: tensor<2x3xf32>) -> (tensor<*xf32>, tensor<*xf32>) {
  // expected-error @+1 {{axis -3 is outside data's shape [2, 3]}}
  %0:2 = sg.moments(%a) {axes = array<i64: -3>} :
      (tensor<2x3xf32>) -> (tensor<*xf32>, tensor<*xf32>)
  sg.heads %0#0, %0#1 : tensor<*xf32>, tensor<*xf32>
}

// -----

sg.graph @moments_c2(%a: tensor<2x3xf32>) -> (tensor<3xf32>, tensor<2xf32>) {
  // expected-error @+1 {{output1 has shape [2] but needs [3]}}
  %0:2 = sg.moments(%a) {axes = array<i64: 0>} : (tensor<2x3xf32>) -> (tensor<3xf32>, tensor<2xf32>)
  sg.heads %0#0, %0#1 : tensor<3xf32>, tensor<2xf32>
}

// -----

sg.graph @arg_reduce_c1(%a: tensor<2x3xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{axis 2 is outside data's shape [2, 3]}}
  %0 = sg.arg_reduce(%a) {kind = "argmax", axis = 2} : (tensor<2x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @arg_reduce_c2(%a: tensor<2x3xf32>) -> (tensor<2xf32>) {
  // expected-error @+1 {{output has shape [2] but needs [3]}}
  %0 = sg.arg_reduce(%a) {kind = "argmax", axis = 0} : (tensor<2x3xf32>) -> tensor<2xf32>
  sg.heads %0 : tensor<2xf32>
}

// -----

sg.graph @cumsum_c1(%a: tensor<2x3xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{axis 2 is outside a's shape [2, 3]}}
  %0 = sg.cumsum(%a) {axis = 2} : (tensor<2x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @cumsum_c2(%a: tensor<2x3xf32>) -> (tensor<2x3xf32>) {
  // expected-error @+1 {{output has shape [2, 3] but needs [6]}}
  %0 = sg.cumsum(%a) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  sg.heads %0 : tensor<2x3xf32>
}
