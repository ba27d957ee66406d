// If this fails, prediction spends time on nodes of training, or loses one that
// computes something.
// RUN: symc-opt --sg-drop-identities %s | FileCheck %s
// RUN: symc-opt --sg-drop-identities --sg-drop-identities %s | FileCheck %s

// CHECK-LABEL: @drops(
// CHECK-SAME: %[[DATA:[a-z0-9]+]]: tensor<2x3xf32>
// CHECK-NEXT: sg.heads %[[DATA]]
sg.graph @drops(%data: tensor<2x3xf32> {sg.name = "data"}, %label: tensor<2x3xf32> {sg.name = "label"}) -> (tensor<2x3xf32>) {
  %0 = sg.dropout(%data) {p = 0.5 : f64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = sg.cast(%0) {dtype = "float32"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %2 = sg.copy(%1) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %3 = sg.make_loss(%2) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %4 = sg.regression_output(%3, %label) {kind = "linear"} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  sg.heads %4 : tensor<2x3xf32>
}

// A cast to another type, a dropout that also works in prediction, and the
// logistic regression, which computes a sigmoid, stay.
// CHECK-LABEL: @stays(
// CHECK: sg.cast
// CHECK: sg.dropout
// CHECK: sg.regression_output
sg.graph @stays(%data: tensor<2x3xf64> {sg.name = "data"}, %label: tensor<2x3xf32> {sg.name = "label"}) -> (tensor<2x3xf32>) {
  %0 = sg.cast(%data) {dtype = "float32"} : (tensor<2x3xf64>) -> tensor<2x3xf32>
  %1 = sg.dropout(%0) {p = 0.5 : f64, mode = "always"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %2 = sg.regression_output(%1, %label) {kind = "logistic"} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  sg.heads %2 : tensor<2x3xf32>
}
