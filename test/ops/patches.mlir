// RUN: symc-opt --sg-infer-shapes --sg-infer-types %s | FileCheck %s
// RUN: symc-opt %s | symc-opt | symc-opt --sg-infer-shapes --sg-infer-types | FileCheck %s
// Windows as columns and back.

// CHECK-LABEL: sg.graph @im2col(
// CHECK: sg.im2col({{.*}} -> tensor<2x12x20xf32>
sg.graph @im2col(%a: tensor<2x2x7x8xf32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.im2col(%a) {kernel = array<i64: 2, 3>, stride = array<i64: 1, 2>, dilate = array<i64: 2, 1>, pad = array<i64: 0, 1>} :
      (tensor<2x2x7x8xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @im2col_line(
// CHECK: sg.im2col({{.*}} -> tensor<2x12x5xf32>
sg.graph @im2col_line(%a: tensor<2x4x7xf32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.im2col(%a) {kernel = array<i64: 3>} :
      (tensor<2x4x7xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @col2im(
// CHECK: sg.col2im({{.*}} -> tensor<2x3x6x7xf32>
sg.graph @col2im(%a: tensor<2x27x20xf32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.col2im(%a) {kernel = array<i64: 3, 3>, output_size = array<i64: 6, 7>} :
      (tensor<2x27x20xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @unfold_images(
// CHECK: sg.unfold_images({{.*}} -> tensor<3x6x4x5xf32>
sg.graph @unfold_images(%a: tensor<7x2x4x5xf32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.unfold_images(%a) {size = 3 : i64, step = 2 : i64} : (tensor<7x2x4x5xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}
