// Images and weights that do not fit.
// RUN: not symc-opt --split-input-file --sg-infer-shapes %s 2>&1 | FileCheck %s

// CHECK: error:{{.*}} node 'n': has 1 inputs, needs num_args = 2
sg.graph @upsampling_c1(%a: tensor<1x2x4x4xf32> {sg.name = "a"}) -> (tensor<*xf32>) {
  %0 = sg.upsampling(%a) {scale = 2 : i64, sample_type = "nearest", num_args = 2 : i64} : (tensor<1x2x4x4xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK: error:{{.*}} node 'n': has 1 inputs, needs data and weight with sample_type = bilinear
sg.graph @upsampling_c1_bilinear(%a: tensor<1x2x4x4xf32> {sg.name = "a"}) -> (tensor<*xf32>) {
  %0 = sg.upsampling(%a) {scale = 2 : i64, sample_type = "bilinear", num_filter = 2 : i64, num_args = 1 : i64} : (tensor<1x2x4x4xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK: error:{{.*}} node 'n': image has shape [2, 4, 4], needs rank 4
sg.graph @upsampling_c1_rank(%a: tensor<2x4x4xf32> {sg.name = "a"}) -> (tensor<*xf32>) {
  %0 = sg.upsampling(%a) {scale = 2 : i64, sample_type = "nearest", num_args = 1 : i64} : (tensor<2x4x4xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK: error:{{.*}} node 'n': args1 has shape [1, 3, 4, 4] but needs [1, 2, ?, ?]
sg.graph @upsampling_c2(%a: tensor<1x2x4x4xf32> {sg.name = "a"}, %b: tensor<1x3x4x4xf32> {sg.name = "b"}) -> (tensor<*xf32>) {
  %0 = sg.upsampling(%a, %b) {scale = 2 : i64, sample_type = "nearest", num_args = 2 : i64, multi_input_mode = "sum"} : (tensor<1x2x4x4xf32>, tensor<1x3x4x4xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK: error:{{.*}} node 'n': image 1 has shape [1, 3, 3, 4], whose extent along axis 2 does not divide output's 8
sg.graph @upsampling_c3(%a: tensor<1x2x4x4xf32> {sg.name = "a"}, %b: tensor<1x3x3x4xf32> {sg.name = "b"}) -> (tensor<*xf32>) {
  %0 = sg.upsampling(%a, %b) {scale = 2 : i64, sample_type = "nearest", num_args = 2 : i64} : (tensor<1x2x4x4xf32>, tensor<1x3x3x4xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK: error:{{.*}} node 'n': args1 has shape [3, 1, 3, 3] but needs [3, 1, 4, 4] with num_filter = 3
sg.graph @upsampling_c4(%data: tensor<1x3x4x4xf32> {sg.name = "data"}, %weight: tensor<3x1x3x3xf32> {sg.name = "weight"}) -> (tensor<*xf32>) {
  %0 = sg.upsampling(%data, %weight) {scale = 2 : i64, sample_type = "bilinear", num_filter = 3 : i64, num_args = 2 : i64} : (tensor<1x3x4x4xf32>, tensor<3x1x3x3xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}
