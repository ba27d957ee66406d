// RUN: symc-opt --sg-infer-shapes --sg-infer-types %s | FileCheck %s
// RUN: symc-opt %s | symc-opt | symc-opt --sg-infer-shapes --sg-infer-types | FileCheck %s
// Reductions go down to rank 0; shapes follow NumPy's codes.

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

// CHECK-LABEL: sg.graph @ediff1d(
// CHECK: -> tensor<8xf32>
sg.graph @ediff1d(%a: tensor<2x3xf32>, %b: tensor<2xf32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.numpy_ediff1d(%a, %b) {to_begin_arr_given = true, to_end_scalar = 1.0 : f64} : (tensor<2x3xf32>, tensor<2xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @average(
// CHECK: (tensor<2x3xf32>, tensor<3xf32>) -> (tensor<2xf32>, tensor<f32>)
// CHECK: (tensor<2x3xf32>, tensor<2x3xf32>) -> (tensor<3xf32>, tensor<3xf32>)
sg.graph @average(%a: tensor<2x3xf32>, %b: tensor<3x!sg.unknown>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  %0:2 = sg.numpy_average(%a, %b) {axis = array<i64: -1>, returned = true} : (tensor<2x3xf32>, tensor<3x!sg.unknown>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>)
  %1:2 = sg.numpy_average(%a, %a) {axis = array<i64: 0>, returned = true} : (tensor<2x3xf32>, tensor<2x3xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>)
  sg.heads %0#0, %0#1, %1#0, %1#1 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @diag_indices(
// CHECK: -> tensor<3x4xi64>
sg.graph @diag_indices(%a: tensor<4x4x4xf32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.numpy_diag_indices(%a) : (tensor<4x4x4xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}
