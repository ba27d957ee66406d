// RUN: symc-opt --sg-infer-shapes --sg-infer-types -split-input-file -verify-diagnostics=only-expected %s
// Each constraint of operators that measure whole tensors.

sg.graph @allclose_c1(%a: tensor<2xf32>, %b: tensor<3xf32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{b has shape [3] but needs [2]}}
  %0 = sg.allclose(%a, %b) : (tensor<2xf32>, tensor<3xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @allclose_c2(%a: tensor<2xf32>, %b: tensor<2xf32>) -> (tensor<2xui8>) {
  // expected-error @+1 {{output has shape [2] but needs []}}
  %0 = sg.allclose(%a, %b) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xui8>
  sg.heads %0 : tensor<2xui8>
}

// -----

sg.graph @calibrate_entropy_c1(%a: tensor<9xf32>, %b: tensor<10xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  // expected-error @+1 {{parameter 'num_quantized_bins' is 0, needs at least 1}}
  %0:2 = sg.calibrate_entropy(%a, %b) {num_quantized_bins = 0 : i64} : (tensor<9xf32>, tensor<10xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>)
  sg.heads %0#0, %0#1 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}

// -----

sg.graph @calibrate_entropy_c2(%a: tensor<8xf32>, %b: tensor<9xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  // expected-error @+1 {{hist has shape [8], needs an odd number of ranges, at least num_quantized_bins = 5}}
  %0:2 = sg.calibrate_entropy(%a, %b) {num_quantized_bins = 5 : i64} : (tensor<8xf32>, tensor<9xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>)
  sg.heads %0#0, %0#1 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}

// -----

sg.graph @calibrate_entropy_c3(%a: tensor<9xf32>, %b: tensor<9xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  // expected-error @+1 {{hist_edges has shape [9] but needs [10]}}
  %0:2 = sg.calibrate_entropy(%a, %b) {num_quantized_bins = 5 : i64} : (tensor<9xf32>, tensor<9xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>)
  sg.heads %0#0, %0#1 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}
