// RUN: symc-opt --sg-infer-shapes --sg-infer-types %s | FileCheck %s
// RUN: symc-opt %s | symc-opt | symc-opt --sg-infer-shapes --sg-infer-types | FileCheck %s
// NumPy's linear algebra: integers give float64.

// CHECK-LABEL: sg.graph @eigh(
// CHECK: -> (tensor<2x3xf64>, tensor<2x3x3xf64>)
sg.graph @eigh(%a: tensor<2x3x3xi32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  %0:2 = sg.numpy_eigh(%a) {vectors = true} : (tensor<2x3x3xi32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>)
  sg.heads %0#0, %0#1 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @eigvalsh(
// CHECK: -> tensor<3xf32>
sg.graph @eigvalsh(%a: tensor<3x3xf32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.numpy_eigh(%a) {vectors = false, UPLO = "U"} : (tensor<3x3xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @eig(
// CHECK: -> (tensor<3xf64>, tensor<3x3xf64>)
sg.graph @eig(%a: tensor<3x3xf64>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  %0:2 = sg.numpy_eig(%a) {vectors = true} : (tensor<3x3xf64>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>)
  sg.heads %0#0, %0#1 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @matrix_eig(
// CHECK: -> (tensor<3xf32>, tensor<3x3xf32>)
sg.graph @matrix_eig(%a: tensor<3x3xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  %0:2 = sg.matrix_eig(%a) {vectors = false} : (tensor<3x3xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>)
  sg.heads %0#0, %0#1 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @svd(
// CHECK: -> (tensor<5x2x2xf32>, tensor<5x2xf32>, tensor<5x2x4xf32>)
sg.graph @svd(%a: tensor<5x2x4xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  %0:3 = sg.numpy_svd(%a) : (tensor<5x2x4xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>)
  sg.heads %0#0, %0#1, %0#2 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @solve(
// CHECK: -> tensor<2x3xf64>
sg.graph @solve(%a: tensor<2x3x3xf32>, %b: tensor<2x3xi32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.numpy_solve(%a, %b) : (tensor<2x3x3xf32>, tensor<2x3xi32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @matrix_solve(
// CHECK: -> tensor<3x2xf32>
sg.graph @matrix_solve(%a: tensor<3x3xf32>, %b: tensor<3x2xf32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.matrix_solve(%a, %b) : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @tensorinv(
// CHECK: -> tensor<8x3x4x6xf32>
sg.graph @tensorinv(%a: tensor<4x6x8x3xf32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.numpy_tensorinv(%a) : (tensor<4x6x8x3xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @tensorsolve(
// CHECK: -> tensor<6xf32>
sg.graph @tensorsolve(%a: tensor<2x3x6xf32>, %b: tensor<2x3xf32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.numpy_tensorsolve(%a, %b) : (tensor<2x3x6xf32>, tensor<2x3xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @pinv(
// CHECK: (tensor<2x3x4xf64>, tensor<2xf64>) -> tensor<2x4x3xf64>
sg.graph @pinv(%a: tensor<2x3x4xf64>, %b: tensor<2x!sg.unknown>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.numpy_pinv(%a, %b) : (tensor<2x3x4xf64>, tensor<2x!sg.unknown>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @pinv_scalar(
// CHECK: -> tensor<4x3xf32>
sg.graph @pinv_scalar(%a: tensor<3x4xf32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.numpy_pinv_scalar(%a) : (tensor<3x4xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @matrix_pinv(
// CHECK: -> tensor<4x3xf32>
sg.graph @matrix_pinv(%a: tensor<3x4xf32>, %b: tensor<1xf32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.matrix_pinv(%a, %b) : (tensor<3x4xf32>, tensor<1xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}
