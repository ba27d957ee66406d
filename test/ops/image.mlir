// RUN: symc-opt --sg-infer-shapes --sg-infer-types %s | FileCheck %s
// RUN: symc-opt %s | symc-opt | symc-opt --sg-infer-shapes --sg-infer-types | FileCheck %s
// Pictures, one or several.

// CHECK-LABEL: sg.graph @image_to_tensor(
// CHECK: sg.image_to_tensor({{.*}} -> tensor<2x3x5x4xf32>
sg.graph @image_to_tensor(%a: tensor<2x5x4x3xui8>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.image_to_tensor(%a) :
      (tensor<2x5x4x3xui8>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @image_normalize(
// CHECK: sg.image_normalize({{.*}} -> tensor<3x4x5xf32>
sg.graph @image_normalize(%a: tensor<3x4x5xf32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.image_normalize(%a) {mean = array<f64: 0.5>, std = array<f64: 2.0>} :
      (tensor<3x4x5xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @image_crop(
// CHECK: sg.image_crop({{.*}} -> tensor<2x4x3x3xf32>
sg.graph @image_crop(%a: tensor<2x7x9x3xf32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.image_crop(%a) {x = 1 : i64, y = 2 : i64, width = 3 : i64, height = 4 : i64} :
      (tensor<2x7x9x3xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @image_flip(
// CHECK: sg.image_flip({{.*}} -> tensor<7x9x3xui8>
sg.graph @image_flip(%a: tensor<7x9x3xui8>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.image_flip(%a) {axis = -2 : i64} :
      (tensor<7x9x3xui8>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @image_resize(
// CHECK: sg.image_resize({{.*}} -> tensor<11x7x3xf32>
sg.graph @image_resize(%a: tensor<7x8x3xf32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.image_resize(%a) {size = array<i64: 7, 11>} :
      (tensor<7x8x3xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @image_resize_ratio(
// CHECK: sg.image_resize({{.*}} -> tensor<2x5x4x3xui8>
sg.graph @image_resize_ratio(%a: tensor<2x10x8x3xui8>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.image_resize(%a) {size = array<i64: 4>, keep_ratio = true} :
      (tensor<2x10x8x3xui8>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @image_adjust_lighting(
// CHECK: sg.image_adjust_lighting({{.*}} -> tensor<4x4x3xf32>
sg.graph @image_adjust_lighting(%a: tensor<4x4x3xf32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.image_adjust_lighting(%a) {alpha = array<f64: 0.0, 0.1, 0.2>} :
      (tensor<4x4x3xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}
