// Vectors get the axis' extent; statistics 1 there.
// RUN: symc-opt --sg-infer-shapes %s | symc-opt | FileCheck %s

// CHECK-LABEL: @layer_norm_c2(
// CHECK: sg.layer_norm({{.*}}) {{.*}}: (tensor<2x4x5xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<2x4x5xf32>, tensor<2x1x5xf32>, tensor<2x1x5xf32>)
sg.graph @layer_norm_c2(%data: tensor<2x4x5xf32> {sg.name = "data"}, %gamma: tensor<*xf32> {sg.name = "gamma"}, %beta: tensor<*xf32> {sg.name = "beta"}) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) {
  %0:3 = sg.layer_norm(%data, %gamma, %beta) {output_mean_var = true, axis = 1 : i64} : (tensor<2x4x5xf32>, tensor<*xf32>, tensor<*xf32>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) loc("n")
  sg.heads %0#0, %0#1, %0#2 : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>
}
