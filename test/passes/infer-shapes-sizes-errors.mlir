// RUN: symc-opt --sg-infer-shapes -split-input-file -verify-diagnostics=only-expected %s
// If this fails, a shape that no machine holds, or that is none, gets as far as plans and kernels.

sg.graph @too_many(%a: tensor<1x1xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{output would have shape [4294967296, 4294967296], more than 2^48 elements}}
  %0 = sg.broadcast_to(%a) {shape = array<i64: 4294967296, 4294967296>} : (tensor<1x1xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @negative(%a: tensor<1x1xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{output would have the extent -3 along axis 0, needs at least 0}}
  %0 = sg.broadcast_to(%a) {shape = array<i64: -3, 4>} : (tensor<1x1xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

// An extent that int64 does not hold is no small one after a division.
sg.graph @product(%a: tensor<65536x65536xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{output would have shape [over 2^63, 65536], more than 2^48 elements}}
  %0 = sg.tile(%a) {reps = array<i64: 281474976710656, 1>} : (tensor<65536x65536xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

// The largest sizes count.
sg.graph @range(%a: tensor<?xf32, #sg.extents<()[s0] -> (s0)>>) -> (tensor<*xf32>)
    attributes {dim_names = ["n"], dim_min = array<i64: 1>, dim_max = array<i64: 16777217>} {
  // expected-error @+1 {{output would have shape [s0, 16777216], more than 2^48 elements}}
  %0 = sg.one_hot(%a) {depth = 16777216} : (tensor<?xf32, #sg.extents<()[s0] -> (s0)>>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

// expected-error @+1 {{argument 'a' has shape [16777216, 16777217], more than 2^48 elements}}
sg.graph @given(%a: tensor<16777216x16777217xf32> {sg.name = "a"}) -> (tensor<*xf32>) {
  %0 = sg.unary(%a) {fn = "exp"} : (tensor<16777216x16777217xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @element(%a: tensor<1x1xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{parameter 'shape' has the element -9223372036854775808, needs numbers between -2^48 and 2^48}}
  %0 = sg.broadcast_to(%a) {shape = array<i64: -9223372036854775808, 4>} : (tensor<1x1xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @number(%a: tensor<4x4xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{parameter 'depth' must be a number of 32 bits, found 1099511627776}}
  %0 = sg.one_hot(%a) {depth = 1099511627776} : (tensor<4x4xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @least(%a: tensor<4x4xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{parameter 'depth' must be at least 1, found 0}}
  %0 = sg.one_hot(%a) {depth = 0} : (tensor<4x4xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}
