// RUN: symc-opt --sg-infer-shapes --sg-infer-types -split-input-file -verify-diagnostics=only-expected %s
// Each constraint of linear algebra is an error that names both shapes.

sg.graph @linalg_gemm_c1(%a: tensor<3x4xf32>, %b: tensor<4x5xf32>, %c: tensor<2x3x5xf32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{A has shape [3, 4] and B [4, 5] and C [2, 3, 5], needs equal ranks of at least 2}}
  %0 = sg.linalg_gemm(%a, %b, %c) :
      (tensor<3x4xf32>, tensor<4x5xf32>, tensor<2x3x5xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @linalg_gemm_c2(%a: tensor<3x4xf32>, %b: tensor<3x5xf32>, %c: tensor<3x5xf32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{A has shape [3, 4] and B [3, 5]: the extents 4 and 3 are summed over, needs equal ones}}
  %0 = sg.linalg_gemm(%a, %b, %c) :
      (tensor<3x4xf32>, tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @linalg_gemm_c3(%a: tensor<3x4xf32>, %b: tensor<4x5xf32>, %c: tensor<3x4xf32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{C has shape [3, 4] but needs [3, 5]}}
  %0 = sg.linalg_gemm(%a, %b, %c) :
      (tensor<3x4xf32>, tensor<4x5xf32>, tensor<3x4xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @linalg_gemm2_c1(%a: tensor<3x4xf32>, %b: tensor<4x5xf32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{axis -1 is not one before the last of A's shape [3, 4]}}
  %0 = sg.linalg_gemm2(%a, %b) {axis = -1 : i64} :
      (tensor<3x4xf32>, tensor<4x5xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @linalg_gemm2_c2(%a: tensor<2x3x4xf32>, %b: tensor<3x4x5xf32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{A has shape [2, 3, 4] and B [3, 4, 5], needs equal extents along axis 0}}
  %0 = sg.linalg_gemm2(%a, %b) :
      (tensor<2x3x4xf32>, tensor<3x4x5xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @linalg_gemm2_c3(%a: tensor<3x4xf32>, %b: tensor<4x5xf32>) -> (tensor<5x3xf32>) {
  // expected-error @+1 {{output has shape [5, 3] but needs [3, 5]}}
  %0 = sg.linalg_gemm2(%a, %b) :
      (tensor<3x4xf32>, tensor<4x5xf32>) -> tensor<5x3xf32>
  sg.heads %0 : tensor<5x3xf32>
}

// -----

sg.graph @linalg_syrk_c1(%a: tensor<3xf32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{A has shape [3], needs rank 2 or more}}
  %0 = sg.linalg_syrk(%a) :
      (tensor<3xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @linalg_syrk_c2(%a: tensor<3x4xf32>) -> (tensor<4x4xf32>) {
  // expected-error @+1 {{output has shape [4, 4] but needs [3, 3]}}
  %0 = sg.linalg_syrk(%a) :
      (tensor<3x4xf32>) -> tensor<4x4xf32>
  sg.heads %0 : tensor<4x4xf32>
}

// -----

sg.graph @linalg_trmm_c1(%a: tensor<3x3xf32>, %b: tensor<2x3xf32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{A has shape [3, 3] and B [2, 3], needs [..., N, N] and [..., N, M]}}
  %0 = sg.linalg_trmm(%a, %b) :
      (tensor<3x3xf32>, tensor<2x3xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @linalg_trmm_c2(%a: tensor<3x3xf32>, %b: tensor<3x2xf32>) -> (tensor<3x3xf32>) {
  // expected-error @+1 {{output has shape [3, 3] but needs [3, 2]}}
  %0 = sg.linalg_trmm(%a, %b) :
      (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x3xf32>
  sg.heads %0 : tensor<3x3xf32>
}

// -----

sg.graph @linalg_trsm_c1(%a: tensor<3x3xf32>, %b: tensor<3x2xf32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{A has shape [3, 3] and B [3, 2], needs [..., N, N] and [..., M, N]}}
  %0 = sg.linalg_trsm(%a, %b) {rightside = true} :
      (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @linalg_trsm_c2(%a: tensor<3x3xf32>, %b: tensor<3x2xf32>) -> (tensor<3x3xf32>) {
  // expected-error @+1 {{output has shape [3, 3] but needs [3, 2]}}
  %0 = sg.linalg_trsm(%a, %b) :
      (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x3xf32>
  sg.heads %0 : tensor<3x3xf32>
}

// -----

sg.graph @linalg_gelqf_c1(%a: tensor<4x3xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  // expected-error @+1 {{A has shape [4, 3], needs matrices with no more rows than columns}}
  %0:2 = sg.linalg_gelqf(%a) :
      (tensor<4x3xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>)
  sg.heads %0#0, %0#1 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}

// -----

sg.graph @linalg_gelqf_c2(%a: tensor<3x4xf32>) -> (tensor<*x!sg.unknown>, tensor<4x4xf32>) {
  // expected-error @+1 {{output1 has shape [4, 4] but needs [3, 3]}}
  %0:2 = sg.linalg_gelqf(%a) :
      (tensor<3x4xf32>) -> (tensor<*x!sg.unknown>, tensor<4x4xf32>)
  sg.heads %0#0, %0#1 : tensor<*x!sg.unknown>, tensor<4x4xf32>
}

// -----

sg.graph @linalg_makediag_c1(%a: tensor<f32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{A has shape [], needs at least one extent}}
  %0 = sg.linalg_makediag(%a) :
      (tensor<f32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @linalg_makediag_c2(%a: tensor<3xf32>) -> (tensor<3x3xf32>) {
  // expected-error @+1 {{output has shape [3, 3] but needs [4, 4]}}
  %0 = sg.linalg_makediag(%a) {offset = 1 : i64} :
      (tensor<3xf32>) -> tensor<3x3xf32>
  sg.heads %0 : tensor<3x3xf32>
}

// -----

sg.graph @linalg_maketrian_c1(%a: tensor<4xf32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{A has shape [4], needs a last extent K * (K + 1) / 2: 1, 3, 6, 10, ...}}
  %0 = sg.linalg_maketrian(%a) :
      (tensor<4xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @linalg_maketrian_c2(%a: tensor<3xf32>) -> (tensor<3x3xf32>) {
  // expected-error @+1 {{output has shape [3, 3] but needs [2, 2]}}
  %0 = sg.linalg_maketrian(%a) :
      (tensor<3xf32>) -> tensor<3x3xf32>
  sg.heads %0 : tensor<3x3xf32>
}

// -----

sg.graph @linalg_extractdiag_c2(%a: tensor<3x3xf32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{offset 3 lies outside the matrices of A's shape [3, 3]}}
  %0 = sg.linalg_extractdiag(%a) {offset = 3 : i64} :
      (tensor<3x3xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @linalg_extracttrian_c2(%a: tensor<3x3xf32>) -> (tensor<5xf32>) {
  // expected-error @+1 {{output has shape [5] but needs [6]}}
  %0 = sg.linalg_extracttrian(%a) :
      (tensor<3x3xf32>) -> tensor<5xf32>
  sg.heads %0 : tensor<5xf32>
}

// -----

sg.graph @linalg_syevd_c2(%a: tensor<3x3xf32>) -> (tensor<*x!sg.unknown>, tensor<3x3xf32>) {
  // expected-error @+1 {{output1 has shape [3, 3] but needs [3]}}
  %0:2 = sg.linalg_syevd(%a) :
      (tensor<3x3xf32>) -> (tensor<*x!sg.unknown>, tensor<3x3xf32>)
  sg.heads %0#0, %0#1 : tensor<*x!sg.unknown>, tensor<3x3xf32>
}

// -----

sg.graph @linalg_potrf_c1(%a: tensor<3x4xf32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{A has shape [3, 4], needs square matrices [..., N, N]}}
  %0 = sg.linalg_potrf(%a) :
      (tensor<3x4xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @linalg_potri_c1(%a: tensor<3x4xf32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{A has shape [3, 4], needs square matrices [..., N, N]}}
  %0 = sg.linalg_potri(%a) :
      (tensor<3x4xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @linalg_inverse_c1(%a: tensor<3x4xf32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{A has shape [3, 4], needs square matrices [..., N, N]}}
  %0 = sg.linalg_inverse(%a) :
      (tensor<3x4xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @linalg_det_c1(%a: tensor<3x4xf32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{A has shape [3, 4], needs square matrices [..., N, N]}}
  %0 = sg.linalg_det(%a) :
      (tensor<3x4xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @linalg_slogdet_c1(%a: tensor<3x4xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  // expected-error @+1 {{A has shape [3, 4], needs square matrices [..., N, N]}}
  %0:2 = sg.linalg_slogdet(%a) :
      (tensor<3x4xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>)
  sg.heads %0#0, %0#1 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}

// -----

sg.graph @linalg_sumlogdiag_c1(%a: tensor<3x4xf32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{A has shape [3, 4], needs square matrices [..., N, N]}}
  %0 = sg.linalg_sumlogdiag(%a) :
      (tensor<3x4xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @linalg_extractdiag_c1(%a: tensor<3x4xf32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{A has shape [3, 4], needs square matrices [..., N, N]}}
  %0 = sg.linalg_extractdiag(%a) :
      (tensor<3x4xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @linalg_extracttrian_c1(%a: tensor<3x4xf32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{A has shape [3, 4], needs square matrices [..., N, N]}}
  %0 = sg.linalg_extracttrian(%a) :
      (tensor<3x4xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @linalg_syevd_c1(%a: tensor<3x4xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  // expected-error @+1 {{A has shape [3, 4], needs square matrices [..., N, N]}}
  %0:2 = sg.linalg_syevd(%a) :
      (tensor<3x4xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>)
  sg.heads %0#0, %0#1 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}

// -----

sg.graph @linalg_potrf_c2(%a: tensor<3x3xf32>) -> (tensor<2x2xf32>) {
  // expected-error @+1 {{output has shape [2, 2] but needs [3, 3]}}
  %0 = sg.linalg_potrf(%a) :
      (tensor<3x3xf32>) -> tensor<2x2xf32>
  sg.heads %0 : tensor<2x2xf32>
}

// -----

sg.graph @linalg_potri_c2(%a: tensor<3x3xf32>) -> (tensor<2x2xf32>) {
  // expected-error @+1 {{output has shape [2, 2] but needs [3, 3]}}
  %0 = sg.linalg_potri(%a) :
      (tensor<3x3xf32>) -> tensor<2x2xf32>
  sg.heads %0 : tensor<2x2xf32>
}

// -----

sg.graph @linalg_inverse_c2(%a: tensor<3x3xf32>) -> (tensor<2x2xf32>) {
  // expected-error @+1 {{output has shape [2, 2] but needs [3, 3]}}
  %0 = sg.linalg_inverse(%a) :
      (tensor<3x3xf32>) -> tensor<2x2xf32>
  sg.heads %0 : tensor<2x2xf32>
}

// -----

sg.graph @linalg_det_c2(%a: tensor<3x3xf32>) -> (tensor<3xf32>) {
  // expected-error @+1 {{output0 has shape [3] but needs [1]}}
  %0 = sg.linalg_det(%a) :
      (tensor<3x3xf32>) -> tensor<3xf32>
  sg.heads %0 : tensor<3xf32>
}

// -----

sg.graph @linalg_slogdet_c2(%a: tensor<3x3xf32>) -> (tensor<1xf32>, tensor<3xf32>) {
  // expected-error @+1 {{output1 has shape [3] but needs [1]}}
  %0:2 = sg.linalg_slogdet(%a) :
      (tensor<3x3xf32>) -> (tensor<1xf32>, tensor<3xf32>)
  sg.heads %0#0, %0#1 : tensor<1xf32>, tensor<3xf32>
}

// -----

sg.graph @linalg_sumlogdiag_c2(%a: tensor<3x3xf32>) -> (tensor<3xf32>) {
  // expected-error @+1 {{output has shape [3] but needs [1]}}
  %0 = sg.linalg_sumlogdiag(%a) :
      (tensor<3x3xf32>) -> tensor<3xf32>
  sg.heads %0 : tensor<3xf32>
}

// -----

sg.graph @linalg_maketrian_c3(%a: tensor<?xf32, #sg.extents<()[s0] -> (s0)>>) -> (tensor<2x2xf32>) attributes {dim_names = ["n"], dim_min = array<i64: 1>, dim_max = array<i64: 6>} {
  // expected-error @+1 {{A has shape [s0], needs a constant last extent}}
  %0 = sg.linalg_maketrian(%a) :
      (tensor<?xf32, #sg.extents<()[s0] -> (s0)>>) -> tensor<2x2xf32>
  sg.heads %0 : tensor<2x2xf32>
}

// -----

sg.graph @linalg_extracttrian_c3(%a: tensor<?x?xf32, #sg.extents<()[s0] -> (s0, s0)>>) -> (tensor<3xf32>) attributes {dim_names = ["n"], dim_min = array<i64: 1>, dim_max = array<i64: 6>} {
  // expected-error @+1 {{A has shape [s0, s0], needs a constant last extent}}
  %0 = sg.linalg_extracttrian(%a) :
      (tensor<?x?xf32, #sg.extents<()[s0] -> (s0, s0)>>) -> tensor<3xf32>
  sg.heads %0 : tensor<3xf32>
}

// -----

sg.graph @linalg_gelqf_c3(%a: tensor<2x2147483648xf32>) -> (tensor<*xf32>, tensor<*xf32>) {
  // expected-error @+1 {{A has shape [2, 2147483648], needs matrices of at most 2147483647 columns, which LAPACK counts in 32 bits}}
  %0:2 = sg.linalg_gelqf(%a) : (tensor<2x2147483648xf32>) -> (tensor<*xf32>, tensor<*xf32>)
  sg.heads %0#0, %0#1 : tensor<*xf32>, tensor<*xf32>
}

// -----

sg.graph @linalg_syevd_c3(%a: tensor<32767x32767xf32>) -> (tensor<*xf32>, tensor<*xf32>) {
  // expected-error @+1 {{A has shape [32767, 32767], needs matrices of at most 32766 rows, which LAPACK counts in 32 bits}}
  %0:2 = sg.linalg_syevd(%a) : (tensor<32767x32767xf32>) -> (tensor<*xf32>, tensor<*xf32>)
  sg.heads %0#0, %0#1 : tensor<*xf32>, tensor<*xf32>
}
