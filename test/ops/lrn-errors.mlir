// An even window, a wrong rank.
// RUN: not symc-opt --split-input-file --sg-infer-shapes %s 2>&1 | FileCheck %s

// CHECK: error:{{.*}} node 'n': parameter 'nsize' is 4, needs an odd number
sg.graph @lrn_c1(%data: tensor<2x4x5x5xf32> {sg.name = "data"}) -> (tensor<*xf32>) {
  %0 = sg.lrn(%data) {nsize = 4 : i64} : (tensor<2x4x5x5xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK: error:{{.*}} node 'n': data has shape [2, 4, 5], needs rank 4
sg.graph @lrn_c2(%data: tensor<2x4x5xf32> {sg.name = "data"}) -> (tensor<*xf32>) {
  %0 = sg.lrn(%data) {nsize = 3 : i64} : (tensor<2x4x5xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}
