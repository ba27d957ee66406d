// Borders that do not fit.
// RUN: not symc-opt --split-input-file --sg-infer-shapes %s 2>&1 | FileCheck %s

// CHECK: error:{{.*}} node 'n': parameter 'pad_width' is (0, 1, 0, 0, 1, 2, 3, 0), needs two numbers of at least 0 for each of 4 or 5 axes, 0 for the first two axes
sg.graph @pad_c1(%data: tensor<1x2x4x5xf32> {sg.name = "data"}) -> (tensor<*xf32>) {
  %0 = sg.pad(%data) {mode = "edge", pad_width = array<i64: 0, 1, 0, 0, 1, 2, 3, 0>} : (tensor<1x2x4x5xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK: error:{{.*}} node 'n': data has shape [1, 2, 3, 4, 5] but pad_width (0, 0, 0, 0, 1, 2, 3, 0) needs rank 4
sg.graph @pad_c2(%data: tensor<1x2x3x4x5xf32> {sg.name = "data"}) -> (tensor<*xf32>) {
  %0 = sg.pad(%data) {mode = "edge", pad_width = array<i64: 0, 0, 0, 0, 1, 2, 3, 0>} : (tensor<1x2x3x4x5xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK: error:{{.*}} node 'n': data has shape [1, 2, 2, 5] but a reflected border of 2 along axis 2 needs more elements than that
sg.graph @pad_c3(%data: tensor<1x2x2x5xf32> {sg.name = "data"}) -> (tensor<*xf32>) {
  %0 = sg.pad(%data) {mode = "reflect", pad_width = array<i64: 0, 0, 0, 0, 1, 2, 3, 0>} : (tensor<1x2x2x5xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK: error:{{.*}} node 'n': data has shape [1, 2, 0, 5] with nothing to repeat along axis 2
sg.graph @pad_c3_edge(%data: tensor<1x2x0x5xf32> {sg.name = "data"}) -> (tensor<*xf32>) {
  %0 = sg.pad(%data) {mode = "edge", pad_width = array<i64: 0, 0, 0, 0, 1, 2, 3, 0>} : (tensor<1x2x0x5xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}
