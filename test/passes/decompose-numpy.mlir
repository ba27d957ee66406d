// If this fails, an operator of NumPy's reaches a pass or a kernel that does not know it, or
// is computed in another element type.
// RUN: symc-opt --sg-decompose-numpy %s | FileCheck %s
// RUN: symc-opt --sg-decompose-numpy --sg-decompose-numpy %s | FileCheck %s

// An integer meets a float in the float.
// CHECK-LABEL: @binary(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<2x1xi32>
// CHECK-SAME: %[[B:[a-z0-9]+]]: tensor<3xf32>
// CHECK-NEXT: %[[CAST:.*]] = sg.cast(%[[A]]) {dtype = "float32"}
// CHECK-NEXT: sg.binary(%[[CAST]], %[[B]]) {broadcast = true, fn = "add"}
sg.graph @binary(%a: tensor<2x1xi32>, %b: tensor<3xf32>) -> (tensor<2x3xf32>) {
  %0 = sg.numpy_binary(%a, %b) {fn = "add"} : (tensor<2x1xi32>, tensor<3xf32>) -> tensor<2x3xf32>
  sg.heads %0 : tensor<2x3xf32>
}

// CHECK-LABEL: @compare(
// CHECK-NEXT: %[[NUMBER:.*]] = sg.binary({{.*}}) {broadcast = true, fn = "greater"} : {{.*}} -> tensor<3xf32>
// CHECK-NEXT: sg.cast(%[[NUMBER]]) {dtype = "bool"}
sg.graph @compare(%a: tensor<3xf32>, %b: tensor<3xf32>) -> (tensor<3xi1>) {
  %0 = sg.numpy_binary(%a, %b) {fn = "greater"} : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
  sg.heads %0 : tensor<3xi1>
}

// One matrix multiplies the rows of a stack where it is, without a copy for each element.
// CHECK-LABEL: @matmul(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<?x4x8xf32
// CHECK-SAME: %[[B:[a-z0-9]+]]: tensor<1x8x5xf32>
// CHECK-NEXT: %[[MATRIX:.*]] = sg.reshape(%[[B]]) {shape = array<i64: 8, 5>}
// CHECK-NEXT: %[[DOT:.*]] = sg.dot(%[[A]], %[[MATRIX]])
// CHECK-NEXT: sg.heads %[[DOT]]
sg.graph @matmul(%a: tensor<?x4x8xf32, #sg.extents<()[s0] -> (s0, 4, 8)>>, %b: tensor<1x8x5xf32>) -> (tensor<?x4x5xf32, #sg.extents<()[s0] -> (s0, 4, 5)>>)
    attributes {dim_min = array<i64: 1>, dim_max = array<i64: 6>} {
  %0 = sg.numpy_matmul(%a, %b) : (tensor<?x4x8xf32, #sg.extents<()[s0] -> (s0, 4, 8)>>, tensor<1x8x5xf32>) -> tensor<?x4x5xf32, #sg.extents<()[s0] -> (s0, 4, 5)>>
  sg.heads %0 : tensor<?x4x5xf32, #sg.extents<()[s0] -> (s0, 4, 5)>>
}

// CHECK-LABEL: @reduce(
// CHECK-NEXT: sg.reduce({{.*}}) {axis = array<i64: 0, 1>, kind = "sum"} : (tensor<2x3xf32>) -> tensor<f32>
sg.graph @reduce(%a: tensor<2x3xf32>) -> (tensor<f32>) {
  %0 = sg.numpy_reduce(%a) {kind = "sum"} : (tensor<2x3xf32>) -> tensor<f32>
  sg.heads %0 : tensor<f32>
}

// Only an older operation of one element type stays as it is.
// CHECK-LABEL: @scalar(
// CHECK-NEXT: sg.scalar({{.*}}) {fn = "add", scalar = 2.000000e+00 : f64} : (tensor<3xi32>)
// CHECK-NEXT: sg.cast({{.*}}) {dtype = "float64"}
// CHECK-NEXT: sg.scalar({{.*}} : (tensor<3xf64>) -> tensor<3xf64>
sg.graph @scalar(%a: tensor<3xi32>) -> (tensor<3xf64>) {
  %0 = sg.scalar(%a) {fn = "add", scalar = 2.0 : f64} : (tensor<3xi32>) -> tensor<3xi32>
  %1 = sg.scalar(%0) {fn = "add", scalar = 2.5 : f64, is_int = false} : (tensor<3xi32>) -> tensor<3xf64>
  sg.heads %1 : tensor<3xf64>
}

// The letters that both keep are the batch.
// CHECK-LABEL: @einsum(
// CHECK: sg.batch_dot({{.*}}) : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
sg.graph @einsum(%a: tensor<2x3x4xf32>, %b: tensor<2x5x4xf32>) -> (tensor<2x3x5xf32>) {
  %0 = sg.numpy_einsum(%a, %b) {num_args = 2 : i64, subscripts = "bij,bkj->bik"} : (tensor<2x3x4xf32>, tensor<2x5x4xf32>) -> tensor<2x3x5xf32>
  sg.heads %0 : tensor<2x3x5xf32>
}

// CHECK-LABEL: @bernoulli(
// CHECK-NEXT: %[[EVEN:.*]] = sg.random() {dtype = "float32", kind = "uniform", shape = array<i64: 2>}
// CHECK-NEXT: %[[LESS:.*]] = sg.scalar(%[[EVEN]]) {fn = "lesser", scalar = 2.500000e-01 : f64}
// CHECK-NEXT: sg.cast(%[[LESS]]) {dtype = "int32"}
sg.graph @bernoulli() -> (tensor<2xi32>) {
  %0 = sg.numpy_draw() {kind = "bernoulli", prob = 0.25 : f64, size = array<i64: 2>, dtype = "int32"} : () -> tensor<2xi32>
  sg.heads %0 : tensor<2xi32>
}

// One number of rank 0 is drawn as one element: no shape means any.
// CHECK-LABEL: @number(
// CHECK-NEXT: %[[ONE:.*]] = sg.random() {{.*}}shape = array<i64: 1>} : () -> tensor<1xf32>
// CHECK-NEXT: sg.reshape(%[[ONE]]) {{.*}} -> tensor<f32>
sg.graph @number() -> (tensor<f32>) {
  %0 = sg.numpy_draw_placed() {kind = "normal", loc = 3.0 : f64, scale = 1.0 : f64} : () -> tensor<f32>
  sg.heads %0 : tensor<f32>
}

// The smaller of a matrix' extents counts the rows of what LAPACK takes.
// CHECK-LABEL: @spectral(
// CHECK-NEXT: %[[TRANSPOSED:.*]] = sg.transpose(%{{.*}}) {axes = array<i64: 1, 2, 0>} : (tensor<5x4x3xf32>) -> tensor<4x3x5xf32>
// CHECK-NEXT: %{{.*}}, %[[VALUES:.*]], %{{.*}} = sg.numpy_svd(%[[TRANSPOSED]]) : (tensor<4x3x5xf32>) -> (tensor<4x3x3xf32>, tensor<4x3xf32>, tensor<4x3x5xf32>)
// CHECK-NEXT: sg.reduce(%[[VALUES]]) {{.*}}kind = "min"
sg.graph @spectral(%a: tensor<5x4x3xf32>) -> (tensor<4xf32>) {
  %0 = sg.numpy_norm(%a) {ord = -2.0 : f64, axis = array<i64: 0, 2>, flag = 0 : i64} : (tensor<5x4x3xf32>) -> tensor<4xf32>
  sg.heads %0 : tensor<4xf32>
}

// CHECK-LABEL: @eigh(
// CHECK: %[[X:.*]] = sg.cast(%{{.*}}) {dtype = "float64"}
// CHECK: %[[T:.*]] = sg.transpose(%[[X]]) {axes = array<i64: 1, 0>}
// CHECK: %[[U:.*]], %[[L:.*]] = sg.linalg_syevd(%[[T]])
// CHECK: %[[V:.*]] = sg.transpose(%[[U]])
// CHECK: sg.heads %[[L]], %[[V]]
sg.graph @eigh(%a: tensor<3x3xi32> {sg.name = "a"}) -> (tensor<3xf64>, tensor<3x3xf64>) {
  %0:2 = sg.numpy_eigh(%a) {UPLO = "U", vectors = true} : (tensor<3x3xi32>) -> (tensor<3xf64>, tensor<3x3xf64>)
  sg.heads %0#0, %0#1 : tensor<3xf64>, tensor<3x3xf64>
}

// CHECK-LABEL: @solve_vectors(
// CHECK: sg.reshape(%{{.*}}) {shape = array<i64: 2, 3, 1>}
// CHECK: sg.matrix_solve(
// CHECK: sg.reshape(%{{.*}}) {shape = array<i64: 2, 3>}
sg.graph @solve_vectors(%a: tensor<2x3x3xf32> {sg.name = "a"}, %b: tensor<2x3xf32> {sg.name = "b"}) -> (tensor<2x3xf32>) {
  %0 = sg.numpy_solve(%a, %b) : (tensor<2x3x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  sg.heads %0 : tensor<2x3xf32>
}

// CHECK-LABEL: @tensorinv(
// CHECK: sg.linalg_inverse(%{{.*}}) : (tensor<6x6xf32>) -> tensor<6x6xf32>
// CHECK: sg.reshape(%{{.*}}) {shape = array<i64: 6, 2, 3>}
sg.graph @tensorinv(%a: tensor<2x3x6xf32> {sg.name = "a"}) -> (tensor<6x2x3xf32>) {
  %0 = sg.numpy_tensorinv(%a) : (tensor<2x3x6xf32>) -> tensor<6x2x3xf32>
  sg.heads %0 : tensor<6x2x3xf32>
}

// Elements along an extent that is chosen at run time are counted there.
// CHECK-LABEL: @open_counts(
// CHECK: %[[ONES:.*]] = sg.fill_like({{.*}}) {value = 1.000000e+00 : f64}
// CHECK: %[[COUNT:.*]] = sg.reduce(%[[ONES]]) {axis = array<i64: 0>, kind = "sum"}
// CHECK: sg.scalar(%[[COUNT]]) {fn = "sub", scalar = 1.000000e+00 : f64}
// CHECK: %[[LINE:.*]] = sg.reduce({{.*}}) {axis = array<i64: 0>, kind = "sum"}
// CHECK: sg.reduce(%[[LINE]]) {axis = array<i64: 0>, kind = "max"}
sg.graph @open_counts(%a: tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>>) -> (tensor<3xf32>, tensor<3xf32>, tensor<f32>)
    attributes {dim_min = array<i64: 2>, dim_max = array<i64: 8>} {
  %0 = sg.numpy_var(%a) {axis = array<i64: 0>, ddof = 1} : (tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>>) -> tensor<3xf32>
  %1:2 = sg.numpy_average(%a) {axis = array<i64: 0>, weighted = false, returned = true} :
      (tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>>) -> (tensor<3xf32>, tensor<f32>)
  sg.heads %0, %1#0, %1#1 : tensor<3xf32>, tensor<3xf32>, tensor<f32>
}

// CHECK-LABEL: @flip(
// CHECK-NEXT: sg.reverse({{.*}}) {axis = array<i64: 0, 1>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: sg.reverse({{.*}}) {axis = array<i64: -1>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
sg.graph @flip(%a: tensor<2x3xf32>) -> (tensor<2x3xf32>) {
  %0 = sg.numpy_flip(%a) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = sg.numpy_flip(%0) {axis = array<i64: -1>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  sg.heads %1 : tensor<2x3xf32>
}

// Powers that are rounded to float32 are exponentials; of doubles, or of a base that has no logarithm, powers.
// CHECK-LABEL: @logspace(
// CHECK-NEXT: sg.linspace() {dtype = "float64"
// CHECK-NEXT: sg.scalar({{.*}}) {fn = "mul", scalar = 2.302585092994045
// CHECK-NEXT: sg.unary({{.*}}) {fn = "exp"}
// CHECK-NEXT: sg.cast({{.*}}) {dtype = "float32"}
// CHECK: sg.scalar({{.*}}) {fn = "power", reverse = true, scalar = 1.000000e+01
// CHECK: sg.scalar({{.*}}) {fn = "power", reverse = true, scalar = -2.000000e+00
sg.graph @logspace() -> (tensor<4xf32>, tensor<4xf64>, tensor<4xf32>) {
  %0 = sg.numpy_logspace() {start = 0.0 : f64, stop = 1.0 : f64, num = 4 : i64} : () -> tensor<4xf32>
  %1 = sg.numpy_logspace() {start = 0.0 : f64, stop = 1.0 : f64, num = 4 : i64, dtype = "float64"} : () -> tensor<4xf64>
  %2 = sg.numpy_logspace() {start = 0.0 : f64, stop = 3.0 : f64, num = 4 : i64, base = -2.0 : f64} : () -> tensor<4xf32>
  sg.heads %0, %1, %2 : tensor<4xf32>, tensor<4xf64>, tensor<4xf32>
}
