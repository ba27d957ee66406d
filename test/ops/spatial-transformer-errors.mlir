// Parameters and operands that do not fit.
// RUN: not symc-opt --split-input-file --sg-infer-shapes %s 2>&1 | FileCheck %s

// CHECK: error:{{.*}} node 'n': parameter 'target_shape' is (4), needs two extents of at least 1
sg.graph @spatial_transformer_c1(%data: tensor<2x3x8x8xf32> {sg.name = "data"}, %loc: tensor<*xf32> {sg.name = "loc"}) -> (tensor<*xf32>) {
  %0 = sg.spatial_transformer(%data, %loc) {target_shape = array<i64: 4>, transform_type = "affine", sampler_type = "bilinear"} : (tensor<2x3x8x8xf32>, tensor<*xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK: error:{{.*}} node 'n': loc has shape [2, 5] but needs [2, 6]
sg.graph @spatial_transformer_c2(%data: tensor<2x3x8x8xf32> {sg.name = "data"}, %loc: tensor<2x5xf32> {sg.name = "loc"}) -> (tensor<*xf32>) {
  %0 = sg.spatial_transformer(%data, %loc) {target_shape = array<i64: 4, 5>, transform_type = "affine", sampler_type = "bilinear"} : (tensor<2x3x8x8xf32>, tensor<2x5xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}
