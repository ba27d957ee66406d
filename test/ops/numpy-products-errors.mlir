// RUN: symc-opt --sg-infer-shapes -split-input-file -verify-diagnostics=only-expected %s
// Each constraint of a product is an error that says what was found and what is needed.

sg.graph @numpy_dot_c1(%a: tensor<f32>, %b: tensor<3xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{a has shape [] and b [3], needs at least one extent each}}
  %0 = sg.numpy_dot(%a, %b) :
      (tensor<f32>, tensor<3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @numpy_matmul_c1(%a: tensor<f32>, %b: tensor<3xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{a has shape [] and b [3], needs at least one extent each}}
  %0 = sg.numpy_matmul(%a, %b) :
      (tensor<f32>, tensor<3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @numpy_dot_c2(%a: tensor<2x3xf32>, %b: tensor<4x5xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{a has shape [2, 3] and b [4, 5], which sum over the extents 3 and 4}}
  %0 = sg.numpy_dot(%a, %b) :
      (tensor<2x3xf32>, tensor<4x5xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @numpy_matmul_c2(%a: tensor<2x3xf32>, %b: tensor<4x5xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{a has shape [2, 3] and b [4, 5], which sum over the extents 3 and 4}}
  %0 = sg.numpy_matmul(%a, %b) :
      (tensor<2x3xf32>, tensor<4x5xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @numpy_matmul_c3(%a: tensor<4x2x3xf32>, %b: tensor<5x3x2xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{a's stack has shape [4] and b's [5]: extents 4 and 5 meet and neither is 1}}
  %0 = sg.numpy_matmul(%a, %b) :
      (tensor<4x2x3xf32>, tensor<5x3x2xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @numpy_tensordot_c1(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{sums over 1 axes of a and 0 of b}}
  %0 = sg.numpy_tensordot(%a, %b) {a_axes_summed = array<i64: 1>} :
      (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @numpy_tensordot_c2(%a: tensor<2x3xf32>, %b: tensor<4x5xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{which sum over the extents 3 and 4}}
  %0 = sg.numpy_tensordot(%a, %b) {axes = 1 : i64} :
      (tensor<2x3xf32>, tensor<4x5xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @numpy_einsum_c1(%a: tensor<2x3xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{parameter 'subscripts' is 'ij,jk', needs 1 parts}}
  %0 = sg.numpy_einsum(%a) {num_args = 1 : i64, subscripts = "ij,jk"} :
      (tensor<2x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @numpy_einsum_c1_letters(%a: tensor<3x3xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{parameter 'subscripts' is 'i.j', needs letters and '...', which a part has once at most}}
  %0 = sg.numpy_einsum(%a) {num_args = 1 : i64, subscripts = "i.j"} :
      (tensor<3x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @numpy_einsum_c1_ellipsis(%a: tensor<3x3xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{parameter 'subscripts' is 'i...->i', whose result needs the '...' of the operands}}
  %0 = sg.numpy_einsum(%a) {num_args = 1 : i64, subscripts = "i...->i"} :
      (tensor<3x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @numpy_einsum_c1_result(%a: tensor<3x3xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{parameter 'subscripts' is 'ij->ik', whose result needs letters of the operands, each once}}
  %0 = sg.numpy_einsum(%a) {num_args = 1 : i64, subscripts = "ij->ik"} :
      (tensor<3x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @numpy_einsum_c2(%a: tensor<2x3xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{operand 0 has shape [2, 3] but the letters 'i'}}
  %0 = sg.numpy_einsum(%a) {num_args = 1 : i64, subscripts = "i"} :
      (tensor<2x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @numpy_einsum_c2_ellipsis(%a: tensor<2x3xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{operand 0 has shape [2, 3] but the letters 'ijk'}}
  %0 = sg.numpy_einsum(%a) {num_args = 1 : i64, subscripts = "i...jk"} :
      (tensor<2x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @numpy_einsum_c3_own(%a: tensor<1x3xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{letter i has the extents 1 and 3}}
  %0 = sg.numpy_einsum(%a) {num_args = 1 : i64, subscripts = "ii"} :
      (tensor<1x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @numpy_einsum_c3(%a: tensor<2x3xf32>, %b: tensor<4x5xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{letter j has the extents 3 and 4}}
  %0 = sg.numpy_einsum(%a, %b) {num_args = 2 : i64, subscripts = "ij,jk"} :
      (tensor<2x3xf32>, tensor<4x5xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @numpy_polyval_c1(%a: tensor<2x3xf32>, %b: tensor<4xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{p has shape [2, 3], needs rank 1 and a fixed extent}}
  %0 = sg.numpy_polyval(%a, %b) :
      (tensor<2x3xf32>, tensor<4xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @numpy_polyval_c2(%a: tensor<2xf32>, %b: tensor<4xf32>) -> (tensor<5xf32>) {
  // expected-error @+1 {{output has shape [5] but needs [4]}}
  %0 = sg.numpy_polyval(%a, %b) :
      (tensor<2xf32>, tensor<4xf32>) -> tensor<5xf32>
  sg.heads %0 : tensor<5xf32>
}

// -----

sg.graph @numpy_full_like_c1(%a: tensor<2xf32>) -> (tensor<3xf32>) {
  // expected-error @+1 {{needs [2]}}
  %0 = sg.numpy_full_like(%a) {fill_value = 1.0 : f64} :
      (tensor<2xf32>) -> tensor<3xf32>
  sg.heads %0 : tensor<3xf32>
}

// -----

sg.graph @numpy_eye_c1() -> (tensor<3x4xf32>) {
  // expected-error @+1 {{output has shape [3, 4] but needs [3, 3]}}
  %0 = sg.numpy_eye() {N = 3 : i64} :
      () -> tensor<3x4xf32>
  sg.heads %0 : tensor<3x4xf32>
}

// -----

sg.graph @numpy_identity_c1() -> (tensor<*xf32>) {
  // expected-error @+1 {{parameter 'shape' names no square}}
  %0 = sg.numpy_identity() {shape = array<i64: 2, 3>} :
      () -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @numpy_indices_c1() -> (tensor<*xf32>) {
  // expected-error @+1 {{parameter 'dimensions' has the extent 0, needs at least 1}}
  %0 = sg.numpy_indices() {dimensions = array<i64: 2, 0>} :
      () -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @numpy_logspace_c1() -> (tensor<4xf32>) {
  // expected-error @+1 {{output has shape [4] but needs [3]}}
  %0 = sg.numpy_logspace() {start = 0.0 : f64, stop = 1.0 : f64, num = 3 : i64} :
      () -> tensor<4xf32>
  sg.heads %0 : tensor<4xf32>
}

// -----

sg.graph @numpy_window_c1() -> (tensor<4xf32>) {
  // expected-error @+1 {{output has shape [4] but needs [3]}}
  %0 = sg.numpy_window() {M = 3 : i64, kind = "hanning"} :
      () -> tensor<4xf32>
  sg.heads %0 : tensor<4xf32>
}

// -----

sg.graph @numpy_polyval_c1_many(%a: tensor<4097xf32>, %b: tensor<4xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{p has shape [4097], needs at most 4096 coefficients}}
  %0 = sg.numpy_polyval(%a, %b) :
      (tensor<4097xf32>, tensor<4xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @numpy_indices_c1_empty() -> (tensor<*xf32>) {
  // expected-error @+1 {{parameter 'dimensions' is empty, needs an extent for each axis of the grid}}
  %0 = sg.numpy_indices() {dimensions = array<i64>} :
      () -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}
