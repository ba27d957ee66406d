// RUN: symc-opt --sg-infer-shapes --sg-infer-types %s | FileCheck %s
// RUN: symc-opt %s | symc-opt | symc-opt --sg-infer-shapes --sg-infer-types | FileCheck %s
// Reductions leave axes out, or keep them with extent 1; all axes give [1].

// CHECK-LABEL: sg.graph @reduce(
// CHECK: -> tensor<3xf32>
sg.graph @reduce(%a: tensor<2x3x4xf32>) -> (tensor<*xf32>) {
  %0 = sg.reduce(%a) {kind = "sum", axis = array<i64: 0, -1>} : (tensor<2x3x4xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @reduce_all(
// CHECK: -> tensor<1xf32>
sg.graph @reduce_all(%a: tensor<2x3x4xf32>) -> (tensor<*xf32>) {
  %0 = sg.reduce(%a) {kind = "max"} : (tensor<2x3x4xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @reduce_keepdims(
// CHECK: -> tensor<1x3x1xf32>
sg.graph @reduce_keepdims(%a: tensor<2x3x4xf32>) -> (tensor<*xf32>) {
  %0 = sg.reduce(%a) {kind = "mean", axis = array<i64: 1>, keepdims = true, exclude = true} :
      (tensor<2x3x4xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @norm(
// CHECK: -> tensor<2x4xf64>
sg.graph @norm(%a: tensor<2x3x4xf32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.norm(%a) {axis = array<i64: 1>, out_dtype = "float64"} :
      (tensor<2x3x4xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @moments(
// CHECK: -> (tensor<3x4xf32>, tensor<3x4xf32>)
sg.graph @moments(%a: tensor<2x3x4xf32>) -> (tensor<*xf32>, tensor<*xf32>) {
  %0:2 = sg.moments(%a) {axes = array<i64: 0>} :
      (tensor<2x3x4xf32>) -> (tensor<*xf32>, tensor<*xf32>)
  sg.heads %0#0, %0#1 : tensor<*xf32>, tensor<*xf32>
}

// CHECK-LABEL: sg.graph @arg_reduce(
// CHECK: -> tensor<2x1x4xf32>
sg.graph @arg_reduce(%a: tensor<2x3x4xf32>) -> (tensor<*xf32>) {
  %0 = sg.arg_reduce(%a) {kind = "argmax", axis = 1, keepdims = true} :
      (tensor<2x3x4xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @arg_reduce_all(
// CHECK: -> tensor<1xf32>
sg.graph @arg_reduce_all(%a: tensor<2x3x4xf32>) -> (tensor<*xf32>) {
  %0 = sg.arg_reduce(%a) {kind = "argmin"} : (tensor<2x3x4xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @cumsum(
// CHECK: (tensor<2x3xf32>) -> tensor<2x3xi32>
sg.graph @cumsum(%a: tensor<*xf32>) -> (tensor<2x3x!sg.unknown>) {
  %0 = sg.cumsum(%a) {axis = 0, dtype = "int32"} : (tensor<*xf32>) -> tensor<2x3x!sg.unknown>
  sg.heads %0 : tensor<2x3x!sg.unknown>
}

// CHECK-LABEL: sg.graph @cumsum_flat(
// CHECK: -> tensor<6xf32>
sg.graph @cumsum_flat(%a: tensor<2x3xf32>) -> (tensor<*xf32>) {
  %0 = sg.cumsum(%a) : (tensor<2x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}
