// Vectors and statistics have one number a group.
// RUN: symc-opt --sg-infer-shapes %s | symc-opt | FileCheck %s

// CHECK-LABEL: @group_norm_c2(
// CHECK: sg.group_norm({{.*}}) {{.*}}: (tensor<2x4x5x5xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<2x4x5x5xf32>, tensor<2x2xf32>, tensor<2x2xf32>)
sg.graph @group_norm_c2(%data: tensor<2x4x5x5xf32> {sg.name = "data"}, %gamma: tensor<*xf32> {sg.name = "gamma"}, %beta: tensor<*xf32> {sg.name = "beta"}) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) {
  %0:3 = sg.group_norm(%data, %gamma, %beta) {num_groups = 2 : i64, output_mean_var = true} : (tensor<2x4x5x5xf32>, tensor<*xf32>, tensor<*xf32>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) loc("n")
  sg.heads %0#0, %0#1, %0#2 : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>
}
