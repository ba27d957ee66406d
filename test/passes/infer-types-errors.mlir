// If this fails, mixed element types are found late or not at all.
// RUN: symc-opt --sg-infer-types -split-input-file -verify-diagnostics %s

sg.graph @main(
    // expected-note @below {{lhs is argument 'a', element type float32}}
    %a: tensor<2xf32> {sg.name = "a"},
    // expected-note @below {{rhs is argument 'b', element type float64}}
    %b: tensor<2xf64> {sg.name = "b"}) -> (tensor<2x!sg.unknown>) {
  // expected-error @below {{has element type}}
  %0 = sg.binary(%a, %b) {fn = "add"} : (tensor<2xf32>, tensor<2xf64>) -> tensor<2x!sg.unknown>
  sg.heads %0 : tensor<2x!sg.unknown>
}

// -----

// The clash arrives through a node that only passes types on.
sg.graph @main(
    // expected-note @below {{lhs is argument 'a', element type float32}}
    %a: tensor<2xf32> {sg.name = "a"}, %b: tensor<2xi32> {sg.name = "b"}) -> (tensor<2x!sg.unknown>) {
  // expected-note@unknown {{rhs is output 0 of node 'n', element type int32}}
  %0 = sg.unary(%b) {fn = "relu"} : (tensor<2xi32>) -> tensor<2x!sg.unknown> loc("n")
  // expected-error @below {{has element type}}
  %1 = sg.binary(%a, %0) {fn = "add"} : (tensor<2xf32>, tensor<2x!sg.unknown>) -> tensor<2x!sg.unknown>
  sg.heads %1 : tensor<2x!sg.unknown>
}
