// RUN: symc-opt --sg-infer-shapes --sg-infer-types -split-input-file -verify-diagnostics=only-expected %s
// Each constraint of random augmentation.

sg.graph @image_random_adjust_c1(%a: tensor<4x4x3xf32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{parameter 'max_factor' is 0.5, needs at least min_factor = 1}}
  %0 = sg.image_random_adjust(%a) {kind = "hue", min_factor = 1.0 : f64, max_factor = 0.5 : f64} :
      (tensor<4x4x3xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @image_random_lighting_c1(%a: tensor<4x4x3xf32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{parameter 'alpha_std' is -1, needs a number that is not negative}}
  %0 = sg.image_random_lighting(%a) {alpha_std = -1.0 : f64} : (tensor<4x4x3xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @image_random_flip_c1(%a: tensor<4x4x2xf32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{data has shape [4, 4, 2], needs [H, W, C] with 1 or 3 channels}}
  %0 = sg.image_random_flip(%a) {axis = -2 : i64} :
      (tensor<4x4x2xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @image_random_flip_c2(%a: tensor<4x4x3xf32>) -> (tensor<4x3x3xf32>) {
  // expected-error @+1 {{output has shape [4, 3, 3] but needs [4, 4, 3]}}
  %0 = sg.image_random_flip(%a) {axis = -2 : i64} :
      (tensor<4x4x3xf32>) -> tensor<4x3x3xf32>
  sg.heads %0 : tensor<4x3x3xf32>
}

// -----

sg.graph @image_random_adjust_c2(%a: tensor<4x4x2xf32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{data has shape [4, 4, 2], needs [H, W, C] with 1 or 3 channels}}
  %0 = sg.image_random_adjust(%a) {kind = "contrast", min_factor = 0.5 : f64, max_factor = 1.0 : f64} :
      (tensor<4x4x2xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @image_random_adjust_c3(%a: tensor<4x4x3xf32>) -> (tensor<4x3x3xf32>) {
  // expected-error @+1 {{output has shape [4, 3, 3] but needs [4, 4, 3]}}
  %0 = sg.image_random_adjust(%a) {kind = "contrast", min_factor = 0.5 : f64, max_factor = 1.0 : f64} :
      (tensor<4x4x3xf32>) -> tensor<4x3x3xf32>
  sg.heads %0 : tensor<4x3x3xf32>
}

// -----

sg.graph @image_random_lighting_c2(%a: tensor<4x4x2xf32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{data has shape [4, 4, 2], needs [H, W, C] with 1 or 3 channels}}
  %0 = sg.image_random_lighting(%a) :
      (tensor<4x4x2xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @image_random_lighting_c3(%a: tensor<4x4x3xf32>) -> (tensor<4x3x3xf32>) {
  // expected-error @+1 {{output has shape [4, 3, 3] but needs [4, 4, 3]}}
  %0 = sg.image_random_lighting(%a) :
      (tensor<4x4x3xf32>) -> tensor<4x3x3xf32>
  sg.heads %0 : tensor<4x3x3xf32>
}

// -----

sg.graph @image_random_jitter_c1(%a: tensor<4x4x2xf32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{data has shape [4, 4, 2], needs [H, W, C] with 1 or 3 channels}}
  %0 = sg.image_random_jitter(%a) {brightness = 0.1 : f64, contrast = 0.1 : f64, saturation = 0.1 : f64, hue = 0.1 : f64} :
      (tensor<4x4x2xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @image_random_jitter_c2(%a: tensor<4x4x3xf32>) -> (tensor<4x3x3xf32>) {
  // expected-error @+1 {{output has shape [4, 3, 3] but needs [4, 4, 3]}}
  %0 = sg.image_random_jitter(%a) {brightness = 0.1 : f64, contrast = 0.1 : f64, saturation = 0.1 : f64, hue = 0.1 : f64} :
      (tensor<4x4x3xf32>) -> tensor<4x3x3xf32>
  sg.heads %0 : tensor<4x3x3xf32>
}
