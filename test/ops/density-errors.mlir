// RUN: symc-opt --sg-infer-shapes -split-input-file -verify-diagnostics=only-expected %s
// Places that do not lie under the parameters are an error.

sg.graph @random_pdf_c1(%a: tensor<2x3xf32>, %b: tensor<2xf32>, %c: tensor<3xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{needs [3]}}
  %0 = sg.random_pdf(%a, %b, %c) {kind = "normal"} :
      (tensor<2x3xf32>, tensor<2xf32>, tensor<3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @random_pdf_c1_sample(%a: tensor<2x3xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{sample has shape [2, 3], which does not begin with the parameters' shape [3]}}
  %0 = sg.random_pdf(%a, %b, %c) {kind = "normal"} :
      (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @random_pdf_c2(%a: tensor<2x3xf32>, %b: tensor<2xf32>, %c: tensor<2xf32>) -> (tensor<2xf32>) {
  // expected-error @+1 {{needs [2, 3]}}
  %0 = sg.random_pdf(%a, %b, %c) {kind = "normal"} :
      (tensor<2x3xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  sg.heads %0 : tensor<2xf32>
}

// -----

sg.graph @random_pdf_one_c1(%a: tensor<2x3xf32>, %b: tensor<3xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{which does not begin with the parameters' shape [3]}}
  %0 = sg.random_pdf_one(%a, %b) {kind = "poisson"} :
      (tensor<2x3xf32>, tensor<3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @random_pdf_one_c2(%a: tensor<2x3xf32>, %b: tensor<2xf32>) -> (tensor<2xf32>) {
  // expected-error @+1 {{needs [2, 3]}}
  %0 = sg.random_pdf_one(%a, %b) {kind = "poisson"} :
      (tensor<2x3xf32>, tensor<2xf32>) -> tensor<2xf32>
  sg.heads %0 : tensor<2xf32>
}

// -----

sg.graph @random_pdf_dirichlet_c1(%a: tensor<2x3x4xf32>, %b: tensor<2x5xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{which does not begin with the parameters' shape [2, 5]}}
  %0 = sg.random_pdf_dirichlet(%a, %b) :
      (tensor<2x3x4xf32>, tensor<2x5xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @random_pdf_dirichlet_c2(%a: tensor<2x3x4xf32>, %b: tensor<2x4xf32>) -> (tensor<2x4xf32>) {
  // expected-error @+1 {{needs [2, 3]}}
  %0 = sg.random_pdf_dirichlet(%a, %b) :
      (tensor<2x3x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  sg.heads %0 : tensor<2x4xf32>
}
