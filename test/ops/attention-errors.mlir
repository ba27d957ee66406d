// RUN: symc-opt --sg-infer-shapes --sg-infer-types -split-input-file -verify-diagnostics=only-expected %s
// Each constraint of attention products is an error that names the shapes.

sg.graph @interleaved_qk_c1(%a: tensor<5x3x8xf32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{queries has shape [5, 3, 8], needs [length, batch, a multiple of 6] with heads = 2}}
  %0 = sg.interleaved_qk(%a) {heads = 2 : i64, is_self = true} :
      (tensor<5x3x8xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @interleaved_qk_c1_keys(%a: tensor<5x3x4xf32>, %b: tensor<5x3x4xf32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{keys_values has shape [5, 3, 4] but}}
  %0 = sg.interleaved_qk(%a, %b) {heads = 2 : i64} :
      (tensor<5x3x4xf32>, tensor<5x3x4xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @interleaved_qk_c2(%a: tensor<5x3x6xf32>) -> (tensor<3x5x4xf32>) {
  // expected-error @+1 {{output has shape [3, 5, 4] but needs [3, 5, 5]}}
  %0 = sg.interleaved_qk(%a) {heads = 1 : i64, is_self = true} :
      (tensor<5x3x6xf32>) -> tensor<3x5x4xf32>
  sg.heads %0 : tensor<3x5x4xf32>
}

// -----

sg.graph @interleaved_valatt_c1(%a: tensor<5x3x8xf32>, %b: tensor<6x4x4xf32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{attention has shape [6, 4, 4] but needs [6, ?, 5]}}
  %0 = sg.interleaved_valatt(%a, %b) {heads = 2 : i64} :
      (tensor<5x3x8xf32>, tensor<6x4x4xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @interleaved_valatt_c2(%a: tensor<5x3x8xf32>, %b: tensor<3x4x5xf32>) -> (tensor<4x3x8xf32>) {
  // expected-error @+1 {{output has shape [4, 3, 8] but needs [4, 3, 4]}}
  %0 = sg.interleaved_valatt(%a, %b) {heads = 1 : i64} :
      (tensor<5x3x8xf32>, tensor<3x4x5xf32>) -> tensor<4x3x8xf32>
  sg.heads %0 : tensor<4x3x8xf32>
}

// -----

sg.graph @div_sqrt_dim_c1(%a: tensor<f32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{data has shape [], needs a constant last extent}}
  %0 = sg.div_sqrt_dim(%a) :
      (tensor<f32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}
