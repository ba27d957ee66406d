// Parameters and shapes that do not fit.
// RUN: not symc-opt --split-input-file --sg-infer-shapes %s 2>&1 | FileCheck %s

// CHECK: error:{{.*}} node 'n': parameter 'stride' is (1, 1, 1), needs one extent for each of kernel (3, 3)
sg.graph @convolution_c1(%data: tensor<2x4x5x5xf32> {sg.name = "data"}, %weight: tensor<*xf32> {sg.name = "weight"}) -> (tensor<*xf32>) {
  %0 = sg.convolution(%data, %weight) {kernel = array<i64: 3, 3>, num_filter = 6 : i64, stride = array<i64: 1, 1, 1>, no_bias = true} : (tensor<2x4x5x5xf32>, tensor<*xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK: error:{{.*}} node 'n': parameter 'dilate' is (1, 0), needs extents of at least 1
sg.graph @convolution_c1_least(%data: tensor<2x4x5x5xf32> {sg.name = "data"}, %weight: tensor<*xf32> {sg.name = "weight"}) -> (tensor<*xf32>) {
  %0 = sg.convolution(%data, %weight) {kernel = array<i64: 3, 3>, num_filter = 6 : i64, dilate = array<i64: 1, 0>, no_bias = true} : (tensor<2x4x5x5xf32>, tensor<*xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK: error:{{.*}} node 'n': data has shape [2, 4, 5] but kernel (3, 3) needs rank 4
sg.graph @convolution_c2(%data: tensor<2x4x5xf32> {sg.name = "data"}, %weight: tensor<*xf32> {sg.name = "weight"}) -> (tensor<*xf32>) {
  %0 = sg.convolution(%data, %weight) {kernel = array<i64: 3, 3>, num_filter = 6 : i64, no_bias = true} : (tensor<2x4x5xf32>, tensor<*xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK: error:{{.*}} node 'n': data has 5 channels, needs a multiple of num_group = 2
sg.graph @convolution_c3(%data: tensor<2x5x5x5xf32> {sg.name = "data"}, %weight: tensor<*xf32> {sg.name = "weight"}) -> (tensor<*xf32>) {
  %0 = sg.convolution(%data, %weight) {kernel = array<i64: 3, 3>, num_filter = 6 : i64, num_group = 2 : i64, no_bias = true} : (tensor<2x5x5x5xf32>, tensor<*xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK: error:{{.*}} node 'n': data has shape [2, 5, 2, 5]: the kernel spans 3 along axis 2 but the padded image has 2
sg.graph @convolution_c4(%data: tensor<2x5x2x5xf32> {sg.name = "data"}, %weight: tensor<*xf32> {sg.name = "weight"}) -> (tensor<*xf32>) {
  %0 = sg.convolution(%data, %weight) {kernel = array<i64: 3, 3>, num_filter = 6 : i64, no_bias = true} : (tensor<2x5x2x5xf32>, tensor<*xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK: error:{{.*}} node 'n': weight has shape [6, 4, 3, 1] but needs [6, 4, 3, 3]
sg.graph @convolution_c5(%data: tensor<2x4x5x5xf32> {sg.name = "data"}, %weight: tensor<6x4x3x1xf32> {sg.name = "weight"}) -> (tensor<*xf32>) {
  %0 = sg.convolution(%data, %weight) {kernel = array<i64: 3, 3>, num_filter = 6 : i64, no_bias = true} : (tensor<2x4x5x5xf32>, tensor<6x4x3x1xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK: error:{{.*}} node 'n': data has shape [2, 5, 2, 5]: the kernel spans 4 along axis 2 but the padded image has 3
sg.graph @convolution_c4_behind(%data: tensor<2x5x2x5xf32> {sg.name = "data"}, %weight: tensor<*xf32> {sg.name = "weight"}) -> (tensor<*xf32>) {
  %0 = sg.convolution(%data, %weight) {kernel = array<i64: 4, 3>, pad_end = array<i64: 1, 0>, num_filter = 6 : i64, no_bias = true} : (tensor<2x5x2x5xf32>, tensor<*xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK: error:{{.*}} node 'n': parameter 'pad_end' is (1), needs one extent for each of kernel (3, 3)
sg.graph @convolution_c1_behind(%data: tensor<2x5x2x5xf32> {sg.name = "data"}, %weight: tensor<*xf32> {sg.name = "weight"}) -> (tensor<*xf32>) {
  %0 = sg.convolution(%data, %weight) {kernel = array<i64: 3, 3>, pad_end = array<i64: 1>, num_filter = 6 : i64, no_bias = true} : (tensor<2x5x2x5xf32>, tensor<*xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK: error:{{.*}} node 'n': parameter 'shuffle' is (0), needs one number of parts
sg.graph @convolution_c6(%data: tensor<2x4x5x5xf32> {sg.name = "data"}, %weight: tensor<*xf32> {sg.name = "weight"}) -> (tensor<*xf32>) {
  %0 = sg.convolution(%data, %weight) {kernel = array<i64: 3, 3>, shuffle = array<i64: 0>, num_filter = 6 : i64, no_bias = true} : (tensor<2x4x5x5xf32>, tensor<*xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}
