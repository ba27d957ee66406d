// If this fails, results that the backward part reads stay alive in spite of --recompute, a layer is computed twice without need, or
// a copy is not where it is read.
// RUN: symc-opt %s -split-input-file -sg-recompute="bytes=0" | FileCheck %s
// RUN: symc-opt %s -split-input-file -sg-recompute="bytes=0" -cse -sg-recompute="bytes=0" | FileCheck %s
// RUN: symc-opt %s -split-input-file -sg-recompute="bytes=0" --remarks-filter=sg-recompute --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=MISSED
// MISSED: results have 256 bytes side by side, 256 where none is computed again
// RUN: symc-opt %s -split-input-file -sg-recompute | FileCheck %s --check-prefix=FREE

// What is cheap is computed again right before its reader, from what lives anyway; CSE keeps it apart. Without bytes
// nothing is.
// CHECK-LABEL: @main(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<8xf32>, %[[G:[a-z0-9]+]]: tensor<8xf32>
// CHECK-NEXT: %[[E:.+]] = sg.unary(%[[X]]) {fn = "exp"}
// CHECK-NEXT: %[[T:.+]] = sg.unary(%[[E]]) {fn = "tanh"}
// CHECK-NEXT: %[[S:.+]] = sg.unary(%[[T]]) {fn = "sin"}
// CHECK-NEXT: %[[D:.+]] = sg.slope({{.*}}fn = "sin"
// CHECK-NEXT: %[[AGAIN:.+]] = sg.unary(%[[X]]) {fn = "exp", sg.recomputed}
// CHECK-NEXT: sg.binary(%[[D]], %[[AGAIN]])
// FREE-LABEL: @main(
// FREE-NOT:   sg.recomputed
sg.graph @main(%x: tensor<8xf32>, %g: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) attributes {training} {
  %e = sg.unary(%x) {fn = "exp"} : (tensor<8xf32>) -> tensor<8xf32> loc("e")
  %t = sg.unary(%e) {fn = "tanh"} : (tensor<8xf32>) -> tensor<8xf32> loc("t")
  %s = sg.unary(%t) {fn = "sin"} : (tensor<8xf32>) -> tensor<8xf32> loc("s")
  %d = sg.slope(%t, %g) {fn = "sin", by = 0 : i64, places = array<i64: 0>, numbers = array<f64: 0.0>, num_args = 2 : i64} : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32> loc("s_backward")
  %b = sg.binary(%d, %e) {fn = "mul"} : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32> loc("t_backward")
  sg.heads %s, %b : tensor<8xf32>, tensor<8xf32>
}

// -----

// The nearest misses: a layer whose copy frees nothing, and what prediction computes.
// CHECK-LABEL: @main(
// CHECK-NOT:   sg.recomputed
// FREE-LABEL: @main(
sg.graph @main(%x: tensor<8x8xf32>, %w: tensor<8x8xf32>, %g: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) attributes {training} {
  %y = sg.fully_connected(%x, %w) {num_hidden = 8 : i64, no_bias = true} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32> loc("y")
  %t = sg.unary(%y) {fn = "tanh"} : (tensor<8x8xf32>) -> tensor<8x8xf32> loc("t")
  %b = sg.binary(%g, %y) {fn = "mul"} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32> loc("t_backward")
  sg.heads %t, %b : tensor<8x8xf32>, tensor<8x8xf32>
}

// -----

// CHECK-LABEL: @main(
// CHECK-NOT:   sg.recomputed
// FREE-LABEL: @main(
sg.graph @main(%x: tensor<8xf32>, %g: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %e = sg.unary(%x) {fn = "exp", sg.attrs = {__force_mirroring__ = "True"}} : (tensor<8xf32>) -> tensor<8xf32> loc("e")
  %t = sg.unary(%e) {fn = "tanh"} : (tensor<8xf32>) -> tensor<8xf32> loc("t")
  %b = sg.binary(%g, %e) {fn = "mul"} : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32> loc("t_backward")
  sg.heads %t, %b : tensor<8xf32>, tensor<8xf32>
}

// -----

// A node that the file mirrors is computed again in any case, with the node before it that is mirrored, too.
// CHECK-LABEL: @main(
// FREE-LABEL: @main(
// FREE-SAME:  %[[X:[a-z0-9]+]]: tensor<8xf32>, %[[G:[a-z0-9]+]]: tensor<8xf32>
// FREE:       %[[D:.+]] = sg.dropout(%[[X]])
// FREE-NEXT:  %[[A:.+]] = sg.unary(%[[D]]) {fn = "exp", sg.attrs = {__force_mirroring__ = "True"}}
// FREE:       %[[D2:.+]] = sg.dropout(%[[X]]) {{.*}}sg.recomputed
// FREE-NEXT:  %[[A2:.+]] = sg.unary(%[[D2]]) {{.*}}sg.recomputed
// FREE-NEXT:  sg.binary(%[[G]], %[[A2]])
// FREE-NOT:   sg.recompute}
sg.graph @main(%x: tensor<8xf32>, %g: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) attributes {training} {
  %d = sg.dropout(%x) {p = 0.5 : f64, sg.recompute} : (tensor<8xf32>) -> tensor<8xf32> loc("d")
  %a = sg.unary(%d) {fn = "exp", sg.attrs = {__force_mirroring__ = "True"}} : (tensor<8xf32>) -> tensor<8xf32> loc("a")
  %s = sg.unary(%a) {fn = "sin"} : (tensor<8xf32>) -> tensor<8xf32> loc("s")
  %b = sg.binary(%g, %a) {fn = "mul"} : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32> loc("s_backward")
  sg.heads %s, %b : tensor<8xf32>, tensor<8xf32>
}
