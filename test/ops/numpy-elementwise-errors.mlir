// RUN: symc-opt --sg-infer-shapes -split-input-file -verify-diagnostics=only-expected %s
// Shapes that do not meet are an error that names both.

sg.graph @numpy_binary_c1(%a: tensor<2x3xf32>, %b: tensor<2x4xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{lhs has shape [2, 3] and rhs [2, 4]: extents 3 and 4 meet and neither is 1}}
  %0 = sg.numpy_binary(%a, %b) {fn = "add"} :
      (tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @numpy_scalar_c1(%a: tensor<2xf32>) -> (tensor<3xf32>) {
  // expected-error @+1 {{needs [2]}}
  %0 = sg.numpy_scalar(%a) {fn = "add"} :
      (tensor<2xf32>) -> tensor<3xf32>
  sg.heads %0 : tensor<3xf32>
}

// -----

sg.graph @numpy_test_c1(%a: tensor<2xf32>) -> (tensor<3xf32>) {
  // expected-error @+1 {{needs [2]}}
  %0 = sg.numpy_test(%a) {fn = "isnan"} :
      (tensor<2xf32>) -> tensor<3xf32>
  sg.heads %0 : tensor<3xf32>
}

// -----

sg.graph @numpy_around_c1(%a: tensor<2xf32>) -> (tensor<3xf32>) {
  // expected-error @+1 {{needs [2]}}
  %0 = sg.numpy_around(%a) :
      (tensor<2xf32>) -> tensor<3xf32>
  sg.heads %0 : tensor<3xf32>
}

// -----

sg.graph @numpy_nan_to_num_c1(%a: tensor<2xf32>) -> (tensor<3xf32>) {
  // expected-error @+1 {{needs [2]}}
  %0 = sg.numpy_nan_to_num(%a) :
      (tensor<2xf32>) -> tensor<3xf32>
  sg.heads %0 : tensor<3xf32>
}

// -----

sg.graph @numpy_where_c1(%a: tensor<2xf32>, %b: tensor<3xf32>, %c: tensor<4xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{x has shape [3] and y [4]: extents 3 and 4 meet and neither is 1}}
  %0 = sg.numpy_where(%a, %b, %c) :
      (tensor<2xf32>, tensor<3xf32>, tensor<4xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @numpy_where_c1_condition(%a: tensor<2xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{condition has shape [2] and x with y [3]: extents 2 and 3 meet and neither is 1}}
  %0 = sg.numpy_where(%a, %b, %c) :
      (tensor<2xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @numpy_where_scalar_c1(%a: tensor<2xf32>, %b: tensor<3xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{condition has shape [2] and x [3]: extents 2 and 3 meet and neither is 1}}
  %0 = sg.numpy_where_scalar(%a, %b) {left = true} :
      (tensor<2xf32>, tensor<3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @numpy_where_numbers_c1(%a: tensor<2xf32>) -> (tensor<3xf32>) {
  // expected-error @+1 {{needs [2]}}
  %0 = sg.numpy_where_numbers(%a) :
      (tensor<2xf32>) -> tensor<3xf32>
  sg.heads %0 : tensor<3xf32>
}
