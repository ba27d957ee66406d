// Sizes that cannot be.
// RUN: not symc-opt --split-input-file --sg-infer-shapes %s 2>&1 | FileCheck %s

// CHECK: error:{{.*}} node 'n': data has shape [2, 5, 8], needs rank 4
sg.graph @adaptive_avg_pooling_c1(%data: tensor<2x5x8xf32> {sg.name = "data"}) -> (tensor<*xf32>) {
  %0 = sg.adaptive_avg_pooling(%data) : (tensor<2x5x8xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK: error:{{.*}} node 'n': parameter 'output_size' is (3, 0), needs at most two extents of at least 1
sg.graph @adaptive_avg_pooling_c2(%data: tensor<1x2x5x8xf32> {sg.name = "data"}) -> (tensor<*xf32>) {
  %0 = sg.adaptive_avg_pooling(%data) {output_size = array<i64: 3, 0>} : (tensor<1x2x5x8xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}
