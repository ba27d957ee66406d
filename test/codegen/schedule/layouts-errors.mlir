// If this fails, a layout that nothing can follow gets past kernel-choose-layouts, or a graph
// without layouts is scheduled as if all its values lay in rows.
// RUN: symc-opt -split-input-file -verify-diagnostics --kernel-schedule %s

// expected-error @below {{kernel-schedule: graph 'main' has no layouts; kernel-choose-layouts sets them}}
sg.graph @main(%x: tensor<2x3xf32>) -> (tensor<2x3xf32>) {
  %0 = sg.unary(%x) {fn = "relu"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  sg.heads %0 : tensor<2x3xf32>
}

// -----

// expected-error @below {{kernel.layouts needs a #kernel.layout for each of 1 values}}
sg.graph @main(%x: tensor<2x3xf32>) -> (tensor<2x3xf32>) attributes {kernel.layouts = []} {
  %0 = sg.unary(%x) {fn = "relu"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  sg.heads %0 : tensor<2x3xf32>
}

// -----

sg.graph @main(%x: tensor<2x3xf32>) -> (tensor<2x3xf32>) attributes {kernel.layouts = [#kernel.layout<plain>]} {
  // expected-error @below {{kernel.layouts needs a #kernel.layout for each of 1 values}}
  %0 = sg.unary(%x) {fn = "relu", kernel.layouts = [3]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  sg.heads %0 : tensor<2x3xf32>
}

// -----

sg.graph @main(%x: tensor<2x3xf32>) -> (tensor<2x6xf32>) attributes {kernel.layouts = [#kernel.layout<plain>]} {
  // expected-error @below {{kernel.places needs a channel or -1 for each of 2 operands}}
  %0 = sg.concat(%x, %x) {dim = 1 : i64, num_args = 2 : i64, kernel.places = array<i64: 0, -2>} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x6xf32>
  sg.heads %0 : tensor<2x6xf32>
}

// -----

// expected-error @below {{a layout is blocked or plain, with a halo of at least 0, found rows, 0 and 0}}
sg.graph @main(%x: tensor<2x3xf32>) -> (tensor<2x3xf32>) attributes {kernel.layouts = [#kernel.layout<rows>]} {
  sg.heads %x : tensor<2x3xf32>
}
