// RUN: symc-opt --sg-infer-shapes --sg-infer-types %s | FileCheck %s
// RUN: symc-opt %s | symc-opt | symc-opt --sg-infer-shapes --sg-infer-types | FileCheck %s
// Batches of matrices: shapes of products, factors and diagonals.

// CHECK-LABEL: sg.graph @linalg_gemm(
// CHECK: sg.linalg_gemm({{.*}} -> tensor<2x4x5xf32>
sg.graph @linalg_gemm(%a: tensor<2x6x4xf32>, %b: tensor<2x6x5xf32>, %c: tensor<*x!sg.unknown>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.linalg_gemm(%a, %b, %c) {transpose_a = true} :
      (tensor<2x6x4xf32>, tensor<2x6x5xf32>, tensor<*x!sg.unknown>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @linalg_gemm_axis(
// CHECK: sg.linalg_gemm2({{.*}} -> tensor<4x7x5xf32>
sg.graph @linalg_gemm_axis(%a: tensor<4x7x3xf32>, %b: tensor<5x7x3xf32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.linalg_gemm2(%a, %b) {axis = -3 : i64, transpose_b = true} :
      (tensor<4x7x3xf32>, tensor<5x7x3xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @linalg_syrk(
// CHECK: sg.linalg_syrk({{.*}} -> tensor<2x5x5xf64>
sg.graph @linalg_syrk(%a: tensor<2x3x5xf64>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.linalg_syrk(%a) {transpose = true} :
      (tensor<2x3x5xf64>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @linalg_trmm(
// CHECK: sg.linalg_trmm({{.*}} -> tensor<2x3xf32>
sg.graph @linalg_trmm(%a: tensor<3x3xf32>, %b: tensor<2x3xf32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.linalg_trmm(%a, %b) {rightside = true} :
      (tensor<3x3xf32>, tensor<2x3xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @linalg_trsm(
// CHECK: sg.linalg_trsm({{.*}} -> tensor<3x2xf32>
sg.graph @linalg_trsm(%a: tensor<3x3xf32>, %b: tensor<3x2xf32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.linalg_trsm(%a, %b) :
      (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @linalg_potrf(
// CHECK: sg.linalg_potrf({{.*}} -> tensor<2x3x3xf32>
sg.graph @linalg_potrf(%a: tensor<2x3x3xf32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.linalg_potrf(%a) :
      (tensor<2x3x3xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @linalg_potri(
// CHECK: sg.linalg_potri({{.*}} -> tensor<3x3xf64>
sg.graph @linalg_potri(%a: tensor<3x3xf64>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.linalg_potri(%a) :
      (tensor<3x3xf64>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @linalg_gelqf(
// CHECK: sg.linalg_gelqf({{.*}} -> (tensor<2x3x5xf32>, tensor<2x3x3xf32>)
sg.graph @linalg_gelqf(%a: tensor<2x3x5xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  %0:2 = sg.linalg_gelqf(%a) :
      (tensor<2x3x5xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>)
  sg.heads %0#0, %0#1 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @linalg_syevd(
// CHECK: sg.linalg_syevd({{.*}} -> (tensor<2x4x4xf32>, tensor<2x4xf32>)
sg.graph @linalg_syevd(%a: tensor<2x4x4xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  %0:2 = sg.linalg_syevd(%a) :
      (tensor<2x4x4xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>)
  sg.heads %0#0, %0#1 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @linalg_inverse(
// CHECK: sg.linalg_inverse({{.*}} -> tensor<3x3xf32>
sg.graph @linalg_inverse(%a: tensor<3x3xf32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.linalg_inverse(%a) :
      (tensor<3x3xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @linalg_det(
// CHECK: sg.linalg_det({{.*}} -> tensor<1xf32>
sg.graph @linalg_det(%a: tensor<3x3xf32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.linalg_det(%a) :
      (tensor<3x3xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @linalg_slogdet(
// CHECK: sg.linalg_slogdet({{.*}} -> (tensor<2xf32>, tensor<2xf32>)
sg.graph @linalg_slogdet(%a: tensor<2x3x3xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  %0:2 = sg.linalg_slogdet(%a) :
      (tensor<2x3x3xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>)
  sg.heads %0#0, %0#1 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @linalg_sumlogdiag(
// CHECK: sg.linalg_sumlogdiag({{.*}} -> tensor<2x5xf32>
sg.graph @linalg_sumlogdiag(%a: tensor<2x5x3x3xf32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.linalg_sumlogdiag(%a) :
      (tensor<2x5x3x3xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @linalg_extractdiag(
// CHECK: sg.linalg_extractdiag({{.*}} -> tensor<2x3xf32>
sg.graph @linalg_extractdiag(%a: tensor<2x4x4xf32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.linalg_extractdiag(%a) {offset = -1 : i64} :
      (tensor<2x4x4xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @linalg_makediag(
// CHECK: sg.linalg_makediag({{.*}} -> tensor<2x5x5xf32>
sg.graph @linalg_makediag(%a: tensor<2x3xf32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.linalg_makediag(%a) {offset = 2 : i64} :
      (tensor<2x3xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @linalg_extracttrian(
// CHECK: sg.linalg_extracttrian({{.*}} -> tensor<6xf32>
sg.graph @linalg_extracttrian(%a: tensor<4x4xf32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.linalg_extracttrian(%a) {offset = 1 : i64} :
      (tensor<4x4xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @linalg_maketrian(
// CHECK: sg.linalg_maketrian({{.*}} -> tensor<2x4x4xf32>
sg.graph @linalg_maketrian(%a: tensor<2x6xf32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.linalg_maketrian(%a) {offset = -1 : i64} :
      (tensor<2x6xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}
