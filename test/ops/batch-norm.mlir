// Vectors get the extent of the channel axis.
// RUN: symc-opt --sg-infer-shapes %s | symc-opt | FileCheck %s

// CHECK-LABEL: @batch_norm_c2(
// CHECK: sg.batch_norm({{.*}}) {{.*}}: (tensor<2x4x5x5xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x4x5x5xf32>
sg.graph @batch_norm_c2(%data: tensor<2x4x5x5xf32> {sg.name = "data"}, %gamma: tensor<*xf32> {sg.name = "gamma"}, %beta: tensor<*xf32> {sg.name = "beta"}, %moving_mean: tensor<*xf32> {sg.name = "moving_mean"}, %moving_var: tensor<*xf32> {sg.name = "moving_var"}) -> (tensor<*xf32>) {
  %0 = sg.batch_norm(%data, %gamma, %beta, %moving_mean, %moving_var) : (tensor<2x4x5x5xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: @statistics(
// CHECK: sg.batch_norm({{.*}}) {{.*}}: (tensor<2x4x5x5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>) -> (tensor<2x4x5x5xf32>, tensor<5xf32>, tensor<5xf32>)
sg.graph @statistics(%data: tensor<2x4x5x5xf32> {sg.name = "data"}, %gamma: tensor<*xf32> {sg.name = "gamma"}, %beta: tensor<*xf32> {sg.name = "beta"}, %moving_mean: tensor<*xf32> {sg.name = "moving_mean"}, %moving_var: tensor<*xf32> {sg.name = "moving_var"}) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) {
  %0:3 = sg.batch_norm(%data, %gamma, %beta, %moving_mean, %moving_var) {axis = -1 : i64, output_mean_var = true} : (tensor<2x4x5x5xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) loc("n")
  sg.heads %0#0, %0#1, %0#2 : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>
}
