// An axis and a vector that do not fit.
// RUN: not symc-opt --split-input-file --sg-infer-shapes %s 2>&1 | FileCheck %s

// CHECK: error:{{.*}} node 'n': axis -3 is outside data's shape [2, 4]
sg.graph @layer_norm_c1(%data: tensor<2x4xf32> {sg.name = "data"}, %gamma: tensor<*xf32> {sg.name = "gamma"}, %beta: tensor<*xf32> {sg.name = "beta"}) -> (tensor<*xf32>) {
  %0 = sg.layer_norm(%data, %gamma, %beta) {axis = -3 : i64} : (tensor<2x4xf32>, tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK: error:{{.*}} node 'n': gamma has shape [2] but needs [4]
sg.graph @layer_norm_c2(%data: tensor<2x4xf32> {sg.name = "data"}, %gamma: tensor<2xf32> {sg.name = "gamma"}, %beta: tensor<*xf32> {sg.name = "beta"}) -> (tensor<*xf32>) {
  %0 = sg.layer_norm(%data, %gamma, %beta) : (tensor<2x4xf32>, tensor<2xf32>, tensor<*xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}
