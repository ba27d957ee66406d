// A rank that does not do.
// RUN: not symc-opt --split-input-file --sg-infer-shapes %s 2>&1 | FileCheck %s

// CHECK: error:{{.*}} node 'n': data has shape [2, 4], needs rank 3 at least
sg.graph @l2_normalization_c1(%data: tensor<2x4xf32> {sg.name = "data"}) -> (tensor<*xf32>) {
  %0 = sg.l2_normalization(%data) {mode = "spatial"} : (tensor<2x4xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}
