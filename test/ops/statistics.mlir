// RUN: symc-opt --sg-infer-shapes --sg-infer-types %s | FileCheck %s
// RUN: symc-opt --sg-infer-shapes --sg-infer-types %s | symc-opt --sg-infer-shapes | FileCheck %s
// If this fails, percentiles or counts have other shapes or types than MXNet's.

// CHECK-LABEL: sg.graph @percentile(
// CHECK: -> tensor<f32>
// CHECK: -> tensor<2x3xf32>
// CHECK: -> tensor<5x2x1xf64>
// CHECK: -> tensor<2x3xf32>
sg.graph @percentile(%a: tensor<2x3xi32>, %b: tensor<2x3xf64>, %q: tensor<5xf32>, %r: tensor<f16>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  %0 = sg.percentile(%a) {q_scalar = 30.0 : f64} : (tensor<2x3xi32>) -> tensor<*x!sg.unknown>
  %1 = sg.percentile(%a, %r) {axis = array<i64>} : (tensor<2x3xi32>, tensor<f16>) -> tensor<*x!sg.unknown>
  %2 = sg.percentile(%b, %q) {axis = array<i64: -1>, keepdims = true} : (tensor<2x3xf64>, tensor<5xf32>) -> tensor<*x!sg.unknown>
  %3 = sg.percentile(%a) {q_scalar = 0.0 : f64, axis = array<i64>} : (tensor<2x3xi32>) -> tensor<*x!sg.unknown>
  sg.heads %0, %1, %2, %3 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}

// Values decide the extent, bytes bound it; weights tell data's shape.
// CHECK-LABEL: sg.graph @bincount(
// CHECK-SAME: dim_max = array<i64: 256, 300>, dim_min = array<i64: 0, 0>
// CHECK: sg.bincount{{.*}} -> tensor<?xi8, #sg.extents<()[s0] -> (s0)>>
// CHECK: (tensor<7xui8>, tensor<7xf64>) -> tensor<?xf64, #sg.extents<()[s0, s1] -> (s1)>>
sg.graph @bincount(%a: tensor<4xi8>, %b: tensor<?xui8>, %w: tensor<7xf64>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  %0 = sg.bincount(%a) : (tensor<4xi8>) -> tensor<*x!sg.unknown>
  %1 = sg.bincount(%b, %w) {has_weights = true, minlength = 300 : i64} : (tensor<?xui8>, tensor<7xf64>) -> tensor<*x!sg.unknown>
  sg.heads %0, %1 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}
