// RUN: symc-opt --sg-infer-shapes --sg-infer-types -split-input-file -verify-diagnostics=only-expected %s
// Parameters that a distribution does not allow, and shapes that cannot be, are errors.

sg.graph @random_c1_high() -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{parameter 'high' is -1, needs at least low = 0}}
  %0 = sg.random() {kind = "uniform", shape = array<i64: 2>, high = -1.0 : f64} :
      () -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @random_c1_scale() -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{parameter 'scale' is -1, needs a number that is not negative}}
  %0 = sg.random() {kind = "normal", shape = array<i64: 2>, scale = -1.0 : f64} :
      () -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @random_c1_alpha() -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{parameter 'alpha' is 0, needs a positive number}}
  %0 = sg.random() {kind = "gamma", shape = array<i64: 2>, alpha = 0.0 : f64} :
      () -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @random_c1_beta() -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{parameter 'beta' is 0, needs a positive number}}
  %0 = sg.random() {kind = "gamma", shape = array<i64: 2>, beta = 0.0 : f64} :
      () -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @random_c1_rate() -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{parameter 'lam' is 0, needs a positive number}}
  %0 = sg.random() {kind = "exponential", shape = array<i64: 2>, lam = 0.0 : f64} :
      () -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @random_c1_lam() -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{parameter 'lam' is -1, needs a number that is not negative}}
  %0 = sg.random() {kind = "poisson", shape = array<i64: 2>, lam = -1.0 : f64} :
      () -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @random_c1_k() -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{parameter 'k' is -1, needs a number that is not negative}}
  %0 = sg.random() {kind = "negative_binomial", shape = array<i64: 2>, k = -1} :
      () -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @random_c1_p() -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{parameter 'p' is 2, needs a number above 0 and at most 1}}
  %0 = sg.random() {kind = "negative_binomial", shape = array<i64: 2>, p = 2.0 : f64} :
      () -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @random_c1_mu() -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{parameter 'mu' is -1, needs a number that is not negative}}
  %0 = sg.random() {kind = "generalized_negative_binomial", shape = array<i64: 2>, mu = -1.0 : f64} :
      () -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @random_c1_dispersion() -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{parameter 'alpha' is -1, needs a number that is not negative}}
  %0 = sg.random() {kind = "generalized_negative_binomial", shape = array<i64: 2>, alpha = -1.0 : f64} :
      () -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @random_c1() -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{parameter 'alpha' is -2, needs a positive number}}
  %0 = sg.random() {kind = "gamma", shape = array<i64: 2>, alpha = -2.0 : f64} :
      () -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @random_c2() -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{parameter 'shape' is (-2), needs extents of at least 0}}
  %0 = sg.random() {kind = "normal", shape = array<i64: -2>} :
      () -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @random_like_c1(%a0: tensor<2xf32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{parameter 'scale' is -1, needs a number that is not negative}}
  %0 = sg.random_like(%a0) {kind = "normal", scale = -1.0 : f64} :
      (tensor<2xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @random_int_c1() -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{parameter 'high' is 3, needs a number above low = 3}}
  %0 = sg.random_int() {low = 3.0 : f64, high = 3.0 : f64, shape = array<i64: 2>} :
      () -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @random_int_c2() -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{parameter 'high' is 5e+09, needs a number between -2^31 and 2^31, or dtype = int64}}
  %0 = sg.random_int() {low = 3.0 : f64, high = 5.0e9 : f64, shape = array<i64: 2>} :
      () -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @random_int_c2_wide() -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{parameter 'low' is -1e+18, needs a number between -2^53 and 2^53}}
  %0 = sg.random_int() {low = -1.0e18 : f64, high = 5.0e9 : f64, dtype = "int64", shape = array<i64: 2>} :
      () -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @sample_c1(%a0: tensor<2xf32>, %a1: tensor<3xf32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{second has shape [3] but needs [2]}}
  %0 = sg.sample(%a0, %a1) {kind = "normal"} :
      (tensor<2xf32>, tensor<3xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @multinomial_c1(%a0: tensor<f32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{data has no extents, needs at least 1}}
  %0 = sg.multinomial(%a0) :
      (tensor<f32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @multinomial_c2(%a0: tensor<3x300xf32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{parameter 'dtype' is uint8, which counts to 255, but there are 300 classes}}
  %0 = sg.multinomial(%a0) {dtype = "uint8"} :
      (tensor<3x300xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @shuffle_c1(%a0: tensor<f32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{data has no extents, needs at least 1}}
  %0 = sg.shuffle(%a0) :
      (tensor<f32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @numpy_draw_c1() -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{parameter 'a' is 0, needs a positive number}}
  %0 = sg.numpy_draw() {kind = "powerd", a = 0.0 : f64} : () -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @numpy_draw_c1_prob() -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{parameter 'prob' is 1.5, needs 0 to 1}}
  %0 = sg.numpy_draw() {kind = "bernoulli", prob = 1.5 : f64} : () -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @numpy_draw_c3() -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{has 0 tensors, but its parameters need 1}}
  %0 = sg.numpy_draw() {kind = "uniform", low = 1.0 : f64} : () -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @numpy_draw_c2_repeat(%a: tensor<3xf32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{parameter 'size' is [2, 1] but the parameters have shape [3]}}
  %0 = sg.numpy_draw(%a) {kind = "uniform", low = 1.0 : f64, size = array<i64: 2, 1>} : (tensor<3xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @numpy_draw_c2_fixed(%a: tensor<?xf32, #sg.extents<()[s0] -> (s0)>>) -> (tensor<*x!sg.unknown>)
    attributes {dim_names = ["n"], dim_min = array<i64: 1>, dim_max = array<i64: 9>} {
  // expected-error @+1 {{the parameters have shape [s0], needs a fixed one}}
  %0 = sg.numpy_draw(%a) {kind = "uniform", low = 1.0 : f64} : (tensor<?xf32, #sg.extents<()[s0] -> (s0)>>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @numpy_draw_c2() -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{parameter 'size' is (-2)}}
  %0 = sg.numpy_draw() {kind = "uniform", low = 0.0 : f64, high = 1.0 : f64, size = array<i64: -2>} : () -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @numpy_draw_placed_c1() -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{parameter 'a' is -1, needs a positive number}}
  %0 = sg.numpy_draw_placed() {kind = "pareto", a = -1.0 : f64} : () -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @numpy_draw_placed_c1_scale() -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{parameter 'scale' is -1, needs a number that is not negative}}
  %0 = sg.numpy_draw_placed() {kind = "gumbel", loc = 0.0 : f64, scale = -1.0 : f64} : () -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @numpy_draw_placed_c3(%a: tensor<3xf32>, %b: tensor<3xf32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{has 2 tensors, but its parameters need 1}}
  %0 = sg.numpy_draw_placed(%a, %b) {kind = "exponential"} : (tensor<3xf32>, tensor<3xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @numpy_draw_placed_c2() -> (tensor<3xf32>) {
  // expected-error @+1 {{has shape [3] but needs [2]}}
  %0 = sg.numpy_draw_placed() {kind = "normal", loc = 0.0 : f64, scale = 1.0 : f64, size = array<i64: 2>} : () -> tensor<3xf32>
  sg.heads %0 : tensor<3xf32>
}

// -----

sg.graph @unique_zipfian_c1() -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  // expected-error @+1 {{parameter 'shape' is (2), needs two extents of at least 1}}
  %0:2 = sg.unique_zipfian() {range_max = 9 : i64, shape = array<i64: 2>} : () -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>)
  sg.heads %0#0, %0#1 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}

// -----

sg.graph @unique_zipfian_c1_classes() -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  // expected-error @+1 {{parameter 'shape' is (2, 4), but range_max = 3 classes do not give as many different ones}}
  %0:2 = sg.unique_zipfian() {range_max = 3 : i64, shape = array<i64: 2, 4>} : () -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>)
  sg.heads %0#0, %0#1 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}

// -----

sg.graph @unique_zipfian_c2() -> (tensor<2x3xi64>, tensor<*x!sg.unknown>) {
  // expected-error @+1 {{output0 has shape [2, 3] but needs [2, 4]}}
  %0:2 = sg.unique_zipfian() {range_max = 9 : i64, shape = array<i64: 2, 4>} : () -> (tensor<2x3xi64>, tensor<*x!sg.unknown>)
  sg.heads %0#0, %0#1 : tensor<2x3xi64>, tensor<*x!sg.unknown>
}

// -----

sg.graph @numpy_gamma_c1() -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{parameter 'scale' is -1, needs a positive number}}
  %0 = sg.numpy_gamma() {shape = 2.0 : f64, scale = -1.0 : f64} : () -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @numpy_gamma_c2(%a: tensor<3xf32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{parameter 'size' is [1] but the parameters have shape [3]}}
  %0 = sg.numpy_gamma(%a) {scale = 1.0 : f64, size = array<i64: 1>} : (tensor<3xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @numpy_multinomial_c1() -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{parameter 'pvals' sums to 1.25, needs at most 1}}
  %0 = sg.numpy_multinomial() {n = 2 : i64, pvals = array<f64: 0.5, 0.75>} : () -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @numpy_multinomial_c2(%a: tensor<2x3xf32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{a has shape [2, 3], needs rank 1}}
  %0 = sg.numpy_multinomial(%a) {n = 2 : i64} : (tensor<2x3xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @numpy_multinomial_c3(%a: tensor<3xf32>) -> (tensor<2xi64>) {
  // expected-error @+1 {{output has shape [2] but needs [3]}}
  %0 = sg.numpy_multinomial(%a) {n = 2 : i64} : (tensor<3xf32>) -> tensor<2xi64>
  sg.heads %0 : tensor<2xi64>
}

// -----

sg.graph @numpy_choice_c1() -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{parameter 'a' is 0, needs at least 1}}
  %0 = sg.numpy_choice() {a = 0 : i64} : () -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @numpy_choice_c2(%a: tensor<3xf32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{the chances have shape [3], needs 4 of them}}
  %0 = sg.numpy_choice(%a) {a = 4 : i64, weighted = true} : (tensor<3xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @numpy_choice_c3() -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{draws 5 of 4 places without replacement}}
  %0 = sg.numpy_choice() {a = 4 : i64, size = array<i64: 5>, replace = false} : () -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @numpy_choice_c4() -> (tensor<2xi64>) {
  // expected-error @+1 {{output has shape [2] but needs [5]}}
  %0 = sg.numpy_choice() {a = 4 : i64, size = array<i64: 5>} : () -> tensor<2xi64>
  sg.heads %0 : tensor<2xi64>
}

// -----

sg.graph @numpy_gamma_c3() -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{has 0 tensors, but its parameters need 1}}
  %0 = sg.numpy_gamma() {scale = 1.0 : f64} : () -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @numpy_choice_c5(%a: tensor<3xf32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{has 1 tensors, but its parameters need 0}}
  %0 = sg.numpy_choice(%a) {a = 4 : i64} : (tensor<3xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}
