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
  %0 = sg.numpy_draw() {kind = "bernoulli", prob = 0.5 : f64, size = array<i64: 2, 3>, dtype = "int32"} : () -> tensor<*x!sg.unknown>
  %1 = sg.numpy_draw_placed() {kind = "normal", loc = 0.0 : f64, scale = 1.0 : f64} : () -> tensor<*x!sg.unknown>
  sg.heads %0, %1 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}

// Tensors meet, repeat to the size, or stand behind it.
// CHECK-LABEL: sg.graph @numpy_draw_tensors(
// CHECK: (tensor<3xf32>, tensor<4x1xf32>) -> tensor<4x3xf32>
// CHECK: (tensor<3xf32>) -> tensor<2x3xf16>
// CHECK: (tensor<4x1xf32>) -> tensor<2x4x1xf32>
// CHECK: (tensor<3xf32>) -> tensor<3xi1>
sg.graph @numpy_draw_tensors(%a: tensor<3xf32>, %b: tensor<4x1x!sg.unknown>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  %0 = sg.numpy_draw(%a, %b) {kind = "uniform"} : (tensor<3xf32>, tensor<4x1x!sg.unknown>) -> tensor<*x!sg.unknown>
  %1 = sg.numpy_draw_placed(%a) {kind = "normal", loc = 0.0 : f64, size = array<i64: 2, 3>, dtype = "float16"} : (tensor<3xf32>) -> tensor<*x!sg.unknown>
  %2 = sg.numpy_draw_placed(%b) {kind = "normal", scale = 1.0 : f64, size = array<i64: 2>, leads = true} : (tensor<4x1x!sg.unknown>) -> tensor<*x!sg.unknown>
  %3 = sg.numpy_draw(%a) {kind = "bernoulli", is_logit = true, dtype = "bool"} : (tensor<3xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0, %1, %2, %3 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}

// Tensors of parameters repeat to the size, or meet without one.
// CHECK-LABEL: sg.graph @numpy_gamma(
// CHECK: sg.numpy_gamma() {{.*}} : () -> tensor<2x3xf64>
// CHECK: sg.numpy_gamma(%{{.*}}) {{.*}} : (tensor<3xf32>) -> tensor<2x3xf32>
// CHECK: sg.numpy_gamma(%{{.*}}, %{{.*}}) : (tensor<3xf32>, tensor<4x1xf32>) -> tensor<4x3xf32>
sg.graph @numpy_gamma(%a: tensor<3xf32>, %b: tensor<4x1xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  %0 = sg.numpy_gamma() {shape = 2.0 : f64, scale = 1.0 : f64, size = array<i64: 2, 3>, dtype = "float64"} : () -> tensor<*x!sg.unknown>
  %1 = sg.numpy_gamma(%a) {scale = 1.0 : f64, size = array<i64: 2, 3>} : (tensor<3xf32>) -> tensor<*x!sg.unknown>
  %2 = sg.numpy_gamma(%a, %b) : (tensor<3xf32>, tensor<4x1xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0, %1, %2 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @numpy_multinomial(
// CHECK: sg.numpy_multinomial() {{.*}} : () -> tensor<2xi64>
// CHECK: sg.numpy_multinomial(%{{.*}}) {{.*}} : (tensor<3xf32>) -> tensor<4x3xi64>
sg.graph @numpy_multinomial(%a: tensor<3xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  %0 = sg.numpy_multinomial() {n = 5 : i64, pvals = array<f64: 0.25, 0.75>} : () -> tensor<*x!sg.unknown>
  %1 = sg.numpy_multinomial(%a) {n = 5 : i64, size = array<i64: 4>} : (tensor<3xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0, %1 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @numpy_choice(
// CHECK: sg.numpy_choice() {{.*}} : () -> tensor<2x3xi64>
// CHECK: sg.numpy_choice(%{{.*}}, %{{.*}}) {{.*}} : (tensor<5xi32>, tensor<5xf32>) -> tensor<i64>
sg.graph @numpy_choice(%a: tensor<5xi32>, %b: tensor<5xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  %0 = sg.numpy_choice() {a = 9 : i64, size = array<i64: 2, 3>, replace = false} : () -> tensor<*x!sg.unknown>
  %1 = sg.numpy_choice(%a, %b) {weighted = true} : (tensor<5xi32>, tensor<5xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0, %1 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}
