// RUN: symc-opt --sg-infer-shapes --sg-infer-types -split-input-file -verify-diagnostics=only-expected %s
// Each constraint of Trees.td.

sg.graph @tree_leaves_c1(%x: tensor<6xf32>, %s: tensor<7xf32>, %n: tensor<7x4xi64>, %r: tensor<2xi64>) -> (tensor<*xi64>) {
  // expected-error @+1 {{data has shape [6] but needs [?, ?]}}
  %0 = sg.tree_leaves(%x, %s, %n, %r) : (tensor<6xf32>, tensor<7xf32>, tensor<7x4xi64>, tensor<2xi64>) -> tensor<*xi64>
  sg.heads %0 : tensor<*xi64>
}

// -----

sg.graph @tree_leaves_c2(%x: tensor<6x3xf32>, %s: tensor<7xf32>, %n: tensor<6x4xi64>, %r: tensor<2xi64>) -> (tensor<*xi64>) {
  // expected-error @+1 {{nodes has shape [6, 4] but needs [7, 4]}}
  %0 = sg.tree_leaves(%x, %s, %n, %r) : (tensor<6x3xf32>, tensor<7xf32>, tensor<6x4xi64>, tensor<2xi64>) -> tensor<*xi64>
  sg.heads %0 : tensor<*xi64>
}

// -----

sg.graph @tree_leaves_c3(%x: tensor<6x3xf32>, %s: tensor<7xf32>, %n: tensor<7x4xi64>, %r: tensor<2xi64>) -> (tensor<6x3xi64>) {
  // expected-error @+1 {{output has shape [6, 3] but needs [6, 2]}}
  %0 = sg.tree_leaves(%x, %s, %n, %r) : (tensor<6x3xf32>, tensor<7xf32>, tensor<7x4xi64>, tensor<2xi64>) -> tensor<6x3xi64>
  sg.heads %0 : tensor<6x3xi64>
}

// -----

sg.graph @tree_leaves_c4(%x: tensor<6x3xf32>, %s: tensor<7xf64>, %n: tensor<7x4xi64>, %r: tensor<2xi64>) -> (tensor<6x2xi64>) {
  // expected-error @+1 {{splits has element type float64 but needs float32}}
  %0 = sg.tree_leaves(%x, %s, %n, %r) : (tensor<6x3xf32>, tensor<7xf64>, tensor<7x4xi64>, tensor<2xi64>) -> tensor<6x2xi64>
  sg.heads %0 : tensor<6x2xi64>
}
