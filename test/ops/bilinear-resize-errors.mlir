// Sizes that cannot be.
// RUN: not symc-opt --split-input-file --sg-infer-shapes %s 2>&1 | FileCheck %s

// CHECK: error:{{.*}} node 'n': data has shape [2, 5, 8], needs rank 4
sg.graph @bilinear_resize_c1(%data: tensor<2x5x8xf32> {sg.name = "data"}) -> (tensor<*xf32>) {
  %0 = sg.bilinear_resize(%data) {height = 7 : i64, width = 3 : i64} : (tensor<2x5x8xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK: error:{{.*}} node 'n': data has shape [1, 2, s0, 8], needs a fixed extent along axis 2 to be scaled by 1.500000
sg.graph @symbolic(%data: tensor<1x2x?x8xf32, #sg.extents<()[s0] -> (1, 2, s0, 8)>> {sg.name = "data"}) -> (tensor<*xf32>) {
  %0 = sg.bilinear_resize(%data) {scale_height = 1.5 : f64, scale_width = 1.0 : f64} : (tensor<1x2x?x8xf32, #sg.extents<()[s0] -> (1, 2, s0, 8)>>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK: error:{{.*}} node 'n': data has shape [1, 2, 5, 8], which leaves no element along axis 2
sg.graph @bilinear_resize_c2(%data: tensor<1x2x5x8xf32> {sg.name = "data"}) -> (tensor<*xf32>) {
  %0 = sg.bilinear_resize(%data) {scale_height = 0.1 : f64, scale_width = 1.0 : f64} : (tensor<1x2x5x8xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}
