// RUN: symc-opt --sg-infer-shapes --sg-infer-types %s | FileCheck %s
// RUN: symc-opt %s | symc-opt | symc-opt --sg-infer-shapes --sg-infer-types | FileCheck %s
// Joints and parts lie where NumPy puts them.

// CHECK-LABEL: sg.graph @concatenate(
// CHECK: -> tensor<6x3xf32>
sg.graph @concatenate(%a: tensor<2x3xf32>, %b: tensor<4x3xf32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.numpy_concatenate(%a, %b) {num_args = 2 : i64} :
      (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @concatenate_depth(
// CHECK: -> tensor<1x3x2xf32>
sg.graph @concatenate_depth(%a: tensor<3xf32>, %b: tensor<3xf32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.numpy_concatenate(%a, %b) {num_args = 2 : i64, kind = "depth"} :
      (tensor<3xf32>, tensor<3xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @stack_columns(
// CHECK: -> tensor<3x3xf32>
sg.graph @stack_columns(%a: tensor<3xf32>, %b: tensor<3x2xf32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.numpy_stack(%a, %b) {num_args = 2 : i64, kind = "columns"} :
      (tensor<3xf32>, tensor<3x2xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @split(
// CHECK: -> (tensor<2x2x3xf32>, tensor<2x4x3xf32>)
sg.graph @split(%a: tensor<2x6x3xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  %0:2 = sg.numpy_split(%a) {indices = array<i64: 0, 2>, depth = false} :
      (tensor<2x6x3xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>)
  sg.heads %0#0, %0#1 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @diff(
// CHECK: -> tensor<2x3xf32>
sg.graph @diff(%a: tensor<2x5xf32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.numpy_diff(%a) {n = 2 : i64} :
      (tensor<2x5xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @pad(
// CHECK: -> tensor<5x6xf32>
sg.graph @pad(%a: tensor<2x3xf32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.numpy_pad(%a) {pad_width = "((1, 2), (0, 3))"} :
      (tensor<2x3xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @ediff1d(
// CHECK: -> tensor<8xf32>
sg.graph @ediff1d(%a: tensor<2x3xf32>, %b: tensor<2xf32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.numpy_ediff1d(%a, %b) {to_begin_arr_given = true, to_end_scalar = 1.0 : f64} : (tensor<2x3xf32>, tensor<2xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}
