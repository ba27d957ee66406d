// RUN: symc-opt --sg-infer-shapes -split-input-file %s | FileCheck %s
// Boxes whose number is known only at run time: what is needed of it becomes a condition of the
// graph, with the sentence of the constraint.

// CHECK: #set{{.*}} = affine_set<()[s0] : (s0 - 1 >= 0)>
// CHECK-LABEL: sg.graph @multibox_prior_c2_range
// CHECK-SAME: sentences = ["node '': data has shape [1, 3, s0, 9], needs at least 1 along axis 2"]}
sg.graph @multibox_prior_c2_range(%a: tensor<1x3x?x9xf32, #sg.extents<()[s0] -> (1, 3, s0, 9)>>)
    -> (tensor<*xf32>)
    attributes {dim_min = array<i64: 0>, dim_max = array<i64: 64>} {
  %0 = sg.multibox_prior(%a) :
      (tensor<1x3x?x9xf32, #sg.extents<()[s0] -> (1, 3, s0, 9)>>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK: #set{{.*}} = affine_set<()[s0] : (s0 - 5 >= 0)>
// CHECK-LABEL: sg.graph @multibox_target_c3_range
// CHECK-SAME: sentences = ["node '': label has shape [1, 3, s0], needs at least 5 along axis 2"]}
sg.graph @multibox_target_c3_range(%a: tensor<1x9x4xf32>, %b: tensor<1x3x?xf32, #sg.extents<()[s0] -> (1, 3, s0)>>, %c: tensor<1x2x9xf32>)
    -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>)
    attributes {dim_min = array<i64: 1>, dim_max = array<i64: 64>} {
  %0:3 = sg.multibox_target(%a, %b, %c) :
      (tensor<1x9x4xf32>, tensor<1x3x?xf32, #sg.extents<()[s0] -> (1, 3, s0)>>, tensor<1x2x9xf32>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>)
  sg.heads %0#0, %0#1, %0#2 : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>
}

// -----

// CHECK: #set{{.*}} = affine_set<()[s0] : (s0 - 1 >= 0)>
// CHECK-LABEL: sg.graph @multibox_detection_c2_range
// CHECK-SAME: sentences = ["node '': anchor has shape [1, s0, 4], needs at least 1 along axis 1"]}
sg.graph @multibox_detection_c2_range(%a: tensor<1x2x?xf32>, %b: tensor<*xf32>, %c: tensor<1x?x4xf32, #sg.extents<()[s0] -> (1, s0, 4)>>)
    -> (tensor<*xf32>)
    attributes {dim_min = array<i64: 0>, dim_max = array<i64: 64>} {
  %0 = sg.multibox_detection(%a, %b, %c) :
      (tensor<1x2x?xf32>, tensor<*xf32>, tensor<1x?x4xf32, #sg.extents<()[s0] -> (1, s0, 4)>>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK: #set{{.*}} = affine_set<()[s0] : (s0 - 1 >= 0)>
// CHECK-LABEL: sg.graph @proposal_c2_range
// CHECK-SAME: sentences = ["node '': cls_prob has shape [1, 24, s0, 9], needs at least 1 along axis 2"]}
sg.graph @proposal_c2_range(%a: tensor<1x24x?x9xf32, #sg.extents<()[s0] -> (1, 24, s0, 9)>>, %b: tensor<*xf32>, %c: tensor<*xf32>)
    -> (tensor<*xf32>)
    attributes {dim_min = array<i64: 0>, dim_max = array<i64: 64>} {
  %0 = sg.proposal(%a, %b, %c) :
      (tensor<1x24x?x9xf32, #sg.extents<()[s0] -> (1, 24, s0, 9)>>, tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK: #set{{.*}} = affine_set<()[s0] : (s0 - 6 >= 0)>
// CHECK: #set{{.*}} = affine_set<()[s0] : (s0 - 2 >= 0)>
// CHECK-LABEL: sg.graph @box_nms_c2_range
// CHECK-SAME: sentences = ["node '': parameter 'coord_start' is 2, needs four places in a row of data's shape [9, s0]", "node '': parameter 'score_index' is 1, needs a place in a row of data's shape [9, s0]"]}
sg.graph @box_nms_c2_range(%a: tensor<9x?xf32, #sg.extents<()[s0] -> (9, s0)>>)
    -> (tensor<*xf32>)
    attributes {dim_min = array<i64: 1>, dim_max = array<i64: 64>} {
  %0 = sg.box_nms(%a) : (tensor<9x?xf32, #sg.extents<()[s0] -> (9, s0)>>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK: #set{{.*}} = affine_set<()[s0] : (s0 - 1 >= 0)>
// CHECK-LABEL: sg.graph @box_encode_c1_range
// CHECK-SAME: sentences = ["node '': refs has shape [1, s0, 4], needs at least 1 along axis 1"]}
sg.graph @box_encode_c1_range(%a: tensor<1x9xf32>, %b: tensor<1x9xf32>, %c: tensor<1x9x4xf32>, %d: tensor<1x?x4xf32, #sg.extents<()[s0] -> (1, s0, 4)>>, %e: tensor<4xf32>, %f: tensor<4xf32>)
    -> (tensor<*xf32>, tensor<*xf32>)
    attributes {dim_min = array<i64: 0>, dim_max = array<i64: 64>} {
  %0:2 = sg.box_encode(%a, %b, %c, %d, %e, %f) :
      (tensor<1x9xf32>, tensor<1x9xf32>, tensor<1x9x4xf32>, tensor<1x?x4xf32, #sg.extents<()[s0] -> (1, s0, 4)>>, tensor<4xf32>, tensor<4xf32>) -> (tensor<*xf32>, tensor<*xf32>)
  sg.heads %0#0, %0#1 : tensor<*xf32>, tensor<*xf32>
}

// -----

// CHECK: #set{{.*}} = affine_set<()[s0] : (s0 - 1 >= 0)>
// CHECK-LABEL: sg.graph @multibox_target_c2_range
// CHECK-SAME: sentences = ["node '': anchor has shape [1, s0, 4], needs at least 1 along axis 1"]}
sg.graph @multibox_target_c2_range(%a: tensor<1x?x4xf32, #sg.extents<()[s0] -> (1, s0, 4)>>, %b: tensor<1x3x5xf32>, %c: tensor<1x2x?xf32>)
    -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>)
    attributes {dim_min = array<i64: 0>, dim_max = array<i64: 64>} {
  %0:3 = sg.multibox_target(%a, %b, %c) :
      (tensor<1x?x4xf32, #sg.extents<()[s0] -> (1, s0, 4)>>, tensor<1x3x5xf32>, tensor<1x2x?xf32>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>)
  sg.heads %0#0, %0#1, %0#2 : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>
}
