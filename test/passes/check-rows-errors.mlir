// If this fails, a net that mixes the rows of a batch is computed in parts, with other results.
// RUN: symc-opt --split-input-file --verify-diagnostics --sg-check-rows %s

#rows = #sg.extents<()[s0] -> (s0, 4)>
sg.graph @main(%x: tensor<?x4xf32, #rows> {sg.name = "x"}) -> (tensor<?x4xf32, #rows>) attributes {dim_names = ["n"], dim_min = array<i64: 1>, dim_max = array<i64: 16>} {
  // expected-error @unknown {{node 'n' (sg.softmax) does not keep the rows of a batch apart: it combines elements along axis 0, which holds the rows of the batch}}
  %0 = sg.softmax(%x) {kind = "softmax", axis = 0} : (tensor<?x4xf32, #rows>) -> tensor<?x4xf32, #rows> loc("n")
  sg.heads %0 : tensor<?x4xf32, #rows>
}

// -----

#rows = #sg.extents<()[s0] -> (s0, 4)>
sg.graph @main(%x: tensor<?x4xf32, #rows> {sg.name = "x"}) -> (tensor<4xf32>) attributes {dim_names = ["n"], dim_min = array<i64: 1>, dim_max = array<i64: 16>} {
  // expected-error @unknown {{node 'n' (sg.reduce) does not keep the rows of a batch apart: it reduces axis 0, which holds the rows of the batch}}
  %0 = sg.reduce(%x) {kind = "sum", axis = array<i64: 0>} : (tensor<?x4xf32, #rows>) -> tensor<4xf32> loc("n")
  sg.heads %0 : tensor<4xf32>
}

// -----

#rows = #sg.extents<()[s0] -> (s0, 4)>
sg.graph @main(%x: tensor<?x4xf32, #rows> {sg.name = "x"}) -> (tensor<1xf32>) attributes {dim_names = ["n"], dim_min = array<i64: 1>, dim_max = array<i64: 16>} {
  // expected-error @unknown {{node 'n' (sg.arg_reduce) does not keep the rows of a batch apart: it combines all elements, of all rows of the batch}}
  %0 = sg.arg_reduce(%x) {kind = "argmax"} : (tensor<?x4xf32, #rows>) -> tensor<1xf32> loc("n")
  sg.heads %0 : tensor<1xf32>
}

// -----

#rows = #sg.extents<()[s0] -> (s0, 4)>
sg.graph @main(%x: tensor<?x4xf32, #rows> {sg.name = "x"}) -> (tensor<3xf32>) attributes {dim_names = ["n"], dim_min = array<i64: 1>, dim_max = array<i64: 16>} {
  // expected-error @unknown {{node 'n' (sg.topk) does not keep the rows of a batch apart: it combines all elements, of all rows of the batch}}
  %0 = sg.topk(%x) {axis = -9223372036854775808, k = 3} : (tensor<?x4xf32, #rows>) -> tensor<3xf32> loc("n")
  sg.heads %0 : tensor<3xf32>
}

// -----

#rows = #sg.extents<()[s0] -> (s0, 4)>
#transposed = #sg.extents<()[s0] -> (4, s0)>
sg.graph @main(%x: tensor<?x4xf32, #rows> {sg.name = "x"}) -> (tensor<4x?xf32, #transposed>) attributes {dim_names = ["n"], dim_min = array<i64: 1>, dim_max = array<i64: 16>} {
  // expected-error @unknown {{node 'n' (sg.reshape) does not keep the rows of a batch apart: it makes [4, s0] of [s0, 4], in which the rows of the batch are no axis}}
  %0 = sg.reshape(%x) {shape = array<i64: 4, -1>} : (tensor<?x4xf32, #rows>) -> tensor<4x?xf32, #transposed> loc("n")
  sg.heads %0 : tensor<4x?xf32, #transposed>
}

// -----

#rows = #sg.extents<()[s0] -> (s0, 4)>
sg.graph @main(%x: tensor<?x4xf32, #rows> {sg.name = "x"}) -> (tensor<?x4xf32, #rows>) attributes {dim_names = ["n"], dim_min = array<i64: 1>, dim_max = array<i64: 16>} {
  // expected-error @unknown {{node 'n' (sg.reverse) does not keep the rows of a batch apart: it combines elements along axis 0, which holds the rows of the batch}}
  %0 = sg.reverse(%x) {axis = array<i64: 0>} : (tensor<?x4xf32, #rows>) -> tensor<?x4xf32, #rows> loc("n")
  sg.heads %0 : tensor<?x4xf32, #rows>
}

// -----

#rows = #sg.extents<()[s0] -> (s0, 4)>
sg.graph @main(%x: tensor<?x4xf32, #rows> {sg.name = "x"}) -> (tensor<?x4xf32, #rows>) attributes {dim_names = ["n"], dim_min = array<i64: 1>, dim_max = array<i64: 16>} {
  // expected-error @unknown {{node 'n' (sg.slice) does not keep the rows of a batch apart: it reverses the order of the rows of the batch}}
  %0 = sg.slice(%x) {begin = array<i64: -9223372036854775808>, end = array<i64: -9223372036854775808>, step = array<i64: -1>} : (tensor<?x4xf32, #rows>) -> tensor<?x4xf32, #rows> loc("n")
  sg.heads %0 : tensor<?x4xf32, #rows>
}

// -----

#rows = #sg.extents<()[s0] -> (s0, 4)>
#twice = #sg.extents<()[s0] -> (s0 * 2, 4)>
sg.graph @main(%x: tensor<?x4xf32, #rows> {sg.name = "x"}) -> (tensor<?x4xf32, #twice>) attributes {dim_names = ["n"], dim_min = array<i64: 1>, dim_max = array<i64: 16>} {
  // expected-error @unknown {{node 'n' (sg.tile) does not keep the rows of a batch apart: the rows of the batch are no axis of its result [s0 * 2, 4]}}
  %0 = sg.tile(%x) {reps = array<i64: 2, 1>} : (tensor<?x4xf32, #rows>) -> tensor<?x4xf32, #twice> loc("n")
  sg.heads %0 : tensor<?x4xf32, #twice>
}

// -----

#rows = #sg.extents<()[s0] -> (s0, 4)>
#less = #sg.extents<()[s0] -> (s0 - 1, 4)>
sg.graph @main(%x: tensor<?x4xf32, #rows> {sg.name = "x"}) -> (tensor<?x4xf32, #less>) attributes {dim_names = ["n"], dim_min = array<i64: 1>, dim_max = array<i64: 16>} {
  // expected-error @unknown {{node 'n' (sg.slice_axis) does not keep the rows of a batch apart: the rows of the batch are no axis of its result [s0 - 1, 4]}}
  %0 = sg.slice_axis(%x) {axis = 0, begin = 1} : (tensor<?x4xf32, #rows>) -> tensor<?x4xf32, #less> loc("n")
  sg.heads %0 : tensor<?x4xf32, #less>
}

// -----

#rows = #sg.extents<()[s0] -> (s0, 4)>
sg.graph @main(%x: tensor<?x4xf32, #rows> {sg.name = "x"}) -> (tensor<?x4xf32, #rows>) attributes {dim_names = ["n"], dim_min = array<i64: 1>, dim_max = array<i64: 16>} {
  // expected-error @unknown {{node 'n' (sg.shuffle) does not keep the rows of a batch apart: it draws random numbers, which would begin anew in each part of a batch}}
  %0 = sg.shuffle(%x) {} : (tensor<?x4xf32, #rows>) -> tensor<?x4xf32, #rows> loc("n")
  sg.heads %0 : tensor<?x4xf32, #rows>
}

// -----

#rows = #sg.extents<()[s0] -> (s0, 4)>
sg.graph @main(%x: tensor<?x4xf32, #rows> {sg.name = "x"}) -> (tensor<2x4xf32>) attributes {dim_names = ["n"], dim_min = array<i64: 1>, dim_max = array<i64: 16>} {
  %i = sg.constant dense<0> : tensor<1x2xi32>
  // expected-error @unknown {{node 'n' (sg.gather_nd) does not keep the rows of a batch apart: 'gather_nd' has no rule that keeps the rows of a batch apart}}
  %0 = sg.gather_nd(%x, %i) : (tensor<?x4xf32, #rows>, tensor<1x2xi32>) -> tensor<2x4xf32> loc("n")
  sg.heads %0 : tensor<2x4xf32>
}

// -----

#rows = #sg.extents<()[s0] -> (s0, 4)>
sg.graph @main(%x: tensor<?x4xf32, #rows> {sg.name = "x"}) -> (tensor<2xi64>) attributes {dim_names = ["n"], dim_min = array<i64: 1>, dim_max = array<i64: 16>} {
  // expected-error @unknown {{node 'n' (sg.shape_array) does not keep the rows of a batch apart: its result is the size of the batch}}
  %0 = sg.shape_array(%x) : (tensor<?x4xf32, #rows>) -> tensor<2xi64> loc("n")
  sg.heads %0 : tensor<2xi64>
}

// -----

#rows = #sg.extents<()[s0] -> (s0, 4)>
sg.graph @main(%x: tensor<?x4xf32, #rows> {sg.name = "x"}) -> (tensor<?x4xi8, #rows>) attributes {dim_names = ["n"], dim_min = array<i64: 1>, dim_max = array<i64: 16>} {
  // expected-error @unknown {{node 'n' (sg.quantize_v2) does not keep the rows of a batch apart: it finds the range of its numbers in all rows of the batch}}
  %0:3 = sg.quantize_v2(%x) {} : (tensor<?x4xf32, #rows>) -> (tensor<?x4xi8, #rows>, tensor<1xf32>, tensor<1xf32>) loc("n")
  sg.heads %0#0 : tensor<?x4xi8, #rows>
}

// -----

#rows = #sg.extents<()[s0] -> (s0, 4)>
sg.graph @main(%x: tensor<?x4xf32, #rows> {sg.name = "x"}) -> (tensor<4x4xf32>) attributes {dim_names = ["n"], dim_min = array<i64: 1>, dim_max = array<i64: 16>} {
  %w = sg.constant dense<0.0> : tensor<4x4xf32>
  // expected-error @unknown {{node 'n' (sg.dot) does not keep the rows of a batch apart: its operand 1 depends on the rows of the batch}}
  %0 = sg.dot(%w, %x) : (tensor<4x4xf32>, tensor<?x4xf32, #rows>) -> tensor<4x4xf32> loc("n")
  sg.heads %0 : tensor<4x4xf32>
}

// -----

#rows = #sg.extents<()[s0] -> (s0, 4)>
#transposed = #sg.extents<()[s0] -> (4, s0)>
sg.graph @main(%x: tensor<?x4xf32, #rows> {sg.name = "x"}) -> (tensor<4x?xf32, #transposed>) attributes {dim_names = ["n"], dim_min = array<i64: 1>, dim_max = array<i64: 16>} {
  %t = sg.transpose(%x) {} : (tensor<?x4xf32, #rows>) -> tensor<4x?xf32, #transposed>
  // expected-error @unknown {{node 'n' (sg.batch_dot) does not keep the rows of a batch apart: its operand 0 has the rows of the batch along axis 1, not along axis 0}}
  %0 = sg.batch_dot(%t, %t) : (tensor<4x?xf32, #transposed>, tensor<4x?xf32, #transposed>) -> tensor<4x?xf32, #transposed> loc("n")
  sg.heads %0 : tensor<4x?xf32, #transposed>
}

// -----

#rows = #sg.extents<()[s0] -> (s0, 4)>
#wide = #sg.extents<()[s0] -> (s0, 8)>
sg.graph @main(%x: tensor<?x4xf32, #rows> {sg.name = "x"}) -> (tensor<?x8xf32, #wide>) attributes {dim_names = ["n"], dim_min = array<i64: 1>, dim_max = array<i64: 16>} {
  %w = sg.constant dense<0.0> : tensor<16x4xf32>
  // expected-error @unknown {{node 'n' (sg.concat) does not keep the rows of a batch apart: its operand 1 is the same for all rows of the batch}}
  %0 = sg.concat(%x, %w) {num_args = 2, dim = 1} : (tensor<?x4xf32, #rows>, tensor<16x4xf32>) -> tensor<?x8xf32, #wide> loc("n")
  sg.heads %0 : tensor<?x8xf32, #wide>
}

// -----

#rows = #sg.extents<()[s0] -> (s0, 4)>
#transposed = #sg.extents<()[s0] -> (4, s0)>
sg.graph @main(%x: tensor<?x4xf32, #rows> {sg.name = "x"}) -> (tensor<?x4xf32, #rows>) attributes {dim_names = ["n"], dim_min = array<i64: 1>, dim_max = array<i64: 16>} {
  %t = sg.transpose(%x) {} : (tensor<?x4xf32, #rows>) -> tensor<4x?xf32, #transposed>
  // expected-error @unknown {{node 'n' (sg.binary) does not keep the rows of a batch apart: its operands have the rows of the batch along axes 0 and 1 of the result}}
  %0 = sg.binary(%x, %t) {fn = "add", broadcast = true} : (tensor<?x4xf32, #rows>, tensor<4x?xf32, #transposed>) -> tensor<?x4xf32, #rows> loc("n")
  sg.heads %0 : tensor<?x4xf32, #rows>
}

// -----

#rows = #sg.extents<()[s0] -> (s0, 4)>
sg.graph @main(%x: tensor<?x4xf32, #rows> {sg.name = "x"}) -> (tensor<?x4xf32, #rows>) attributes {dim_names = ["n"], dim_min = array<i64: 1>, dim_max = array<i64: 16>} {
  %w = sg.constant dense<0.0> : tensor<16x4xf32>
  // expected-error @unknown {{node 'n' (sg.slice_like) does not keep the rows of a batch apart: its result [s0, 4] depends on the size of the batch alone}}
  %0 = sg.slice_like(%w, %x) {axes = array<i64: 0>} : (tensor<16x4xf32>, tensor<?x4xf32, #rows>) -> tensor<?x4xf32, #rows> loc("n")
  sg.heads %0 : tensor<?x4xf32, #rows>
}

// -----

#transposed = #sg.extents<()[s0] -> (4, s0)>
// expected-error @below {{input 'x' has shape [4, s0], its first extent must be that of the batch}}
sg.graph @main(%x: tensor<4x?xf32, #transposed> {sg.name = "x"}) -> (tensor<4x?xf32, #transposed>) attributes {dim_names = ["n"], dim_min = array<i64: 1>, dim_max = array<i64: 16>} {
  sg.heads %x : tensor<4x?xf32, #transposed>
}

// -----

#rows = #sg.extents<()[s0] -> (s0, 4)>
#transposed = #sg.extents<()[s0] -> (4, s0)>
sg.graph @main(%x: tensor<?x4xf32, #rows> {sg.name = "x"}) -> (tensor<4x?xf32, #transposed> {sg.name = "y"}) attributes {dim_names = ["n"], dim_min = array<i64: 1>, dim_max = array<i64: 16>} {
  // expected-error @below {{output 'y' has shape [4, s0], its first extent must be that of the batch}}
  %0 = sg.transpose(%x) {} : (tensor<?x4xf32, #rows>) -> tensor<4x?xf32, #transposed>
  sg.heads %0 : tensor<4x?xf32, #transposed>
}

// -----

// What one part of the batch writes the next one would read.
#rows = #sg.extents<()[s0] -> (s0, 4)>
sg.weight @s : tensor<4xf32> {aux}
// expected-error @below {{auxiliary state 's' changes from run to run, so that the parts of a batch would not see the same one}}
sg.graph @main(%x: tensor<?x4xf32, #rows> {sg.name = "x"}) -> (tensor<?x4xf32, #rows>, tensor<4xf32> {sg.name = "s", sg.state = "s"}) attributes {dim_names = ["n"], dim_min = array<i64: 1>, dim_max = array<i64: 16>} {
  %s = sg.parameter @s : tensor<4xf32>
  %0 = sg.unary(%s) {fn = "exp"} : (tensor<4xf32>) -> tensor<4xf32>
  sg.heads %x, %0 : tensor<?x4xf32, #rows>, tensor<4xf32>
}
