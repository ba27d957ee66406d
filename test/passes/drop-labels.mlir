// If this fails, a label that nodes compute for a loss head needs a shape in prediction, or a node
// that a head reads is lost.
// RUN: symc-opt --sg-drop-labels --split-input-file %s | FileCheck %s
// RUN: symc-opt --sg-drop-labels --sg-drop-labels --split-input-file %s | FileCheck %s

// Through several nodes and outputs; the inputs have no shape and go, the weight with them.
// CHECK-NOT: @anchors
// CHECK-LABEL: @chain(
// CHECK-SAME: %[[DATA:[a-z0-9]+]]: tensor<2x3xf32> {sg.name = "data"}) ->
// CHECK-NEXT: %[[HEAD:.+]] = sg.softmax_output(%[[DATA]], %[[DATA]])
// CHECK-NEXT: sg.heads %[[HEAD]]
sg.weight @anchors : tensor<*x!sg.unknown> {random = 3 : i64}
sg.graph @chain(%data: tensor<2x3xf32> {sg.name = "data"},
                %label: tensor<*x!sg.unknown> {sg.name = "label", sg.optional},
                %other: tensor<*x!sg.unknown> {sg.name = "other", sg.optional}) -> (tensor<*x!sg.unknown>) {
  %a = sg.parameter @anchors : tensor<*x!sg.unknown>
  %0:3 = sg.multibox_target(%a, %label, %other) : (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>)
  %1 = sg.reshape(%0#2) {shape = array<i64: -1>} : (tensor<*x!sg.unknown>) -> tensor<*x!sg.unknown>
  %2 = sg.softmax_output(%data, %1) : (tensor<2x3xf32>, tensor<*x!sg.unknown>) -> tensor<*x!sg.unknown>
  sg.heads %2 : tensor<*x!sg.unknown>
}

// -----

// Of every operand that the op table calls so, through a head in the chain, too. What the head
// says of its label's shape is kept where it leads back to an input; a shape that is given stays.
// CHECK-LABEL: @heads(
// CHECK-SAME: %{{[a-z0-9]+}}: tensor<2x3xf32> {sg.name = "data"}, %{{[a-z0-9]+}}: tensor<2x!sg.unknown> {sg.name = "label", sg.optional}, %{{[a-z0-9]+}}: tensor<2x4xf32> {sg.name = "given", sg.optional}) ->
// CHECK-NOT: sg.copy
// CHECK-NOT: sg.slice_axis
// CHECK: sg.heads
sg.graph @heads(%data: tensor<2x3xf32> {sg.name = "data"},
                %label: tensor<*x!sg.unknown> {sg.name = "label", sg.optional},
                %given: tensor<2x4xf32> {sg.name = "given", sg.optional}) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  %0 = sg.copy(%label) : (tensor<*x!sg.unknown>) -> tensor<*x!sg.unknown>
  %1 = sg.slice_axis(%given) {axis = 1 : i64, begin = 0 : i64, end = 3 : i64} : (tensor<2x4xf32>) -> tensor<*x!sg.unknown>
  %2 = sg.make_loss(%0) : (tensor<*x!sg.unknown>) -> tensor<*x!sg.unknown>
  %3 = sg.svm_output(%data, %2) : (tensor<2x3xf32>, tensor<*x!sg.unknown>) -> tensor<*x!sg.unknown>
  %4 = sg.regression_output(%data, %1) {kind = "logistic"} : (tensor<2x3xf32>, tensor<*x!sg.unknown>) -> tensor<*x!sg.unknown>
  sg.heads %3, %4 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}

// -----

// A label that an input is, one that a head of the graph needs as well, and the operands of other
// losses stay.
// CHECK-LABEL: @stays(
// CHECK-SAME: sg.name = "label"
// CHECK: %[[LABELS:.+]] = sg.copy
// CHECK: sg.softmax_output(%{{.+}}, %[[LABELS]])
// CHECK: sg.softmax_output(%{{.+}}, %{{.+}})
// CHECK: sg.transpose
// CHECK: sg.softmax_cross_entropy
sg.graph @stays(%data: tensor<2x3xf32> {sg.name = "data"},
                %label: tensor<*x!sg.unknown> {sg.name = "label"}) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  %0 = sg.copy(%label) : (tensor<*x!sg.unknown>) -> tensor<*x!sg.unknown>
  %1 = sg.softmax_output(%data, %0) : (tensor<2x3xf32>, tensor<*x!sg.unknown>) -> tensor<*x!sg.unknown>
  %2 = sg.softmax_output(%data, %label) : (tensor<2x3xf32>, tensor<*x!sg.unknown>) -> tensor<*x!sg.unknown>
  %3 = sg.transpose(%label) : (tensor<*x!sg.unknown>) -> tensor<*x!sg.unknown>
  %4 = sg.softmax_cross_entropy(%data, %3) : (tensor<2x3xf32>, tensor<*x!sg.unknown>) -> tensor<*x!sg.unknown>
  sg.heads %1, %2, %4, %0 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}

// -----

// An auxiliary state that only training reads has a shape of its own, for which data cannot stand.
// CHECK-LABEL: @state(
// CHECK: %[[MEAN:.+]] = sg.copy
// CHECK: sg.identity_attach_kl_sparse_reg(%{{.+}}, %[[MEAN]])
sg.graph @state(%data: tensor<2x3xf32> {sg.name = "data"},
                %mean: tensor<3xf32> {sg.name = "mean"}) -> tensor<*x!sg.unknown> {
  %0 = sg.copy(%mean) : (tensor<3xf32>) -> tensor<*x!sg.unknown>
  %1 = sg.identity_attach_kl_sparse_reg(%data, %0) : (tensor<2x3xf32>, tensor<*x!sg.unknown>) -> tensor<*x!sg.unknown>
  sg.heads %1 : tensor<*x!sg.unknown>
}

// -----

// The data itself, named as the label by the graph, is no label that is left out.
// CHECK-LABEL: @itself(
// CHECK-NOT: sg.no_label
sg.graph @itself(%data: tensor<2xf32> {sg.name = "data"}) -> tensor<*x!sg.unknown> {
  %0 = sg.svm_output(%data, %data) : (tensor<2xf32>, tensor<2xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

// A label whose shape follows from inputs, and fits.
// CHECK-LABEL: @fits(
// CHECK: sg.svm_output(%[[DATA:.+]], %[[DATA]]) {{{.*}}sg.no_label
sg.graph @fits(%data: tensor<2x3xf32> {sg.name = "data"}) -> tensor<*x!sg.unknown> {
  %0 = sg.slice_axis(%data) {axis = 1 : i64, begin = 0 : i64, end = 1 : i64} : (tensor<2x3xf32>) -> tensor<*x!sg.unknown>
  %1 = sg.reshape(%0) {shape = array<i64: -1>} : (tensor<*x!sg.unknown>) -> tensor<*x!sg.unknown>
  %2 = sg.svm_output(%data, %1) : (tensor<2x3xf32>, tensor<*x!sg.unknown>) -> tensor<*x!sg.unknown>
  sg.heads %2 : tensor<*x!sg.unknown>
}
