// An axis and a vector that do not fit.
// RUN: not symc-opt --split-input-file --sg-infer-shapes %s 2>&1 | FileCheck %s

// CHECK: error:{{.*}} node 'n': axis 4 is outside data's shape [2, 4, 5, 5]
sg.graph @batch_norm_with_relu_c1(%data: tensor<2x4x5x5xf32> {sg.name = "data"}, %gamma: tensor<*xf32> {sg.name = "gamma"}, %beta: tensor<*xf32> {sg.name = "beta"}, %moving_mean: tensor<*xf32> {sg.name = "moving_mean"}, %moving_var: tensor<*xf32> {sg.name = "moving_var"}) -> (tensor<*xf32>) {
  %0 = sg.batch_norm_with_relu(%data, %gamma, %beta, %moving_mean, %moving_var) {axis = 4 : i64} : (tensor<2x4x5x5xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK: error:{{.*}} node 'n': gamma has shape [5] but needs [4]
sg.graph @batch_norm_with_relu_c2(%data: tensor<2x4x5x5xf32> {sg.name = "data"}, %gamma: tensor<5xf32> {sg.name = "gamma"}, %beta: tensor<*xf32> {sg.name = "beta"}, %moving_mean: tensor<*xf32> {sg.name = "moving_mean"}, %moving_var: tensor<*xf32> {sg.name = "moving_var"}) -> (tensor<*xf32>) {
  %0 = sg.batch_norm_with_relu(%data, %gamma, %beta, %moving_mean, %moving_var) : (tensor<2x4x5x5xf32>, tensor<5xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}
