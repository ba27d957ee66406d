// RUN: symc-opt --sg-infer-shapes -split-input-file %s | FileCheck %s
// Windows, groups and heads of extents that are known only at run time: what they need becomes a
// condition of the graph, with the sentence of the constraint.

// CHECK: #set{{.*}} = affine_set<()[s0] : (s0 - 5 >= 0)>
// CHECK-LABEL: sg.graph @convolution_c4_range
// CHECK-SAME: sentences = ["node '': data has shape [1, 3, s0, 9]: the kernel spans 7 along axis 2 but the padded image has s0 + 2"]}
sg.graph @convolution_c4_range(%a: tensor<1x3x?x9xf32, #sg.extents<()[s0] -> (1, 3, s0, 9)>>, %b: tensor<*xf32>)
    -> (tensor<*xf32>)
    attributes {dim_min = array<i64: 1>, dim_max = array<i64: 64>} {
  %0 = sg.convolution(%a, %b) {kernel = array<i64: 7, 7>, pad = array<i64: 1, 1>, num_filter = 2, no_bias = true} :
      (tensor<1x3x?x9xf32, #sg.extents<()[s0] -> (1, 3, s0, 9)>>, tensor<*xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK: #set{{.*}} = affine_set<()[s0] : (s0 - 4 >= 0)>
// CHECK-LABEL: sg.graph @deconvolution_c4_range
// CHECK-SAME: sentences = ["node '': output would have s0 - 3 elements along axis 2: data has shape [1, 3, s0, 9]"]}
sg.graph @deconvolution_c4_range(%a: tensor<1x3x?x9xf32, #sg.extents<()[s0] -> (1, 3, s0, 9)>>, %b: tensor<*xf32>)
    -> (tensor<*xf32>)
    attributes {dim_min = array<i64: 1>, dim_max = array<i64: 64>} {
  %0 = sg.deconvolution(%a, %b) {kernel = array<i64: 2, 2>, pad = array<i64: 2, 0>, num_filter = 2} :
      (tensor<1x3x?x9xf32, #sg.extents<()[s0] -> (1, 3, s0, 9)>>, tensor<*xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK: #set{{.*}} = affine_set<()[s0] : (s0 - 7 >= 0)>
// CHECK-LABEL: sg.graph @pooling_c4_range
// CHECK-SAME: sentences = ["node '': data has shape [1, 3, s0, 9]: the kernel spans 7 along axis 2 but the padded image has s0"]}
sg.graph @pooling_c4_range(%a: tensor<1x3x?x9xf32, #sg.extents<()[s0] -> (1, 3, s0, 9)>>)
    -> (tensor<*xf32>)
    attributes {dim_min = array<i64: 1>, dim_max = array<i64: 64>} {
  %0 = sg.pooling(%a) {kernel = array<i64: 7, 7>, pooling_convention = "full"} :
      (tensor<1x3x?x9xf32, #sg.extents<()[s0] -> (1, 3, s0, 9)>>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK: #set{{.*}} = affine_set<()[s0] : (s0 - 7 >= 0)>
// CHECK-LABEL: sg.graph @pooling_v1_c4_range
// CHECK-SAME: sentences = ["node '': data has shape [1, 3, s0, 9]: the kernel spans 7 along axis 2 but the padded image has s0"]}
sg.graph @pooling_v1_c4_range(%a: tensor<1x3x?x9xf32, #sg.extents<()[s0] -> (1, 3, s0, 9)>>)
    -> (tensor<*xf32>)
    attributes {dim_min = array<i64: 1>, dim_max = array<i64: 64>} {
  %0 = sg.pooling_v1(%a) {kernel = array<i64: 7, 7>} :
      (tensor<1x3x?x9xf32, #sg.extents<()[s0] -> (1, 3, s0, 9)>>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK: #set{{.*}} = affine_set<()[s0] : (s0 - 7 >= 0)>
// CHECK-LABEL: sg.graph @quantized_conv_c2_range
// CHECK-SAME: sentences = ["node '': data has shape [1, 3, s0, 9]: the kernel spans 7 along axis 2 but the padded image has s0"]}
sg.graph @quantized_conv_c2_range(%a: tensor<1x3x?x9xui8, #sg.extents<()[s0] -> (1, 3, s0, 9)>>, %b: tensor<*xi8>, %c: tensor<*xf32>, %d: tensor<*xf32>, %e: tensor<*xf32>, %f: tensor<*xf32>)
    -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>)
    attributes {dim_min = array<i64: 1>, dim_max = array<i64: 64>} {
  %0:3 = sg.quantized_conv(%a, %b, %c, %d, %e, %f) {kernel = array<i64: 7, 7>, num_filter = 2, no_bias = true,
      operandSegmentSizes = array<i32: 1, 1, 0, 1, 1, 1, 1, 0, 0>} :
      (tensor<1x3x?x9xui8, #sg.extents<()[s0] -> (1, 3, s0, 9)>>, tensor<*xi8>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>)
  sg.heads %0#0, %0#1, %0#2 : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>
}

// -----

// CHECK: #set{{.*}} = affine_set<()[s0] : (s0 - 7 >= 0)>
// CHECK-LABEL: sg.graph @quantized_pooling_c2_range
// CHECK-SAME: sentences = ["node '': data has shape [1, 3, s0, 9]: the kernel spans 7 along axis 2 but the padded image has s0"]}
sg.graph @quantized_pooling_c2_range(%a: tensor<1x3x?x9xui8, #sg.extents<()[s0] -> (1, 3, s0, 9)>>, %b: tensor<1xf32>, %c: tensor<1xf32>)
    -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>)
    attributes {dim_min = array<i64: 1>, dim_max = array<i64: 64>} {
  %0:3 = sg.quantized_pooling(%a, %b, %c) {kernel = array<i64: 7, 7>} :
      (tensor<1x3x?x9xui8, #sg.extents<()[s0] -> (1, 3, s0, 9)>>, tensor<1xf32>, tensor<1xf32>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>)
  sg.heads %0#0, %0#1, %0#2 : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>
}

// -----

// CHECK: #set{{.*}} = affine_set<()[s0] : (s0 - 7 >= 0)>
// CHECK-LABEL: sg.graph @fused_conv_c3_range
// CHECK-SAME: sentences = ["node '': data has shape [1, 3, s0, 9]: the kernel spans 7 along axis 2 but the padded image has s0"]}
sg.graph @fused_conv_c3_range(%a: tensor<1x3x?x9xui8, #sg.extents<()[s0] -> (1, 3, s0, 9)>>, %b: tensor<2x3x7x7xf32>, %c: tensor<1xf32>, %d: tensor<1xf32>)
    -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>)
    attributes {dim_min = array<i64: 1>, dim_max = array<i64: 64>} {
  %0:3 = sg.fused_conv(%a, %b, %c, %d) {kernel = array<i64: 7, 7>, num_filter = 2, no_bias = true, quantized = true,
      min_calib_range = 0.0 : f64, max_calib_range = 6.0 : f64,
      operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0>} :
      (tensor<1x3x?x9xui8, #sg.extents<()[s0] -> (1, 3, s0, 9)>>, tensor<2x3x7x7xf32>, tensor<1xf32>, tensor<1xf32>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>)
  sg.heads %0#0, %0#1, %0#2 : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>
}

// -----

// CHECK: #set{{.*}} = affine_set<()[s0] : (s0 - 3 >= 0)>
// CHECK-LABEL: sg.graph @deformable_convolution_c3_range
// CHECK-SAME: sentences = ["node '': data has shape [1, 3, s0, 9]: the kernel spans 3 along axis 2 but the padded image has s0"]}
sg.graph @deformable_convolution_c3_range(%a: tensor<1x3x?x9xf32, #sg.extents<()[s0] -> (1, 3, s0, 9)>>, %b: tensor<*xf32>, %c: tensor<*xf32>)
    -> (tensor<*xf32>)
    attributes {dim_min = array<i64: 1>, dim_max = array<i64: 64>} {
  %0 = sg.deformable_convolution(%a, %b, %c) {kernel = array<i64: 3, 3>, num_filter = 2, no_bias = true} :
      (tensor<1x3x?x9xf32, #sg.extents<()[s0] -> (1, 3, s0, 9)>>, tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK: #set{{.*}} = affine_set<()[s0] : (s0 - 3 >= 0)>
// CHECK-LABEL: sg.graph @modulated_deformable_convolution_c3_range
// CHECK-SAME: sentences = ["node '': data has shape [1, 3, s0, 9]: the kernel spans 3 along axis 2 but the padded image has s0"]}
sg.graph @modulated_deformable_convolution_c3_range(%a: tensor<1x3x?x9xf32, #sg.extents<()[s0] -> (1, 3, s0, 9)>>, %b: tensor<*xf32>, %c: tensor<*xf32>, %d: tensor<*xf32>)
    -> (tensor<*xf32>)
    attributes {dim_min = array<i64: 1>, dim_max = array<i64: 64>} {
  %0 = sg.modulated_deformable_convolution(%a, %b, %c, %d) {kernel = array<i64: 3, 3>, num_filter = 2, no_bias = true} :
      (tensor<1x3x?x9xf32, #sg.extents<()[s0] -> (1, 3, s0, 9)>>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK: #set{{.*}} = affine_set<()[s0] : (((s0 - 1) floordiv 4) * (s0 mod 4) == 0)>
// CHECK-LABEL: sg.graph @modulated_deformable_convolution_c5_range
// CHECK-SAME: sentences = ["node '': data has s0 images, needs at most im2col_step = 4 or a multiple of it"]}
sg.graph @modulated_deformable_convolution_c5_range(%a: tensor<?x3x9x9xf32, #sg.extents<()[s0] -> (s0, 3, 9, 9)>>, %b: tensor<*xf32>, %c: tensor<*xf32>, %d: tensor<*xf32>)
    -> (tensor<*xf32>)
    attributes {dim_min = array<i64: 1>, dim_max = array<i64: 64>} {
  %0 = sg.modulated_deformable_convolution(%a, %b, %c, %d) {kernel = array<i64: 3, 3>, num_filter = 2, no_bias = true, im2col_step = 4} :
      (tensor<?x3x9x9xf32, #sg.extents<()[s0] -> (s0, 3, 9, 9)>>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK: #set{{.*}} = affine_set<()[s0] : (s0 - 5 >= 0)>
// CHECK-LABEL: sg.graph @correlation_c3_range
// CHECK-SAME: sentences = ["node '': data1 has shape [1, 3, s0, 9]: windows and displacements take 4 elements along axis 2 but the padded image has s0"]}
sg.graph @correlation_c3_range(%a: tensor<1x3x?x9xf32, #sg.extents<()[s0] -> (1, 3, s0, 9)>>, %b: tensor<1x3x?x9xf32, #sg.extents<()[s0] -> (1, 3, s0, 9)>>)
    -> (tensor<*xf32>)
    attributes {dim_min = array<i64: 1>, dim_max = array<i64: 64>} {
  %0 = sg.correlation(%a, %b) {max_displacement = 2} :
      (tensor<1x3x?x9xf32, #sg.extents<()[s0] -> (1, 3, s0, 9)>>, tensor<1x3x?x9xf32, #sg.extents<()[s0] -> (1, 3, s0, 9)>>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK: #set{{.*}} = affine_set<()[s0] : (s0 - 7 >= 0)>
// CHECK-LABEL: sg.graph @im2col_c2_range
// CHECK-SAME: sentences = ["node '': kernel (7, 7) does not fit into data's shape [1, 3, s0, 9] along axis 2"]}
sg.graph @im2col_c2_range(%a: tensor<1x3x?x9xf32, #sg.extents<()[s0] -> (1, 3, s0, 9)>>)
    -> (tensor<*xf32>)
    attributes {dim_min = array<i64: 1>, dim_max = array<i64: 64>} {
  %0 = sg.im2col(%a) {kernel = array<i64: 7, 7>} :
      (tensor<1x3x?x9xf32, #sg.extents<()[s0] -> (1, 3, s0, 9)>>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK: #set{{.*}} = affine_set<()[s0] : (s0 - 3 >= 0)>
// CHECK-LABEL: sg.graph @unfold_images_c2_range
// CHECK-SAME: sentences = ["node '': size is 3 but data has shape [s0, 2, 4, 5]"]}
sg.graph @unfold_images_c2_range(%a: tensor<?x2x4x5xf32, #sg.extents<()[s0] -> (s0, 2, 4, 5)>>)
    -> (tensor<*xf32>)
    attributes {dim_min = array<i64: 1>, dim_max = array<i64: 64>} {
  %0 = sg.unfold_images(%a) {size = 3 : i64} : (tensor<?x2x4x5xf32, #sg.extents<()[s0] -> (s0, 2, 4, 5)>>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK: #set{{.*}} = affine_set<()[s0] : (s0 mod 9 == 0)>
// CHECK-LABEL: sg.graph @col2im_c2_range
// CHECK-SAME: sentences = ["node '': data has shape [1, s0, 9], needs [N, a multiple of 9, 9] with kernel (3, 3) and output_size (5, 5)"]}
sg.graph @col2im_c2_range(%a: tensor<1x?x9xf32, #sg.extents<()[s0] -> (1, s0, 9)>>)
    -> (tensor<*xf32>)
    attributes {dim_min = array<i64: 1>, dim_max = array<i64: 64>} {
  %0 = sg.col2im(%a) {kernel = array<i64: 3, 3>, output_size = array<i64: 5, 5>} :
      (tensor<1x?x9xf32, #sg.extents<()[s0] -> (1, s0, 9)>>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK: #set{{.*}} = affine_set<()[s0] : (s0 mod 4 == 0)>
// CHECK-LABEL: sg.graph @group_norm_c1_range
// CHECK-SAME: sentences = ["node '': data has s0 channels, needs a multiple of num_groups = 4"]}
sg.graph @group_norm_c1_range(%a: tensor<2x?x4xf32, #sg.extents<()[s0] -> (2, s0, 4)>>, %b: tensor<*xf32>, %c: tensor<*xf32>)
    -> (tensor<*xf32>)
    attributes {dim_min = array<i64: 1>, dim_max = array<i64: 64>} {
  %0 = sg.group_norm(%a, %b, %c) {num_groups = 4} :
      (tensor<2x?x4xf32, #sg.extents<()[s0] -> (2, s0, 4)>>, tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK: #set{{.*}} = affine_set<()[s0] : (s0 mod 4 == 0)>
// CHECK-LABEL: sg.graph @roi_align_c3_range
// CHECK-SAME: sentences = ["node '': data has s0 channels, needs a multiple of the 4 windows of pooled_size = (2, 2)"]}
sg.graph @roi_align_c3_range(%a: tensor<1x?x9x9xf32, #sg.extents<()[s0] -> (1, s0, 9, 9)>>, %b: tensor<2x5xf32>)
    -> (tensor<*xf32>)
    attributes {dim_min = array<i64: 1>, dim_max = array<i64: 64>} {
  %0 = sg.roi_align(%a, %b) {pooled_size = array<i64: 2, 2>, position_sensitive = true, spatial_scale = 1.0} :
      (tensor<1x?x9x9xf32, #sg.extents<()[s0] -> (1, s0, 9, 9)>>, tensor<2x5xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK: #set{{.*}} = affine_set<()[s0] : (s0 - 7 >= 0)>
// CHECK-LABEL: sg.graph @ctc_loss_c2_range
// CHECK-SAME: sentences = ["node '': label has shape [2, 7], needs no more labels than data's s0 time steps"]}
sg.graph @ctc_loss_c2_range(%a: tensor<?x2x5xf32, #sg.extents<()[s0] -> (s0, 2, 5)>>, %b: tensor<2x7xf32>)
    -> (tensor<*xf32>)
    attributes {dim_min = array<i64: 1>, dim_max = array<i64: 64>} {
  %0 = sg.ctc_loss(%a, %b) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} :
      (tensor<?x2x5xf32, #sg.extents<()[s0] -> (s0, 2, 5)>>, tensor<2x7xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK: #set{{.*}} = affine_set<()[s0] : (s0 mod 6 == 0)>
// CHECK-LABEL: sg.graph @interleaved_qk_c1_range
// CHECK-SAME: sentences = ["node '': queries has shape [4, 2, s0], needs [length, batch, a multiple of 6] with heads = 2"]}
sg.graph @interleaved_qk_c1_range(%a: tensor<4x2x?xf32, #sg.extents<()[s0] -> (4, 2, s0)>>)
    -> (tensor<*xf32>)
    attributes {dim_min = array<i64: 1>, dim_max = array<i64: 64>} {
  %0 = sg.interleaved_qk(%a) {heads = 2, is_self = true} :
      (tensor<4x2x?xf32, #sg.extents<()[s0] -> (4, 2, s0)>>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK: #set{{.*}} = affine_set<()[s0] : (s0 mod 6 == 0)>
// CHECK-LABEL: sg.graph @interleaved_valatt_c1_range
// CHECK-SAME: sentences = ["node '': keys_values has shape [4, 2, s0], needs [length, batch, a multiple of 6] with heads = 2"]}
sg.graph @interleaved_valatt_c1_range(%a: tensor<4x2x?xf32, #sg.extents<()[s0] -> (4, 2, s0)>>, %b: tensor<4x4x4xf32>)
    -> (tensor<*xf32>)
    attributes {dim_min = array<i64: 1>, dim_max = array<i64: 64>} {
  %0 = sg.interleaved_valatt(%a, %b) {heads = 2, is_self = true} :
      (tensor<4x2x?xf32, #sg.extents<()[s0] -> (4, 2, s0)>>, tensor<4x4x4xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}
