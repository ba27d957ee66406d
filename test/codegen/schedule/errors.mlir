// If this fails, a node without any kernel is a crash or a wrong program.
// RUN: symc-opt --kernel-choose-layouts --kernel-schedule -split-input-file -verify-diagnostics %s

sg.graph @main(%x: tensor<2x3xi1> {sg.name = "x"}) -> (tensor<2x3xi1>) {
  // expected-error @below {{node '' has no lowering for element type bool on target 'cpu'}}
  // expected-note @below {{see docs/generated/operators.md for what each operator supports}}
  %0 = sg.softmax(%x) {axis = 1 : i64} : (tensor<2x3xi1>) -> tensor<2x3xi1>
  sg.heads %0 : tensor<2x3xi1>
}

// -----

// The kernel is keyed by what it reads, and has no such result.
sg.graph @main(%x: tensor<2x3xf32> {sg.name = "x"}) -> (tensor<2x3xui16>) {
  // expected-error @below {{node '' has no lowering for element type uint16 on target 'cpu'}}
  // expected-note @below {{see docs/generated/operators.md for what each operator supports}}
  %0 = sg.argsort(%x) {dtype = "uint16"} : (tensor<2x3xf32>) -> tensor<2x3xui16>
  sg.heads %0 : tensor<2x3xui16>
}

// -----

// expected-error @below {{there is no graph @main to make a program of}}
module {
}

// -----

// Kernels keep extents in arrays of that length.
sg.graph @main(%x: tensor<2xf32> {sg.name = "x"}) -> (tensor<2xf32>) {
  %0 = sg.reshape(%x) {shape = array<i64: 2, 1, 1, 1, 1, 1, 1, 1, 1>} : (tensor<2xf32>) -> tensor<2x1x1x1x1x1x1x1x1xf32>
  // expected-error @below {{a tensor has rank 9, but the operator's kernel takes at most 8}}
  %1 = sg.sort(%0) {axis = 0 : i64} : (tensor<2x1x1x1x1x1x1x1x1xf32>) -> tensor<2x1x1x1x1x1x1x1x1xf32>
  %2 = sg.reshape(%1) {shape = array<i64: 2>} : (tensor<2x1x1x1x1x1x1x1x1xf32>) -> tensor<2xf32>
  sg.heads %2 : tensor<2xf32>
}

// -----

// expected-error @below {{an input of the graph has rank 9, programs take at most 8}}
sg.graph @main(%x: tensor<2x1x1x1x1x1x1x1x1xf32> {sg.name = "x"}) -> (tensor<2xf32>) {
  %0 = sg.reshape(%x) {shape = array<i64: 2>} : (tensor<2x1x1x1x1x1x1x1x1xf32>) -> tensor<2xf32>
  sg.heads %0 : tensor<2xf32>
}

// -----

sg.graph @main(%x: tensor<140737488355328xf32> {sg.name = "x"}) -> (tensor<140737488355328xf32>) {
  // expected-error @below {{its kernel would work in more than 140737488355328 bytes}}
  %0 = sg.sort(%x) {axis = 0 : i64} : (tensor<140737488355328xf32>) -> tensor<140737488355328xf32>
  sg.heads %0 : tensor<140737488355328xf32>
}

// -----

sg.weight @w : tensor<140737488355328xf32> {random = 1 : i64}
sg.graph @main(%x: tensor<140737488355328xf32> {sg.name = "x"}) -> (tensor<140737488355328xf32>) {
  // expected-error @below {{the weights up to this one take more than 140737488355328 bytes once they are packed}}
  %w = sg.parameter @w : tensor<140737488355328xf32>
  %0 = sg.binary(%x, %w) {fn = "add"} : (tensor<140737488355328xf32>, tensor<140737488355328xf32>) -> tensor<140737488355328xf32>
  sg.heads %0 : tensor<140737488355328xf32>
}

// -----

sg.graph @main(%x: tensor<3xf32> {sg.name = "x"}) -> (tensor<3xf32>) {
  // expected-error @below {{the module has no weight 'w'}}
  %w = sg.parameter @w : tensor<3xf32>
  %0 = sg.binary(%x, %w) {fn = "add"} : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  sg.heads %0 : tensor<3xf32>
}

// -----

// expected-error @below {{a tensor of the graph has size s1, which has no range (dim_min, dim_max)}}
sg.graph @main(%x: tensor<?x?xf32, #sg.extents<()[s0, s1] -> (s0, s1)>> {sg.name = "x"}) -> (tensor<?x?xf32, #sg.extents<()[s0, s1] -> (s0, s1)>>)
    attributes {dim_min = array<i64: 1>, dim_max = array<i64: 9>} {
  sg.heads %x : tensor<?x?xf32, #sg.extents<()[s0, s1] -> (s0, s1)>>
}

// -----

// expected-error @below {{'sg.graph' op has 0 minima and 1 maxima of symbolic sizes}}
sg.graph @main(%x: tensor<2xf32>) -> (tensor<2xf32>) attributes {dim_max = array<i64: 9>} {
  sg.heads %x : tensor<2xf32>
}

// -----

// expected-error @below {{'sg.graph' op has a symbolic size s0 from 9 to 8}}
sg.graph @main(%x: tensor<2xf32>) -> (tensor<2xf32>) attributes {dim_min = array<i64: 9>, dim_max = array<i64: 8>} {
  sg.heads %x : tensor<2xf32>
}
