// If this fails, a backward node of an old file is left, or is not what the rule of its node makes.
// RUN: symc-opt %s -split-input-file -sg-decompose="which=rewritten" -sg-expand-backward | FileCheck %s
// RUN: symc-opt %s -split-input-file -sg-decompose="which=rewritten" -sg-expand-backward -sg-expand-backward | FileCheck %s

// The rule of the whole node; a forward node that nothing reads goes.
// CHECK-LABEL: @main(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x4xf32>, %[[W:[a-z0-9]+]]: tensor<3x4xf32>, %[[G:[a-z0-9]+]]: tensor<2x3xf32>
// CHECK-NOT:  sg.fully_connected
// CHECK-NOT:  sg.backward
// CHECK:      %[[DX:.+]] = sg.dot(%[[G]], %[[W]])
// CHECK:      %[[DW:.+]] = sg.dot(%[[G]], %[[X]]) {transpose_a = true}
// CHECK:      sg.heads %[[DX]], %[[DW]]
sg.graph @main(%x: tensor<2x4xf32>, %w: tensor<3x4xf32>, %g: tensor<2x3xf32>) -> (tensor<2x4xf32>, tensor<3x4xf32>) attributes {training} {
  %y = sg.fully_connected(%x, %w) {num_hidden = 3 : i64, no_bias = true} : (tensor<2x4xf32>, tensor<3x4xf32>) -> tensor<2x3xf32>
  %d:2 = sg.backward(%x, %w, %y, %g) {operand_count = 2 : i64, result_count = 1 : i64, arriving = array<i64: 0>} : (tensor<2x4xf32>, tensor<3x4xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> (tensor<2x4xf32>, tensor<3x4xf32>)
  sg.heads %d#0, %d#1 : tensor<2x4xf32>, tensor<3x4xf32>
}

// -----

// A node that reads one value twice has two gradients.
// CHECK-LABEL: @main(
// CHECK:      %[[A:.+]] = sg.slope({{.*}} {by = 0 : i64, fn = "mul"
// CHECK:      %[[B:.+]] = sg.slope({{.*}} {by = 1 : i64, fn = "mul"
// CHECK:      sg.heads %[[A]], %[[B]]
sg.graph @main(%x: tensor<3xf32>, %g: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) attributes {training} {
  %y = sg.binary(%x, %x) {fn = "mul"} : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %d:2 = sg.backward(%x, %x, %y, %g) {operand_count = 2 : i64, result_count = 1 : i64, arriving = array<i64: 0>} : (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>)
  sg.heads %d#0, %d#1 : tensor<3xf32>, tensor<3xf32>
}

// -----

// What passes made of a node has its gradient: that of a reshape here.
// CHECK-LABEL: @main(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x3x4xf32>, %[[G:[a-z0-9]+]]: tensor<2x12xf32>
// CHECK-NEXT: %[[D:.+]] = sg.reshape(%[[G]]) {shape = array<i64: 2, 3, 4>}
// CHECK-NEXT: sg.heads %[[D]]
sg.graph @main(%x: tensor<2x3x4xf32>, %g: tensor<2x12xf32>) -> (tensor<2x3x4xf32>) attributes {training} {
  %y = sg.flatten(%x) : (tensor<2x3x4xf32>) -> tensor<2x12xf32>
  %d = sg.backward(%x, %y, %g) {operand_count = 1 : i64, result_count = 1 : i64, arriving = array<i64: 0>} : (tensor<2x3x4xf32>, tensor<2x12xf32>, tensor<2x12xf32>) -> tensor<2x3x4xf32>
  sg.heads %d : tensor<2x3x4xf32>
}

// -----

// The new moving statistics of batch_norm are results.
// CHECK-LABEL: @main(
// CHECK-SAME: tensor<3xf32> {sg.name = "mean", sg.state = "mean"}, tensor<3xf32> {sg.name = "var", sg.state = "var"}) attributes {training}
sg.weight @mean : tensor<3xf32> {aux}
sg.weight @var : tensor<3xf32> {aux}
sg.graph @main(%x: tensor<2x3xf32>, %gamma: tensor<3xf32>, %beta: tensor<3xf32>, %g: tensor<2x3xf32>) -> (tensor<2x3xf32>) attributes {training} {
  %mean = sg.parameter @mean : tensor<3xf32>
  %var = sg.parameter @var : tensor<3xf32>
  %y = sg.batch_norm(%x, %gamma, %beta, %mean, %var) : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %d:3 = sg.backward(%x, %gamma, %beta, %y, %g) {operand_count = 3 : i64, result_count = 1 : i64, arriving = array<i64: 0>} : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
  sg.heads %d#0 : tensor<2x3xf32>
}
