// A result that does not fit.
// RUN: not symc-opt --split-input-file --sg-infer-shapes %s 2>&1 | FileCheck %s

// CHECK: error:{{.*}} node 'n': loss has shape [2, 4] but needs [2, 3]
sg.graph @loss_c1(%data: tensor<2x3xf32> {sg.name = "data"}) -> (tensor<2x4xf32>) {
  %0 = sg.loss(%data) : (tensor<2x3xf32>) -> tensor<2x4xf32> loc("n")
  sg.heads %0 : tensor<2x4xf32>
}
