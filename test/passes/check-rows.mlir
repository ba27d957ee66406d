// If this fails, a net whose rows are independent cannot be compiled for several batch sizes.
// RUN: symc-opt --split-input-file --sg-check-rows %s | FileCheck %s

// Layers, an elementwise node with a vector for all rows, a reduction beside the rows.
// CHECK-LABEL: sg.graph @main
#image = #sg.extents<()[s0] -> (s0, 3, 8, 8)>
#maps = #sg.extents<()[s0] -> (s0, 4, 8, 8)>
#mean = #sg.extents<()[s0] -> (s0, 4)>
sg.weight @w : tensor<4x3x3x3xf32>
sg.weight @s : tensor<1x4x1x1xf32>
sg.graph @main(%x: tensor<?x3x8x8xf32, #image> {sg.name = "x"}) -> (tensor<?x4xf32, #mean>) attributes {dim_names = ["n"], dim_min = array<i64: 1>, dim_max = array<i64: 16>} {
  %w = sg.parameter @w : tensor<4x3x3x3xf32>
  %s = sg.parameter @s : tensor<1x4x1x1xf32>
  %0 = sg.convolution(%x, %w) {kernel = array<i64: 3, 3>, pad = array<i64: 1, 1>, num_filter = 4, no_bias = true} : (tensor<?x3x8x8xf32, #image>, tensor<4x3x3x3xf32>) -> tensor<?x4x8x8xf32, #maps>
  %1 = sg.binary(%0, %s) {fn = "mul"} : (tensor<?x4x8x8xf32, #maps>, tensor<1x4x1x1xf32>) -> tensor<?x4x8x8xf32, #maps>
  %2 = sg.reduce(%1) {kind = "mean", axis = array<i64: 2, 3>} : (tensor<?x4x8x8xf32, #maps>) -> tensor<?x4xf32, #mean>
  sg.heads %2 : tensor<?x4xf32, #mean>
}

// -----

// Rows move to axis 1, are counted by twos, and come back.
// CHECK-LABEL: sg.graph @main
#rows = #sg.extents<()[s0] -> (s0, 2, 5)>
#transposed = #sg.extents<()[s0] -> (2, s0, 5)>
#pairs = #sg.extents<()[s0] -> (s0 * 2, 5)>
sg.graph @main(%x: tensor<?x2x5xf32, #rows> {sg.name = "x"}) -> (tensor<?x5xf32, #pairs>, tensor<?x2x5xf32, #rows>) attributes {dim_names = ["n"], dim_min = array<i64: 1>, dim_max = array<i64: 16>} {
  %0 = sg.transpose(%x) {axes = array<i64: 1, 0, 2>} : (tensor<?x2x5xf32, #rows>) -> tensor<2x?x5xf32, #transposed>
  %1 = sg.softmax(%0) {kind = "softmax", axis = 0} : (tensor<2x?x5xf32, #transposed>) -> tensor<2x?x5xf32, #transposed>
  %2 = sg.swap_axis(%1) {dim1 = 0, dim2 = 1} : (tensor<2x?x5xf32, #transposed>) -> tensor<?x2x5xf32, #rows>
  %3 = sg.reshape(%2) {shape = array<i64: -3, 0>} : (tensor<?x2x5xf32, #rows>) -> tensor<?x5xf32, #pairs>
  %4 = sg.softmax(%3) {kind = "softmax", axis = 1} : (tensor<?x5xf32, #pairs>) -> tensor<?x5xf32, #pairs>
  %5 = sg.reshape(%4) {shape = array<i64: -4, -1, 2, 0>} : (tensor<?x5xf32, #pairs>) -> tensor<?x2x5xf32, #rows>
  sg.heads %4, %5 : tensor<?x5xf32, #pairs>, tensor<?x2x5xf32, #rows>
}

// -----

// Slices are put in and taken out beside the rows; percentiles lead the rows of what they are of.
// CHECK-LABEL: sg.graph @main
#rows = #sg.extents<()[s0] -> (s0, 5)>
#more = #sg.extents<()[s0] -> (s0, 6)>
#part = #sg.extents<()[s0] -> (3, s0)>
#back = #sg.extents<()[s0] -> (s0, 3)>
sg.weight @q : tensor<3xf32>
sg.graph @main(%x: tensor<?x5xf32, #rows> {sg.name = "x"}) -> (tensor<?x3xf32, #back>) attributes {dim_names = ["n"], dim_min = array<i64: 1>, dim_max = array<i64: 16>} {
  %q = sg.parameter @q : tensor<3xf32>
  %0 = sg.insert(%x) {kind = "index", val = 1.0 : f64, axis = 1, operandSegmentSizes = array<i32: 1, 0, 0>} : (tensor<?x5xf32, #rows>) -> tensor<?x6xf32, #more>
  %1 = sg.delete(%0) {int_ind = 0, axis = 1} : (tensor<?x6xf32, #more>) -> tensor<?x5xf32, #rows>
  %2 = sg.percentile(%1, %q) {axis = array<i64: 1>} : (tensor<?x5xf32, #rows>, tensor<3xf32>) -> tensor<3x?xf32, #part>
  %3 = sg.transpose(%2) {axes = array<i64: 1, 0>} : (tensor<3x?xf32, #part>) -> tensor<?x3xf32, #back>
  sg.heads %3 : tensor<?x3xf32, #back>
}

// -----

// An output may be one for all rows: anchors look at the image's extents only.
// CHECK-LABEL: sg.graph @main
#maps = #sg.extents<()[s0] -> (s0, 4, 8, 8)>
sg.graph @main(%x: tensor<?x4x8x8xf32, #maps> {sg.name = "x"}) -> (tensor<1x64x4xf32>) attributes {dim_names = ["n"], dim_min = array<i64: 1>, dim_max = array<i64: 16>} {
  %0 = sg.multibox_prior(%x) {} : (tensor<?x4x8x8xf32, #maps>) -> tensor<1x64x4xf32>
  sg.heads %0 : tensor<1x64x4xf32>
}

// -----

// Queries and keys of all heads: rows leave axis 1 for axis 0 and return.
// CHECK-LABEL: sg.graph @main
#rows = #sg.extents<()[s0] -> (s0, 3, 12)>
#transposed = #sg.extents<()[s0] -> (3, s0, 12)>
#heads = #sg.extents<()[s0] -> (s0 * 2, 3, 3)>
#values = #sg.extents<()[s0] -> (3, s0, 4)>
#out = #sg.extents<()[s0] -> (s0, 3, 4)>
sg.graph @main(%x: tensor<?x3x12xf32, #rows> {sg.name = "x"}) -> (tensor<?x3x4xf32, #out>) attributes {dim_names = ["n"], dim_min = array<i64: 1>, dim_max = array<i64: 16>} {
  %0 = sg.transpose(%x) {axes = array<i64: 1, 0, 2>} : (tensor<?x3x12xf32, #rows>) -> tensor<3x?x12xf32, #transposed>
  %1 = sg.interleaved_qk(%0) {heads = 2, is_self = true} : (tensor<3x?x12xf32, #transposed>) -> tensor<?x3x3xf32, #heads>
  %2 = sg.softmax(%1) {kind = "softmax", axis = 2} : (tensor<?x3x3xf32, #heads>) -> tensor<?x3x3xf32, #heads>
  %3 = sg.interleaved_valatt(%0, %2) {heads = 2, is_self = true} : (tensor<3x?x12xf32, #transposed>, tensor<?x3x3xf32, #heads>) -> tensor<3x?x4xf32, #values>
  %4 = sg.transpose(%3) {axes = array<i64: 1, 0, 2>} : (tensor<3x?x4xf32, #values>) -> tensor<?x3x4xf32, #out>
  sg.heads %4 : tensor<?x3x4xf32, #out>
}
