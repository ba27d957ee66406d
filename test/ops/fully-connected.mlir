// Weight and bias from data and num_hidden; the batch extent from the result.
// RUN: symc-opt --sg-infer-shapes %s | symc-opt | FileCheck %s

// CHECK-LABEL: @fully_connected_c1(
// CHECK: sg.fully_connected({{.*}}) {{.*}}: (tensor<2x3x4xf32>, tensor<5x12xf32>) -> tensor<2x5xf32>
sg.graph @fully_connected_c1(%data: tensor<2x3x4xf32> {sg.name = "data"}, %weight: tensor<*xf32> {sg.name = "weight"}) -> (tensor<*xf32>) {
  %0 = sg.fully_connected(%data, %weight) {num_hidden = 5 : i64, no_bias = true} : (tensor<2x3x4xf32>, tensor<*xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: @fully_connected_c2(
// CHECK: sg.fully_connected({{.*}}) {{.*}}: (tensor<2x3x4xf32>, tensor<5x4xf32>, tensor<5xf32>) -> tensor<2x3x5xf32>
sg.graph @fully_connected_c2(%data: tensor<2x3x4xf32> {sg.name = "data"}, %weight: tensor<*xf32> {sg.name = "weight"}, %bias: tensor<*xf32> {sg.name = "bias"}) -> (tensor<*xf32>) {
  %0 = sg.fully_connected(%data, %weight, %bias) {num_hidden = 5 : i64, flatten = false} : (tensor<2x3x4xf32>, tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: @bias_column(
// CHECK: sg.fully_connected({{.*}}) {{.*}}: (tensor<2x3xf32>, tensor<5x3xf32>, tensor<5x1xf32>) -> tensor<2x5xf32>
sg.graph @bias_column(%data: tensor<2x3xf32> {sg.name = "data"}, %weight: tensor<*xf32> {sg.name = "weight"}, %bias: tensor<5x1xf32> {sg.name = "bias"}) -> (tensor<*xf32>) {
  %0 = sg.fully_connected(%data, %weight, %bias) {num_hidden = 5 : i64} : (tensor<2x3xf32>, tensor<*xf32>, tensor<5x1xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: @batch_from_result(
// CHECK: sg.fully_connected({{.*}}) {{.*}}: (tensor<8x3xf32>, tensor<5x3xf32>) -> tensor<8x5xf32>
sg.graph @batch_from_result(%data: tensor<?x3xf32> {sg.name = "data"}, %weight: tensor<*xf32> {sg.name = "weight"}) -> (tensor<8x5xf32>) {
  %0 = sg.fully_connected(%data, %weight) {num_hidden = 5 : i64, no_bias = true} : (tensor<?x3xf32>, tensor<*xf32>) -> tensor<8x5xf32> loc("n")
  sg.heads %0 : tensor<8x5xf32>
}
