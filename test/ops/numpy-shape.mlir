// RUN: symc-opt --sg-infer-shapes --sg-infer-types %s | FileCheck %s
// RUN: symc-opt %s | symc-opt | symc-opt --sg-infer-shapes --sg-infer-types | FileCheck %s
// Shapes follow NumPy's codes, orders NumPy's axes.

// CHECK-LABEL: sg.graph @reshape(
// CHECK: -> tensor<4x6xf32>
sg.graph @reshape(%a: tensor<2x3x4xf32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.numpy_reshape(%a) {newshape = array<i64: 4, -1>} :
      (tensor<2x3x4xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @reshape_codes(
// CHECK: -> tensor<2x3x6x5xf32>
sg.graph @reshape_codes(%a: tensor<1x6x2x3x5xf32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.numpy_reshape(%a) {newshape = array<i64: -3, -6, 2, -1, -5, -4>, codes = true} :
      (tensor<1x6x2x3x5xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @reshape_reverse(
// CHECK: -> tensor<6x4xf32>
sg.graph @reshape_reverse(%a: tensor<2x3x4xf32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.numpy_reshape(%a) {newshape = array<i64: -5, -2>, codes = true, reverse = true} :
      (tensor<2x3x4xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @squeeze(
// CHECK: -> tensor<f32>
sg.graph @squeeze(%a: tensor<1x1xf32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.numpy_squeeze(%a) :
      (tensor<1x1xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @broadcast_to(
// CHECK: -> tensor<2x3x4xf32>
sg.graph @broadcast_to(%a: tensor<3x1xf32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.numpy_broadcast_to(%a) {shape = array<i64: 2, -2, 4>} :
      (tensor<3x1xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @roll(
// CHECK: -> tensor<3x4xf32>
sg.graph @roll(%a: tensor<3x4xf32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.numpy_roll(%a) {shift = array<i64: 1>} :
      (tensor<3x4xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @flip(
// CHECK: -> tensor<3x4xf32>
sg.graph @flip(%a: tensor<3x4xf32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.numpy_flip(%a) : (tensor<3x4xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @rot90(
// CHECK: -> tensor<4x3x5xf32>
sg.graph @rot90(%a: tensor<3x4x5xf32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.numpy_rot90(%a) {k = -1 : i64} :
      (tensor<3x4x5xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @moveaxis(
// CHECK: -> tensor<4x2x3x5xf32>
sg.graph @moveaxis(%a: tensor<2x3x4x5xf32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.numpy_moveaxis(%a) {source = array<i64: 0, 2>, destination = array<i64: 1, 0>} :
      (tensor<2x3x4x5xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @atleast(
// CHECK: -> (tensor<1x3xf32>, tensor<1x1xi32>)
sg.graph @atleast(%a: tensor<3xf32>, %b: tensor<i32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  %0:2 = sg.numpy_atleast(%a, %b) {num_args = 2 : i64, least = 2 : i64} :
      (tensor<3xf32>, tensor<i32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>)
  sg.heads %0#0, %0#1 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @diagonal(
// CHECK: -> tensor<2x2xf32>
sg.graph @diagonal(%a: tensor<2x3x4xf32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.numpy_diagonal(%a) {axis1 = 1 : i64, axis2 = 2 : i64, offset = 2 : i64} :
      (tensor<2x3x4xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @trace(
// CHECK: -> tensor<f32>
sg.graph @trace(%a: tensor<3x4xf32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.numpy_diagonal(%a) {summed = true} :
      (tensor<3x4xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @diagflat(
// CHECK: -> tensor<5x5xf32>
sg.graph @diagflat(%a: tensor<2x2xf32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.numpy_diagflat(%a) {k = -1 : i64} :
      (tensor<2x2xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @tril(
// CHECK: -> tensor<3x3xf32>
sg.graph @tril(%a: tensor<3xf32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.numpy_tril(%a) :
      (tensor<3xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @diag_indices(
// CHECK: -> tensor<3x4xi64>
sg.graph @diag_indices(%a: tensor<4x4x4xf32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.numpy_diag_indices(%a) : (tensor<4x4x4xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// A sum over no elements is 0.
// CHECK-LABEL: sg.graph @trace_outside(
// CHECK: -> tensor<4xf32>
sg.graph @trace_outside(%a: tensor<2x3x4xf32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.numpy_diagonal(%a) {offset = 3 : i64, summed = true} :
      (tensor<2x3x4xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}
