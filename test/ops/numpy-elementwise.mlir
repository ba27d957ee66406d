// RUN: symc-opt --sg-infer-shapes --sg-infer-types %s | FileCheck %s
// RUN: symc-opt %s | symc-opt | symc-opt --sg-infer-shapes --sg-infer-types | FileCheck %s
// Operands of any element types meet; comparisons give bool.

// CHECK-LABEL: sg.graph @binary_float(
// CHECK: -> tensor<2x3xf16>
sg.graph @binary_float(%a: tensor<2x1xi32>, %b: tensor<3xf16>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.numpy_binary(%a, %b) {fn = "add"} :
      (tensor<2x1xi32>, tensor<3xf16>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @binary_integers(
// CHECK: -> tensor<3xi64>
sg.graph @binary_integers(%a: tensor<3xi32>, %b: tensor<3xi64>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.numpy_binary(%a, %b) {fn = "mul"} :
      (tensor<3xi32>, tensor<3xi64>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @binary_divide(
// CHECK: -> tensor<3xf32>
sg.graph @binary_divide(%a: tensor<3xi32>, %b: tensor<3xi32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.numpy_binary(%a, %b) {fn = "div"} :
      (tensor<3xi32>, tensor<3xi32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @binary_compare(
// CHECK: -> tensor<3xi1>
sg.graph @binary_compare(%a: tensor<3xf32>, %b: tensor<f32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.numpy_binary(%a, %b) {fn = "greater"} :
      (tensor<3xf32>, tensor<f32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @scalar_whole(
// CHECK: -> tensor<3xi32>
sg.graph @scalar_whole(%a: tensor<3xi32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.numpy_scalar(%a) {fn = "add", scalar = 2.0 : f64} :
      (tensor<3xi32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @scalar_fraction(
// CHECK: -> tensor<3xf64>
sg.graph @scalar_fraction(%a: tensor<3xi32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.numpy_scalar(%a) {fn = "add", scalar = 2.5 : f64, is_int = false} :
      (tensor<3xi32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @scalar_bool(
// CHECK: -> tensor<3xi64>
sg.graph @scalar_bool(%a: tensor<3xi1>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.numpy_scalar(%a) {fn = "add", scalar = 2.0 : f64} :
      (tensor<3xi1>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @scalar_divide(
// CHECK: -> tensor<3xf32>
sg.graph @scalar_divide(%a: tensor<3xi8>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.numpy_scalar(%a) {fn = "div", scalar = 2.0 : f64} :
      (tensor<3xi8>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @scalar_compare(
// CHECK: -> tensor<3xi1>
sg.graph @scalar_compare(%a: tensor<3xi8>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.numpy_scalar(%a) {fn = "equal", scalar = 2.0 : f64} :
      (tensor<3xi8>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @older_scalar_fraction(
// CHECK: -> tensor<3xf64>
sg.graph @older_scalar_fraction(%a: tensor<3xi32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.scalar(%a) {fn = "add", scalar = 2.5 : f64, is_int = false} :
      (tensor<3xi32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @test(
// CHECK: -> tensor<2x3xi1>
sg.graph @test(%a: tensor<2x3xf64>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.numpy_test(%a) {fn = "isnan"} :
      (tensor<2x3xf64>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @around(
// CHECK: -> tensor<2x3xf64>
sg.graph @around(%a: tensor<2x3xf64>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.numpy_around(%a) {decimals = 2 : i64} :
      (tensor<2x3xf64>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @nan_to_num(
// CHECK: -> tensor<2x3xf16>
sg.graph @nan_to_num(%a: tensor<2x3xf16>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.numpy_nan_to_num(%a) :
      (tensor<2x3xf16>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @where(
// CHECK: -> tensor<4x2x3xf32>
sg.graph @where(%a: tensor<2x1xi1>, %b: tensor<3xf32>, %c: tensor<4x1x1xf32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.numpy_where(%a, %b, %c) :
      (tensor<2x1xi1>, tensor<3xf32>, tensor<4x1x1xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @where_scalar(
// CHECK: -> tensor<2x3xi32>
sg.graph @where_scalar(%a: tensor<2x1xi1>, %b: tensor<3xi32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.numpy_where_scalar(%a, %b) {left = true, scalar = 1.5 : f64} :
      (tensor<2x1xi1>, tensor<3xi32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @where_numbers(
// CHECK: -> tensor<2x1xf32>
sg.graph @where_numbers(%a: tensor<2x1xf64>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.numpy_where_numbers(%a) {x = 1.5 : f64} :
      (tensor<2x1xf64>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}
