// RUN: symc-opt --sg-infer-shapes --sg-infer-types %s | FileCheck %s
// RUN: symc-opt %s | symc-opt | symc-opt --sg-infer-shapes --sg-infer-types | FileCheck %s
// Operators that draw numbers: shapes from parameters, from data, and from a consumer.

// CHECK-LABEL: sg.graph @random(
// CHECK: sg.random() {{.*}} : () -> tensor<2x3xf64>
sg.graph @random() -> (tensor<*x!sg.unknown>) {
  %0 = sg.random() {kind = "normal", shape = array<i64: 2, 3>, dtype = "float64"} : () -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @random_backward(
// CHECK: sg.random() {{.*}} : () -> tensor<4xf32>
sg.graph @random_backward(%a: tensor<4xf32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.random() {kind = "uniform"} : () -> tensor<*x!sg.unknown>
  %1 = sg.binary(%a, %0) {fn = "add"} : (tensor<4xf32>, tensor<*x!sg.unknown>) -> tensor<*x!sg.unknown>
  sg.heads %1 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @random_like(
// CHECK: (tensor<3x2xf16>) -> tensor<3x2xf16>
sg.graph @random_like(%a: tensor<3x2xf16>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.random_like(%a) {kind = "gamma"} : (tensor<3x2xf16>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @random_int(
// CHECK: sg.random_int() {{.*}} : () -> tensor<5xi32>
sg.graph @random_int() -> (tensor<*x!sg.unknown>) {
  %0 = sg.random_int() {low = 0.0 : f64, high = 9.0 : f64, shape = array<i64: 5>} : () -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @sample(
// CHECK: (tensor<2xf32>, tensor<2xf32>) -> tensor<2x7xf32>
sg.graph @sample(%a: tensor<2xf32>, %b: tensor<*x!sg.unknown>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.sample(%a, %b) {kind = "normal", shape = array<i64: 7>} :
      (tensor<2xf32>, tensor<*x!sg.unknown>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @multinomial(
// CHECK: (tensor<2x5xf32>) -> (tensor<2x3xi32>, tensor<2x3xf32>)
sg.graph @multinomial(%a: tensor<2x5xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  %0:2 = sg.multinomial(%a) {shape = array<i64: 3>, get_prob = true} :
      (tensor<2x5xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>)
  sg.heads %0#0, %0#1 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @unique_zipfian(
// CHECK: () -> (tensor<2x7xi64>, tensor<2xi64>)
sg.graph @unique_zipfian() -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  %0:2 = sg.unique_zipfian() {range_max = 9 : i64, shape = array<i64: 2, 7>} : () -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>)
  sg.heads %0#0, %0#1 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @shuffle(
// CHECK: (tensor<4x2xi64>) -> tensor<4x2xi64>
sg.graph @shuffle(%a: tensor<4x2xi64>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.shuffle(%a) : (tensor<4x2xi64>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// NumPy's names: no size is one number of rank 0.
// CHECK-LABEL: sg.graph @numpy_draw(
// CHECK: sg.numpy_draw() {{.*}} : () -> tensor<2x3xi32>
// CHECK: sg.numpy_draw_placed() {{.*}} : () -> tensor<f32>
sg.graph @numpy_draw() -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  %0 = sg.numpy_draw() {kind = "bernoulli", size = array<i64: 2, 3>, dtype = "int32"} : () -> tensor<*x!sg.unknown>
  %1 = sg.numpy_draw_placed() {kind = "normal"} : () -> tensor<*x!sg.unknown>
  sg.heads %0, %1 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}
