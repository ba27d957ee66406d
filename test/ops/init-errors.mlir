// RUN: symc-opt --sg-infer-shapes -split-input-file -verify-diagnostics=only-expected %s
// Each constraint of a made tensor is an error that names both shapes.

sg.graph @full_c1() -> (tensor<2x4xf32>) {
  // expected-error @+1 {{output has shape [2, 4] but needs [2, 3]}}
  %0 = sg.full() {shape = array<i64: 2, 3>, value = 1.0} : () -> tensor<2x4xf32>
  sg.heads %0 : tensor<2x4xf32>
}

// -----

sg.graph @arange_c2() -> (tensor<4xf32>) {
  // expected-error @+1 {{output has shape [4] but needs [5]}}
  %0 = sg.arange() {start = 5.0} : () -> tensor<4xf32>
  sg.heads %0 : tensor<4xf32>
}

// -----

sg.graph @arange_like_c1(%a: tensor<2x3xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{axis 2 is outside data's shape [2, 3]}}
  %0 = sg.arange_like(%a) {axis = 2} : (tensor<2x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @arange_like_c2(%a: tensor<2x3xf32>) -> (tensor<6xf32>) {
  // expected-error @+1 {{output has shape [6] but needs [2, 3]}}
  %0 = sg.arange_like(%a) : (tensor<2x3xf32>) -> tensor<6xf32>
  sg.heads %0 : tensor<6xf32>
}

// -----

sg.graph @eye_c1() -> (tensor<3x4xf32>) {
  // expected-error @+1 {{output has shape [3, 4] but needs [3, 3]}}
  %0 = sg.eye() {N = 3} : () -> tensor<3x4xf32>
  sg.heads %0 : tensor<3x4xf32>
}

// -----

sg.graph @linspace_c1() -> (tensor<4xf32>) {
  // expected-error @+1 {{output has shape [4] but needs [5]}}
  %0 = sg.linspace() {start = 0.0, stop = 1.0, num = 5} : () -> tensor<4xf32>
  sg.heads %0 : tensor<4xf32>
}

// -----

sg.graph @full_c1_negative() -> (tensor<*xf32>) {
  // expected-error @+1 {{parameter 'shape' has the extent -2, needs extents of at least 0}}
  %0 = sg.full() {shape = array<i64: -2>, value = 1.0} : () -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @arange_c1() -> (tensor<*xf32>) {
  // expected-error @+1 {{parameter 'step' is 0, needs a number other than 0}}
  %0 = sg.arange() {start = 0.0, stop = 5.0, step = 0.0} : () -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @arange_c1_repeat() -> (tensor<*xf32>) {
  // expected-error @+1 {{parameter 'repeat' is 0, needs at least 1}}
  %0 = sg.arange() {start = 0.0, stop = 5.0, repeat = 0} : () -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @arange_c1_direction() -> (tensor<*xf32>) {
  // expected-error @+1 {{start 0, stop 5 and step -1 give no range; stop must lie in the direction of step}}
  %0 = sg.arange() {start = 0.0, stop = 5.0, step = -1.0} : () -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @arange_c1_many() -> (tensor<*xf32>) {
  // expected-error @+1 {{start 0, stop 1e+06 and step 1 give 1e+06 numbers with repeat 1000000, more than 2147483647}}
  %0 = sg.arange() {start = 0.0, stop = 1000000.0, repeat = 1000000} : () -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}
