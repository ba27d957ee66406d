// If this fails, a label that MXNet refuses for its shape is left out without an error.
// RUN: symc-opt --sg-drop-labels --split-input-file --verify-diagnostics=only-expected %s

sg.graph @softmax(%data: tensor<2x3xf32> {sg.name = "data"}) -> tensor<*x!sg.unknown> {
  %0 = sg.reshape(%data) {shape = array<i64: -1>} : (tensor<2x3xf32>) -> tensor<*x!sg.unknown>
  // expected-error @below {{label has shape [6] but needs [2]}}
  %1 = sg.softmax_output(%data, %0) : (tensor<2x3xf32>, tensor<*x!sg.unknown>) -> tensor<*x!sg.unknown>
  sg.heads %1 : tensor<*x!sg.unknown>
}

// -----

// The other label has no shape of its own.
sg.graph @regression(%data: tensor<2x3xf32> {sg.name = "data"},
                     %label: tensor<*x!sg.unknown> {sg.name = "label", sg.optional}) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  %0 = sg.copy(%label) : (tensor<*x!sg.unknown>) -> tensor<*x!sg.unknown>
  %1 = sg.svm_output(%data, %0) : (tensor<2x3xf32>, tensor<*x!sg.unknown>) -> tensor<*x!sg.unknown>
  %2 = sg.slice_axis(%data) {axis = 0 : i64, begin = 0 : i64, end = 1 : i64} : (tensor<2x3xf32>) -> tensor<*x!sg.unknown>
  // expected-error @below {{label has shape [1, 3] but needs [2, 3]}}
  %3 = sg.regression_output(%data, %2) {kind = "linear"} : (tensor<2x3xf32>, tensor<*x!sg.unknown>) -> tensor<*x!sg.unknown>
  sg.heads %1, %3 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}
