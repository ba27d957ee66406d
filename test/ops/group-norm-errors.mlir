// Groups and vectors that do not fit.
// RUN: not symc-opt --split-input-file --sg-infer-shapes %s 2>&1 | FileCheck %s

// CHECK: error:{{.*}} node 'n': data has 4 channels, needs a multiple of num_groups = 3
sg.graph @group_norm_c1(%data: tensor<2x4x5x5xf32> {sg.name = "data"}, %gamma: tensor<*xf32> {sg.name = "gamma"}, %beta: tensor<*xf32> {sg.name = "beta"}) -> (tensor<*xf32>) {
  %0 = sg.group_norm(%data, %gamma, %beta) {num_groups = 3 : i64} : (tensor<2x4x5x5xf32>, tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK: error:{{.*}} node 'n': gamma has shape [4] but needs [2]
sg.graph @group_norm_c2(%data: tensor<2x4x5xf32> {sg.name = "data"}, %gamma: tensor<4xf32> {sg.name = "gamma"}, %beta: tensor<*xf32> {sg.name = "beta"}) -> (tensor<*xf32>) {
  %0 = sg.group_norm(%data, %gamma, %beta) {num_groups = 2 : i64} : (tensor<2x4x5xf32>, tensor<4xf32>, tensor<*xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}
