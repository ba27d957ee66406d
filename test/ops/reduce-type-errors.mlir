// RUN: symc-opt --sg-infer-shapes --sg-infer-types -split-input-file -verify-diagnostics=only-expected %s
// A place that the type of data does not hold is an error that tells both numbers.

sg.graph @arg_reduce_c3(%a: tensor<50000x50000xi32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{data is int32, which counts to 2147483647, but there are 2500000000 elements to choose from}}
  %0 = sg.arg_reduce(%a) {kind = "argmax"} : (tensor<50000x50000xi32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

// Rows of 2^31 elements have places that fit, and what a float cannot tell apart is rounded.
sg.graph @arg_reduce_c3_good(%a: tensor<3x65536x32768xi32>, %b: tensor<50000x50000xf32>, %c: tensor<50000x50000xui32>, %d: tensor<50000x50000xi8>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  %r = sg.reshape(%a) {shape = array<i64: 3, -1>} : (tensor<3x65536x32768xi32>) -> tensor<*x!sg.unknown>
  %0 = sg.arg_reduce(%r) {kind = "argmax", axis = 1} : (tensor<*x!sg.unknown>) -> tensor<*x!sg.unknown>
  %1 = sg.arg_reduce(%b) {kind = "argmin"} : (tensor<50000x50000xf32>) -> tensor<*x!sg.unknown>
  %2 = sg.arg_reduce(%c) {kind = "argmin"} : (tensor<50000x50000xui32>) -> tensor<*x!sg.unknown>
  %3 = sg.arg_reduce(%d) {kind = "argmin"} : (tensor<50000x50000xi8>) -> tensor<*x!sg.unknown>
  sg.heads %0, %1, %2, %3 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}
