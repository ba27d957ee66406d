// If this fails, layers with zeros between them read other parameters or states, or draw no zeros.
// RUN: symc-opt %s -split-input-file -sg-decompose="which=rewritten" | FileCheck %s
// RUN: symc-opt %s -split-input-file -sg-decompose="which=rewritten" -sg-infer-shapes -sg-decompose="which=rewritten" | FileCheck %s

// Layer 0: [8, 3] and [8, 2] twice; layer 1: [8, 4] and [8, 2] twice; biases are 16 twice in each.
// CHECK-LABEL: sg.graph @main(
// CHECK:      %[[P:.+]]:4 = sg.split_v2(%{{.+}}) {axis = 0 : i64, indices = array<i64: 0, 80, 176, 208>{{.*}} -> (tensor<80xf32>, tensor<96xf32>, tensor<32xf32>, tensor<32xf32>)
// CHECK:      %[[H:.+]]:2 = sg.split_v2({{.*}} -> (tensor<2x6x2xf32>, tensor<2x6x2xf32>)
// CHECK:      %[[C:.+]]:2 = sg.split_v2(
// CHECK:      %[[P0:.+]] = sg.concat(%[[P]]#0, %[[P]]#2)
// CHECK:      %[[L0:.+]]:3 = sg.rnn(%{{.+}}, %[[P0]], %[[H]]#0, %[[C]]#0) {bidirectional = true, mode = "lstm", num_layers = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>, state_outputs = true
// CHECK:      %[[D:.+]] = sg.dropout(%[[L0]]#0) {p = 2.500000e-01 : f64}
// CHECK:      %[[P1:.+]] = sg.concat(%[[P]]#1, %[[P]]#3)
// CHECK:      %[[L1:.+]]:3 = sg.rnn(%[[D]], %[[P1]], %[[H]]#1, %[[C]]#1)
// CHECK:      %[[HS:.+]] = sg.concat(%[[L0]]#1, %[[L1]]#1) {dim = 0
// CHECK:      %[[CS:.+]] = sg.concat(%[[L0]]#2, %[[L1]]#2) {dim = 0
// CHECK:      sg.heads %[[L1]]#0, %[[HS]], %[[CS]]
sg.graph @main(%x: tensor<5x6x3xf32>, %p: tensor<240xf32>, %h: tensor<4x6x2xf32>, %c: tensor<4x6x2xf32>)
    -> (tensor<5x6x4xf32>, tensor<4x6x2xf32>, tensor<4x6x2xf32>) attributes {training} {
  %0:3 = sg.rnn(%x, %p, %h, %c) {mode = "lstm", state_size = 2 : i64, num_layers = 2 : i64, bidirectional = true, state_outputs = true, p = 0.25 : f64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>} :
      (tensor<5x6x3xf32>, tensor<240xf32>, tensor<4x6x2xf32>, tensor<4x6x2xf32>) -> (tensor<5x6x4xf32>, tensor<4x6x2xf32>, tensor<4x6x2xf32>)
  sg.heads %0#0, %0#1, %0#2 : tensor<5x6x4xf32>, tensor<4x6x2xf32>, tensor<4x6x2xf32>
}

// -----

// Prediction draws none, and one layer has none between.
// CHECK-LABEL: sg.graph @main(
// CHECK-NOT:  sg.dropout
// CHECK:      sg.rnn({{.*}}num_layers = 2
sg.graph @main(%x: tensor<5x6x3xf32>, %p: tensor<26xf32>, %h: tensor<2x6x2xf32>) -> (tensor<5x6x2xf32>) {
  %0 = sg.rnn(%x, %p, %h) {mode = "rnn_tanh", state_size = 2 : i64, num_layers = 2 : i64, p = 0.25 : f64, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>} :
      (tensor<5x6x3xf32>, tensor<26xf32>, tensor<2x6x2xf32>) -> tensor<5x6x2xf32>
  sg.heads %0 : tensor<5x6x2xf32>
}

// -----

// CHECK-LABEL: sg.graph @main(
// CHECK-NOT:  sg.dropout
// CHECK:      sg.rnn({{.*}}num_layers = 1
sg.graph @main(%x: tensor<5x6x3xf32>, %p: tensor<14xf32>, %h: tensor<1x6x2xf32>) -> (tensor<5x6x2xf32>) attributes {training} {
  %0 = sg.rnn(%x, %p, %h) {mode = "rnn_tanh", state_size = 2 : i64, num_layers = 1 : i64, p = 0.25 : f64, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>} :
      (tensor<5x6x3xf32>, tensor<14xf32>, tensor<1x6x2xf32>) -> tensor<5x6x2xf32>
  sg.heads %0 : tensor<5x6x2xf32>
}
