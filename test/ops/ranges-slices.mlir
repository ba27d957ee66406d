// RUN: symc-opt --sg-infer-shapes -split-input-file %s | FileCheck %s
// Parts and choices of extents that are known only at run time: what they need becomes a
// condition of the graph, with the sentence of the constraint.

// CHECK: #[[$FIRST:.*]] = affine_map<()[s0] -> (10, s0)>
// CHECK: #[[$LEFT:.*]] = affine_map<()[s0, s1] -> (s0 - s1, 0)>
// CHECK: #set{{.*}} = affine_set<()[s0, s1] : (s0 - s1 - 1 >= 0)>
// CHECK-LABEL: sg.graph @slice_c2_range
// CHECK-SAME: dim_max = array<i64: 64, 10, 54>, dim_min = array<i64: 1, 1, 0>
// CHECK-SAME: sentences = ["node '': the part along axis 0 of data's shape [s0, 3] is empty"]
// CHECK-SAME: sg.clips = [{least = #[[$FIRST]], size = 1 : i64}, {largest = #[[$LEFT]], size = 2 : i64}]}
// CHECK: sg.slice({{.*}} -> tensor<?x3xf32, #sg.extents<()[s0, s1, s2] -> (s2, 3)>>
sg.graph @slice_c2_range(%a: tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>>)
    -> (tensor<*xf32>)
    attributes {dim_min = array<i64: 1>, dim_max = array<i64: 64>} {
  %0 = sg.slice(%a) {begin = array<i64: 10>, end = array<i64: -9223372036854775808>} :
      (tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK: #[[$FIRST:.*]] = affine_map<()[s0] -> (s0 - 5, 0)>
// CHECK-LABEL: sg.graph @slice_c3_range
// CHECK-NOT: sentences
// CHECK-SAME: dim_max = array<i64: 64, 59, 5>, dim_min = array<i64: 1, 0, 1>
// CHECK-SAME: sg.clips = [{largest = #[[$FIRST]], size = 1 : i64}, {{.*}}]}
// CHECK: sg.slice({{.*}} -> tensor<?x3xf32, #sg.extents<()[s0, s1, s2] -> (s2, 3)>>
sg.graph @slice_c3_range(%a: tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>>)
    -> (tensor<*xf32>)
    attributes {dim_min = array<i64: 1>, dim_max = array<i64: 64>} {
  %0 = sg.slice(%a) {begin = array<i64: -5>, end = array<i64: -9223372036854775808>} :
      (tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK: #set{{.*}} = affine_set<()[s0, s1, s2] : (-s1 + s2 - 1 >= 0)>
// CHECK-LABEL: sg.graph @slice_c3_end
// CHECK-SAME: sentences = ["node '': the part along axis 0 of data's shape [s0, 3] is empty"]
// CHECK: sg.slice({{.*}} -> tensor<?x3xf32, #sg.extents<()[s0, s1, s2, s3] -> (s3, 3)>>
sg.graph @slice_c3_end(%a: tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>>)
    -> (tensor<*xf32>)
    attributes {dim_min = array<i64: 1>, dim_max = array<i64: 64>} {
  %0 = sg.slice(%a) {begin = array<i64: 2>, end = array<i64: 5>} :
      (tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

// Two parts with one end have one size, and a last one that no size reaches has none.
// CHECK-LABEL: sg.graph @slice_c3_same
// CHECK-SAME: dim_max = array<i64: 6, 4>, dim_min = array<i64: 1, 1>
// CHECK: sg.binary({{.*}} -> tensor<?x3xf32, #sg.extents<()[s0, s1] -> (s1, 3)>>
sg.graph @slice_c3_same(%a: tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>>)
    -> (tensor<*xf32>, tensor<*xf32>)
    attributes {dim_min = array<i64: 1>, dim_max = array<i64: 6>} {
  %0 = sg.slice(%a) {begin = array<i64: 0>, end = array<i64: 4>} :
      (tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>>) -> tensor<*xf32>
  %1 = sg.slice(%a) {begin = array<i64: -9>, end = array<i64: 4>} :
      (tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>>) -> tensor<*xf32>
  %2 = sg.binary(%0, %1) {fn = "add"} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
  sg.heads %1, %2 : tensor<*xf32>, tensor<*xf32>
}

// -----

// A layer needs a constant: the sizes that are clipped are refused.
// CHECK: module attributes {sg.unclipped}
// CHECK-LABEL: sg.graph @slice_c3_constant
// CHECK-SAME: sentences = ["node '': the places from 0 to 4 along axis 0 of data's shape [s0, 3] lie partly outside, which needs an extent that is fixed"]}
// CHECK: sg.slice({{.*}} -> tensor<4x3xf32>
sg.graph @slice_c3_constant(%a: tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>>, %b: tensor<4x3xf32>)
    -> (tensor<*xf32>)
    attributes {dim_min = array<i64: 1>, dim_max = array<i64: 6>} {
  %0 = sg.slice(%a) {begin = array<i64: 0>, end = array<i64: 4>} :
      (tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>>) -> tensor<*xf32>
  %1 = sg.binary(%0, %b) {fn = "add"} : (tensor<*xf32>, tensor<4x3xf32>) -> tensor<*xf32>
  sg.heads %1 : tensor<*xf32>
}

// -----

// An end that no size reaches is moved to the extent's end.
// CHECK-LABEL: sg.graph @slice_c3_far_end
// CHECK-NOT: sentences
// CHECK: sg.slice({{.*}} -> tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>>
sg.graph @slice_c3_far_end(%a: tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>>)
    -> (tensor<*xf32>)
    attributes {dim_min = array<i64: 1>, dim_max = array<i64: 64>} {
  %0 = sg.slice(%a) {begin = array<i64: -9223372036854775808>, end = array<i64: 64>} :
      (tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK-LABEL: sg.graph @slice_axis_c2_end
// CHECK-SAME: sentences = ["node '': begin and end give the places from 2 to 5 along axis 0, needs a range within the extent s0"]}
// CHECK: sg.slice_axis({{.*}} -> tensor<3x3xf32>
sg.graph @slice_axis_c2_end(%a: tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>>)
    -> (tensor<*xf32>)
    attributes {dim_min = array<i64: 1>, dim_max = array<i64: 64>} {
  %0 = sg.slice_axis(%a) {axis = 0, begin = 2, end = 5} :
      (tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK: #set{{.*}} = affine_set<()[s0, s1] : (s0 - s1 - 1 >= 0)>
// CHECK-LABEL: sg.graph @slice_assign_c1_range
// CHECK-SAME: sentences = ["node '': the part along axis 0 of lhs's shape [s0, 3] is empty"], sg.clips = [{{.*}}]}
sg.graph @slice_assign_c1_range(%a: tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>>, %b: tensor<*xf32>)
    -> (tensor<*xf32>)
    attributes {dim_min = array<i64: 1>, dim_max = array<i64: 64>} {
  %0 = sg.slice_assign(%a, %b) {begin = array<i64: 10>, end = array<i64: -9223372036854775808>} :
      (tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>>, tensor<*xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK: #set{{.*}} = affine_set<()[s0, s1] : (s0 - s1 - 1 >= 0)>
// CHECK-LABEL: sg.graph @slice_assign_scalar_c1_range
// CHECK-SAME: sentences = ["node '': the part along axis 0 of data's shape [s0, 3] is empty"], sg.clips = [{{.*}}]}
sg.graph @slice_assign_scalar_c1_range(%a: tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>>)
    -> (tensor<*xf32>)
    attributes {dim_min = array<i64: 1>, dim_max = array<i64: 64>} {
  %0 = sg.slice_assign_scalar(%a) {begin = array<i64: 10>, end = array<i64: -9223372036854775808>} :
      (tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK: #set{{.*}} = affine_set<()[s0] : (s0 - 5 >= 0)>
// CHECK-LABEL: sg.graph @slice_axis_c2_range
// CHECK-SAME: sentences = ["node '': begin and end give the places from s0 - 5 to s0 along axis 0, needs a range within the extent s0"]}
sg.graph @slice_axis_c2_range(%a: tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>>)
    -> (tensor<*xf32>)
    attributes {dim_min = array<i64: 1>, dim_max = array<i64: 64>} {
  %0 = sg.slice_axis(%a) {axis = 0, begin = -5} :
      (tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK: #set{{.*}} = affine_set<()[s0, s1] : (s0 - s1 >= 0)>
// CHECK-LABEL: sg.graph @slice_like_c2_range
// CHECK-SAME: sentences = ["node '': data has shape [s0, 3] and shape_like [s1, 3], which is larger along axis 0"]}
sg.graph @slice_like_c2_range(%a: tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>>, %b: tensor<?x3xf32, #sg.extents<()[s0, s1] -> (s1, 3)>>)
    -> (tensor<*xf32>)
    attributes {dim_min = array<i64: 1, 1>, dim_max = array<i64: 64, 64>} {
  %0 = sg.slice_like(%a, %b) :
      (tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>>, tensor<?x3xf32, #sg.extents<()[s0, s1] -> (s1, 3)>>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK: #set{{.*}} = affine_set<()[s0] : (s0 - 8 >= 0)>
// CHECK-LABEL: sg.graph @split_v2_c2_range
// CHECK-SAME: sentences = ["node '': index 8 lies outside the extent s0 of data along axis 0"]}
sg.graph @split_v2_c2_range(%a: tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>>)
    -> (tensor<*xf32>, tensor<*xf32>)
    attributes {dim_min = array<i64: 1>, dim_max = array<i64: 64>} {
  %0:2 = sg.split_v2(%a) {axis = 0, indices = array<i64: 0, 8>} :
      (tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>>) -> (tensor<*xf32>, tensor<*xf32>)
  sg.heads %0#0, %0#1 : tensor<*xf32>, tensor<*xf32>
}

// -----

// CHECK: #set{{.*}} = affine_set<()[s0] : (s0 - 4 >= 0)>
// CHECK-LABEL: sg.graph @topk_c2_range
// CHECK-SAME: sentences = ["node '': k is 4 but data has shape [s0] with only s0 elements to choose from"]}
sg.graph @topk_c2_range(%a: tensor<?xf32, #sg.extents<()[s0] -> (s0)>>) -> (tensor<*xf32>)
    attributes {dim_min = array<i64: 1>, dim_max = array<i64: 64>} {
  %0 = sg.topk(%a) {k = 4, axis = 0} : (tensor<?xf32, #sg.extents<()[s0] -> (s0)>>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK: #set{{.*}} = affine_set<()[s0] : ((s0 - 1) * (s0 - 1) - 1 >= 0)>
// CHECK-LABEL: sg.graph @squeeze_c2_range
// CHECK-SAME: sentences = ["node '': data has shape [s0, 3], whose extent s0 is left out where it is 1, which no size chosen at run time can be"]}
sg.graph @squeeze_c2_range(%a: tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>>)
    -> (tensor<*xf32>)
    attributes {dim_min = array<i64: 1>, dim_max = array<i64: 64>} {
  %0 = sg.squeeze(%a) : (tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK: #set{{.*}} = affine_set<()[s0] : ((s0 - 1) * (s0 - 1) - 1 >= 0)>
// CHECK-LABEL: sg.graph @numpy_squeeze_c2_range
// CHECK-SAME: sentences = ["node '': a has shape [s0, 3], whose extent s0 is left out where it is 1, which no size chosen at run time can be"]}
sg.graph @numpy_squeeze_c2_range(%a: tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>>)
    -> (tensor<*xf32>)
    attributes {dim_min = array<i64: 1>, dim_max = array<i64: 64>} {
  %0 = sg.numpy_squeeze(%a) : (tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK: #set{{.*}} = affine_set<()[s0] : (s0 - 2 >= 0)>
// CHECK-LABEL: sg.graph @histogram_c2_range
// CHECK-SAME: sentences = ["node '': bins has shape [s0], needs at least 2 bounds [B + 1]"]}
sg.graph @histogram_c2_range(%a: tensor<9xf32>, %b: tensor<?xf32, #sg.extents<()[s0] -> (s0)>>)
    -> (tensor<*xf32>, tensor<*xf32>)
    attributes {dim_min = array<i64: 1>, dim_max = array<i64: 64>} {
  %0:2 = sg.histogram(%a, %b) :
      (tensor<9xf32>, tensor<?xf32, #sg.extents<()[s0] -> (s0)>>) -> (tensor<*xf32>, tensor<*xf32>)
  sg.heads %0#0, %0#1 : tensor<*xf32>, tensor<*xf32>
}

// -----

// CHECK: #set{{.*}} = affine_set<()[s0] : (s0 - 9 >= 0, s0 - ((s0 - 1) floordiv 2) * 2 - 1 == 0)>
// CHECK-LABEL: sg.graph @calibrate_entropy_c2_range
// CHECK-SAME: sentences = ["node '': hist has shape [s0], needs an odd number of ranges, at least num_quantized_bins = 9"]}
sg.graph @calibrate_entropy_c2_range(%a: tensor<?xf32, #sg.extents<()[s0] -> (s0)>>, %b: tensor<*xf32>)
    -> (tensor<*xf32>, tensor<*xf32>)
    attributes {dim_min = array<i64: 1>, dim_max = array<i64: 64>} {
  %0:2 = sg.calibrate_entropy(%a, %b) {num_quantized_bins = 9} :
      (tensor<?xf32, #sg.extents<()[s0] -> (s0)>>, tensor<*xf32>) -> (tensor<*xf32>, tensor<*xf32>)
  sg.heads %0#0, %0#1 : tensor<*xf32>, tensor<*xf32>
}
