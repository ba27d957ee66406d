// The result's extents and the shapes of weight and bias, from data alone.
// RUN: symc-opt --sg-infer-shapes %s | symc-opt | FileCheck %s

// CHECK-LABEL: @convolution_c5(
// CHECK: sg.convolution({{.*}}) {{.*}}: (tensor<2x4x8x9xf32>, tensor<6x2x3x3xf32>, tensor<6xf32>) -> tensor<2x6x4x5xf32>
sg.graph @convolution_c5(%data: tensor<2x4x8x9xf32> {sg.name = "data"}, %weight: tensor<*xf32> {sg.name = "weight"}, %bias: tensor<*xf32> {sg.name = "bias"}) -> (tensor<*xf32>) {
  %0 = sg.convolution(%data, %weight, %bias) {kernel = array<i64: 3, 3>, num_filter = 6 : i64, stride = array<i64: 2, 2>, pad = array<i64: 1, 1>, num_group = 2 : i64} : (tensor<2x4x8x9xf32>, tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: @channel_last(
// CHECK: sg.convolution({{.*}}) {{.*}}: (tensor<2x8x9x4xf32>, tensor<6x3x3x4xf32>) -> tensor<2x6x7x6xf32>
sg.graph @channel_last(%data: tensor<2x8x9x4xf32> {sg.name = "data"}, %weight: tensor<*xf32> {sg.name = "weight"}) -> (tensor<*xf32>) {
  %0 = sg.convolution(%data, %weight) {kernel = array<i64: 3, 3>, num_filter = 6 : i64, layout = "NHWC", no_bias = true} : (tensor<2x8x9x4xf32>, tensor<*xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: @data_from_result(
// CHECK: sg.convolution({{.*}}) {{.*}}: (tensor<2x4x7x6xf32>, tensor<6x4x3x3xf32>) -> tensor<2x6x5x4xf32>
sg.graph @data_from_result(%data: tensor<?x4x?x?xf32> {sg.name = "data"}, %weight: tensor<*xf32> {sg.name = "weight"}) -> (tensor<2x6x5x4xf32>) {
  %0 = sg.convolution(%data, %weight) {kernel = array<i64: 3, 3>, num_filter = 6 : i64, no_bias = true} : (tensor<?x4x?x?xf32>, tensor<*xf32>) -> tensor<2x6x5x4xf32> loc("n")
  sg.heads %0 : tensor<2x6x5x4xf32>
}
