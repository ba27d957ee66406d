// A state and a result that do not fit.
// RUN: not symc-opt --split-input-file --sg-infer-shapes %s 2>&1 | FileCheck %s

// CHECK: error:{{.*}} node 'n': output has shape [2, 4] but needs [2, 3]
sg.graph @identity_attach_kl_sparse_reg_c1(%data: tensor<2x3xf32> {sg.name = "data"}, %moving_avg: tensor<*xf32> {sg.name = "moving_avg"}) -> (tensor<2x4xf32>) {
  %0 = sg.identity_attach_kl_sparse_reg(%data, %moving_avg) : (tensor<2x3xf32>, tensor<*xf32>) -> tensor<2x4xf32> loc("n")
  sg.heads %0 : tensor<2x4xf32>
}

// -----

// CHECK: error:{{.*}} node 'n': moving_avg has shape [2] but needs [3]
sg.graph @identity_attach_kl_sparse_reg_c2(%data: tensor<2x3xf32> {sg.name = "data"}, %moving_avg: tensor<2xf32> {sg.name = "moving_avg"}) -> (tensor<*xf32>) {
  %0 = sg.identity_attach_kl_sparse_reg(%data, %moving_avg) : (tensor<2x3xf32>, tensor<2xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}
