// RUN: symc-opt --sg-infer-shapes --sg-infer-types %s | FileCheck %s
// RUN: symc-opt %s | symc-opt | symc-opt --sg-infer-shapes --sg-infer-types | FileCheck %s
// Operators on boxes: extents of results, and of operands that others tell.

// CHECK-LABEL: sg.graph @multibox_prior(
// CHECK: sg.multibox_prior({{.*}}: (tensor<2x16x3x5xf32>) -> tensor<1x60x4xf32>
sg.graph @multibox_prior(%a: tensor<2x16x3x5xf32> {sg.name = "a"}) -> (tensor<*xf32>) {
  %0 = sg.multibox_prior(%a) {sizes = array<f64: 0.2, 0.4>, ratios = array<f64: 1.0, 2.0, 0.5>} : (tensor<2x16x3x5xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @multibox_target(
// CHECK: sg.multibox_target({{.*}}: (tensor<1x20x4xf32>, tensor<2x3x6xf32>, tensor<2x4x20xf32>) -> (tensor<2x80xf32>, tensor<2x80xf32>, tensor<2x20xf32>)
sg.graph @multibox_target(%a: tensor<*xf32> {sg.name = "a"}, %b: tensor<2x3x6xf32> {sg.name = "b"}, %c: tensor<2x4x20xf32> {sg.name = "c"}) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) {
  %0:3 = sg.multibox_target(%a, %b, %c) : (tensor<*xf32>, tensor<2x3x6xf32>, tensor<2x4x20xf32>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) loc("n")
  sg.heads %0#0, %0#1, %0#2 : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>
}

// CHECK-LABEL: sg.graph @multibox_target_classes(
// CHECK: sg.multibox_target({{.*}}: (tensor<1x20x4xf32>, tensor<2x3x5xf32>, tensor<2x4x20xf32>) ->
sg.graph @multibox_target_classes(%a: tensor<1x20x4xf32> {sg.name = "a"}, %b: tensor<2x3x5xf32> {sg.name = "b"}, %c: tensor<?x4x?xf32> {sg.name = "c"}) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) {
  %0:3 = sg.multibox_target(%a, %b, %c) : (tensor<1x20x4xf32>, tensor<2x3x5xf32>, tensor<?x4x?xf32>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) loc("n")
  sg.heads %0#0, %0#1, %0#2 : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>
}

// CHECK-LABEL: sg.graph @multibox_detection(
// CHECK: sg.multibox_detection({{.*}}: (tensor<2x21x50xf32>, tensor<2x200xf32>, tensor<1x50x4xf32>) -> tensor<2x50x6xf32>
sg.graph @multibox_detection(%a: tensor<2x21x50xf32> {sg.name = "a"}, %b: tensor<*xf32> {sg.name = "b"}, %c: tensor<*xf32> {sg.name = "c"}) -> (tensor<*xf32>) {
  %0 = sg.multibox_detection(%a, %b, %c) : (tensor<2x21x50xf32>, tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @multibox_detection_anchor(
// CHECK: sg.multibox_detection({{.*}}: (tensor<2x21x50xf32>, tensor<2x200xf32>, tensor<1x50x4xf32>) ->
sg.graph @multibox_detection_anchor(%a: tensor<2x21x?xf32> {sg.name = "a"}, %b: tensor<*xf32> {sg.name = "b"}, %c: tensor<1x50x4xf32> {sg.name = "c"}) -> (tensor<*xf32>) {
  %0 = sg.multibox_detection(%a, %b, %c) : (tensor<2x21x?xf32>, tensor<*xf32>, tensor<1x50x4xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @proposal(
// CHECK: sg.proposal({{.*}}: (tensor<1x6x5x7xf32>, tensor<1x12x5x7xf32>, tensor<1x3xf32>) -> (tensor<9x5xf32>, tensor<9x1xf32>)
sg.graph @proposal(%a: tensor<1x6x5x7xf32> {sg.name = "a"}, %b: tensor<*xf32> {sg.name = "b"}, %c: tensor<*xf32> {sg.name = "c"}) -> (tensor<*xf32>, tensor<*xf32>) {
  %0:2 = sg.proposal(%a, %b, %c) {output_score = true, rpn_post_nms_top_n = 9, scales = array<f64: 8.0>} : (tensor<1x6x5x7xf32>, tensor<*xf32>, tensor<*xf32>) -> (tensor<*xf32>, tensor<*xf32>) loc("n")
  sg.heads %0#0, %0#1 : tensor<*xf32>, tensor<*xf32>
}

// CHECK-LABEL: sg.graph @proposal_multi(
// CHECK: sg.proposal({{.*}}: (tensor<4x6x5x7xf32>, tensor<4x12x5x7xf32>, tensor<4x3xf32>) -> tensor<36x5xf32>
sg.graph @proposal_multi(%a: tensor<4x6x5x7xf32> {sg.name = "a"}, %b: tensor<*xf32> {sg.name = "b"}, %c: tensor<*xf32> {sg.name = "c"}) -> (tensor<*xf32>) {
  %0 = sg.proposal(%a, %b, %c) {multi = true, rpn_post_nms_top_n = 9, scales = array<f64: 8.0>} : (tensor<4x6x5x7xf32>, tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @box_nms(
// CHECK: sg.box_nms({{.*}}: (tensor<2x3x10x6xf32>) -> tensor<2x3x10x6xf32>
sg.graph @box_nms(%a: tensor<2x3x10x6xf32> {sg.name = "a"}) -> (tensor<*xf32>) {
  %0 = sg.box_nms(%a) : (tensor<2x3x10x6xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @box_iou(
// CHECK: sg.box_iou({{.*}}: (tensor<2x3x4xf32>, tensor<5x4xf32>) -> tensor<2x3x5xf32>
sg.graph @box_iou(%a: tensor<2x3x4xf32> {sg.name = "a"}, %b: tensor<5x?xf32> {sg.name = "b"}) -> (tensor<*xf32>) {
  %0 = sg.box_iou(%a, %b) : (tensor<2x3x4xf32>, tensor<5x?xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @box_encode(
// CHECK: sg.box_encode({{.*}}: (tensor<2x10xf32>, tensor<2x10xf32>, tensor<2x10x4xf32>, tensor<2x3x4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<2x10x4xf32>, tensor<2x10x4xf32>)
sg.graph @box_encode(%a: tensor<2x10xf32> {sg.name = "a"}, %b: tensor<*xf32> {sg.name = "b"}, %c: tensor<*xf32> {sg.name = "c"}, %d: tensor<?x3x?xf32> {sg.name = "d"}, %e: tensor<*xf32> {sg.name = "e"}, %f: tensor<*xf32> {sg.name = "f"}) -> (tensor<*xf32>, tensor<*xf32>) {
  %0:2 = sg.box_encode(%a, %b, %c, %d, %e, %f) : (tensor<2x10xf32>, tensor<*xf32>, tensor<*xf32>, tensor<?x3x?xf32>, tensor<*xf32>, tensor<*xf32>) -> (tensor<*xf32>, tensor<*xf32>) loc("n")
  sg.heads %0#0, %0#1 : tensor<*xf32>, tensor<*xf32>
}

// CHECK-LABEL: sg.graph @box_decode(
// CHECK: sg.box_decode({{.*}}: (tensor<2x10x4xf32>, tensor<1x10x4xf32>) -> tensor<2x10x4xf32>
sg.graph @box_decode(%a: tensor<2x10x4xf32> {sg.name = "a"}, %b: tensor<*xf32> {sg.name = "b"}) -> (tensor<*xf32>) {
  %0 = sg.box_decode(%a, %b) : (tensor<2x10x4xf32>, tensor<*xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @bipartite_matching(
// CHECK: sg.bipartite_matching({{.*}}: (tensor<2x5x7xf32>) -> (tensor<2x5xf32>, tensor<2x7xf32>)
sg.graph @bipartite_matching(%a: tensor<2x5x7xf32> {sg.name = "a"}) -> (tensor<*xf32>, tensor<*xf32>) {
  %0:2 = sg.bipartite_matching(%a) {threshold = 0.5 : f64} : (tensor<2x5x7xf32>) -> (tensor<*xf32>, tensor<*xf32>) loc("n")
  sg.heads %0#0, %0#1 : tensor<*xf32>, tensor<*xf32>
}

// CHECK-LABEL: sg.graph @box_nms_rows(
// CHECK: sg.box_nms({{.*}}) {rows = 4 : i64} : (tensor<10x6xf32>) -> tensor<10x6xf32>
sg.graph @box_nms_rows(%a: tensor<10x6xf32> {sg.name = "a"}) -> (tensor<*xf32>) {
  %0 = sg.box_nms(%a) {rows = 4 : i64} : (tensor<10x6xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @non_max_suppression(
// CHECK-SAME: dim_max = array<i64: 6>
// CHECK: sg.non_max_suppression({{.*}}: (tensor<1x6x4xf32>, tensor<1x2x6xf32>) -> tensor<?x3xi64
sg.graph @non_max_suppression(%a: tensor<1x6x4xf32> {sg.name = "a"}, %b: tensor<1x2x6xf32> {sg.name = "b"}) -> (tensor<*xi64>) {
  %0 = sg.non_max_suppression(%a, %b) {most = 3 : i64} : (tensor<1x6x4xf32>, tensor<1x2x6xf32>) -> tensor<*xi64> loc("n")
  sg.heads %0 : tensor<*xi64>
}
