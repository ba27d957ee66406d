// RUN: symc-opt --sg-infer-shapes --sg-infer-types %s | FileCheck %s
// RUN: symc-opt %s | symc-opt | symc-opt --sg-infer-shapes --sg-infer-types | FileCheck %s
// Random augmentation keeps shape and type, forwards and backwards.

// CHECK-LABEL: sg.graph @flip(
// CHECK: sg.image_random_flip({{.*}} -> tensor<7x9x3xui8>
sg.graph @flip(%a: tensor<7x9x3xui8>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.image_random_flip(%a) {axis = -2 : i64} : (tensor<7x9x3xui8>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @adjust(
// CHECK: sg.image_random_adjust({{.*}} -> tensor<7x9x1xf32>
sg.graph @adjust(%a: tensor<7x9x1xf32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.image_random_adjust(%a) {kind = "hue", min_factor = 0.1 : f64, max_factor = 0.5 : f64} :
      (tensor<7x9x1xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @lighting(
// CHECK: sg.image_random_lighting({{.*}} : (tensor<7x9x3xf16>) -> tensor<7x9x3xf16>
sg.graph @lighting(%a: tensor<*x!sg.unknown>) -> (tensor<7x9x3xf16>) {
  %0 = sg.image_random_lighting(%a) : (tensor<*x!sg.unknown>) -> tensor<7x9x3xf16>
  sg.heads %0 : tensor<7x9x3xf16>
}

// CHECK-LABEL: sg.graph @jitter(
// CHECK: sg.image_random_jitter({{.*}} -> tensor<7x9x3xf32>
sg.graph @jitter(%a: tensor<7x9x3xf32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.image_random_jitter(%a) {brightness = 0.1 : f64, contrast = 0.1 : f64, saturation = 0.1 : f64, hue = 0.1 : f64} :
      (tensor<7x9x3xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}
