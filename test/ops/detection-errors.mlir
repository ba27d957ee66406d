// RUN: symc-opt --sg-infer-shapes -split-input-file -verify-diagnostics=only-expected %s
// Operators on boxes: each constraint says what was found and what is needed.

sg.graph @multibox_prior_c1(%a: tensor<2x16x3x5xf32> {sg.name = "a"}) -> (tensor<*xf32>) {
  // expected-error @+1 {{parameter 'sizes' is (), needs at least one number}}
  %0 = sg.multibox_prior(%a) {sizes = array<f64>} : (tensor<2x16x3x5xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @multibox_prior_c1(%a: tensor<2x16x3x5xf32> {sg.name = "a"}) -> (tensor<*xf32>) {
  // expected-error @+1 {{parameter 'steps' is (0.1, -0.1), needs two numbers of one sign}}
  %0 = sg.multibox_prior(%a) {steps = array<f64: 0.1, -0.1>} : (tensor<2x16x3x5xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @multibox_prior_c1(%a: tensor<2x16x3x5xf32> {sg.name = "a"}) -> (tensor<*xf32>) {
  // expected-error @+1 {{parameter 'offsets' is (0.5, 1.5), needs two numbers between 0 and 1}}
  %0 = sg.multibox_prior(%a) {offsets = array<f64: 0.5, 1.5>} : (tensor<2x16x3x5xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @multibox_prior_c2(%a: tensor<16x3x5xf32> {sg.name = "a"}) -> (tensor<*xf32>) {
  // expected-error @+1 {{data has shape [16, 3, 5], needs a rank of at least 4}}
  %0 = sg.multibox_prior(%a) : (tensor<16x3x5xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @multibox_prior_c2(%a: tensor<1x16x0x5xf32> {sg.name = "a"}) -> (tensor<*xf32>) {
  // expected-error @+1 {{data has shape [1, 16, 0, 5], needs at least 1 along axis 2}}
  %0 = sg.multibox_prior(%a) : (tensor<1x16x0x5xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @multibox_target_c1(%a: tensor<1x20x4xf32> {sg.name = "a"}, %b: tensor<2x3x5xf32> {sg.name = "b"}, %c: tensor<2x4x20xf32> {sg.name = "c"}) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) {
  // expected-error @+1 {{parameter 'variances' is (0.1), needs four numbers}}
  %0:3 = sg.multibox_target(%a, %b, %c) {variances = array<f64: 0.1>} : (tensor<1x20x4xf32>, tensor<2x3x5xf32>, tensor<2x4x20xf32>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>)
  sg.heads %0#0, %0#1, %0#2 : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>
}

// -----

sg.graph @multibox_target_c1(%a: tensor<1x20x4xf32> {sg.name = "a"}, %b: tensor<2x3x5xf32> {sg.name = "b"}, %c: tensor<2x4x20xf32> {sg.name = "c"}) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) {
  // expected-error @+1 {{parameter 'negative_mining_thresh' is (0), needs a number above 0 with negative_mining_ratio}}
  %0:3 = sg.multibox_target(%a, %b, %c) {negative_mining_ratio = 3.0 : f64, negative_mining_thresh = 0.0 : f64} : (tensor<1x20x4xf32>, tensor<2x3x5xf32>, tensor<2x4x20xf32>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>)
  sg.heads %0#0, %0#1, %0#2 : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>
}

// -----

sg.graph @multibox_target_c2(%a: tensor<2x20x4xf32> {sg.name = "a"}, %b: tensor<2x3x5xf32> {sg.name = "b"}, %c: tensor<2x4x20xf32> {sg.name = "c"}) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) {
  // expected-error @+1 {{anchor has shape [2, 20, 4] but needs [1, 20, 4]}}
  %0:3 = sg.multibox_target(%a, %b, %c) : (tensor<2x20x4xf32>, tensor<2x3x5xf32>, tensor<2x4x20xf32>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>)
  sg.heads %0#0, %0#1, %0#2 : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>
}

// -----

sg.graph @multibox_target_c3(%a: tensor<1x20x4xf32> {sg.name = "a"}, %b: tensor<2x3x4xf32> {sg.name = "b"}, %c: tensor<2x4x20xf32> {sg.name = "c"}) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) {
  // expected-error @+1 {{label has shape [2, 3, 4], needs at least 5 along axis 2}}
  %0:3 = sg.multibox_target(%a, %b, %c) : (tensor<1x20x4xf32>, tensor<2x3x4xf32>, tensor<2x4x20xf32>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>)
  sg.heads %0#0, %0#1, %0#2 : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>
}

// -----

sg.graph @multibox_target_c4(%a: tensor<1x20x4xf32> {sg.name = "a"}, %b: tensor<2x3x5xf32> {sg.name = "b"}, %c: tensor<2x20xf32> {sg.name = "c"}) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) {
  // expected-error @+1 {{cls_pred has shape [2, 20] but needs [2, ?, 20]}}
  %0:3 = sg.multibox_target(%a, %b, %c) : (tensor<1x20x4xf32>, tensor<2x3x5xf32>, tensor<2x20xf32>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>)
  sg.heads %0#0, %0#1, %0#2 : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>
}

// -----

sg.graph @multibox_detection_c1(%a: tensor<2x21x50xf32> {sg.name = "a"}, %b: tensor<*xf32> {sg.name = "b"}, %c: tensor<*xf32> {sg.name = "c"}) -> (tensor<*xf32>) {
  // expected-error @+1 {{parameter 'variances' is (), needs four numbers}}
  %0 = sg.multibox_detection(%a, %b, %c) {variances = array<f64>} : (tensor<2x21x50xf32>, tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @multibox_detection_c2(%a: tensor<2x21x50xf32> {sg.name = "a"}, %b: tensor<*xf32> {sg.name = "b"}, %c: tensor<1x49x4xf32> {sg.name = "c"}) -> (tensor<*xf32>) {
  // expected-error @+1 {{anchor has shape [1, 49, 4] but needs [1, 50, 4]}}
  %0 = sg.multibox_detection(%a, %b, %c) : (tensor<2x21x50xf32>, tensor<*xf32>, tensor<1x49x4xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @multibox_detection_c3(%a: tensor<2x21x50xf32> {sg.name = "a"}, %b: tensor<2x50xf32> {sg.name = "b"}, %c: tensor<1x50x4xf32> {sg.name = "c"}) -> (tensor<*xf32>) {
  // expected-error @+1 {{loc_pred has shape [2, 50] but needs [2, 200]}}
  %0 = sg.multibox_detection(%a, %b, %c) : (tensor<2x21x50xf32>, tensor<2x50xf32>, tensor<1x50x4xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @proposal_c1(%a: tensor<1x6x5x7xf32> {sg.name = "a"}, %b: tensor<*xf32> {sg.name = "b"}, %c: tensor<*xf32> {sg.name = "c"}) -> (tensor<*xf32>) {
  // expected-error @+1 {{parameter 'scales' is (0), needs at least one number, all above 0}}
  %0 = sg.proposal(%a, %b, %c) {scales = array<f64: 0.0>} : (tensor<1x6x5x7xf32>, tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @proposal_c2(%a: tensor<2x6x5x7xf32> {sg.name = "a"}, %b: tensor<*xf32> {sg.name = "b"}, %c: tensor<*xf32> {sg.name = "c"}) -> (tensor<*xf32>) {
  // expected-error @+1 {{cls_prob has shape [2, 6, 5, 7] but needs [1, 6, ?, ?] with 3 anchors}}
  %0 = sg.proposal(%a, %b, %c) {scales = array<f64: 8.0>} : (tensor<2x6x5x7xf32>, tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @proposal_c3(%a: tensor<1x6x5x7xf32> {sg.name = "a"}, %b: tensor<1x6x5x7xf32> {sg.name = "b"}, %c: tensor<*xf32> {sg.name = "c"}) -> (tensor<*xf32>) {
  // expected-error @+1 {{bbox_pred has shape [1, 6, 5, 7] but needs [1, 12, 5, 7]}}
  %0 = sg.proposal(%a, %b, %c) {scales = array<f64: 8.0>} : (tensor<1x6x5x7xf32>, tensor<1x6x5x7xf32>, tensor<*xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @box_nms_c1(%a: tensor<6xf32> {sg.name = "a"}) -> (tensor<*xf32>) {
  // expected-error @+1 {{data has shape [6], needs a rank of at least 2}}
  %0 = sg.box_nms(%a) : (tensor<6xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @box_nms_c2(%a: tensor<10x5xf32> {sg.name = "a"}) -> (tensor<*xf32>) {
  // expected-error @+1 {{parameter 'coord_start' is 2, needs four places in a row of data's shape [10, 5]}}
  %0 = sg.box_nms(%a) : (tensor<10x5xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @box_nms_c2(%a: tensor<10x6xf32> {sg.name = "a"}) -> (tensor<*xf32>) {
  // expected-error @+1 {{parameter 'score_index' is 3, needs a place outside of the coordinates, 2 to 5}}
  %0 = sg.box_nms(%a) {score_index = 3 : i64} : (tensor<10x6xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @box_nms_c2(%a: tensor<10x6xf32> {sg.name = "a"}) -> (tensor<*xf32>) {
  // expected-error @+1 {{parameter 'id_index' is 6, needs a place in a row of data's shape [10, 6]}}
  %0 = sg.box_nms(%a) {id_index = 6 : i64} : (tensor<10x6xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @box_nms_c2(%a: tensor<10x6xf32> {sg.name = "a"}) -> (tensor<*xf32>) {
  // expected-error @+1 {{parameter 'id_index' is 1, needs another place than score_index}}
  %0 = sg.box_nms(%a) {id_index = 1 : i64} : (tensor<10x6xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @box_iou_c1(%a: tensor<4xf32> {sg.name = "a"}, %b: tensor<5x4xf32> {sg.name = "b"}) -> (tensor<*xf32>) {
  // expected-error @+1 {{lhs has shape [4], needs a rank of at least 2}}
  %0 = sg.box_iou(%a, %b) : (tensor<4xf32>, tensor<5x4xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @box_iou_c1(%a: tensor<3x4xf32> {sg.name = "a"}, %b: tensor<5x5xf32> {sg.name = "b"}) -> (tensor<*xf32>) {
  // expected-error @+1 {{rhs has shape [5, 5] but needs [?, 4]}}
  %0 = sg.box_iou(%a, %b) : (tensor<3x4xf32>, tensor<5x5xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @box_encode_c1(%a: tensor<2x10xf32> {sg.name = "a"}, %b: tensor<2x9xf32> {sg.name = "b"}, %c: tensor<*xf32> {sg.name = "c"}, %d: tensor<*xf32> {sg.name = "d"}, %e: tensor<*xf32> {sg.name = "e"}, %f: tensor<*xf32> {sg.name = "f"}) -> (tensor<*xf32>, tensor<*xf32>) {
  // expected-error @+1 {{matches has shape [2, 9] but needs [2, 10]}}
  %0:2 = sg.box_encode(%a, %b, %c, %d, %e, %f) : (tensor<2x10xf32>, tensor<2x9xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) -> (tensor<*xf32>, tensor<*xf32>)
  sg.heads %0#0, %0#1 : tensor<*xf32>, tensor<*xf32>
}

// -----

sg.graph @box_encode_c1(%a: tensor<2x10xf32> {sg.name = "a"}, %b: tensor<*xf32> {sg.name = "b"}, %c: tensor<*xf32> {sg.name = "c"}, %d: tensor<2x0x4xf32> {sg.name = "d"}, %e: tensor<*xf32> {sg.name = "e"}, %f: tensor<*xf32> {sg.name = "f"}) -> (tensor<*xf32>, tensor<*xf32>) {
  // expected-error @+1 {{refs has shape [2, 0, 4], needs at least 1 along axis 1}}
  %0:2 = sg.box_encode(%a, %b, %c, %d, %e, %f) : (tensor<2x10xf32>, tensor<*xf32>, tensor<*xf32>, tensor<2x0x4xf32>, tensor<*xf32>, tensor<*xf32>) -> (tensor<*xf32>, tensor<*xf32>)
  sg.heads %0#0, %0#1 : tensor<*xf32>, tensor<*xf32>
}

// -----

sg.graph @box_encode_c2(%a: tensor<2x10xf32> {sg.name = "a"}, %b: tensor<*xf32> {sg.name = "b"}, %c: tensor<*xf32> {sg.name = "c"}, %d: tensor<*xf32> {sg.name = "d"}, %e: tensor<3xf32> {sg.name = "e"}, %f: tensor<*xf32> {sg.name = "f"}) -> (tensor<*xf32>, tensor<*xf32>) {
  // expected-error @+1 {{means has shape [3] but needs [4]}}
  %0:2 = sg.box_encode(%a, %b, %c, %d, %e, %f) : (tensor<2x10xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<3xf32>, tensor<*xf32>) -> (tensor<*xf32>, tensor<*xf32>)
  sg.heads %0#0, %0#1 : tensor<*xf32>, tensor<*xf32>
}

// -----

sg.graph @box_decode_c1(%a: tensor<2x10x4xf32> {sg.name = "a"}, %b: tensor<2x10x4xf32> {sg.name = "b"}) -> (tensor<*xf32>) {
  // expected-error @+1 {{anchors has shape [2, 10, 4] but needs [1, 10, 4]}}
  %0 = sg.box_decode(%a, %b) : (tensor<2x10x4xf32>, tensor<2x10x4xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @bipartite_matching_c1(%a: tensor<5xf32> {sg.name = "a"}) -> (tensor<*xf32>, tensor<*xf32>) {
  // expected-error @+1 {{data has shape [5], needs a rank of at least 2}}
  %0:2 = sg.bipartite_matching(%a) {threshold = 0.5 : f64} : (tensor<5xf32>) -> (tensor<*xf32>, tensor<*xf32>)
  sg.heads %0#0, %0#1 : tensor<*xf32>, tensor<*xf32>
}

// -----

sg.graph @non_max_suppression_c1(%a: tensor<1x6x5xf32> {sg.name = "a"}, %b: tensor<1x2x6xf32> {sg.name = "b"}) -> (tensor<*xi64>) {
  // expected-error @+1 {{boxes has shape [1, 6, 5] but needs [?, ?, 4]}}
  %0 = sg.non_max_suppression(%a, %b) {most = 3 : i64} : (tensor<1x6x5xf32>, tensor<1x2x6xf32>) -> tensor<*xi64>
  sg.heads %0 : tensor<*xi64>
}

// -----

sg.graph @non_max_suppression_c3(%a: tensor<1x6x4xf32> {sg.name = "a"}, %b: tensor<1x2x6xf32> {sg.name = "b"}) -> (tensor<?x4xi64>) {
  // expected-error @+1 {{output has shape [?, 4] but needs [s0, 3]}}
  %0 = sg.non_max_suppression(%a, %b) {most = 3 : i64} : (tensor<1x6x4xf32>, tensor<1x2x6xf32>) -> tensor<?x4xi64>
  sg.heads %0 : tensor<?x4xi64>
}
