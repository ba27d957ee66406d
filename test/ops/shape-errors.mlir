// RUN: symc-opt --sg-infer-shapes -split-input-file -verify-diagnostics=only-expected %s
// Each constraint of data movement is an error that says what was found and what is needed.

sg.graph @flatten_c1(%a: tensor<f32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{data has no extents, needs at least 1}}
  %0 = sg.flatten(%a) : (tensor<f32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @flatten_c2(%a: tensor<2x3x4xf32>) -> (tensor<2x11xf32>) {
  // expected-error @+1 {{output has shape [2, 11] but needs [2, 12]}}
  %0 = sg.flatten(%a) : (tensor<2x3x4xf32>) -> tensor<2x11xf32>
  sg.heads %0 : tensor<2x11xf32>
}

// -----

sg.graph @reshape_c1(%a: tensor<2x3xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{parameter 'shape': -1 stands twice, only one extent can be what is left}}
  %0 = sg.reshape(%a) {shape = array<i64: -1, -1>} : (tensor<2x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @reshape_c1_missing(%a: tensor<2x3xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{code 0 needs more extents than data's shape [2, 3] has}}
  %0 = sg.reshape(%a) {shape = array<i64: 0, 0, 0>} : (tensor<2x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @reshape_c1_short_split(%a: tensor<2x3xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{code -4 needs two numbers behind it}}
  %0 = sg.reshape(%a) {shape = array<i64: -4, 2>} : (tensor<2x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @reshape_c1_open_split(%a: tensor<2x3xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{code -4 is followed by -1 and -1, needs two extents of which one may be -1}}
  %0 = sg.reshape(%a) {shape = array<i64: -4, -1, -1>} : (tensor<2x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @reshape_c1_split(%a: tensor<6x3xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{parameter 'shape': code -4 cannot split the extent 6 into 4 and -1}}
  %0 = sg.reshape(%a) {shape = array<i64: -4, 4, -1, 0>} : (tensor<6x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @reshape_c1_unknown(%a: tensor<2x3xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{code -7 is none of 0, -1, -2, -3, -4 or an extent}}
  %0 = sg.reshape(%a) {shape = array<i64: -7>} : (tensor<2x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @reshape_c1_rest(%a: tensor<2x3xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{data has shape [2, 3], whose elements do not divide by the extents [4] of parameter 'shape'}}
  %0 = sg.reshape(%a) {shape = array<i64: -1, 4>} : (tensor<2x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @reshape_c1_target(%a: tensor<2x3xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{parameter 'target_shape': 0 stands twice, only one extent can be what is left}}
  %0 = sg.reshape(%a) {target_shape = array<i64: 0, 0>} : (tensor<2x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @reshape_c1_negative(%a: tensor<2x3xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{parameter 'target_shape' has the extent -2, needs extents of at least 0}}
  %0 = sg.reshape(%a) {target_shape = array<i64: -2, 3>} : (tensor<2x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @reshape_c2(%a: tensor<2x3xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{data has shape [2, 3] and output [2, 4], which are not the same number of elements}}
  %0 = sg.reshape(%a) {shape = array<i64: 2, 4>} : (tensor<2x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @reshape_like_c1(%a: tensor<2x3xf32>, %b: tensor<6xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{lhs_begin and lhs_end give the axes from 1 to 3, needs a range within rank 2}}
  %0 = sg.reshape_like(%a, %b) {lhs_begin = 1, lhs_end = 3, rhs_begin = 0, rhs_end = 1} :
      (tensor<2x3xf32>, tensor<6xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @reshape_like_c2(%a: tensor<2x3xf32>, %b: tensor<2x4xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{lhs has shape [2, 3] and output [2, 4], which are not the same number of elements}}
  %0 = sg.reshape_like(%a, %b) : (tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @transpose_c1(%a: tensor<2x3xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{axes names 3 axes but data has shape [2, 3]}}
  %0 = sg.transpose(%a) {axes = array<i64: 0, 1, 2>} : (tensor<2x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @transpose_c1_twice(%a: tensor<2x3xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{axis 0 is named twice}}
  %0 = sg.transpose(%a) {axes = array<i64: 0, 0>} : (tensor<2x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @transpose_c2(%a: tensor<2x3xf32>) -> (tensor<2x3xf32>) {
  // expected-error @+1 {{output has shape [2, 3] but needs [3, 2]}}
  %0 = sg.transpose(%a) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  sg.heads %0 : tensor<2x3xf32>
}

// -----

sg.graph @swap_axis_c1(%a: tensor<2x3xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{axis 2 is outside data's shape [2, 3]}}
  %0 = sg.swap_axis(%a) {dim1 = 2} : (tensor<2x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @swap_axis_c2(%a: tensor<2x3xf32>) -> (tensor<2x3xf32>) {
  // expected-error @+1 {{output has shape [2, 3] but needs [3, 2]}}
  %0 = sg.swap_axis(%a) {dim1 = 1} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  sg.heads %0 : tensor<2x3xf32>
}

// -----

sg.graph @expand_dims_c1(%a: tensor<2x3xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{axis 3 is outside the result's rank 3}}
  %0 = sg.expand_dims(%a) {axis = 3} : (tensor<2x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @expand_dims_c2(%a: tensor<2x3xf32>) -> (tensor<2x3x1xf32>) {
  // expected-error @+1 {{output has shape [2, 3, 1] but needs [1, 2, 3]}}
  %0 = sg.expand_dims(%a) {axis = 0} : (tensor<2x3xf32>) -> tensor<2x3x1xf32>
  sg.heads %0 : tensor<2x3x1xf32>
}

// -----

sg.graph @squeeze_c1(%a: tensor<2x3xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{data has shape [2, 3] with the extent 2 along axis 0, needs 1}}
  %0 = sg.squeeze(%a) {axis = array<i64: 0>} : (tensor<2x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @reverse_c1(%a: tensor<2x3xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{axis 2 is outside data's shape [2, 3]}}
  %0 = sg.reverse(%a) {axis = array<i64: 2>} : (tensor<2x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @reverse_c2(%a: tensor<2x3xf32>) -> (tensor<3x2xf32>) {
  // expected-error @+1 {{output has shape [3, 2] but needs [2, 3]}}
  %0 = sg.reverse(%a) {axis = array<i64: 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  sg.heads %0 : tensor<3x2xf32>
}

// -----

sg.graph @tile_c2(%a: tensor<2x3xf32>) -> (tensor<4x3xf32>) {
  // expected-error @+1 {{output has shape [4, 3] but needs [2, 6]}}
  %0 = sg.tile(%a) {reps = array<i64: 2>} : (tensor<2x3xf32>) -> tensor<4x3xf32>
  sg.heads %0 : tensor<4x3xf32>
}

// -----

sg.graph @repeat_c1(%a: tensor<2x3xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{axis 2 is outside data's shape [2, 3]}}
  %0 = sg.repeat(%a) {repeats = 2, axis = 2} : (tensor<2x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @repeat_c2(%a: tensor<2x3xf32>) -> (tensor<2x3xf32>) {
  // expected-error @+1 {{output has shape [2, 3] but needs [2, 6]}}
  %0 = sg.repeat(%a) {repeats = 2, axis = 1} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  sg.heads %0 : tensor<2x3xf32>
}

// -----

sg.graph @broadcast_to_c1(%a: tensor<2x1xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{data has shape [2, 1] but parameter 'shape' has 3 extents, needs as many}}
  %0 = sg.broadcast_to(%a) {shape = array<i64: 5, 2, 1>} : (tensor<2x1xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @broadcast_to_c2(%a: tensor<2x1xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{data has shape [2, 1] with the extent 2 along axis 0, needs 1 or 3}}
  %0 = sg.broadcast_to(%a) {shape = array<i64: 3, 1>} : (tensor<2x1xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @broadcast_axis_c2(%a: tensor<2x1xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{data has shape [2, 1] with the extent 2 along axis 0, needs 1}}
  %0 = sg.broadcast_axis(%a) {axis = array<i64: 0>, size = array<i64: 4>} :
      (tensor<2x1xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @broadcast_like_c1(%a: tensor<2x1xf32>, %b: tensor<2x1x1xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{lhs has shape [2, 1] and rhs [2, 1, 1], needs equal ranks without lhs_axes}}
  %0 = sg.broadcast_like(%a, %b) : (tensor<2x1xf32>, tensor<2x1x1xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @broadcast_like_c2(%a: tensor<2x1xf32>, %b: tensor<3x1xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{lhs has shape [2, 1] with the extent 2 along axis 0, needs 1 or 3}}
  %0 = sg.broadcast_like(%a, %b) : (tensor<2x1xf32>, tensor<3x1xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @depth_to_space_c1(%a: tensor<2x4x6xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{data has shape [2, 4, 6], needs rank 4}}
  %0 = sg.depth_to_space(%a) {block_size = 2} : (tensor<2x4x6xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @depth_to_space_c2(%a: tensor<1x6x2x2xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{data has 6 channels, needs a multiple of 4 with block_size = 2}}
  %0 = sg.depth_to_space(%a) {block_size = 2} : (tensor<1x6x2x2xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @space_to_depth_c1(%a: tensor<2x4x6xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{data has shape [2, 4, 6], needs rank 4}}
  %0 = sg.space_to_depth(%a) {block_size = 2} : (tensor<2x4x6xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @space_to_depth_c2(%a: tensor<1x6x3x2xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{data has shape [1, 6, 3, 2], needs planes whose extents are multiples of block_size = 2}}
  %0 = sg.space_to_depth(%a) {block_size = 2} : (tensor<1x6x3x2xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @diag_c1(%a: tensor<2x3xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{axis1 and axis2 are both axis 1, needs two axes}}
  %0 = sg.diag(%a) {axis1 = 1} : (tensor<2x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @diag_c2(%a: tensor<2x3xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{diagonal 3 of data's shape [2, 3] is empty}}
  %0 = sg.diag(%a) {k = 3} : (tensor<2x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @shape_array_c1(%a: tensor<2x3xf32>) -> (tensor<3xi64>) {
  // expected-error @+1 {{output has shape [3] but needs [2]}}
  %0 = sg.shape_array(%a) : (tensor<2x3xf32>) -> tensor<3xi64>
  sg.heads %0 : tensor<3xi64>
}

// -----

sg.graph @size_array_c1(%a: tensor<2x3xf32>) -> (tensor<2xi64>) {
  // expected-error @+1 {{output has shape [2] but needs [1]}}
  %0 = sg.size_array(%a) : (tensor<2x3xf32>) -> tensor<2xi64>
  sg.heads %0 : tensor<2xi64>
}

// -----

sg.graph @tile_c1(%a: tensor<2xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{parameter 'reps' has 0, needs numbers of at least 1}}
  %0 = sg.tile(%a) {reps = array<i64: 0>} : (tensor<2xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @broadcast_axis_c1(%a: tensor<1xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{parameter 'axis' has 1 axes and 'size' 0 extents, needs as many}}
  %0 = sg.broadcast_axis(%a) {axis = array<i64: 0>, size = array<i64>} :
      (tensor<1xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @broadcast_like_c1_alone(%a: tensor<1xf32>, %b: tensor<2xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{parameters 'lhs_axes' and 'rhs_axes' must be given together}}
  %0 = sg.broadcast_like(%a, %b) {lhs_axes = array<i64: 0>} :
      (tensor<1xf32>, tensor<2xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @broadcast_like_c1_count(%a: tensor<1xf32>, %b: tensor<2xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{parameter 'lhs_axes' has 1 axes and 'rhs_axes' 0, needs as many and at least 1}}
  %0 = sg.broadcast_like(%a, %b) {lhs_axes = array<i64: 0>, rhs_axes = array<i64>} :
      (tensor<1xf32>, tensor<2xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}
