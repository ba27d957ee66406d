// One result a region.
// RUN: symc-opt --sg-infer-shapes %s | symc-opt | FileCheck %s

// CHECK-LABEL: @roi_pooling_c2(
// CHECK: sg.roi_pooling({{.*}}) {{.*}}: (tensor<1x2x8x8xf32>, tensor<7x5xf32>) -> tensor<7x2x3x2xf32>
sg.graph @roi_pooling_c2(%data: tensor<1x2x8x8xf32> {sg.name = "data"}, %rois: tensor<7x?xf32> {sg.name = "rois"}) -> (tensor<*xf32>) {
  %0 = sg.roi_pooling(%data, %rois) {pooled_size = array<i64: 3, 2>, spatial_scale = 0.5 : f64} : (tensor<1x2x8x8xf32>, tensor<7x?xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}
