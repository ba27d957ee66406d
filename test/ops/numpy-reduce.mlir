// RUN: symc-opt --sg-infer-shapes --sg-infer-types %s | FileCheck %s
// RUN: symc-opt %s | symc-opt | symc-opt --sg-infer-shapes --sg-infer-types | FileCheck %s
// Reductions go down to rank 0.

// CHECK-LABEL: sg.graph @reduce(
// CHECK: -> tensor<f32>
sg.graph @reduce(%a: tensor<2x3x4xf32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.numpy_reduce(%a) {kind = "sum"} :
      (tensor<2x3x4xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @reduce_none(
// CHECK: -> tensor<2x3xi64>
sg.graph @reduce_none(%a: tensor<2x3xi1>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.numpy_reduce(%a) {kind = "sum", axis = array<i64>} :
      (tensor<2x3xi1>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @reduce_mean(
// CHECK: -> tensor<2x1xf32>
sg.graph @reduce_mean(%a: tensor<2x3xi32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.numpy_reduce(%a) {kind = "mean", axis = array<i64: -1>, keepdims = true} :
      (tensor<2x3xi32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @reduce_any(
// CHECK: -> tensor<3xi1>
sg.graph @reduce_any(%a: tensor<2x3xf32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.numpy_reduce(%a) {kind = "any", axis = array<i64: 0>} :
      (tensor<2x3xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @std(
// CHECK: -> tensor<f64>
sg.graph @std(%a: tensor<2x3xf16>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.numpy_std(%a) {dtype = "float64", ddof = 1 : i64} :
      (tensor<2x3xf16>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @var(
// CHECK: -> tensor<2x1xf32>
sg.graph @var(%a: tensor<2x3xf32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.numpy_var(%a) {axis = array<i64: 1>, keepdims = true} :
      (tensor<2x3xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @arg_reduce(
// CHECK: -> tensor<2xi64>
sg.graph @arg_reduce(%a: tensor<2x3xf32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.numpy_arg_reduce(%a) {kind = "argmax", axis = -1 : i64} :
      (tensor<2x3xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @norm(
// CHECK: -> tensor<2x1xf16>
// CHECK: -> tensor<4xf32>
// CHECK: -> tensor<1x1x1xf32>
sg.graph @norm(%a: tensor<2x3xf16>, %b: tensor<4x2x3xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  %0 = sg.numpy_norm(%a) {axis = array<i64: 1>, keepdims = true} : (tensor<2x3xf16>) -> tensor<*x!sg.unknown>
  %1 = sg.numpy_norm(%b) {ord = -2.0 : f64, flag = 0 : i64} : (tensor<4x2x3xf32>) -> tensor<*x!sg.unknown>
  %2 = sg.numpy_norm(%b) {keepdims = true, flag = -2 : i64} : (tensor<4x2x3xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0, %1, %2 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @average(
// CHECK: (tensor<2x3xf32>, tensor<3xf32>) -> (tensor<2xf32>, tensor<f32>)
// CHECK: (tensor<2x3xf32>, tensor<2x3xf32>) -> (tensor<3xf32>, tensor<3xf32>)
sg.graph @average(%a: tensor<2x3xf32>, %b: tensor<3x!sg.unknown>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  %0:2 = sg.numpy_average(%a, %b) {axis = array<i64: -1>, returned = true} : (tensor<2x3xf32>, tensor<3x!sg.unknown>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>)
  %1:2 = sg.numpy_average(%a, %a) {axis = array<i64: 0>, returned = true} : (tensor<2x3xf32>, tensor<2x3xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>)
  sg.heads %0#0, %0#1, %1#0, %1#1 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}
