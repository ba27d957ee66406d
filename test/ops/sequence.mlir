// RUN: symc-opt --sg-infer-shapes --sg-infer-types %s | FileCheck %s
// RUN: symc-opt %s | symc-opt | symc-opt --sg-infer-shapes --sg-infer-types | FileCheck %s
// Sequences: the lengths get the batch's extent from data, wherever the time axis is.

// CHECK-LABEL: sg.graph @sequence_mask(
// CHECK: (tensor<5x2x3xf32>, tensor<2xf32>) -> tensor<5x2x3xf32>
sg.graph @sequence_mask(%a: tensor<5x2x3xf32>, %b: tensor<*xf32>) -> (tensor<*xf32>) {
  %0 = sg.sequence_mask(%a, %b) {use_sequence_length = true} :
      (tensor<5x2x3xf32>, tensor<*xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @sequence_mask_backward(
// CHECK: (tensor<5x2xf32>, tensor<5xi32>) -> tensor<5x2xf32>
sg.graph @sequence_mask_backward(%a: tensor<*xf32>, %b: tensor<*xi32>) -> (tensor<5x2xf32>) {
  %0 = sg.sequence_mask(%a, %b) {use_sequence_length = true, axis = 1} :
      (tensor<*xf32>, tensor<*xi32>) -> tensor<5x2xf32>
  sg.heads %0 : tensor<5x2xf32>
}

// CHECK-LABEL: sg.graph @sequence_last(
// CHECK: (tensor<4x6x3xf32>, tensor<4xf32>) -> tensor<4x3xf32>
sg.graph @sequence_last(%a: tensor<4x6x3xf32>, %b: tensor<*xf32>) -> (tensor<*xf32>) {
  %0 = sg.sequence_last(%a, %b) {use_sequence_length = true, axis = 1} :
      (tensor<4x6x3xf32>, tensor<*xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @sequence_reverse(
// CHECK: (tensor<5x2xf32>) -> tensor<5x2xf32>
sg.graph @sequence_reverse(%a: tensor<5x2xf32>) -> (tensor<*xf32>) {
  %0 = sg.sequence_reverse(%a) : (tensor<5x2xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}
