// Weights and biases that do not fit.
// RUN: not symc-opt --split-input-file --sg-infer-shapes %s 2>&1 | FileCheck %s

// CHECK: error:{{.*}} node 'n': weight has shape [3, 5] but needs [5, 3] with num_hidden = 5
sg.graph @fully_connected_c1(%data: tensor<2x3xf32> {sg.name = "data"}, %weight: tensor<3x5xf32> {sg.name = "weight"}) -> (tensor<*xf32>) {
  %0 = sg.fully_connected(%data, %weight) {num_hidden = 5 : i64, no_bias = true} : (tensor<2x3xf32>, tensor<3x5xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK: error:{{.*}} node 'n': bias has shape [4] but needs [5] with num_hidden = 5
sg.graph @fully_connected_c2(%data: tensor<2x3xf32> {sg.name = "data"}, %weight: tensor<*xf32> {sg.name = "weight"}, %bias: tensor<4xf32> {sg.name = "bias"}) -> (tensor<*xf32>) {
  %0 = sg.fully_connected(%data, %weight, %bias) {num_hidden = 5 : i64} : (tensor<2x3xf32>, tensor<*xf32>, tensor<4xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK: error:{{.*}} node 'n': data has no extents, needs at least 1
sg.graph @scalar(%data: tensor<f32> {sg.name = "data"}, %weight: tensor<*xf32> {sg.name = "weight"}) -> (tensor<*xf32>) {
  %0 = sg.fully_connected(%data, %weight) {num_hidden = 5 : i64, no_bias = true} : (tensor<f32>, tensor<*xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}
