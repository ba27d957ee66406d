// Parameters and shapes that do not fit.
// RUN: not symc-opt --split-input-file --sg-infer-shapes %s 2>&1 | FileCheck %s

// CHECK: error:{{.*}} node 'n': parameter 'adj' is (1, 0), needs extents smaller than stride 1
sg.graph @deconvolution_c1(%data: tensor<2x4x5x5xf32> {sg.name = "data"}, %weight: tensor<*xf32> {sg.name = "weight"}) -> (tensor<*xf32>) {
  %0 = sg.deconvolution(%data, %weight) {kernel = array<i64: 4, 4>, adj = array<i64: 1, 0>, num_filter = 6 : i64} : (tensor<2x4x5x5xf32>, tensor<*xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK: error:{{.*}} node 'n': parameter 'kernel' is (1, 1, 1, 1), needs one to three extents
sg.graph @deconvolution_c1_rank(%data: tensor<2x4x5x5xf32> {sg.name = "data"}, %weight: tensor<*xf32> {sg.name = "weight"}) -> (tensor<*xf32>) {
  %0 = sg.deconvolution(%data, %weight) {kernel = array<i64: 1, 1, 1, 1>, num_filter = 6 : i64} : (tensor<2x4x5x5xf32>, tensor<*xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK: error:{{.*}} node 'n': data has shape [2, 4, 5] but kernel (4, 4) needs rank 4
sg.graph @deconvolution_c2(%data: tensor<2x4x5xf32> {sg.name = "data"}, %weight: tensor<*xf32> {sg.name = "weight"}) -> (tensor<*xf32>) {
  %0 = sg.deconvolution(%data, %weight) {kernel = array<i64: 4, 4>, stride = array<i64: 2, 2>, pad = array<i64: 1, 1>, num_filter = 6 : i64} : (tensor<2x4x5xf32>, tensor<*xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK: error:{{.*}} node 'n': data has 5 channels, needs a multiple of num_group = 2
sg.graph @deconvolution_c3(%data: tensor<2x5x5x5xf32> {sg.name = "data"}, %weight: tensor<*xf32> {sg.name = "weight"}) -> (tensor<*xf32>) {
  %0 = sg.deconvolution(%data, %weight) {kernel = array<i64: 4, 4>, stride = array<i64: 2, 2>, pad = array<i64: 1, 1>, num_filter = 6 : i64, num_group = 2 : i64} : (tensor<2x5x5x5xf32>, tensor<*xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK: error:{{.*}} node 'n': parameter 'num_filter' is 5, needs a multiple of num_group = 2
sg.graph @deconvolution_c3_filters(%data: tensor<2x4x5x5xf32> {sg.name = "data"}, %weight: tensor<*xf32> {sg.name = "weight"}) -> (tensor<*xf32>) {
  %0 = sg.deconvolution(%data, %weight) {kernel = array<i64: 4, 4>, stride = array<i64: 2, 2>, pad = array<i64: 1, 1>, num_filter = 5 : i64, num_group = 2 : i64} : (tensor<2x4x5x5xf32>, tensor<*xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK: error:{{.*}} node 'n': output would have -1 elements along axis 2: data has shape [2, 4, 1, 5]
sg.graph @deconvolution_c4(%data: tensor<2x4x1x5xf32> {sg.name = "data"}, %weight: tensor<*xf32> {sg.name = "weight"}) -> (tensor<*xf32>) {
  %0 = sg.deconvolution(%data, %weight) {kernel = array<i64: 1, 1>, pad = array<i64: 1, 0>, num_filter = 6 : i64} : (tensor<2x4x1x5xf32>, tensor<*xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK: error:{{.*}} node 'n': target_shape is (4, 3) but data's shape [2, 4, 2, 2] gives at most 3 along axis 2
sg.graph @deconvolution_c4_target(%data: tensor<2x4x2x2xf32> {sg.name = "data"}, %weight: tensor<*xf32> {sg.name = "weight"}) -> (tensor<*xf32>) {
  %0 = sg.deconvolution(%data, %weight) {kernel = array<i64: 2, 2>, target_shape = array<i64: 4, 3>, num_filter = 6 : i64} : (tensor<2x4x2x2xf32>, tensor<*xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK: error:{{.*}} node 'n': weight has shape [4, 6, 3, 3] but needs [4, 6, 4, 4]
sg.graph @deconvolution_c5(%data: tensor<2x4x5x5xf32> {sg.name = "data"}, %weight: tensor<4x6x3x3xf32> {sg.name = "weight"}) -> (tensor<*xf32>) {
  %0 = sg.deconvolution(%data, %weight) {kernel = array<i64: 4, 4>, stride = array<i64: 2, 2>, pad = array<i64: 1, 1>, num_filter = 6 : i64} : (tensor<2x4x5x5xf32>, tensor<4x6x3x3xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}
