// RUN: symc-opt --sg-infer-shapes --sg-infer-types -split-input-file -verify-diagnostics=only-expected %s
// Shapes that do not fit an update step.

sg.graph @sgd_update_c1(%a: tensor<3xf32>, %b: tensor<4xf32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{grad has shape [4] but needs [3]}}
  %0 = sg.sgd_update(%a, %b) {lr = 0.1 : f64} :
      (tensor<3xf32>, tensor<4xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @lamb_update_phase2_c1(%a: tensor<3xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>, %d: tensor<1xf32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{r1 has shape [3] but needs [1]}}
  %0 = sg.lamb_update_phase2(%a, %b, %c, %d) {lr = 0.1 : f64} :
      (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<1xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @multi_lars_c1(%a: tensor<3xf32>, %b: tensor<4xf32>, %c: tensor<3xf32>, %d: tensor<3xf32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{weights_sum_sq has shape [4] but needs [3]}}
  %0 = sg.multi_lars(%a, %b, %c, %d) {eta = 0.1 : f64, eps = 0.0 : f64} :
      (tensor<3xf32>, tensor<4xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @multi_sum_sq_c1(%a: tensor<3xf32>, %b: tensor<4xf32>) -> (tensor<1xf32>) {
  // expected-error @+1 {{output has shape [1] but needs [2]}}
  %0 = sg.multi_sum_sq(%a, %b) {num_arrays = 2 : i64} :
      (tensor<3xf32>, tensor<4xf32>) -> tensor<1xf32>
  sg.heads %0 : tensor<1xf32>
}

// -----

sg.graph @all_finite_c1(%a: tensor<3xf32>) -> (tensor<3xf32>) {
  // expected-error @+1 {{output has shape [3] but needs [1]}}
  %0 = sg.all_finite(%a) :
      (tensor<3xf32>) -> tensor<3xf32>
  sg.heads %0 : tensor<3xf32>
}

// -----

sg.graph @mixed_types(%a: tensor<3xf16>, %b: tensor<3xf16>, %c: tensor<3xf16>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  // expected-error @+1 {{weight32 has element type float16 but needs float32}}
  %0:2 = sg.mp_sgd_update(%a, %b, %c) {lr = 0.1 : f64} :
      (tensor<3xf16>, tensor<3xf16>, tensor<3xf16>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>)
  sg.heads %0#0, %0#1 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}
