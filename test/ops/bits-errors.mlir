// RUN: symc-opt --sg-infer-shapes --sg-infer-types -split-input-file -verify-diagnostics=only-expected %s
// Each constraint of Bits.td.

sg.graph @bit_cast_c1(%a: tensor<5x3xf32>) -> (tensor<5x2xi32>) {
  // expected-error @+1 {{output has shape [5, 2] but needs [5, 3]}}
  %0 = sg.bit_cast(%a) {dtype = "int32"} : (tensor<5x3xf32>) -> tensor<5x2xi32>
  sg.heads %0 : tensor<5x2xi32>
}

// -----

sg.graph @bit_cast_c2(%a: tensor<5x3xf32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{data has element type float32 and dtype is int64, needs types of one width}}
  %0 = sg.bit_cast(%a) {dtype = "int64"} : (tensor<5x3xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}
