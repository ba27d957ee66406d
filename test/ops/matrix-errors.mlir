// RUN: symc-opt --sg-infer-shapes -split-input-file -verify-diagnostics=only-expected %s
// Each constraint of a product is an error that names both shapes.

sg.graph @dot_c1(%a: tensor<f32>, %b: tensor<3xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{lhs has shape [] and rhs [3], needs at least one extent each}}
  %0 = sg.dot(%a, %b) : (tensor<f32>, tensor<3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @dot_c2(%a: tensor<2x3xf32>, %b: tensor<4x5xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{lhs has shape [2, 3] and rhs [4, 5]: the extents 3 and 4 are summed over, needs equal ones}}
  %0 = sg.dot(%a, %b) : (tensor<2x3xf32>, tensor<4x5xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @dot_c3(%a: tensor<2x3xf32>, %b: tensor<3x5xf32>) -> (tensor<5x2xf32>) {
  // expected-error @+1 {{output has shape [5, 2] but needs [2, 5]}}
  %0 = sg.dot(%a, %b) : (tensor<2x3xf32>, tensor<3x5xf32>) -> tensor<5x2xf32>
  sg.heads %0 : tensor<5x2xf32>
}

// -----

sg.graph @batch_dot_c1(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{lhs has shape [2, 3] and rhs [3, 4], needs equal ranks of at least 3}}
  %0 = sg.batch_dot(%a, %b) : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @batch_dot_c2(%a: tensor<2x3x4xf32>, %b: tensor<3x4x5xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{lhs has shape [2, 3, 4] and rhs [3, 4, 5], needs equal extents along axis 0}}
  %0 = sg.batch_dot(%a, %b) : (tensor<2x3x4xf32>, tensor<3x4x5xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @batch_dot_c3(%a: tensor<2x3x4xf32>, %b: tensor<2x4x5xf32>) -> (tensor<2x5x3xf32>) {
  // expected-error @+1 {{output has shape [2, 5, 3] but needs [2, 3, 5]}}
  %0 = sg.batch_dot(%a, %b) : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x5x3xf32>
  sg.heads %0 : tensor<2x5x3xf32>
}

// -----

sg.graph @khatri_rao_c1(%a: tensor<3x2xf32>, %b: tensor<2x3xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{operand 1 has shape [2, 3], needs [?, 2]}}
  %0 = sg.khatri_rao(%a, %b) {num_args = 2} : (tensor<3x2xf32>, tensor<2x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @khatri_rao_c2(%a: tensor<3x2xf32>, %b: tensor<2x2xf32>) -> (tensor<5x2xf32>) {
  // expected-error @+1 {{output has shape [5, 2] but needs [6, 2]}}
  %0 = sg.khatri_rao(%a, %b) {num_args = 2} : (tensor<3x2xf32>, tensor<2x2xf32>) -> tensor<5x2xf32>
  sg.heads %0 : tensor<5x2xf32>
}
