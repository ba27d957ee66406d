// Regions that do not fit.
// RUN: not symc-opt --split-input-file --sg-infer-shapes %s 2>&1 | FileCheck %s

// CHECK: error:{{.*}} node 'n': parameter 'pooled_size' is (3), needs two extents of at least 1
sg.graph @roi_pooling_c1(%data: tensor<1x2x8x8xf32> {sg.name = "data"}, %rois: tensor<*xf32> {sg.name = "rois"}) -> (tensor<*xf32>) {
  %0 = sg.roi_pooling(%data, %rois) {pooled_size = array<i64: 3>, spatial_scale = 0.5 : f64} : (tensor<1x2x8x8xf32>, tensor<*xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK: error:{{.*}} node 'n': rois has shape [7, 4] but needs [?, 5]
sg.graph @roi_pooling_c2(%data: tensor<1x2x8x8xf32> {sg.name = "data"}, %rois: tensor<7x4xf32> {sg.name = "rois"}) -> (tensor<*xf32>) {
  %0 = sg.roi_pooling(%data, %rois) {pooled_size = array<i64: 3, 3>, spatial_scale = 0.5 : f64} : (tensor<1x2x8x8xf32>, tensor<7x4xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}
