// RUN: symc-opt --sg-infer-shapes -split-input-file -verify-diagnostics=only-expected %s
// Each constraint of a sequence operator is an error that names both shapes.

sg.graph @sequence_mask_c1(%a: tensor<5xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{data has shape [5], needs at least two extents}}
  %0 = sg.sequence_mask(%a) : (tensor<5xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @sequence_mask_c2(%a: tensor<5x2xf32>, %b: tensor<5xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{sequence_length has shape [5] but needs [2]}}
  %0 = sg.sequence_mask(%a, %b) {use_sequence_length = true} :
      (tensor<5x2xf32>, tensor<5xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @sequence_mask_c3(%a: tensor<5x2xf32>) -> (tensor<2x5xf32>) {
  // expected-error @+1 {{output has shape [2, 5] but needs [5, 2]}}
  %0 = sg.sequence_mask(%a) : (tensor<5x2xf32>) -> tensor<2x5xf32>
  sg.heads %0 : tensor<2x5xf32>
}

// -----

sg.graph @sequence_last_c1(%a: tensor<5xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{data has shape [5], needs at least two extents}}
  %0 = sg.sequence_last(%a) : (tensor<5xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @sequence_last_c2(%a: tensor<5x2xf32>, %b: tensor<5xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{sequence_length has shape [5] but needs [2]}}
  %0 = sg.sequence_last(%a, %b) {use_sequence_length = true} :
      (tensor<5x2xf32>, tensor<5xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @sequence_last_c3(%a: tensor<5x2xf32>) -> (tensor<2x5xf32>) {
  // expected-error @+1 {{output has shape [2, 5] but needs [2]}}
  %0 = sg.sequence_last(%a) : (tensor<5x2xf32>) -> tensor<2x5xf32>
  sg.heads %0 : tensor<2x5xf32>
}

// -----

sg.graph @sequence_reverse_c1(%a: tensor<5xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{data has shape [5], needs at least two extents}}
  %0 = sg.sequence_reverse(%a) : (tensor<5xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @sequence_reverse_c2(%a: tensor<5x2xf32>, %b: tensor<5xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{sequence_length has shape [5] but needs [2]}}
  %0 = sg.sequence_reverse(%a, %b) {use_sequence_length = true} :
      (tensor<5x2xf32>, tensor<5xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @sequence_reverse_c3(%a: tensor<5x2xf32>) -> (tensor<2x5xf32>) {
  // expected-error @+1 {{output has shape [2, 5] but needs [5, 2]}}
  %0 = sg.sequence_reverse(%a) : (tensor<5x2xf32>) -> tensor<2x5xf32>
  sg.heads %0 : tensor<2x5xf32>
}
