// Parameters and data that do not fit.
// RUN: not symc-opt --split-input-file --sg-infer-shapes %s 2>&1 | FileCheck %s

// CHECK: error:{{.*}} node 'n': parameter 'target_shape' is (0, 0), needs two extents of at least 1
sg.graph @grid_generator_c1(%data: tensor<2x6xf32> {sg.name = "data"}) -> (tensor<*xf32>) {
  %0 = sg.grid_generator(%data) {transform_type = "affine"} : (tensor<2x6xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK: error:{{.*}} node 'n': data has shape [2, 3, 4, 5] but needs [?, 2, ?, ?]
sg.graph @grid_generator_c2(%data: tensor<2x3x4x5xf32> {sg.name = "data"}) -> (tensor<*xf32>) {
  %0 = sg.grid_generator(%data) {transform_type = "warp"} : (tensor<2x3x4x5xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}
