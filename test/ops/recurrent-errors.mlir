// RUN: symc-opt --sg-infer-shapes --sg-infer-types -split-input-file -verify-diagnostics=only-expected %s
// Each constraint of a recurrent layer is an error.

sg.graph @rnn_c1(%a0: tensor<5x2x3xf32>, %a1: tensor<48xf32>, %a2: tensor<1x2x4xf32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{parameter 'state_size' is 0, needs at least 1}}
  %0 = sg.rnn(%a0, %a1, %a2) {mode = "gru", state_size = 0, num_layers = 1, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>} :
      (tensor<5x2x3xf32>, tensor<48xf32>, tensor<1x2x4xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @rnn_c1_layers(%a0: tensor<5x2x3xf32>, %a1: tensor<48xf32>, %a2: tensor<1x2x4xf32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{parameter 'num_layers' is 2147483647, needs at most 4096}}
  %0 = sg.rnn(%a0, %a1, %a2) {mode = "gru", state_size = 4, num_layers = 2147483647, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>} :
      (tensor<5x2x3xf32>, tensor<48xf32>, tensor<1x2x4xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @rnn_c1_projection(%a0: tensor<5x2x3xf32>, %a1: tensor<48xf32>, %a2: tensor<1x2x4xf32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{parameter 'projection_size' belongs to mode lstm, mode is gru}}
  %0 = sg.rnn(%a0, %a1, %a2) {mode = "gru", state_size = 4, num_layers = 1, projection_size = 2, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>} :
      (tensor<5x2x3xf32>, tensor<48xf32>, tensor<1x2x4xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @rnn_c1_projected(%a0: tensor<5x2x3xf32>, %a1: tensor<48xf32>, %a2: tensor<1x2x4xf32>, %a3: tensor<1x2x4xf32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{parameter 'projection_size' is 5, needs 1 to state_size = 4}}
  %0 = sg.rnn(%a0, %a1, %a2, %a3) {mode = "lstm", state_size = 4, num_layers = 1, projection_size = 5, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>} :
      (tensor<5x2x3xf32>, tensor<48xf32>, tensor<1x2x4xf32>, tensor<1x2x4xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @rnn_c1_clip(%a0: tensor<5x2x3xf32>, %a1: tensor<48xf32>, %a2: tensor<1x2x4xf32>, %a3: tensor<1x2x4xf32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{parameter 'lstm_state_clip_min' and 'lstm_state_clip_max' are given both or not at all}}
  %0 = sg.rnn(%a0, %a1, %a2, %a3) {mode = "lstm", state_size = 4, num_layers = 1, lstm_state_clip_min = -1.0 : f64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>} :
      (tensor<5x2x3xf32>, tensor<48xf32>, tensor<1x2x4xf32>, tensor<1x2x4xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @rnn_c2(%a0: tensor<5x2xf32>, %a1: tensor<48xf32>, %a2: tensor<1x2x4xf32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{data has shape [5, 2], needs rank 3: time, batch, features}}
  %0 = sg.rnn(%a0, %a1, %a2) {mode = "gru", state_size = 4, num_layers = 1, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>} :
      (tensor<5x2xf32>, tensor<48xf32>, tensor<1x2x4xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @rnn_c3(%a0: tensor<5x2x3xf32>, %a1: tensor<48xf32>, %a2: tensor<1x2x4xf32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{parameters has shape [48] but needs [36] with state_size = 4 and num_layers = 1}}
  %0 = sg.rnn(%a0, %a1, %a2) {mode = "rnn_tanh", state_size = 4, num_layers = 1, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>} :
      (tensor<5x2x3xf32>, tensor<48xf32>, tensor<1x2x4xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @ctc_loss_c1(%a0: tensor<5x2xf32>, %a1: tensor<2x3xf32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{data has shape [5, 2], needs rank 3: time, batch, classes}}
  %0 = sg.ctc_loss(%a0, %a1) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} :
      (tensor<5x2xf32>, tensor<2x3xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @ctc_loss_c2(%a0: tensor<2x2x4xf32>, %a1: tensor<2x3xf32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{label has shape [2, 3], needs no more labels than data's 2 time steps}}
  %0 = sg.ctc_loss(%a0, %a1) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} :
      (tensor<2x2x4xf32>, tensor<2x3xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @rnn_gradient_c1(%a: tensor<5x2x3xf32>, %p: tensor<36xf32>, %h: tensor<1x2x4xf32>, %d: tensor<5x2x4xf32>) -> (tensor<5x2x4xf32>, tensor<36xf32>, tensor<1x2x4xf32>) {
  // expected-error @+1 {{outputs0 has shape [5, 2, 4] but needs [5, 2, 3]}}
  %0:3 = sg.rnn_gradient(%a, %p, %h, %d) {mode = "rnn_tanh", state_size = 4, num_layers = 1} :
      (tensor<5x2x3xf32>, tensor<36xf32>, tensor<1x2x4xf32>, tensor<5x2x4xf32>) -> (tensor<5x2x4xf32>, tensor<36xf32>, tensor<1x2x4xf32>)
  sg.heads %0#0, %0#1, %0#2 : tensor<5x2x4xf32>, tensor<36xf32>, tensor<1x2x4xf32>
}

// -----

sg.graph @rnn_gradient_c2(%a: tensor<5x2x3xf32>, %p: tensor<36xf32>, %h: tensor<1x2x4xf32>, %d: tensor<5x2x4xf32>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) {
  // expected-error @+1 {{there are 4 operands, needs 5: those of rnn and the gradients of its results}}
  %0:3 = sg.rnn_gradient(%a, %p, %h, %d) {mode = "rnn_tanh", state_size = 4, num_layers = 1, state_outputs = true} :
      (tensor<5x2x3xf32>, tensor<36xf32>, tensor<1x2x4xf32>, tensor<5x2x4xf32>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>)
  sg.heads %0#0, %0#1, %0#2 : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>
}

// -----

sg.graph @ctc_loss_gradient_c1(%a: tensor<6x2x4xf32>, %l: tensor<2x3xf32>, %d: tensor<2xf32>) -> (tensor<6x2x5xf32>) {
  // expected-error @+1 {{output has shape [6, 2, 5] but needs [6, 2, 4]}}
  %0 = sg.ctc_loss_gradient(%a, %l, %d) : (tensor<6x2x4xf32>, tensor<2x3xf32>, tensor<2xf32>) -> tensor<6x2x5xf32>
  sg.heads %0 : tensor<6x2x5xf32>
}

// -----

sg.graph @ctc_loss_gradient_c2(%a: tensor<6x2x4xf32>, %l: tensor<2x3xf32>, %d: tensor<3xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{inputs2 has shape [3] but needs [2]}}
  %0 = sg.ctc_loss_gradient(%a, %l, %d) : (tensor<6x2x4xf32>, tensor<2x3xf32>, tensor<3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}
