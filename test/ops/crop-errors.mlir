// Windows that do not fit.
// RUN: not symc-opt --split-input-file --sg-infer-shapes %s 2>&1 | FileCheck %s

// CHECK: error:{{.*}} node 'n': data has shape [2, 8, 9], needs rank 4
sg.graph @crop_c1(%data: tensor<2x8x9xf32> {sg.name = "data"}) -> (tensor<*xf32>) {
  %0 = sg.crop(%data) {num_args = 1 : i64, h_w = array<i64: 3, 4>} : (tensor<2x8x9xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK: error:{{.*}} node 'n': data has shape [1, 2, 8, 9] but the window has 3 elements from 6 on along axis 2
sg.graph @crop_c2(%data: tensor<1x2x8x9xf32> {sg.name = "data"}) -> (tensor<*xf32>) {
  %0 = sg.crop(%data) {num_args = 1 : i64, h_w = array<i64: 3, 4>, offset = array<i64: 6, 0>} : (tensor<1x2x8x9xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK: error:{{.*}} node 'n': parameter 'h_w' is (0, 0), needs two extents of at least 1
sg.graph @no_size(%data: tensor<1x2x8x9xf32> {sg.name = "data"}) -> (tensor<*xf32>) {
  %0 = sg.crop(%data) {num_args = 1 : i64} : (tensor<1x2x8x9xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK: error:{{.*}} node 'n': parameter 'offset' is (-1, 0), needs two numbers of at least 0
sg.graph @offset(%data: tensor<1x2x8x9xf32> {sg.name = "data"}) -> (tensor<*xf32>) {
  %0 = sg.crop(%data) {num_args = 1 : i64, h_w = array<i64: 3, 4>, offset = array<i64: -1, 0>} : (tensor<1x2x8x9xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}
