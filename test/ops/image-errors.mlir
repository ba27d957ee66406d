// RUN: symc-opt --sg-infer-shapes --sg-infer-types -split-input-file -verify-diagnostics=only-expected %s
// Each constraint of operators on pictures.

sg.graph @image_resize_c1(%a: tensor<7x9x3xf32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{parameter 'size' is (), needs one or two extents of at least 1}}
  %0 = sg.image_resize(%a) :
      (tensor<7x9x3xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @image_resize_c1_interp(%a: tensor<7x9x3xf32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{parameter 'interp' is 5, needs 0 (nearest), 1 (bilinear), 2 (bicubic), 3 (area) or 4 (Lanczos)}}
  %0 = sg.image_resize(%a) {size = array<i64: 7>, interp = 5 : i64} :
      (tensor<7x9x3xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @image_adjust_lighting_c2(%a: tensor<4x4x3xf32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{parameter 'alpha' has 2 numbers, needs 3}}
  %0 = sg.image_adjust_lighting(%a) {alpha = array<f64: 0.0, 0.1>} :
      (tensor<4x4x3xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @image_to_tensor_c1(%a: tensor<7x9xf32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{data has shape [7, 9], needs rank 3 or 4}}
  %0 = sg.image_to_tensor(%a) :
      (tensor<7x9xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @image_to_tensor_c2(%a: tensor<5x4x3xf32>) -> (tensor<5x4x3xf32>) {
  // expected-error @+1 {{output has shape [5, 4, 3] but needs [3, 5, 4]}}
  %0 = sg.image_to_tensor(%a) :
      (tensor<5x4x3xf32>) -> tensor<5x4x3xf32>
  sg.heads %0 : tensor<5x4x3xf32>
}

// -----

sg.graph @image_normalize_c1(%a: tensor<2x7x9xf32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{data has shape [2, 7, 9], needs 1 or 3 channels before height and width}}
  %0 = sg.image_normalize(%a) :
      (tensor<2x7x9xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @image_normalize_c2(%a: tensor<3x7x9xf32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{parameter 'mean' has 2 numbers, needs 1 or 3}}
  %0 = sg.image_normalize(%a) {mean = array<f64: 0.5, 0.5>} :
      (tensor<3x7x9xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @image_normalize_c3(%a: tensor<3x7x9xf32>) -> (tensor<3x7x8xf32>) {
  // expected-error @+1 {{output has shape [3, 7, 8] but needs [3, 7, 9]}}
  %0 = sg.image_normalize(%a) :
      (tensor<3x7x9xf32>) -> tensor<3x7x8xf32>
  sg.heads %0 : tensor<3x7x8xf32>
}

// -----

sg.graph @image_crop_c1(%a: tensor<7x9xf32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{data has shape [7, 9], needs rank 3 or 4}}
  %0 = sg.image_crop(%a) {x = 1 : i64, y = 2 : i64, width = 3 : i64, height = 4 : i64} :
      (tensor<7x9xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @image_crop_c2(%a: tensor<7x9x3xf32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{the rectangle ends at row 6 and column 10 but data has shape [7, 9, 3]}}
  %0 = sg.image_crop(%a) {x = 7 : i64, y = 2 : i64, width = 3 : i64, height = 4 : i64} :
      (tensor<7x9x3xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @image_crop_c3(%a: tensor<7x9x3xf32>) -> (tensor<3x4x3xf32>) {
  // expected-error @+1 {{output has shape [3, 4, 3] but needs [4, 3, 3]}}
  %0 = sg.image_crop(%a) {x = 1 : i64, y = 2 : i64, width = 3 : i64, height = 4 : i64} :
      (tensor<7x9x3xf32>) -> tensor<3x4x3xf32>
  sg.heads %0 : tensor<3x4x3xf32>
}

// -----

sg.graph @image_flip_c1(%a: tensor<2x7x9x3xf32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{data has shape [2, 7, 9, 3], needs rank 3}}
  %0 = sg.image_flip(%a) {axis = -2 : i64} :
      (tensor<2x7x9x3xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @image_flip_c2(%a: tensor<7x9x3xf32>) -> (tensor<9x7x3xf32>) {
  // expected-error @+1 {{output has shape [9, 7, 3] but needs [7, 9, 3]}}
  %0 = sg.image_flip(%a) {axis = -2 : i64} :
      (tensor<7x9x3xf32>) -> tensor<9x7x3xf32>
  sg.heads %0 : tensor<9x7x3xf32>
}

// -----

sg.graph @image_resize_c2(%a: tensor<7x9xf32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{data has shape [7, 9], needs rank 3 or 4}}
  %0 = sg.image_resize(%a) {size = array<i64: 7>} :
      (tensor<7x9xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @image_resize_c3(%a: tensor<7x9x3xf32>) -> (tensor<7x11x3xf32>) {
  // expected-error @+1 {{output has shape [7, 11, 3] but needs [11, 7, 3]}}
  %0 = sg.image_resize(%a) {size = array<i64: 7, 11>} :
      (tensor<7x9x3xf32>) -> tensor<7x11x3xf32>
  sg.heads %0 : tensor<7x11x3xf32>
}

// -----

sg.graph @image_adjust_lighting_c1(%a: tensor<4x4x2xf32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{data has shape [4, 4, 2], needs [H, W, C] with 1 or 3 channels}}
  %0 = sg.image_adjust_lighting(%a) {alpha = array<f64: 0.0, 0.1, 0.2>} :
      (tensor<4x4x2xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @image_adjust_lighting_c3(%a: tensor<4x4x3xf32>) -> (tensor<4x3x3xf32>) {
  // expected-error @+1 {{output has shape [4, 3, 3] but needs [4, 4, 3]}}
  %0 = sg.image_adjust_lighting(%a) {alpha = array<f64: 0.0, 0.1, 0.2>} :
      (tensor<4x4x3xf32>) -> tensor<4x3x3xf32>
  sg.heads %0 : tensor<4x3x3xf32>
}

// -----

sg.graph @image_resize_c2_ratio(%a: tensor<?x9x3xf32, #sg.extents<()[s0] -> (s0, 9, 3)>> {sg.name = "a"}) -> (tensor<*x!sg.unknown>)
    attributes {dim_names = ["a[0]"], dim_min = array<i64: 1>, dim_max = array<i64: 7>} {
  // expected-error @+1 {{data has shape [s0, 9, 3], needs constant extents above 0 with keep_ratio}}
  %0 = sg.image_resize(%a) {size = array<i64: 7>, keep_ratio = true} :
      (tensor<?x9x3xf32, #sg.extents<()[s0] -> (s0, 9, 3)>>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}
