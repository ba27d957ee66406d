// A label and a result that do not fit.
// RUN: not symc-opt --split-input-file --sg-infer-shapes %s 2>&1 | FileCheck %s

// CHECK: error:{{.*}} node 'n': output has shape [2, 4] but needs [2, 3]
sg.graph @svm_output_c1(%data: tensor<2x3xf32> {sg.name = "data"}, %label: tensor<*xf32> {sg.name = "label"}) -> (tensor<2x4xf32>) {
  %0 = sg.svm_output(%data, %label) : (tensor<2x3xf32>, tensor<*xf32>) -> tensor<2x4xf32> loc("n")
  sg.heads %0 : tensor<2x4xf32>
}

// -----

// CHECK: error:{{.*}} node 'n': label has shape [3] but needs [2]
sg.graph @svm_output_c2(%data: tensor<2x3xf32> {sg.name = "data"}, %label: tensor<3xf32> {sg.name = "label"}) -> (tensor<*xf32>) {
  %0 = sg.svm_output(%data, %label) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}
