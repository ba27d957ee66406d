// The result's extents and the shapes of weight and bias, from data alone.
// RUN: symc-opt --sg-infer-shapes %s | symc-opt | FileCheck %s

// CHECK-LABEL: @deconvolution_c5(
// CHECK: sg.deconvolution({{.*}}) {{.*}}: (tensor<2x4x5x5xf32>, tensor<4x3x4x4xf32>, tensor<6xf32>) -> tensor<2x6x10x10xf32>
sg.graph @deconvolution_c5(%data: tensor<2x4x5x5xf32> {sg.name = "data"}, %weight: tensor<*xf32> {sg.name = "weight"}, %bias: tensor<*xf32> {sg.name = "bias"}) -> (tensor<*xf32>) {
  %0 = sg.deconvolution(%data, %weight, %bias) {kernel = array<i64: 4, 4>, stride = array<i64: 2, 2>, pad = array<i64: 1, 1>, num_filter = 6 : i64, no_bias = false, num_group = 2 : i64} : (tensor<2x4x5x5xf32>, tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: @target_shape(
// CHECK: sg.deconvolution({{.*}}) {{.*}}: (tensor<1x4x5x5xf32>, tensor<4x3x4x4xf32>) -> tensor<1x3x9x10xf32>
sg.graph @target_shape(%data: tensor<1x4x5x5xf32> {sg.name = "data"}, %weight: tensor<*xf32> {sg.name = "weight"}) -> (tensor<*xf32>) {
  %0 = sg.deconvolution(%data, %weight) {kernel = array<i64: 4, 4>, stride = array<i64: 2, 2>, num_filter = 3 : i64, target_shape = array<i64: 9, 10>} : (tensor<1x4x5x5xf32>, tensor<*xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: @batch_from_result(
// CHECK: sg.deconvolution({{.*}}) {{.*}}: (tensor<7x4x5xf32>, tensor<4x1x3xf32>) -> tensor<7x1x7xf32>
sg.graph @batch_from_result(%data: tensor<?x4x5xf32> {sg.name = "data"}, %weight: tensor<*xf32> {sg.name = "weight"}) -> (tensor<7x1x7xf32>) {
  %0 = sg.deconvolution(%data, %weight) {kernel = array<i64: 3>, num_filter = 1 : i64} : (tensor<?x4x5xf32>, tensor<*xf32>) -> tensor<7x1x7xf32> loc("n")
  sg.heads %0 : tensor<7x1x7xf32>
}
