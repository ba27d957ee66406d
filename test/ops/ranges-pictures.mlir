// RUN: symc-opt --sg-infer-shapes -split-input-file %s | FileCheck %s
// Pictures whose extents are known only at run time: what is needed of them becomes a condition
// of the graph, with the sentence of the constraint.

// CHECK: #set{{.*}} = affine_set<()[s0] : ((s0 - 1) * (s0 - 3) == 0)>
// CHECK: #set{{.*}} = affine_set<()[s0] : (-s0 + 4 >= 0)>
// CHECK-LABEL: sg.graph @image_normalize_c1_range
// CHECK-SAME: sentences = ["node '': data has shape [s0, 9, 9], needs 1 or 3 channels before height and width", "node '': parameter 'mean' has 4 numbers, needs 1 or s0"]}
sg.graph @image_normalize_c1_range(%a: tensor<?x9x9xf32, #sg.extents<()[s0] -> (s0, 9, 9)>>)
    -> (tensor<*xf32>)
    attributes {dim_min = array<i64: 1>, dim_max = array<i64: 64>} {
  %0 = sg.image_normalize(%a) :
      (tensor<?x9x9xf32, #sg.extents<()[s0] -> (s0, 9, 9)>>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK: #set{{.*}} = affine_set<()[s0] : ((s0 - 1) * (s0 - 3) == 0)>
// CHECK: #set{{.*}} = affine_set<()[s0] : (-s0 + 2 >= 0)>
// CHECK: #set{{.*}} = affine_set<()[s0] : (-s0 + 4 >= 0)>
// CHECK-LABEL: sg.graph @image_normalize_c2_range
// CHECK-SAME: sentences = ["node '': data has shape [s0, 9, 9], needs 1 or 3 channels before height and width", "node '': parameter 'mean' has 2 numbers, needs 1 or s0", "node '': parameter 'std' has 4 numbers, needs 1 or s0"]}
sg.graph @image_normalize_c2_range(%a: tensor<?x9x9xf32, #sg.extents<()[s0] -> (s0, 9, 9)>>)
    -> (tensor<*xf32>)
    attributes {dim_min = array<i64: 1>, dim_max = array<i64: 64>} {
  %0 = sg.image_normalize(%a) {mean = array<f64: 1.0, 2.0>} :
      (tensor<?x9x9xf32, #sg.extents<()[s0] -> (s0, 9, 9)>>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK: #set{{.*}} = affine_set<()[s0] : (s0 - 6 >= 0)>
// CHECK-LABEL: sg.graph @image_crop_c2_range
// CHECK-SAME: sentences = ["node '': the rectangle ends at row 6 and column 4 but data has shape [s0, 9, 3]"]}
sg.graph @image_crop_c2_range(%a: tensor<?x9x3xf32, #sg.extents<()[s0] -> (s0, 9, 3)>>)
    -> (tensor<*xf32>)
    attributes {dim_min = array<i64: 1>, dim_max = array<i64: 64>} {
  %0 = sg.image_crop(%a) {x = 1, y = 2, width = 3, height = 4} :
      (tensor<?x9x3xf32, #sg.extents<()[s0] -> (s0, 9, 3)>>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK: #set{{.*}} = affine_set<()[s0] : ((s0 - 1) * (s0 - 3) == 0)>
// CHECK-LABEL: sg.graph @image_adjust_lighting_c1_range
// CHECK-SAME: sentences = ["node '': data has shape [9, 9, s0], needs [H, W, C] with 1 or 3 channels"]}
sg.graph @image_adjust_lighting_c1_range(%a: tensor<9x9x?xf32, #sg.extents<()[s0] -> (9, 9, s0)>>)
    -> (tensor<*xf32>)
    attributes {dim_min = array<i64: 1>, dim_max = array<i64: 64>} {
  %0 = sg.image_adjust_lighting(%a) {alpha = array<f64: 1.0, 1.0, 1.0>} :
      (tensor<9x9x?xf32, #sg.extents<()[s0] -> (9, 9, s0)>>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK: #set{{.*}} = affine_set<()[s0] : ((s0 - 1) * (s0 - 3) == 0)>
// CHECK-LABEL: sg.graph @image_random_flip_c1_range
// CHECK-SAME: sentences = ["node '': data has shape [9, 9, s0], needs [H, W, C] with 1 or 3 channels"]}
sg.graph @image_random_flip_c1_range(%a: tensor<9x9x?xf32, #sg.extents<()[s0] -> (9, 9, s0)>>)
    -> (tensor<*xf32>)
    attributes {dim_min = array<i64: 1>, dim_max = array<i64: 64>} {
  %0 = sg.image_random_flip(%a) {axis = -2 : i64} :
      (tensor<9x9x?xf32, #sg.extents<()[s0] -> (9, 9, s0)>>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK: #set{{.*}} = affine_set<()[s0] : ((s0 - 1) * (s0 - 3) == 0)>
// CHECK-LABEL: sg.graph @image_random_adjust_c2_range
// CHECK-SAME: sentences = ["node '': data has shape [9, 9, s0], needs [H, W, C] with 1 or 3 channels"]}
sg.graph @image_random_adjust_c2_range(%a: tensor<9x9x?xf32, #sg.extents<()[s0] -> (9, 9, s0)>>)
    -> (tensor<*xf32>)
    attributes {dim_min = array<i64: 1>, dim_max = array<i64: 64>} {
  %0 = sg.image_random_adjust(%a) {kind = "brightness", min_factor = 0.5, max_factor = 1.0} :
      (tensor<9x9x?xf32, #sg.extents<()[s0] -> (9, 9, s0)>>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK: #set{{.*}} = affine_set<()[s0] : ((s0 - 1) * (s0 - 3) == 0)>
// CHECK-LABEL: sg.graph @image_random_lighting_c2_range
// CHECK-SAME: sentences = ["node '': data has shape [9, 9, s0], needs [H, W, C] with 1 or 3 channels"]}
sg.graph @image_random_lighting_c2_range(%a: tensor<9x9x?xf32, #sg.extents<()[s0] -> (9, 9, s0)>>)
    -> (tensor<*xf32>)
    attributes {dim_min = array<i64: 1>, dim_max = array<i64: 64>} {
  %0 = sg.image_random_lighting(%a) :
      (tensor<9x9x?xf32, #sg.extents<()[s0] -> (9, 9, s0)>>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK: #set{{.*}} = affine_set<()[s0] : ((s0 - 1) * (s0 - 3) == 0)>
// CHECK-LABEL: sg.graph @image_random_jitter_c1_range
// CHECK-SAME: sentences = ["node '': data has shape [9, 9, s0], needs [H, W, C] with 1 or 3 channels"]}
sg.graph @image_random_jitter_c1_range(%a: tensor<9x9x?xf32, #sg.extents<()[s0] -> (9, 9, s0)>>)
    -> (tensor<*xf32>)
    attributes {dim_min = array<i64: 1>, dim_max = array<i64: 64>} {
  %0 = sg.image_random_jitter(%a) {brightness = 0.1 : f64, contrast = 0.1 : f64, saturation = 0.1 : f64, hue = 0.1 : f64} :
      (tensor<9x9x?xf32, #sg.extents<()[s0] -> (9, 9, s0)>>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK: #set{{.*}} = affine_set<()[s0] : ((s0 * 2) mod 3 == 0)>
// CHECK-LABEL: sg.graph @upsampling_c3_range
// CHECK-SAME: sentences = ["node '': image 1 has shape [1, 3, 3, 4], whose extent along axis 2 does not divide output's s0 * 2"]}
sg.graph @upsampling_c3_range(%a: tensor<1x3x?x4xf32, #sg.extents<()[s0] -> (1, 3, s0, 4)>>, %b: tensor<1x3x3x4xf32>)
    -> (tensor<*xf32>)
    attributes {dim_min = array<i64: 1>, dim_max = array<i64: 64>} {
  %0 = sg.upsampling(%a, %b) {scale = 2, sample_type = "nearest", num_args = 2} :
      (tensor<1x3x?x4xf32, #sg.extents<()[s0] -> (1, 3, s0, 4)>>, tensor<1x3x3x4xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK: #set{{.*}} = affine_set<()[s0] : (s0 - 6 >= 0)>
// CHECK-LABEL: sg.graph @crop_c2_range
// CHECK-SAME: sentences = ["node '': data has shape [1, 3, s0, 9] but the window has 5 elements from 1 on along axis 2"]}
sg.graph @crop_c2_range(%a: tensor<1x3x?x9xf32, #sg.extents<()[s0] -> (1, 3, s0, 9)>>)
    -> (tensor<*xf32>)
    attributes {dim_min = array<i64: 1>, dim_max = array<i64: 64>} {
  %0 = sg.crop(%a) {num_args = 1, h_w = array<i64: 5, 5>, offset = array<i64: 1, 0>} :
      (tensor<1x3x?x9xf32, #sg.extents<()[s0] -> (1, 3, s0, 9)>>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK: #set{{.*}} = affine_set<()[s0] : (s0 - 4 >= 0)>
// CHECK-LABEL: sg.graph @pad_c3_range
// CHECK-SAME: sentences = ["node '': data has shape [1, 2, s0, 9] but a reflected border of 3 along axis 2 needs more elements than that"]}
sg.graph @pad_c3_range(%a: tensor<1x2x?x9xf32, #sg.extents<()[s0] -> (1, 2, s0, 9)>>)
    -> (tensor<*xf32>)
    attributes {dim_min = array<i64: 1>, dim_max = array<i64: 64>} {
  %0 = sg.pad(%a) {mode = "reflect", pad_width = array<i64: 0, 0, 0, 0, 2, 3, 0, 0>} :
      (tensor<1x2x?x9xf32, #sg.extents<()[s0] -> (1, 2, s0, 9)>>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK: #set{{.*}} = affine_set<()[s0] : ((s0 floordiv 2) * 2 - 1 >= 0)>
// CHECK-LABEL: sg.graph @bilinear_resize_c2_range
// CHECK-SAME: sentences = ["node '': data has shape [1, 3, s0, 9], which leaves no element along axis 2"]}
sg.graph @bilinear_resize_c2_range(%a: tensor<1x3x?x9xf32, #sg.extents<()[s0] -> (1, 3, s0, 9)>>)
    -> (tensor<*xf32>)
    attributes {dim_min = array<i64: 1>, dim_max = array<i64: 64>} {
  %0 = sg.bilinear_resize(%a) {mode = "to_even_down"} :
      (tensor<1x3x?x9xf32, #sg.extents<()[s0] -> (1, 3, s0, 9)>>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}
