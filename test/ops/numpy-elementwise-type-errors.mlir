// RUN: symc-opt --sg-infer-shapes --sg-infer-types -split-input-file -verify-diagnostics=only-expected %s
// Element types that do not meet, and bits of floats, are errors.

sg.graph @numpy_binary_c2(%a: tensor<2xf32>, %b: tensor<2xi32>) -> (tensor<2x!sg.unknown>) {
  // expected-error @+1 {{has element type}}
  %0 = sg.numpy_binary(%a, %b) {fn = "equal"} :
      (tensor<2xf32>, tensor<2xi32>) -> tensor<2x!sg.unknown>
  sg.heads %0 : tensor<2x!sg.unknown>
}

// -----

sg.graph @numpy_binary_c3(%a: tensor<2xi8>, %b: tensor<2xui8>) -> (tensor<2x!sg.unknown>) {
  // expected-error @+1 {{lhs has element type int8 and rhs uint8, which do not meet in add}}
  %0 = sg.numpy_binary(%a, %b) {fn = "add"} :
      (tensor<2xi8>, tensor<2xui8>) -> tensor<2x!sg.unknown>
  sg.heads %0 : tensor<2x!sg.unknown>
}

// -----

sg.graph @numpy_binary_c3_two(%a: tensor<2xi32>, %b: tensor<2xi64>) -> (tensor<2x!sg.unknown>) {
  // expected-error @+1 {{lhs has element type int32 and rhs int64, which do not meet in sub}}
  %0 = sg.numpy_binary(%a, %b) {fn = "sub"} :
      (tensor<2xi32>, tensor<2xi64>) -> tensor<2x!sg.unknown>
  sg.heads %0 : tensor<2x!sg.unknown>
}

// -----

sg.graph @numpy_where_c2(%a: tensor<2xf32>, %b: tensor<2xf32>, %c: tensor<2xf64>) -> (tensor<2x!sg.unknown>) {
  // expected-error @+1 {{has element type}}
  %0 = sg.numpy_where(%a, %b, %c) :
      (tensor<2xf32>, tensor<2xf32>, tensor<2xf64>) -> tensor<2x!sg.unknown>
  sg.heads %0 : tensor<2x!sg.unknown>
}

// -----

sg.graph @numpy_where_scalar_c2(%a: tensor<2xf32>, %b: tensor<2xf32>) -> (tensor<2xf64>) {
  // expected-error @+1 {{has element type}}
  %0 = sg.numpy_where_scalar(%a, %b) {left = false} :
      (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf64>
  sg.heads %0 : tensor<2xf64>
}

// -----

sg.graph @unary_c2(%a: tensor<2xf32>) -> (tensor<2x!sg.unknown>) {
  // expected-error @+1 {{has element type float32 but bit_not needs integers}}
  %0 = sg.unary(%a) {fn = "bit_not"} :
      (tensor<2xf32>) -> tensor<2x!sg.unknown>
  sg.heads %0 : tensor<2x!sg.unknown>
}

// -----

sg.graph @binary_c3(%a: tensor<2xf32>, %b: tensor<2xf32>) -> (tensor<2x!sg.unknown>) {
  // expected-error @+1 {{has element type float32 but lcm needs integers}}
  %0 = sg.binary(%a, %b) {fn = "lcm"} :
      (tensor<2xf32>, tensor<2xf32>) -> tensor<2x!sg.unknown>
  sg.heads %0 : tensor<2x!sg.unknown>
}

// -----

sg.graph @scalar_c2(%a: tensor<2xf32>) -> (tensor<2x!sg.unknown>) {
  // expected-error @+1 {{has element type float32 but bit_or needs integers}}
  %0 = sg.scalar(%a) {fn = "bit_or", scalar = 1.0 : f64} :
      (tensor<2xf32>) -> tensor<2x!sg.unknown>
  sg.heads %0 : tensor<2x!sg.unknown>
}

// -----

sg.graph @numpy_norm_c4(%a: tensor<2x3xi32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{data is int32, needs floats}}
  %0 = sg.numpy_norm(%a) : (tensor<2x3xi32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @numpy_norm_c4_half(%a: tensor<2x3xf16>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{data is float16, whose singular values are not taken}}
  %0 = sg.numpy_norm(%a) {ord = -2.0 : f64, flag = 0 : i64} : (tensor<2x3xf16>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @numpy_ediff1d_types(%a: tensor<3xf32>, %b: tensor<2xi32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{has element type}}
  %0 = sg.numpy_ediff1d(%a, %b) {to_end_arr_given = true} : (tensor<3xf32>, tensor<2xi32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @numpy_average_c4(%a: tensor<3xi32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{a is int32, needs floats}}
  %0 = sg.numpy_average(%a) {weighted = false} : (tensor<3xi32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}
