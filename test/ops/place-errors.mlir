// RUN: symc-opt --sg-infer-shapes --sg-infer-types -split-input-file -verify-diagnostics=only-expected %s
// Each constraint of operators on places.

sg.graph @unravel_index_c1(%a: tensor<5xi64>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{parameter 'shape' is (3, 0), needs extents of at least 1 (the first may be -1)}}
  %0 = sg.unravel_index(%a) {shape = array<i64: 3, 0>} :
      (tensor<5xi64>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @histogram_c1(%a: tensor<9xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  // expected-error @+1 {{parameter 'bin_cnt' is given and 'range' is not, needs both or none}}
  %0:2 = sg.histogram(%a) {bin_cnt = 6 : i64} :
      (tensor<9xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>)
  sg.heads %0#0, %0#1 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}

// -----

sg.graph @histogram_c1_range(%a: tensor<9xf32>, %b: tensor<3xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  // expected-error @+1 {{parameter 'range' is given and 'bin_cnt' is not, needs both or none}}
  %0:2 = sg.histogram(%a, %b) {range = array<f64: 0.0, 1.0>} :
      (tensor<9xf32>, tensor<3xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>)
  sg.heads %0#0, %0#1 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}

// -----

sg.graph @histogram_c1_count(%a: tensor<9xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  // expected-error @+1 {{parameter 'bin_cnt' is 0, needs at least 1}}
  %0:2 = sg.histogram(%a) {bin_cnt = 0 : i64, range = array<f64: 0.0, 1.0>} :
      (tensor<9xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>)
  sg.heads %0#0, %0#1 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}

// -----

sg.graph @histogram_c1_rising(%a: tensor<9xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  // expected-error @+1 {{parameter 'range' needs two rising numbers}}
  %0:2 = sg.histogram(%a) {bin_cnt = 2 : i64, range = array<f64: 1.0, 1.0>} :
      (tensor<9xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>)
  sg.heads %0#0, %0#1 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}

// -----

sg.graph @unravel_index_c2(%a: tensor<5xi64>) -> (tensor<3x5xi64>) {
  // expected-error @+1 {{output has shape [3, 5] but needs [2, 5]}}
  %0 = sg.unravel_index(%a) {shape = array<i64: 3, 4>} :
      (tensor<5xi64>) -> tensor<3x5xi64>
  sg.heads %0 : tensor<3x5xi64>
}

// -----

sg.graph @index_array_c1(%a: tensor<5x3xf32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{axis 2 is outside data's shape [5, 3]}}
  %0 = sg.index_array(%a) {axes = array<i64: 2>} :
      (tensor<5x3xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @index_array_c2(%a: tensor<5x3xf32>) -> (tensor<5x3x1xi64>) {
  // expected-error @+1 {{output has shape [5, 3, 1] but needs [5, 3, 2]}}
  %0 = sg.index_array(%a) :
      (tensor<5x3xf32>) -> tensor<5x3x1xi64>
  sg.heads %0 : tensor<5x3x1xi64>
}

// -----

sg.graph @index_copy_c1(%a: tensor<5x3xf32>, %b: tensor<2xi64>, %c: tensor<3x3xf32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{new_tensor has shape [3, 3] but needs [2, 3]}}
  %0 = sg.index_copy(%a, %b, %c) :
      (tensor<5x3xf32>, tensor<2xi64>, tensor<3x3xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @index_copy_c1_rank(%a: tensor<f32>, %b: tensor<2xi64>, %c: tensor<3x3xf32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{old_tensor has shape [], needs at least one extent}}
  %0 = sg.index_copy(%a, %b, %c) :
      (tensor<f32>, tensor<2xi64>, tensor<3x3xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @index_copy_c2(%a: tensor<5x3xf32>, %b: tensor<2xi64>, %c: tensor<2x3xf32>) -> (tensor<2x3xf32>) {
  // expected-error @+1 {{output has shape [2, 3] but needs [5, 3]}}
  %0 = sg.index_copy(%a, %b, %c) :
      (tensor<5x3xf32>, tensor<2xi64>, tensor<2x3xf32>) -> tensor<2x3xf32>
  sg.heads %0 : tensor<2x3xf32>
}

// -----

sg.graph @histogram_c2(%a: tensor<29xf32>, %b: tensor<1xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  // expected-error @+1 {{bins has shape [1], needs at least 2 bounds [B + 1]}}
  %0:2 = sg.histogram(%a, %b) :
      (tensor<29xf32>, tensor<1xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>)
  sg.heads %0#0, %0#1 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}

// -----

sg.graph @histogram_c3(%a: tensor<29xf32>) -> (tensor<5xi64>, tensor<*x!sg.unknown>) {
  // expected-error @+1 {{output0 has shape [5] but needs [6]}}
  %0:2 = sg.histogram(%a) {bin_cnt = 6 : i64, range = array<f64: -2.0, 2.0>} :
      (tensor<29xf32>) -> (tensor<5xi64>, tensor<*x!sg.unknown>)
  sg.heads %0#0, %0#1 : tensor<5xi64>, tensor<*x!sg.unknown>
}

// -----

sg.graph @hawkesll_c1(%a: tensor<2x3xf32>, %b: tensor<4xf32>, %c: tensor<*x!sg.unknown>, %d: tensor<*x!sg.unknown>, %e: tensor<2x7xf32>, %f: tensor<*x!sg.unknown>, %g: tensor<*x!sg.unknown>, %h: tensor<*x!sg.unknown>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  // expected-error @+1 {{alpha has shape [4] but needs [3]}}
  %0:2 = sg.hawkesll(%a, %b, %c, %d, %e, %f, %g, %h) :
      (tensor<2x3xf32>, tensor<4xf32>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<2x7xf32>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>)
  sg.heads %0#0, %0#1 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}

// -----

sg.graph @hawkesll_gradient_c1(%a: tensor<2x3xf32>, %b: tensor<*x!sg.unknown>, %c: tensor<*x!sg.unknown>, %d: tensor<*x!sg.unknown>, %e: tensor<2x7xf32>, %f: tensor<*x!sg.unknown>, %g: tensor<*x!sg.unknown>, %h: tensor<*x!sg.unknown>, %i: tensor<3xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  // expected-error @+1 {{gradient has shape [3] but needs [2]}}
  %0:3 = sg.hawkesll_gradient(%a, %b, %c, %d, %e, %f, %g, %h, %i) :
      (tensor<2x3xf32>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<2x7xf32>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<3xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>)
  sg.heads %0#0, %0#1, %0#2 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}
