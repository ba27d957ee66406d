// Data and a label that do not fit.
// RUN: not symc-opt --split-input-file --sg-infer-shapes %s 2>&1 | FileCheck %s

// CHECK: error:{{.*}} node 'n': data has shape [2, 3, 4], needs rank 2
sg.graph @softmax_cross_entropy_c1(%data: tensor<2x3x4xf32> {sg.name = "data"}, %label: tensor<*xf32> {sg.name = "label"}) -> (tensor<*xf32>) {
  %0 = sg.softmax_cross_entropy(%data, %label) : (tensor<2x3x4xf32>, tensor<*xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK: error:{{.*}} node 'n': label has shape [3] but needs [2]
sg.graph @softmax_cross_entropy_c2(%data: tensor<2x3xf32> {sg.name = "data"}, %label: tensor<3xf32> {sg.name = "label"}) -> (tensor<*xf32>) {
  %0 = sg.softmax_cross_entropy(%data, %label) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}
