// RUN: symc-opt --sg-infer-shapes --sg-infer-types -split-input-file -verify-diagnostics=only-expected %s
// Parts that are assigned to must lie within the tensor and fit.

sg.graph @slice_assign_c1(%a: tensor<4x5xf32>, %b: tensor<1x2xf32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{the part along axis 0 of lhs's shape [4, 5] is empty}}
  %0 = sg.slice_assign(%a, %b) {begin = array<i64: 5, 0>, end = array<i64: 6, 2>} :
      (tensor<4x5xf32>, tensor<1x2xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @slice_assign_c2(%a: tensor<4x5xf32>, %b: tensor<2x2xf32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{rhs has shape [2, 2] but needs [2, 3]}}
  %0 = sg.slice_assign(%a, %b) {begin = array<i64: 1, 1>, end = array<i64: 3, 4>} :
      (tensor<4x5xf32>, tensor<2x2xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @slice_assign_scalar_c1(%a: tensor<4x5xf32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{begin and end name 3 axes but data has shape [4, 5]}}
  %0 = sg.slice_assign_scalar(%a) {begin = array<i64: 0, 0, 0>, end = array<i64: 1, 1, 1>} :
      (tensor<4x5xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @slice_assign_scalar_c2(%a: tensor<4x5xf32>) -> (tensor<5x4xf32>) {
  // expected-error @+1 {{output has shape [5, 4] but needs [4, 5]}}
  %0 = sg.slice_assign_scalar(%a) {begin = array<i64: 0>, end = array<i64: 1>} :
      (tensor<4x5xf32>) -> tensor<5x4xf32>
  sg.heads %0 : tensor<5x4xf32>
}
