// An axis and a length that do not fit.
// RUN: not symc-opt --split-input-file --sg-infer-shapes %s 2>&1 | FileCheck %s

// CHECK: error:{{.*}} node 'n': axis 2 is outside data's shape [2, 4]
sg.graph @softmax_c1(%data: tensor<2x4xf32> {sg.name = "data"}) -> (tensor<*xf32>) {
  %0 = sg.softmax(%data) {kind = "softmax", axis = 2 : i64} : (tensor<2x4xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK: error:{{.*}} node 'n': length has shape [4] but needs [2]
sg.graph @softmax_c2(%data: tensor<2x4xf32> {sg.name = "data"}, %length: tensor<4xi32> {sg.name = "length"}) -> (tensor<*xf32>) {
  %0 = sg.softmax(%data, %length) {kind = "softmin", use_length = true} : (tensor<2x4xf32>, tensor<4xi32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}
