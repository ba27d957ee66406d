// RUN: symc-opt --sg-infer-shapes -split-input-file -verify-diagnostics=only-expected %s
// Each constraint of choice by index is an error that says what was found and what is needed.

sg.graph @take_c1(%a: tensor<3x5xf32>, %b: tensor<2xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{axis 2 is outside a's shape [3, 5]}}
  %0 = sg.take(%a, %b) {axis = 2} : (tensor<3x5xf32>, tensor<2xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @take_c2(%a: tensor<3x5xf32>, %b: tensor<2xf32>) -> (tensor<2x3xf32>) {
  // expected-error @+1 {{output has shape [2, 3] but needs [2, 5]}}
  %0 = sg.take(%a, %b) : (tensor<3x5xf32>, tensor<2xf32>) -> tensor<2x3xf32>
  sg.heads %0 : tensor<2x3xf32>
}

// -----

sg.graph @batch_take_c1(%a: tensor<6xf32>, %b: tensor<6xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{a has shape [6], needs rank 2}}
  %0 = sg.batch_take(%a, %b) : (tensor<6xf32>, tensor<6xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @batch_take_c2(%a: tensor<6x4xf32>, %b: tensor<4xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{indices has shape [4] but needs [6]}}
  %0 = sg.batch_take(%a, %b) : (tensor<6x4xf32>, tensor<4xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @pick_c1(%a: tensor<4x5xf32>, %b: tensor<4xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{axis 2 is outside data's shape [4, 5]}}
  %0 = sg.pick(%a, %b) {axis = 2} : (tensor<4x5xf32>, tensor<4xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @pick_c2(%a: tensor<4x5xf32>, %b: tensor<5xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{index has shape [5] but needs [4]}}
  %0 = sg.pick(%a, %b) : (tensor<4x5xf32>, tensor<5xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @pick_c3(%a: tensor<4x5xf32>, %b: tensor<4xf32>) -> (tensor<5xf32>) {
  // expected-error @+1 {{output has shape [5] but needs [4]}}
  %0 = sg.pick(%a, %b) : (tensor<4x5xf32>, tensor<4xf32>) -> tensor<5xf32>
  sg.heads %0 : tensor<5xf32>
}

// -----

sg.graph @one_hot_c1(%a: tensor<5xf32>) -> (tensor<5x5xf32>) {
  // expected-error @+1 {{output has shape [5, 5] but needs [5, 6]}}
  %0 = sg.one_hot(%a) {depth = 6} : (tensor<5xf32>) -> tensor<5x5xf32>
  sg.heads %0 : tensor<5x5xf32>
}

// -----

sg.graph @gather_nd_c1(%a: tensor<4x5xf32>, %b: tensor<3x2xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{indices has shape [3, 2], needs a first extent between 1 and the rank 2 of what it points into}}
  %0 = sg.gather_nd(%a, %b) : (tensor<4x5xf32>, tensor<3x2xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @gather_nd_c2(%a: tensor<4x5xf32>, %b: tensor<1x2xf32>) -> (tensor<2x4xf32>) {
  // expected-error @+1 {{output has shape [2, 4] but needs [2, 5]}}
  %0 = sg.gather_nd(%a, %b) : (tensor<4x5xf32>, tensor<1x2xf32>) -> tensor<2x4xf32>
  sg.heads %0 : tensor<2x4xf32>
}

// -----

sg.graph @scatter_nd_c1(%a: tensor<4x2xf32>, %b: tensor<1x4xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{data has shape [4, 2] but needs [4, 3]}}
  %0 = sg.scatter_nd(%a, %b) {shape = array<i64: 6, 3>} :
      (tensor<4x2xf32>, tensor<1x4xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @scatter_nd_c2(%a: tensor<4x3xf32>, %b: tensor<1x4xf32>) -> (tensor<5x3xf32>) {
  // expected-error @+1 {{output has shape [5, 3] but needs [6, 3]}}
  %0 = sg.scatter_nd(%a, %b) {shape = array<i64: 6, 3>} :
      (tensor<4x3xf32>, tensor<1x4xf32>) -> tensor<5x3xf32>
  sg.heads %0 : tensor<5x3xf32>
}

// -----

sg.graph @topk_c1(%a: tensor<2x5xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{axis 2 is outside data's shape [2, 5]}}
  %0 = sg.topk(%a) {axis = 2} : (tensor<2x5xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @topk_c2(%a: tensor<2x5xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{k is 6 but data has shape [2, 5] with only 5 elements to choose from}}
  %0 = sg.topk(%a) {k = 6} : (tensor<2x5xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @topk_c3(%a: tensor<2x5xf32>) -> (tensor<2x5xf32>) {
  // expected-error @+1 {{has shape [2, 5] but needs [2, 2]}}
  %0 = sg.topk(%a) {k = 2} : (tensor<2x5xf32>) -> tensor<2x5xf32>
  sg.heads %0 : tensor<2x5xf32>
}

// -----

sg.graph @sort_c1(%a: tensor<2x5xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{axis 2 is outside data's shape [2, 5]}}
  %0 = sg.sort(%a) {axis = 2} : (tensor<2x5xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @sort_c2(%a: tensor<2x5xf32>) -> (tensor<5x2xf32>) {
  // expected-error @+1 {{output0 has shape [5, 2] but needs [2, 5]}}
  %0 = sg.sort(%a) {axis = 0} : (tensor<2x5xf32>) -> tensor<5x2xf32>
  sg.heads %0 : tensor<5x2xf32>
}

// -----

sg.graph @argsort_c1(%a: tensor<2x5xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{axis 2 is outside data's shape [2, 5]}}
  %0 = sg.argsort(%a) {axis = 2} : (tensor<2x5xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @argsort_c2(%a: tensor<2x5xf32>) -> (tensor<5x2xf32>) {
  // expected-error @+1 {{output has shape [5, 2] but needs [2, 5]}}
  %0 = sg.argsort(%a) {axis = 0} : (tensor<2x5xf32>) -> tensor<5x2xf32>
  sg.heads %0 : tensor<5x2xf32>
}

// -----

sg.graph @ravel_multi_index_c1(%a: tensor<2x7xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{data has shape [2, 7], needs the first extent 3, the length of parameter 'shape'}}
  %0 = sg.ravel_multi_index(%a) {shape = array<i64: 3, 3, 4>} : (tensor<2x7xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @ravel_multi_index_c2(%a: tensor<3x7xf32>) -> (tensor<6xf32>) {
  // expected-error @+1 {{output has shape [6] but needs [7]}}
  %0 = sg.ravel_multi_index(%a) {shape = array<i64: 3, 3, 4>} : (tensor<3x7xf32>) -> tensor<6xf32>
  sg.heads %0 : tensor<6xf32>
}

// -----

sg.graph @batch_take_c1_empty(%a: tensor<6x0xf32>, %b: tensor<6xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{a has shape [6, 0], needs elements in each row}}
  %0 = sg.batch_take(%a, %b) : (tensor<6x0xf32>, tensor<6xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @topk_c4(%a: tensor<2x256xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{parameter 'dtype' is uint8, which counts to 255, but there are 256 elements to put in order}}
  %0 = sg.topk(%a) {dtype = "uint8"} : (tensor<2x256xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

// Values have no places, and 255 elements are few enough.
sg.graph @topk_c4_good(%a: tensor<2x5000xf32>, %b: tensor<2x255xf32>) -> (tensor<*xf32>, tensor<*xf32>) {
  %0 = sg.topk(%a) {dtype = "uint8", ret_typ = "value"} : (tensor<2x5000xf32>) -> tensor<*xf32>
  %1 = sg.topk(%b) {dtype = "uint8"} : (tensor<2x255xf32>) -> tensor<*xf32>
  sg.heads %0, %1 : tensor<*xf32>, tensor<*xf32>
}

// -----

sg.graph @argsort_c3(%a: tensor<50x100xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{parameter 'dtype' is float16, which counts to 2048, but there are 5000 elements to put in order}}
  %0 = sg.argsort(%a) {axis = -9223372036854775808, dtype = "float16"} : (tensor<50x100xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @sort_c3(%a: tensor<50000x50000xf32>) -> (tensor<*xf32>, tensor<*x!sg.unknown>) {
  // expected-error @+1 {{output1 is int32, which counts to 2147483647, but there are 2500000000 elements to put in order}}
  %0:2 = sg.sort(%a) {axis = -9223372036854775808 : i64, show_hidden = true} : (tensor<50000x50000xf32>) -> (tensor<*xf32>, tensor<*x!sg.unknown>)
  sg.heads %0#0, %0#1 : tensor<*xf32>, tensor<*x!sg.unknown>
}
