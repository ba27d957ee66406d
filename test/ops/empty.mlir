// RUN: symc-opt --sg-infer-shapes %s | FileCheck %s
// RUN: symc-opt --sg-infer-shapes %s | symc-opt --sg-infer-shapes | FileCheck %s
// If this fails, 0 is not an extent of its own under NumPy's shapes.

module attributes {sg.np_shape} {
// CHECK-LABEL: sg.graph @made(
// CHECK: -> tensor<0x3xf32>
sg.graph @made() -> (tensor<*xf32>) {
  %0 = sg.full() {shape = array<i64: 0, 3>, value = 1.0 : f64} : () -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// () is a shape, too.
// CHECK-LABEL: sg.graph @one_number(
// CHECK: -> tensor<i32>
sg.graph @one_number() -> (tensor<*xi32>) {
  %0 = sg.random_int() {low = 0.0 : f64, high = 9.0 : f64, shape = array<i64>} : () -> tensor<*xi32>
  sg.heads %0 : tensor<*xi32>
}

// CHECK-LABEL: sg.graph @parts(
// CHECK: sg.slice
// CHECK-SAME: -> tensor<0x3xf32>
// CHECK: sg.numpy_reshape
// CHECK-SAME: -> tensor<3x0x2xf32>
// CHECK: sg.numpy_concatenate
// CHECK-SAME: -> tensor<2x3xf32>
// CHECK: sg.numpy_reduce
// CHECK-SAME: -> tensor<3xf32>
sg.graph @parts(%a: tensor<2x3xf32>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) {
  %0 = sg.slice(%a) {begin = array<i64: 1>, end = array<i64: 1>} : (tensor<2x3xf32>) -> tensor<*xf32>
  %1 = sg.numpy_reshape(%0) {newshape = array<i64: 3, 0, 2>} : (tensor<*xf32>) -> tensor<*xf32>
  %2 = sg.numpy_concatenate(%0, %a) {kind = "plain", num_args = 2 : i64, axis = 0 : i64} : (tensor<*xf32>, tensor<2x3xf32>) -> tensor<*xf32>
  %3 = sg.numpy_reduce(%0) {kind = "sum", axis = array<i64: 0>} : (tensor<*xf32>) -> tensor<*xf32>
  sg.heads %1, %2, %3 : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>
}
}
