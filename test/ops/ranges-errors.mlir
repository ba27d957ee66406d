// RUN: symc-opt --sg-infer-shapes -split-input-file -verify-diagnostics=only-expected %s
// Channels are constants, and what no size of a range gives is an error.

sg.graph @convolution_c3_range(%data: tensor<1x?x9x9xf32, #sg.extents<()[s0] -> (1, s0, 9, 9)>>, %weight: tensor<2x4x3x3xf32>)
    -> (tensor<*xf32>) attributes {dim_min = array<i64: 1>, dim_max = array<i64: 8>} {
  // expected-error @+1 {{data has shape [1, s0, 9, 9] with channels that are known only at run time, needs a constant}}
  %0 = sg.convolution(%data, %weight) {kernel = array<i64: 3, 3>, num_filter = 2, no_bias = true} :
      (tensor<1x?x9x9xf32, #sg.extents<()[s0] -> (1, s0, 9, 9)>>, tensor<2x4x3x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @deconvolution_c3_range(%data: tensor<1x?x9x9xf32, #sg.extents<()[s0] -> (1, s0, 9, 9)>>, %weight: tensor<*xf32>)
    -> (tensor<*xf32>) attributes {dim_min = array<i64: 1>, dim_max = array<i64: 8>} {
  // expected-error @+1 {{with channels that are known only at run time, needs a constant}}
  %0 = sg.deconvolution(%data, %weight) {kernel = array<i64: 3, 3>, num_filter = 2} :
      (tensor<1x?x9x9xf32, #sg.extents<()[s0] -> (1, s0, 9, 9)>>, tensor<*xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @deformable_convolution_c2_range(%data: tensor<1x?x9x9xf32, #sg.extents<()[s0] -> (1, s0, 9, 9)>>, %offset: tensor<*xf32>,
    %weight: tensor<*xf32>) -> (tensor<*xf32>) attributes {dim_min = array<i64: 1>, dim_max = array<i64: 8>} {
  // expected-error @+1 {{with channels that are known only at run time, needs a constant}}
  %0 = sg.deformable_convolution(%data, %offset, %weight) {kernel = array<i64: 3, 3>, num_filter = 2, no_bias = true} :
      (tensor<1x?x9x9xf32, #sg.extents<()[s0] -> (1, s0, 9, 9)>>, tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

// Where the extents of images grow apart, none is a share of the other.
sg.graph @upsampling_c3_range(%a: tensor<1x3x?x4xf32, #sg.extents<()[s0] -> (1, 3, s0, 4)>>, %b: tensor<1x3x?x4xf32, #sg.extents<()[s0] -> (1, 3, s0 + 1, 4)>>)
    -> (tensor<*xf32>) attributes {dim_min = array<i64: 1>, dim_max = array<i64: 8>} {
  // expected-error @+1 {{image 1 has shape [1, 3, s0 + 1, 4], whose extent along axis 2 does not divide output's s0 * 2}}
  %0 = sg.upsampling(%a, %b) {scale = 2, sample_type = "nearest", num_args = 2} :
      (tensor<1x3x?x4xf32, #sg.extents<()[s0] -> (1, 3, s0, 4)>>, tensor<1x3x?x4xf32, #sg.extents<()[s0] -> (1, 3, s0 + 1, 4)>>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @deformable_psroi_pooling_c3_range(%data: tensor<1x8x9x9xf32>, %rois: tensor<2x5xf32>, %trans: tensor<2x?x2x2xf32, #sg.extents<()[s0] -> (2, s0, 2, 2)>>)
    -> (tensor<*xf32>) attributes {dim_min = array<i64: 1>, dim_max = array<i64: 8>} {
  // expected-error @+1 {{trans has shape [2, s0, 2, 2], needs two channels for each of a number of classes}}
  %0 = sg.deformable_psroi_pooling(%data, %rois, %trans) {spatial_scale = 1.0, output_dim = 2, group_size = 2, pooled_size = 2, trans_std = 0.1} :
      (tensor<1x8x9x9xf32>, tensor<2x5xf32>, tensor<2x?x2x2xf32, #sg.extents<()[s0] -> (2, s0, 2, 2)>>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

// No size of the range: an error with what the size is.
// expected-note @+1 {{s0 is rows, 1..4}}
sg.graph @topk_c2_range_none(%a: tensor<?xf32, #sg.extents<()[s0] -> (s0)>>) -> (tensor<*xf32>)
    attributes {dim_names = ["rows"], dim_min = array<i64: 1>, dim_max = array<i64: 4>} {
  // expected-error @+1 {{k is 5 but data has shape [s0] with only s0 elements to choose from}}
  %0 = sg.topk(%a) {k = 5, axis = 0} : (tensor<?xf32, #sg.extents<()[s0] -> (s0)>>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @linalg_extracttrian_c2_range(%a: tensor<?x?xf32, #sg.extents<()[s0] -> (s0, s0)>>) -> (tensor<*xf32>)
    attributes {dim_min = array<i64: 1>, dim_max = array<i64: 3>} {
  // expected-error @+1 {{offset 3 lies outside the matrices of A's shape [s0, s0]}}
  %0 = sg.linalg_extracttrian(%a) {offset = 3} : (tensor<?x?xf32, #sg.extents<()[s0] -> (s0, s0)>>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}
