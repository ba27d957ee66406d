// The state has one number a unit.
// RUN: symc-opt --sg-infer-shapes %s | symc-opt | FileCheck %s

// CHECK-LABEL: @identity_attach_kl_sparse_reg_c2(
// CHECK: sg.identity_attach_kl_sparse_reg({{.*}}) {{.*}}: (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
sg.graph @identity_attach_kl_sparse_reg_c2(%data: tensor<2x3xf32> {sg.name = "data"}, %moving_avg: tensor<*xf32> {sg.name = "moving_avg"}) -> (tensor<*xf32>) {
  %0 = sg.identity_attach_kl_sparse_reg(%data, %moving_avg) : (tensor<2x3xf32>, tensor<*xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}
