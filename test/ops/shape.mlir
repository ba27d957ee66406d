// RUN: symc-opt --sg-infer-shapes --sg-infer-types %s | FileCheck %s
// RUN: symc-opt %s | symc-opt | symc-opt --sg-infer-shapes --sg-infer-types | FileCheck %s
// Data movement within one tensor: the result's shape from data, and data's from the result.

// CHECK-LABEL: sg.graph @flatten(
// CHECK: -> tensor<2x12xf32>
sg.graph @flatten(%a: tensor<2x3x4xf32>) -> (tensor<*xf32>) {
  %0 = sg.flatten(%a) : (tensor<2x3x4xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @reshape_codes(
// CHECK: -> tensor<1x2x12x5xf32>
sg.graph @reshape_codes(%a: tensor<2x3x4x5xf32>) -> (tensor<*xf32>) {
  %0 = sg.reshape(%a) {shape = array<i64: -4, 1, -1, -3, 0>} :
      (tensor<2x3x4x5xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// Two sizes that the caller chooses: pixels between each other, and levels of a pyramid.
// CHECK-LABEL: sg.graph @reshape_pixels(
// CHECK: sg.reshape({{.*}} -> tensor<1x2x?x?xf32, #sg.extents<()[s0, s1] -> (1, 2, s0 * 2, s1 * 2)>>
// CHECK: sg.reshape_like({{.*}} -> tensor<?x6xf32, #sg.extents<()[s0] -> (s0 + s0 floordiv 2, 6)>>
// CHECK: sg.reshape({{.*}} -> tensor<6x?xf32, #sg.extents<()[s0] -> (6, s0 + s0 floordiv 2)>>
sg.graph @reshape_pixels(%a: tensor<1x2x?x2x?x2xf32, #sg.extents<()[s0, s1] -> (1, 2, s0, 2, s1, 2)>>, %b: tensor<?xf32, #sg.extents<()[s0] -> (s0 * 6 + (s0 floordiv 2) * 6)>>, %c: tensor<?x6xf32, #sg.extents<()[s0] -> (s0 + s0 floordiv 2, 6)>>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) attributes {dim_min = array<i64: 1, 1>, dim_max = array<i64: 4, 5>} {
  %0 = sg.reshape(%a) {shape = array<i64: 0, 0, -3, -3>} : (tensor<1x2x?x2x?x2xf32, #sg.extents<()[s0, s1] -> (1, 2, s0, 2, s1, 2)>>) -> tensor<*xf32>
  %1 = sg.reshape_like(%b, %c) : (tensor<?xf32, #sg.extents<()[s0] -> (s0 * 6 + (s0 floordiv 2) * 6)>>, tensor<?x6xf32, #sg.extents<()[s0] -> (s0 + s0 floordiv 2, 6)>>) -> tensor<*xf32>
  %2 = sg.reshape(%b) {shape = array<i64: 6, -1>} : (tensor<?xf32, #sg.extents<()[s0] -> (s0 * 6 + (s0 floordiv 2) * 6)>>) -> tensor<*xf32>
  sg.heads %0, %1, %2 : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>
}

// CHECK-LABEL: sg.graph @reshape_reverse(
// CHECK: -> tensor<50x4xf32>
sg.graph @reshape_reverse(%a: tensor<10x5x4xf32>) -> (tensor<*xf32>) {
  %0 = sg.reshape(%a) {shape = array<i64: -1, 0>, reverse = true} :
      (tensor<10x5x4xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @reshape_rest(
// CHECK: -> tensor<2x3x4x1xf32>
sg.graph @reshape_rest(%a: tensor<2x3x4xf32>) -> (tensor<*xf32>) {
  %0 = sg.reshape(%a) {shape = array<i64: 0, -2, 1>} : (tensor<2x3x4xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @reshape_target(
// CHECK: -> tensor<2x12xf32>
sg.graph @reshape_target(%a: tensor<2x3x4xf32>) -> (tensor<*xf32>) {
  %0 = sg.reshape(%a) {target_shape = array<i64: 0, 12>, keep_highest = true} :
      (tensor<2x3x4xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @reshape_backward(
// CHECK: (tensor<4x3xf32>) -> tensor<6x2xf32>
sg.graph @reshape_backward(%a: tensor<?x3xf32>) -> (tensor<*xf32>) {
  %0 = sg.reshape(%a) {shape = array<i64: 6, 2>} : (tensor<?x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @reshape_like(
// CHECK: -> tensor<15x2x7xf32>
sg.graph @reshape_like(%a: tensor<30x7xf32>, %b: tensor<15x2x4xf32>) -> (tensor<*xf32>) {
  %0 = sg.reshape_like(%a, %b) {lhs_begin = 0, lhs_end = 1, rhs_begin = 0, rhs_end = 2} :
      (tensor<30x7xf32>, tensor<15x2x4xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @transpose(
// CHECK: -> tensor<3x4x2xf32>
sg.graph @transpose(%a: tensor<2x3x4xf32>) -> (tensor<*xf32>) {
  %0 = sg.transpose(%a) {axes = array<i64: 1, 2, 0>} : (tensor<2x3x4xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @transpose_backward(
// CHECK: (tensor<4x3x2xf32>) -> tensor<2x3x4xf32>
sg.graph @transpose_backward(%a: tensor<*xf32>) -> (tensor<2x3x4xf32>) {
  %0 = sg.transpose(%a) : (tensor<*xf32>) -> tensor<2x3x4xf32>
  sg.heads %0 : tensor<2x3x4xf32>
}

// CHECK-LABEL: sg.graph @swap_axis(
// CHECK: -> tensor<4x3x2xf32>
sg.graph @swap_axis(%a: tensor<2x3x4xf32>) -> (tensor<*xf32>) {
  %0 = sg.swap_axis(%a) {dim1 = 0, dim2 = -1} : (tensor<2x3x4xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @expand_dims(
// CHECK: -> tensor<2x3x1xf32>
sg.graph @expand_dims(%a: tensor<2x3xf32>) -> (tensor<*xf32>) {
  %0 = sg.expand_dims(%a) {axis = -1} : (tensor<2x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @expand_dims_backward(
// CHECK: (tensor<2x3xf32>) -> tensor<2x1x3xf32>
sg.graph @expand_dims_backward(%a: tensor<*xf32>) -> (tensor<2x1x3xf32>) {
  %0 = sg.expand_dims(%a) {axis = 1} : (tensor<*xf32>) -> tensor<2x1x3xf32>
  sg.heads %0 : tensor<2x1x3xf32>
}

// CHECK-LABEL: sg.graph @squeeze(
// CHECK: -> tensor<3xf32>
sg.graph @squeeze(%a: tensor<1x3x1xf32>) -> (tensor<*xf32>) {
  %0 = sg.squeeze(%a) : (tensor<1x3x1xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @squeeze_axis(
// CHECK: -> tensor<1x3xf32>
sg.graph @squeeze_axis(%a: tensor<1x3x1xf32>) -> (tensor<*xf32>) {
  %0 = sg.squeeze(%a) {axis = array<i64: -1>} : (tensor<1x3x1xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @squeeze_all(
// CHECK: -> tensor<1xf32>
sg.graph @squeeze_all(%a: tensor<1x1xf32>) -> (tensor<*xf32>) {
  %0 = sg.squeeze(%a) : (tensor<1x1xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @reverse(
// CHECK: -> tensor<2x3xf32>
sg.graph @reverse(%a: tensor<2x3xf32>) -> (tensor<*xf32>) {
  %0 = sg.reverse(%a) {axis = array<i64: 0>} : (tensor<2x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @tile(
// CHECK: -> tensor<1x8x6xf32>
sg.graph @tile(%a: tensor<4x2xf32>) -> (tensor<*xf32>) {
  %0 = sg.tile(%a) {reps = array<i64: 1, 2, 3>} : (tensor<4x2xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @repeat(
// CHECK: -> tensor<2x6xf32>
sg.graph @repeat(%a: tensor<2x3xf32>) -> (tensor<*xf32>) {
  %0 = sg.repeat(%a) {repeats = 2, axis = 1} : (tensor<2x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @repeat_flat(
// CHECK: -> tensor<12xf32>
sg.graph @repeat_flat(%a: tensor<2x3xf32>) -> (tensor<*xf32>) {
  %0 = sg.repeat(%a) {repeats = 2} : (tensor<2x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @broadcast_to(
// CHECK: -> tensor<2x5x3xf32>
sg.graph @broadcast_to(%a: tensor<2x1x3xf32>) -> (tensor<*xf32>) {
  %0 = sg.broadcast_to(%a) {shape = array<i64: 0, 5, 0>} : (tensor<2x1x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @broadcast_axis(
// CHECK: -> tensor<3x2x4xf32>
sg.graph @broadcast_axis(%a: tensor<1x2x1xf32>) -> (tensor<*xf32>) {
  %0 = sg.broadcast_axis(%a) {axis = array<i64: 0, 2>, size = array<i64: 3, 4>} :
      (tensor<1x2x1xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @broadcast_like(
// CHECK: -> tensor<6x2x1xf32>
sg.graph @broadcast_like(%a: tensor<1x2x1xf32>, %b: tensor<5x6x3xi32>) -> (tensor<*xf32>) {
  %0 = sg.broadcast_like(%a, %b) {lhs_axes = array<i64: 0>, rhs_axes = array<i64: 1>} :
      (tensor<1x2x1xf32>, tensor<5x6x3xi32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @depth_to_space(
// CHECK: -> tensor<1x2x6x9xf32>
sg.graph @depth_to_space(%a: tensor<1x18x2x3xf32>) -> (tensor<*xf32>) {
  %0 = sg.depth_to_space(%a) {block_size = 3} : (tensor<1x18x2x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @space_to_depth(
// CHECK: -> tensor<1x18x2x3xf32>
sg.graph @space_to_depth(%a: tensor<1x2x6x9xf32>) -> (tensor<*xf32>) {
  %0 = sg.space_to_depth(%a) {block_size = 3} : (tensor<1x2x6x9xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @diag_laid(
// CHECK: -> tensor<5x5xf32>
sg.graph @diag_laid(%a: tensor<3xf32>) -> (tensor<*xf32>) {
  %0 = sg.diag(%a) {k = -2} : (tensor<3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @diag_taken(
// CHECK: -> tensor<5x4xf32>
sg.graph @diag_taken(%a: tensor<4x5x5xf32>) -> (tensor<*xf32>) {
  %0 = sg.diag(%a) {axis2 = 2} : (tensor<4x5x5xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @shape_array(
// CHECK: -> tensor<2xi64>
sg.graph @shape_array(%a: tensor<2x5xf32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.shape_array(%a) : (tensor<2x5xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @size_array(
// CHECK: -> tensor<1xi64>
sg.graph @size_array(%a: tensor<2x5xf32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.size_array(%a) : (tensor<2x5xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}
