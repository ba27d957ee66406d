// RUN: symc-opt --sg-infer-shapes --sg-infer-types %s | FileCheck %s
// RUN: symc-opt %s | symc-opt | symc-opt --sg-infer-shapes --sg-infer-types | FileCheck %s
// Products of stacks, pairs of axes and letters; windows and grids.

// CHECK-LABEL: sg.graph @dot(
// CHECK: -> tensor<2x5x4xf32>
sg.graph @dot(%a: tensor<2x3xf32>, %b: tensor<5x3x4xf32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.numpy_dot(%a, %b) :
      (tensor<2x3xf32>, tensor<5x3x4xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @dot_vectors(
// CHECK: -> tensor<f32>
sg.graph @dot_vectors(%a: tensor<3xf32>, %b: tensor<3xf32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.numpy_dot(%a, %b) :
      (tensor<3xf32>, tensor<3xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @matmul(
// CHECK: -> tensor<4x5x2x2xf32>
sg.graph @matmul(%a: tensor<4x1x2x3xf32>, %b: tensor<5x3x2xf32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.numpy_matmul(%a, %b) :
      (tensor<4x1x2x3xf32>, tensor<5x3x2xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @tensordot(
// CHECK: -> tensor<3x5xf32>
sg.graph @tensordot(%a: tensor<2x3x4xf32>, %b: tensor<4x2x5xf32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.numpy_tensordot(%a, %b) {a_axes_summed = array<i64: 0, -1>, b_axes_summed = array<i64: 1, 0>} :
      (tensor<2x3x4xf32>, tensor<4x2x5xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @tensordot_count(
// CHECK: -> tensor<2x5xf32>
sg.graph @tensordot_count(%a: tensor<2x3x4xf32>, %b: tensor<3x4x5xf32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.numpy_tensordot(%a, %b) {axes = 2 : i64} :
      (tensor<2x3x4xf32>, tensor<3x4x5xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @einsum(
// CHECK: -> tensor<5x2x3xf32>
sg.graph @einsum(%a: tensor<2x3x4xf32>, %b: tensor<2x5x4xf32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.numpy_einsum(%a, %b) {num_args = 2 : i64, subscripts = "bij,bkj->kbi"} :
      (tensor<2x3x4xf32>, tensor<2x5x4xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// An ellipsis is aligned at the last axes and leads without an arrow; extents of 1 repeat.
// CHECK-LABEL: sg.graph @einsum_ellipsis(
// CHECK: -> tensor<5x2x4x4xf32>
// CHECK: -> tensor<3x2x4xf32>
// CHECK: -> tensor<2xf32>
sg.graph @einsum_ellipsis(%a: tensor<5x1x4x3xf32>, %b: tensor<2x3x4xf32>, %c: tensor<3x2x3xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  %0 = sg.numpy_einsum(%a, %b) {num_args = 2 : i64, subscripts = "...ij, ...jk -> ...ik"} : (tensor<5x1x4x3xf32>, tensor<2x3x4xf32>) -> tensor<*x!sg.unknown>
  %1 = sg.numpy_einsum(%b) {num_args = 1 : i64, subscripts = "i...j"} : (tensor<2x3x4xf32>) -> tensor<*x!sg.unknown>
  %2 = sg.numpy_einsum(%c) {num_args = 1 : i64, subscripts = "i...i"} : (tensor<3x2x3xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0, %1, %2 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @einsum_implicit(
// CHECK: -> tensor<2x4xf32>
sg.graph @einsum_implicit(%a: tensor<3x2xf32>, %b: tensor<3x4xf32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.numpy_einsum(%a, %b) {num_args = 2 : i64, subscripts = "ba,bc"} :
      (tensor<3x2xf32>, tensor<3x4xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @polyval(
// CHECK: -> tensor<2x4xf32>
sg.graph @polyval(%a: tensor<3xf32>, %b: tensor<2x4xf32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.numpy_polyval(%a, %b) :
      (tensor<3xf32>, tensor<2x4xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @full_like(
// CHECK: -> tensor<2x4xi32>
sg.graph @full_like(%a: tensor<2x4xf32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.numpy_full_like(%a) {fill_value = 1.0 : f64, dtype = "int32"} :
      (tensor<2x4xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @eye(
// CHECK: -> tensor<2x3xf32>
sg.graph @eye() -> (tensor<*x!sg.unknown>) {
  %0 = sg.numpy_eye() {N = 2 : i64, M = 3 : i64} :
      () -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @identity(
// CHECK: -> tensor<2x2xi1>
sg.graph @identity() -> (tensor<*x!sg.unknown>) {
  %0 = sg.numpy_identity() {shape = array<i64: 2, 2>, dtype = "bool"} :
      () -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @indices(
// CHECK: -> tensor<2x2x3xi32>
sg.graph @indices() -> (tensor<*x!sg.unknown>) {
  %0 = sg.numpy_indices() {dimensions = array<i64: 2, 3>} :
      () -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @logspace(
// CHECK: -> tensor<4xf64>
sg.graph @logspace() -> (tensor<*x!sg.unknown>) {
  %0 = sg.numpy_logspace() {start = 0.0 : f64, stop = 1.0 : f64, num = 4 : i64, dtype = "float64"} :
      () -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @window(
// CHECK: -> tensor<4xf32>
sg.graph @window() -> (tensor<*x!sg.unknown>) {
  %0 = sg.numpy_window() {M = 4 : i64, kind = "hamming"} :
      () -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}
