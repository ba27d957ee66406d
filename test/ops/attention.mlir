// RUN: symc-opt --sg-infer-shapes --sg-infer-types %s | FileCheck %s
// RUN: symc-opt %s | symc-opt | symc-opt --sg-infer-shapes --sg-infer-types | FileCheck %s
// Products inside attention layers.

// CHECK-LABEL: sg.graph @interleaved_qk_self(
// CHECK: sg.interleaved_qk({{.*}} -> tensor<6x5x5xf32>
sg.graph @interleaved_qk_self(%a: tensor<5x3x12xf32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.interleaved_qk(%a) {heads = 2 : i64, is_self = true} :
      (tensor<5x3x12xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @interleaved_qk(
// CHECK: sg.interleaved_qk({{.*}} -> tensor<4x3x5xf32>
sg.graph @interleaved_qk(%a: tensor<3x2x6xf32>, %b: tensor<5x2x12xf32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.interleaved_qk(%a, %b) {heads = 2 : i64} :
      (tensor<3x2x6xf32>, tensor<5x2x12xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @interleaved_valatt_self(
// CHECK: sg.interleaved_valatt({{.*}} -> tensor<5x3x6xf32>
sg.graph @interleaved_valatt_self(%a: tensor<5x3x18xf32>, %b: tensor<6x5x5xf32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.interleaved_valatt(%a, %b) {heads = 2 : i64, is_self = true} :
      (tensor<5x3x18xf32>, tensor<6x5x5xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @interleaved_valatt(
// CHECK: sg.interleaved_valatt({{.*}} -> tensor<4x3x4xf32>
sg.graph @interleaved_valatt(%a: tensor<3x3x8xf32>, %b: tensor<6x4x3xf32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.interleaved_valatt(%a, %b) {heads = 2 : i64} :
      (tensor<3x3x8xf32>, tensor<6x4x3xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @div_sqrt_dim(
// CHECK: sg.div_sqrt_dim({{.*}} -> tensor<3x4xf16>
sg.graph @div_sqrt_dim(%a: tensor<3x4xf16>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.div_sqrt_dim(%a) :
      (tensor<3x4xf16>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}
