// RUN: symc-opt --sg-infer-shapes --sg-infer-types %s | FileCheck %s
// RUN: symc-opt %s | symc-opt | symc-opt --sg-infer-shapes --sg-infer-types | FileCheck %s
// Made tensors get their shape and type from parameters, or unknown extents from a consumer.

// CHECK-LABEL: sg.graph @full(
// CHECK: sg.full() {{.*}} -> tensor<2x3xf64>
sg.graph @full() -> (tensor<*x!sg.unknown>) {
  %0 = sg.full() {shape = array<i64: 2, 3>, value = 1.5, dtype = "float64"} :
      () -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @full_backward(
// CHECK: sg.full() {{.*}} -> tensor<2x3xf32>
sg.graph @full_backward() -> (tensor<2x?xf32>) {
  %0 = sg.full() {shape = array<i64: 0, 3>, value = 0.0} : () -> tensor<2x?xf32>
  sg.heads %0 : tensor<2x?xf32>
}

// CHECK-LABEL: sg.graph @arange(
// CHECK: sg.arange() {{.*}} -> tensor<6xf32>
sg.graph @arange() -> (tensor<*x!sg.unknown>) {
  %0 = sg.arange() {start = 1.0, stop = 10.0, step = 3.0, repeat = 2} : () -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @arange_from_zero(
// CHECK: sg.arange() {{.*}} -> tensor<5xi32>
sg.graph @arange_from_zero() -> (tensor<*x!sg.unknown>) {
  %0 = sg.arange() {start = 5.0, dtype = "int32"} : () -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @arange_backward(
// CHECK: sg.arange() {{.*}} -> tensor<7xf32>
sg.graph @arange_backward() -> (tensor<7xf32>) {
  %0 = sg.arange() {start = 0.0, infer_range = true} : () -> tensor<7xf32>
  sg.heads %0 : tensor<7xf32>
}

// CHECK-LABEL: sg.graph @arange_like(
// CHECK: sg.arange_like({{.*}} -> tensor<3xf32>
sg.graph @arange_like(%a: tensor<2x3x4xf32>) -> (tensor<*xf32>) {
  %0 = sg.arange_like(%a) {axis = -2} : (tensor<2x3x4xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @eye(
// CHECK: sg.eye() {{.*}} -> tensor<3x5xf32>
sg.graph @eye() -> (tensor<*x!sg.unknown>) {
  %0 = sg.eye() {N = 3, M = 5} : () -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @linspace(
// CHECK: sg.linspace() {{.*}} -> tensor<5xf32>
sg.graph @linspace() -> (tensor<*x!sg.unknown>) {
  %0 = sg.linspace() {start = 0.0, stop = 1.0, num = 5} : () -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}
