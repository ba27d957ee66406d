// RUN: symc-opt --sg-infer-shapes -split-input-file %s | FileCheck %s
// Extents that are divided, left out, or meet others, and are known only at run time: what they need becomes a condition of the
// graph, with the sentence of the constraint.

// CHECK-LABEL: sg.graph @slice_channel_c2_range
// CHECK-SAME: sentences = ["node '': data has shape [s0, 3]: the extent s0 along axis 0 must be a multiple of num_outputs = 2"]
sg.graph @slice_channel_c2_range(%a: tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>>) -> (tensor<*xf32>, tensor<*xf32>)
    attributes {dim_min = array<i64: 1>, dim_max = array<i64: 64>} {
  %0:2 = sg.slice_channel(%a) {num_outputs = 2, axis = 0} : (tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>>) -> (tensor<*xf32>, tensor<*xf32>)
  sg.heads %0#0, %0#1 : tensor<*xf32>, tensor<*xf32>
}

// -----

// CHECK-LABEL: sg.graph @slice_channel_c2_range_squeezed
// CHECK-SAME: sentences = ["node '': data has shape [s0, 3]: the extent s0 along axis 0 must be num_outputs = 2 with squeeze_axis"]
sg.graph @slice_channel_c2_range_squeezed(%a: tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>>) -> (tensor<*xf32>, tensor<*xf32>)
    attributes {dim_min = array<i64: 1>, dim_max = array<i64: 64>} {
  %0:2 = sg.slice_channel(%a) {num_outputs = 2, axis = 0, squeeze_axis = true} : (tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>>) -> (tensor<*xf32>, tensor<*xf32>)
  sg.heads %0#0, %0#1 : tensor<*xf32>, tensor<*xf32>
}

// -----

// CHECK-LABEL: sg.graph @split_v2_c2_range
// CHECK-SAME: sentences = ["node '': data has shape [s0, 3]: the extent s0 along axis 0 does not make sections = 2 parts"]
sg.graph @split_v2_c2_range(%a: tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>>) -> (tensor<*xf32>, tensor<*xf32>)
    attributes {dim_min = array<i64: 1>, dim_max = array<i64: 64>} {
  %0:2 = sg.split_v2(%a) {indices = array<i64>, sections = 2, axis = 0} : (tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>>) -> (tensor<*xf32>, tensor<*xf32>)
  sg.heads %0#0, %0#1 : tensor<*xf32>, tensor<*xf32>
}

// -----

// CHECK-LABEL: sg.graph @split_v2_c3_range
// CHECK-SAME: sentences = ["node '': part 0 has the extent s0 along axis 0, needs 1 with squeeze_axis"]
sg.graph @split_v2_c3_range(%a: tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>>) -> (tensor<*xf32>)
    attributes {dim_min = array<i64: 1>, dim_max = array<i64: 64>} {
  %0 = sg.split_v2(%a) {indices = array<i64: 0>, axis = 0, squeeze_axis = true} : (tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK-LABEL: sg.graph @numpy_split_c2_range
// CHECK-SAME: sentences = ["node '': data has shape [s0], whose extent along axis 0 does not make 2 parts"]
sg.graph @numpy_split_c2_range(%a: tensor<?xf32, #sg.extents<()[s0] -> (s0)>>) -> (tensor<*xf32>, tensor<*xf32>)
    attributes {dim_min = array<i64: 1>, dim_max = array<i64: 64>} {
  %0:2 = sg.numpy_split(%a) {indices = array<i64>, sections = 2, depth = false} : (tensor<?xf32, #sg.extents<()[s0] -> (s0)>>) -> (tensor<*xf32>, tensor<*xf32>)
  sg.heads %0#0, %0#1 : tensor<*xf32>, tensor<*xf32>
}

// -----

// CHECK-LABEL: sg.graph @numpy_diff_c1_range
// CHECK-SAME: sentences = ["node '': a has shape [s0, 3], needs an extent above n = 2 along axis 0"]
sg.graph @numpy_diff_c1_range(%a: tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>>) -> (tensor<*xf32>)
    attributes {dim_min = array<i64: 1>, dim_max = array<i64: 64>} {
  %0 = sg.numpy_diff(%a) {n = 2 : i64, axis = 0 : i64} : (tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK-LABEL: sg.graph @reshape_c1_range
// CHECK-SAME: sentences = ["node '': parameter 'shape': code -4 cannot split the extent s0 into -1 and 2"
sg.graph @reshape_c1_range(%a: tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>>) -> (tensor<*xf32>)
    attributes {dim_min = array<i64: 1>, dim_max = array<i64: 64>} {
  %0 = sg.reshape(%a) {shape = array<i64: -4, -1, 2, 0>} : (tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK-LABEL: sg.graph @reshape_c1_range_left
// CHECK-SAME: sentences = ["node '': data has shape [s0, 3], whose elements do not divide by the extents [2] of parameter 'shape'"
sg.graph @reshape_c1_range_left(%a: tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>>) -> (tensor<*xf32>)
    attributes {dim_min = array<i64: 1>, dim_max = array<i64: 64>} {
  %0 = sg.reshape(%a) {shape = array<i64: 2, -1>} : (tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK-LABEL: sg.graph @reshape_c2_range
// CHECK-SAME: sentences = ["node '': data has shape [s0, 3] and output [12], which are not the same number of elements"]
sg.graph @reshape_c2_range(%a: tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>>) -> (tensor<*xf32>)
    attributes {dim_min = array<i64: 1>, dim_max = array<i64: 64>} {
  %0 = sg.reshape(%a) {shape = array<i64: 12>} : (tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK-LABEL: sg.graph @numpy_reshape_c2_range
// CHECK-SAME: sentences = ["node '': data has shape [s0, 3] and output [6], which are not the same number of elements"]
sg.graph @numpy_reshape_c2_range(%a: tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>>) -> (tensor<*xf32>)
    attributes {dim_min = array<i64: 1>, dim_max = array<i64: 8>} {
  %0 = sg.numpy_reshape(%a) {newshape = array<i64: 6>} : (tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK-LABEL: sg.graph @reshape_like_c2_range
// CHECK-SAME: sentences = ["node '': lhs has shape [s0, 3] and output [4, 3], which are not the same number of elements"]
sg.graph @reshape_like_c2_range(%a: tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>>, %b: tensor<4x3xf32>) -> (tensor<*xf32>)
    attributes {dim_min = array<i64: 1>, dim_max = array<i64: 64>} {
  %0 = sg.reshape_like(%a, %b) {} : (tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>>, tensor<4x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK-LABEL: sg.graph @broadcast_to_c2_range
// CHECK-SAME: sentences = ["node '': data has shape [s0, 3] with the extent s0 along axis 0, needs 1 or 4"]
// CHECK: sg.broadcast_to({{.*}} -> tensor<4x3xf32>
sg.graph @broadcast_to_c2_range(%a: tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>>) -> (tensor<*xf32>)
    attributes {dim_min = array<i64: 1>, dim_max = array<i64: 64>} {
  %0 = sg.broadcast_to(%a) {shape = array<i64: 4, 3>} : (tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK-LABEL: sg.graph @broadcast_axis_c2_range
// CHECK-SAME: sentences = ["node '': data has shape [s0, 3] with the extent s0 along axis 0, needs 1"]
// CHECK: sg.broadcast_axis({{.*}} -> tensor<4x3xf32>
sg.graph @broadcast_axis_c2_range(%a: tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>>) -> (tensor<*xf32>)
    attributes {dim_min = array<i64: 1>, dim_max = array<i64: 64>} {
  %0 = sg.broadcast_axis(%a) {axis = array<i64: 0>, size = array<i64: 4>} : (tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK-LABEL: sg.graph @broadcast_like_c2_range
// CHECK-SAME: sentences = ["node '': lhs has shape [s0, 3] with the extent s0 along axis 0, needs 1 or 4"]
// CHECK: sg.broadcast_like({{.*}} -> tensor<4x3xf32>
sg.graph @broadcast_like_c2_range(%a: tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>>, %b: tensor<4x3xf32>) -> (tensor<*xf32>)
    attributes {dim_min = array<i64: 1>, dim_max = array<i64: 64>} {
  %0 = sg.broadcast_like(%a, %b) {} : (tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>>, tensor<4x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK-LABEL: sg.graph @depth_to_space_c2_range
// CHECK-SAME: sentences = ["node '': data has s0 channels, needs a multiple of 4 with block_size = 2"]
sg.graph @depth_to_space_c2_range(%a: tensor<1x?x2x2xf32, #sg.extents<()[s0] -> (1, s0, 2, 2)>>) -> (tensor<*xf32>)
    attributes {dim_min = array<i64: 1>, dim_max = array<i64: 64>} {
  %0 = sg.depth_to_space(%a) {block_size = 2} : (tensor<1x?x2x2xf32, #sg.extents<()[s0] -> (1, s0, 2, 2)>>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK-LABEL: sg.graph @space_to_depth_c2_range
// CHECK-SAME: sentences = ["node '': data has shape [1, 3, s0, 4], needs planes whose extents are multiples of block_size = 2"]
sg.graph @space_to_depth_c2_range(%a: tensor<1x3x?x4xf32, #sg.extents<()[s0] -> (1, 3, s0, 4)>>) -> (tensor<*xf32>)
    attributes {dim_min = array<i64: 1>, dim_max = array<i64: 64>} {
  %0 = sg.space_to_depth(%a) {block_size = 2} : (tensor<1x3x?x4xf32, #sg.extents<()[s0] -> (1, 3, s0, 4)>>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK-LABEL: sg.graph @diag_c2_range
// CHECK-SAME: sentences = ["node '': diagonal -2 of data's shape [s0, 3] is empty"]
sg.graph @diag_c2_range(%a: tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>>) -> (tensor<*xf32>)
    attributes {dim_min = array<i64: 1>, dim_max = array<i64: 64>} {
  %0 = sg.diag(%a) {k = -2} : (tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK-LABEL: sg.graph @binary_c2_range
// CHECK-SAME: sentences = ["node '': lhs has shape [s0, 3] and rhs [4, 3]: extents s0 and 4 meet and neither is 1"]
// CHECK: sg.binary({{.*}} -> tensor<4x3xf32>
sg.graph @binary_c2_range(%a: tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>>, %b: tensor<4x3xf32>) -> (tensor<*xf32>)
    attributes {dim_min = array<i64: 1>, dim_max = array<i64: 64>} {
  %0 = sg.binary(%a, %b) {fn = "add", broadcast = true} : (tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>>, tensor<4x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK-LABEL: sg.graph @numpy_binary_c1_range
// CHECK-SAME: sentences = ["node '': lhs has shape [4, 3] and rhs [s0, 3]: extents 4 and s0 meet and neither is 1"]
// CHECK: sg.numpy_binary({{.*}} -> tensor<4x3xf32>
sg.graph @numpy_binary_c1_range(%a: tensor<4x3xf32>, %b: tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>>) -> (tensor<*xf32>)
    attributes {dim_min = array<i64: 1>, dim_max = array<i64: 64>} {
  %0 = sg.numpy_binary(%a, %b) {fn = "add"} : (tensor<4x3xf32>, tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}
