// RUN: symc-opt --sg-infer-shapes -split-input-file -verify-diagnostics=only-expected %s
// Each constraint of joints and parts is an error that says what was found and what is needed.

sg.graph @concat_c1(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{axis 2 is outside data0's shape [2, 3]}}
  %0 = sg.concat(%a, %b) {num_args = 2, dim = 2} :
      (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @concat_c2(%a: tensor<2x3xf32>, %b: tensor<3x3xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{data1 has shape [3, 3] but needs [2, ?] to lie along axis 1}}
  %0 = sg.concat(%a, %b) {num_args = 2} : (tensor<2x3xf32>, tensor<3x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @concat_c3(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>) -> (tensor<2x5xf32>) {
  // expected-error @+1 {{output has shape [2, 5] but needs [2, 6] to lie along axis 1}}
  %0 = sg.concat(%a, %b) {num_args = 2} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x5xf32>
  sg.heads %0 : tensor<2x5xf32>
}

// -----

sg.graph @stack_c1(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{axis 3 is outside the result's rank 3}}
  %0 = sg.stack(%a, %b) {num_args = 2, axis = 3} :
      (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @stack_c2(%a: tensor<2x3xf32>, %b: tensor<3x2xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{data1 has shape [3, 2] but needs [2, 3]}}
  %0 = sg.stack(%a, %b) {num_args = 2} : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @stack_c3(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>) -> (tensor<3x2x3xf32>) {
  // expected-error @+1 {{output has shape [3, 2, 3] but needs [2, 2, 3]}}
  %0 = sg.stack(%a, %b) {num_args = 2} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<3x2x3xf32>
  sg.heads %0 : tensor<3x2x3xf32>
}

// -----

sg.graph @slice_channel_c1(%a: tensor<2x3xf32>) -> (tensor<*xf32>, tensor<*xf32>) {
  // expected-error @+1 {{axis 2 is outside data's shape [2, 3]}}
  %0:2 = sg.slice_channel(%a) {num_outputs = 2, axis = 2} :
      (tensor<2x3xf32>) -> (tensor<*xf32>, tensor<*xf32>)
  sg.heads %0#0, %0#1 : tensor<*xf32>, tensor<*xf32>
}

// -----

sg.graph @slice_channel_c2(%a: tensor<2x3xf32>) -> (tensor<*xf32>, tensor<*xf32>) {
  // expected-error @+1 {{data has shape [2, 3]: the extent 3 along axis 1 must be a multiple of num_outputs = 2}}
  %0:2 = sg.slice_channel(%a) {num_outputs = 2} :
      (tensor<2x3xf32>) -> (tensor<*xf32>, tensor<*xf32>)
  sg.heads %0#0, %0#1 : tensor<*xf32>, tensor<*xf32>
}

// -----

sg.graph @slice_channel_c2_squeeze(%a: tensor<2x4xf32>) -> (tensor<*xf32>, tensor<*xf32>) {
  // expected-error @+1 {{data has shape [2, 4]: the extent 4 along axis 1 must be num_outputs = 2 with squeeze_axis}}
  %0:2 = sg.slice_channel(%a) {num_outputs = 2, squeeze_axis = true} :
      (tensor<2x4xf32>) -> (tensor<*xf32>, tensor<*xf32>)
  sg.heads %0#0, %0#1 : tensor<*xf32>, tensor<*xf32>
}

// -----

sg.graph @slice_channel_c3(%a: tensor<2x4xf32>) -> (tensor<2x2xf32>, tensor<2x3xf32>) {
  // expected-error @+1 {{outputs1 has shape [2, 3] but needs [2, 2]}}
  %0:2 = sg.slice_channel(%a) {num_outputs = 2} :
      (tensor<2x4xf32>) -> (tensor<2x2xf32>, tensor<2x3xf32>)
  sg.heads %0#0, %0#1 : tensor<2x2xf32>, tensor<2x3xf32>
}

// -----

sg.graph @split_v2_c1(%a: tensor<2x3xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{axis 2 is outside data's shape [2, 3]}}
  %0 = sg.split_v2(%a) {indices = array<i64: 0>, axis = 2} : (tensor<2x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @split_v2_c2(%a: tensor<2x3xf32>) -> (tensor<*xf32>, tensor<*xf32>) {
  // expected-error @+1 {{index 4 lies outside the extent 3 of data along axis 1}}
  %0:2 = sg.split_v2(%a) {indices = array<i64: 0, 4>} :
      (tensor<2x3xf32>) -> (tensor<*xf32>, tensor<*xf32>)
  sg.heads %0#0, %0#1 : tensor<*xf32>, tensor<*xf32>
}

// -----

sg.graph @split_v2_c2_sections(%a: tensor<2x1xf32>) -> (tensor<*xf32>, tensor<*xf32>) {
  // expected-error @+1 {{data has shape [2, 1]: the extent 1 along axis 1 does not make sections = 2 parts}}
  %0:2 = sg.split_v2(%a) {indices = array<i64>, sections = 2} :
      (tensor<2x1xf32>) -> (tensor<*xf32>, tensor<*xf32>)
  sg.heads %0#0, %0#1 : tensor<*xf32>, tensor<*xf32>
}

// -----

sg.graph @split_v2_c3(%a: tensor<2x3xf32>) -> (tensor<*xf32>, tensor<*xf32>) {
  // expected-error @+1 {{part 1 has the extent 2 along axis 1, needs 1 with squeeze_axis}}
  %0:2 = sg.split_v2(%a) {indices = array<i64: 0, 1>, squeeze_axis = true} :
      (tensor<2x3xf32>) -> (tensor<*xf32>, tensor<*xf32>)
  sg.heads %0#0, %0#1 : tensor<*xf32>, tensor<*xf32>
}

// -----

sg.graph @slice_c1(%a: tensor<2xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{begin and end name 2 axes but data has shape [2]}}
  %0 = sg.slice(%a) {begin = array<i64: 0, 0>, end = array<i64: 1, 1>} :
      (tensor<2xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @slice_c2(%a: tensor<4xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{the part along axis 0 of data's shape [4] is empty}}
  %0 = sg.slice(%a) {begin = array<i64: 3>, end = array<i64: 1>} : (tensor<4xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @slice_c3(%a: tensor<?x4xf32, #sg.extents<()[s0] -> (s0, 4)>>) -> (tensor<*xf32>) {
  // expected-error @+1 {{data has the extent s0 along axis 0, which is known only at run time; these places need a fixed one}}
  %0 = sg.slice(%a) {begin = array<i64: -1>, end = array<i64: 2>} :
      (tensor<?x4xf32, #sg.extents<()[s0] -> (s0, 4)>>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @slice_axis_c1(%a: tensor<2x3xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{axis 2 is outside data's shape [2, 3]}}
  %0 = sg.slice_axis(%a) {axis = 2, begin = 0, end = 1} : (tensor<2x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @slice_axis_c2(%a: tensor<2x3xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{begin and end give the places from 1 to 5 along axis 1, needs a range within the extent 3}}
  %0 = sg.slice_axis(%a) {axis = 1, begin = 1, end = 5} : (tensor<2x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @slice_axis_c3(%a: tensor<?x4xf32, #sg.extents<()[s0] -> (s0, 4)>>) -> (tensor<*xf32>) {
  // expected-error @+1 {{data has the extent s0 along axis 0, which is known only at run time; these places need a fixed one}}
  %0 = sg.slice_axis(%a) {axis = 0, begin = -1, end = 2} :
      (tensor<?x4xf32, #sg.extents<()[s0] -> (s0, 4)>>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @slice_like_c1(%a: tensor<2x3xf32>, %b: tensor<2xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{data has shape [2, 3] and shape_like [2], needs equal ranks without axes}}
  %0 = sg.slice_like(%a, %b) : (tensor<2x3xf32>, tensor<2xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @slice_like_c2(%a: tensor<2x3xf32>, %b: tensor<2x4xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{data has shape [2, 3] and shape_like [2, 4], which is larger along axis 1}}
  %0 = sg.slice_like(%a, %b) : (tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @slice_c1_ends(%a: tensor<4xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{parameter 'begin' has 1 places and 'end' 0, needs as many}}
  %0 = sg.slice(%a) {begin = array<i64: 0>, end = array<i64>} : (tensor<4xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @slice_c1_steps(%a: tensor<4xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{parameter 'step' has 2 steps and 'begin' 1 places, needs as many}}
  %0 = sg.slice(%a) {begin = array<i64: 0>, end = array<i64: 2>, step = array<i64: 1, 1>} :
      (tensor<4xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @slice_c1_zero(%a: tensor<4xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{parameter 'step' has a step of 0, needs steps other than 0}}
  %0 = sg.slice(%a) {begin = array<i64: 0>, end = array<i64: 2>, step = array<i64: 0>} :
      (tensor<4xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @split_v2_c2_none(%a: tensor<4xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{parameter 'indices' is empty and 'sections' is 0, needs one of them}}
  %0 = sg.split_v2(%a) {indices = array<i64>, axis = 0} : (tensor<4xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @split_v2_c2_falling(%a: tensor<4xf32>) -> (tensor<*xf32>, tensor<*xf32>) {
  // expected-error @+1 {{parameter 'indices' has 1 at place 1, needs numbers from 0 that do not fall}}
  %0:2 = sg.split_v2(%a) {indices = array<i64: 2, 1>, axis = 0} :
      (tensor<4xf32>) -> (tensor<*xf32>, tensor<*xf32>)
  sg.heads %0#0, %0#1 : tensor<*xf32>, tensor<*xf32>
}

// -----

sg.graph @slice_channel_c1_backward(%a: tensor<*xf32>) -> (tensor<2x3xf32>, tensor<*xf32>) {
  // expected-error @+1 {{axis 2 is outside data's rank 2}}
  %0:2 = sg.slice_channel(%a) {num_outputs = 2, axis = 2} :
      (tensor<*xf32>) -> (tensor<2x3xf32>, tensor<*xf32>)
  sg.heads %0#0, %0#1 : tensor<2x3xf32>, tensor<*xf32>
}
