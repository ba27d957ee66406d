// RUN: symc-opt --sg-infer-shapes --sg-infer-types %s | FileCheck %s
// RUN: symc-opt %s | symc-opt | symc-opt --sg-infer-shapes --sg-infer-types | FileCheck %s
// Products: the extents that are summed over disappear.

// CHECK-LABEL: sg.graph @dot(
// CHECK: -> tensor<3x4x2xf32>
sg.graph @dot(%a: tensor<3x5xf32>, %b: tensor<5x4x2xf32>) -> (tensor<*xf32>) {
  %0 = sg.dot(%a, %b) : (tensor<3x5xf32>, tensor<5x4x2xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @dot_transposed(
// CHECK: -> tensor<2x3x4x2xf32>
sg.graph @dot_transposed(%a: tensor<5x2x3xf32>, %b: tensor<4x2x5xf32>) -> (tensor<*xf32>) {
  %0 = sg.dot(%a, %b) {transpose_a = true, transpose_b = true} :
      (tensor<5x2x3xf32>, tensor<4x2x5xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @dot_vectors(
// CHECK: -> tensor<1xf32>
sg.graph @dot_vectors(%a: tensor<9xf32>, %b: tensor<9xf32>) -> (tensor<*xf32>) {
  %0 = sg.dot(%a, %b) : (tensor<9xf32>, tensor<9xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @batch_dot(
// CHECK: -> tensor<2x3x4x6xf32>
sg.graph @batch_dot(%a: tensor<2x3x4x5xf32>, %b: tensor<2x3x6x5xf32>) -> (tensor<*xf32>) {
  %0 = sg.batch_dot(%a, %b) {transpose_b = true} :
      (tensor<2x3x4x5xf32>, tensor<2x3x6x5xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @khatri_rao(
// CHECK: -> tensor<18x2xf32>
sg.graph @khatri_rao(%a: tensor<3x2xf32>, %b: tensor<2x2xf32>, %c: tensor<3x2xf32>) -> (tensor<*xf32>) {
  %0 = sg.khatri_rao(%a, %b, %c) {num_args = 3} :
      (tensor<3x2xf32>, tensor<2x2xf32>, tensor<3x2xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}
