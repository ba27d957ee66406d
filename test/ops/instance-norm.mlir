// Vectors get the number of channels.
// RUN: symc-opt --sg-infer-shapes %s | symc-opt | FileCheck %s

// CHECK-LABEL: @instance_norm_c2(
// CHECK: sg.instance_norm({{.*}}) {{.*}}: (tensor<2x4x5x5xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x4x5x5xf32>
sg.graph @instance_norm_c2(%data: tensor<2x4x5x5xf32> {sg.name = "data"}, %gamma: tensor<*xf32> {sg.name = "gamma"}, %beta: tensor<*xf32> {sg.name = "beta"}) -> (tensor<*xf32>) {
  %0 = sg.instance_norm(%data, %gamma, %beta) : (tensor<2x4x5x5xf32>, tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}
