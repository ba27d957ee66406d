// If this fails, a value of the forward part is kept in memory for backward nodes that could compute it
// of what they read anyway, or a costly one is computed twice.
// RUN: symc-opt %s -sg-repeat-cheap | FileCheck %s
// RUN: symc-opt %s -sg-repeat-cheap -sg-repeat-cheap | FileCheck %s

// The result of relu is read by a layer and by its slope, which computes it again from the layer
// before, which something else reads, too. The slope itself has two readers, and each computes it.
// CHECK-LABEL: @chain(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x3xf32>, %[[M:[a-z0-9]+]]: tensor<1x3xf32>, %[[W:[a-z0-9]+]]: tensor<3x3xf32>, %[[G:[a-z0-9]+]]: tensor<2x3xf32>)
// CHECK-NEXT: %[[A:.+]] = sg.dot(%[[X]], %[[W]])
// CHECK-NEXT: %[[B:.+]] = sg.binary(%[[A]], %[[M]]) {broadcast = true, fn = "sub"}
// CHECK-NEXT: %[[C:.+]] = sg.unary(%[[B]]) {fn = "relu"}
// CHECK-NEXT: %[[Y:.+]] = sg.dot(%[[C]], %[[W]])
// CHECK-NEXT: %[[B1:.+]] = sg.binary(%[[A]], %[[M]]) {broadcast = true, fn = "sub"}
// CHECK-NEXT: %[[C1:.+]] = sg.unary(%[[B1]]) {fn = "relu"}
// CHECK-NEXT: %[[S1:.+]] = sg.slope(%[[C1]], %[[G]])
// CHECK-NEXT: %[[R:.+]] = sg.reduce(%[[S1]])
// CHECK-NEXT: %[[B2:.+]] = sg.binary(%[[A]], %[[M]]) {broadcast = true, fn = "sub"}
// CHECK-NEXT: %[[C2:.+]] = sg.unary(%[[B2]]) {fn = "relu"}
// CHECK-NEXT: %[[S2:.+]] = sg.slope(%[[C2]], %[[G]])
// CHECK-NEXT: %[[D:.+]] = sg.binary(%[[S2]], %[[R]]) {broadcast = true, fn = "sub"}
// CHECK-NEXT: sg.heads %[[Y]], %[[D]], %[[A]]
sg.graph @chain(%x: tensor<2x3xf32>, %m: tensor<1x3xf32>, %w: tensor<3x3xf32>, %g: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) attributes {training} {
  %a = sg.dot(%x, %w) : (tensor<2x3xf32>, tensor<3x3xf32>) -> tensor<2x3xf32>
  %b = sg.binary(%a, %m) {broadcast = true, fn = "sub"} : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
  %c = sg.unary(%b) {fn = "relu"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %y = sg.dot(%c, %w) : (tensor<2x3xf32>, tensor<3x3xf32>) -> tensor<2x3xf32>
  %s = sg.slope(%c, %g) {fn = "relu", by = 0 : i64, places = array<i64: 0>, numbers = array<f64: 0.0>, num_args = 2 : i64} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32> loc("c_backward")
  %r = sg.reduce(%s) {axis = array<i64: 0>, keepdims = true, kind = "sum"} : (tensor<2x3xf32>) -> tensor<1x3xf32> loc("b_backward")
  %d = sg.binary(%s, %r) {broadcast = true, fn = "sub"} : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32> loc("b_backward")
  sg.heads %y, %d, %a : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>
}

// A layer that only the chain reads writes the chain's result, and its slope reads that.
// CHECK-LABEL: @layer(
// CHECK-COUNT-1: fn = "sub"
// CHECK: %[[C:.+]] = sg.unary(%{{.+}}) {fn = "relu"}
// CHECK-NOT: fn = "sub"
// CHECK: sg.slope(%[[C]], %{{.+}})
sg.graph @layer(%x: tensor<2x3xf32>, %m: tensor<1x3xf32>, %w: tensor<3x3xf32>, %g: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>) attributes {training} {
  %a = sg.dot(%x, %w) : (tensor<2x3xf32>, tensor<3x3xf32>) -> tensor<2x3xf32>
  %b = sg.binary(%a, %m) {broadcast = true, fn = "sub"} : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
  %c = sg.unary(%b) {fn = "relu"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %y = sg.dot(%c, %w) : (tensor<2x3xf32>, tensor<3x3xf32>) -> tensor<2x3xf32>
  %s = sg.slope(%c, %g) {fn = "relu", by = 0 : i64, places = array<i64: 0>, numbers = array<f64: 0.0>, num_args = 2 : i64} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32> loc("c_backward")
  sg.heads %y, %s : tensor<2x3xf32>, tensor<2x3xf32>
}

// Nearest misses: a function, a sum of two values of the forward part, a reader that is a layer.
// CHECK-LABEL: @misses(
// CHECK-COUNT-1: fn = "exp"
// CHECK-COUNT-1: fn = "add"
// CHECK-COUNT-1: fn = "relu"
// CHECK-NOT: fn = "exp"
// CHECK-NOT: fn = "add"
// CHECK-NOT: fn = "relu"
// CHECK: sg.heads
sg.graph @misses(%x: tensor<3x3xf32>, %g: tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<3x3xf32>, tensor<3x3xf32>) attributes {training} {
  %e = sg.unary(%x) {fn = "exp"} : (tensor<3x3xf32>) -> tensor<3x3xf32>
  %t = sg.binary(%e, %g) {fn = "add"} : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  %r = sg.unary(%g) {fn = "relu"} : (tensor<3x3xf32>) -> tensor<3x3xf32>
  %0 = sg.binary(%e, %g) {fn = "mul"} : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32> loc("e_backward")
  %1 = sg.binary(%t, %0) {fn = "mul"} : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32> loc("t_backward")
  %2 = sg.dot(%r, %1) : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32> loc("d_backward")
  %3 = sg.dot(%2, %r) : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32> loc("d_backward")
  sg.heads %t, %3, %2 : tensor<3x3xf32>, tensor<3x3xf32>, tensor<3x3xf32>
}

// Prediction keeps its nodes.
// CHECK-LABEL: @prediction(
// CHECK-COUNT-1: fn = "relu"
// CHECK-NOT: fn = "relu"
// CHECK: sg.heads
sg.graph @prediction(%x: tensor<3xf32>, %g: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %r = sg.unary(%x) {fn = "relu"} : (tensor<3xf32>) -> tensor<3xf32>
  %0 = sg.binary(%r, %g) {fn = "mul"} : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32> loc("a_backward")
  %1 = sg.binary(%r, %g) {fn = "sub"} : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32> loc("b_backward")
  sg.heads %0, %1 : tensor<3xf32>, tensor<3xf32>
}
