// A label that does not fit, and data without extents.
// RUN: not symc-opt --split-input-file --sg-infer-shapes %s 2>&1 | FileCheck %s

// CHECK: error:{{.*}} node 'n': label has shape [7] but needs [2]
sg.graph @softmax_output_c1(%data: tensor<2x4xf32> {sg.name = "data"}, %label: tensor<7xf32> {sg.name = "label"}) -> (tensor<*xf32>) {
  %0 = sg.softmax_output(%data, %label) : (tensor<2x4xf32>, tensor<7xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// -----

// Rows of no element: a kernel would write one behind the output.
// CHECK: error:{{.*}} node 'n': data has no extents, needs at least 1
sg.graph @softmax_output_scalar(%data: tensor<f32> {sg.name = "data"}, %label: tensor<f32> {sg.name = "label"}) -> (tensor<*xf32>) {
  %0 = sg.softmax_output(%data, %label) : (tensor<f32>, tensor<f32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}
