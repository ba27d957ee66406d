// A rank and a vector that do not fit.
// RUN: not symc-opt --split-input-file --sg-infer-shapes %s 2>&1 | FileCheck %s

// CHECK: error:{{.*}} node 'n': data has shape [2, 4], needs rank 3 at least
sg.graph @instance_norm_c1(%data: tensor<2x4xf32> {sg.name = "data"}, %gamma: tensor<*xf32> {sg.name = "gamma"}, %beta: tensor<*xf32> {sg.name = "beta"}) -> (tensor<*xf32>) {
  %0 = sg.instance_norm(%data, %gamma, %beta) : (tensor<2x4xf32>, tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK: error:{{.*}} node 'n': beta has shape [5] but needs [4]
sg.graph @instance_norm_c2(%data: tensor<2x4x5xf32> {sg.name = "data"}, %gamma: tensor<*xf32> {sg.name = "gamma"}, %beta: tensor<5xf32> {sg.name = "beta"}) -> (tensor<*xf32>) {
  %0 = sg.instance_norm(%data, %gamma, %beta) : (tensor<2x4x5xf32>, tensor<*xf32>, tensor<5xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}
