// RUN: symc-opt --sg-infer-shapes --sg-infer-types %s | FileCheck %s
// RUN: symc-opt %s | symc-opt | symc-opt --sg-infer-shapes --sg-infer-types | FileCheck %s
// Recurrent layers: parameters and states get their shapes from data, the lengths any type.

// CHECK-LABEL: sg.graph @rnn(
// CHECK: (tensor<5x2x3xf32>, tensor<736xf32>, tensor<4x2x4xf32>, tensor<4x2x4xf32>, tensor<2xi32>) -> (tensor<5x2x8xf32>, tensor<4x2x4xf32>, tensor<4x2x4xf32>)
sg.graph @rnn(%a: tensor<5x2x3xf32>, %p: tensor<*x!sg.unknown>, %h: tensor<*x!sg.unknown>, %c: tensor<*x!sg.unknown>, %l: tensor<*xi32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  %0:3 = sg.rnn(%a, %p, %h, %c, %l) {mode = "lstm", state_size = 4, num_layers = 2, bidirectional = true, state_outputs = true, use_sequence_length = true, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>} :
      (tensor<5x2x3xf32>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*xi32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>)
  sg.heads %0#0, %0#1, %0#2 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}

// With a projection the state is short and the cell is not.
// CHECK-LABEL: sg.graph @rnn_projection(
// CHECK: (tensor<5x2x3xf64>, tensor<120xf64>, tensor<1x2x2xf64>, tensor<1x2x4xf64>) -> tensor<5x2x2xf64>
sg.graph @rnn_projection(%a: tensor<5x2x3xf64>, %p: tensor<*x!sg.unknown>, %h: tensor<*x!sg.unknown>, %c: tensor<*x!sg.unknown>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.rnn(%a, %p, %h, %c) {mode = "lstm", state_size = 4, num_layers = 1, projection_size = 2, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>} :
      (tensor<5x2x3xf64>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @ctc_loss(
// CHECK: (tensor<6x2x4xf32>, tensor<2x3xf32>, tensor<2xf32>) -> tensor<2xf32>
sg.graph @ctc_loss(%a: tensor<6x2x4xf32>, %l: tensor<2x3xf32>, %n: tensor<*xf32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.ctc_loss(%a, %l, %n) {use_label_lengths = true, operandSegmentSizes = array<i32: 1, 1, 0, 1>} :
      (tensor<6x2x4xf32>, tensor<2x3xf32>, tensor<*xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// Gradients have the shapes of what they are the gradients of.
// CHECK-LABEL: sg.graph @rnn_gradient(
// CHECK: tensor<5x2x8xf32>, tensor<4x2x4xf32>, tensor<4x2x4xf32>) -> (tensor<5x2x3xf32>, tensor<736xf32>, tensor<4x2x4xf32>, tensor<4x2x4xf32>)
sg.graph @rnn_gradient(%a: tensor<5x2x3xf32>, %p: tensor<736xf32>, %h: tensor<4x2x4xf32>, %c: tensor<4x2x4xf32>, %l: tensor<2xi32>, %d: tensor<5x2x8xf32>, %dh: tensor<*xf32>, %dc: tensor<*xf32>)
    -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  %0:4 = sg.rnn_gradient(%a, %p, %h, %c, %l, %d, %dh, %dc) {mode = "lstm", state_size = 4, num_layers = 2, bidirectional = true, state_outputs = true, use_sequence_length = true} :
      (tensor<5x2x3xf32>, tensor<736xf32>, tensor<4x2x4xf32>, tensor<4x2x4xf32>, tensor<2xi32>, tensor<5x2x8xf32>, tensor<*xf32>, tensor<*xf32>)
      -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>)
  sg.heads %0#0, %0#1, %0#2, %0#3 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @ctc_loss_gradient(
// CHECK: (tensor<6x2x4xf32>, tensor<2x3xf32>, tensor<2xf32>) -> tensor<6x2x4xf32>
sg.graph @ctc_loss_gradient(%a: tensor<6x2x4xf32>, %l: tensor<2x3xf32>, %d: tensor<*x!sg.unknown>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.ctc_loss_gradient(%a, %l, %d) : (tensor<6x2x4xf32>, tensor<2x3xf32>, tensor<*x!sg.unknown>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}
