// RUN: symc-opt --sg-infer-shapes -split-input-file -verify-diagnostics=only-expected %s
// Each constraint of Fourier.td.

sg.graph @dft_c1(%a: tensor<3x10x3xf32>, %w: tensor<10x2xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{data has shape [3, 10, 3], needs a fixed extent and behind it 1 or 2 numbers for each element}}
  %0 = sg.dft(%a, %w) : (tensor<3x10x3xf32>, tensor<10x2xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @dft_c2(%a: tensor<3x14x1xf32>, %w: tensor<14x2xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{waves has shape [14, 2], needs [L, 2], where L is a product of factors 2, 3 and 5}}
  %0 = sg.dft(%a, %w) : (tensor<3x14x1xf32>, tensor<14x2xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @dft_c3(%a: tensor<9x1xf32>, %w: tensor<16x2xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{data has shape [9, 1], but half of a spectrum has real and imaginary parts}}
  %0 = sg.dft(%a, %w) {inverse = true, onesided = true} : (tensor<9x1xf32>, tensor<16x2xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @dft_c4(%a: tensor<8x2xf32>, %w: tensor<8x2xf32>) -> (tensor<5x2xf32>) {
  // expected-error @+1 {{output has shape [5, 2] but needs [8, 2]}}
  %0 = sg.dft(%a, %w) : (tensor<8x2xf32>, tensor<8x2xf32>) -> tensor<5x2xf32>
  sg.heads %0 : tensor<5x2xf32>
}
