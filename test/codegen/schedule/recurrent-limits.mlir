// If this fails, an LSTM whose cell is limited calls its reference kernel, its limits change places,
// or a cell that is no number passes where it is to be limited, too.
// RUN: symc-opt --kernel-choose-layouts --kernel-schedule %s | FileCheck %s

sg.weight @p : tensor<56xf32>

// CHECK-LABEL: kernel.program @main_program
// CHECK: kernel.recurrent
// CHECK: %[[LOW:.*]] = arith.constant -5.000000e-01 : f32
// CHECK-NEXT: %[[HIGH:.*]] = arith.constant 2.500000e-01 : f32
// CHECK-NEXT: %[[ABOVE:.*]] = arith.cmpf ogt, %[[LOW]], %[[NOW:.*]] : f32
// CHECK: %[[LEAST:.*]] = arith.select %[[ABOVE]], %[[LOW]], %[[NOW]]
// CHECK: %[[BELOW:.*]] = arith.cmpf olt, %[[HIGH]], %[[LEAST]] : f32
// CHECK: %[[CELL:.*]] = arith.select %[[BELOW]], %[[HIGH]], %[[LEAST]]
// CHECK: math.tanh %[[CELL]]
// CHECK: kernel.yield %{{.*}}, %[[CELL]]
// CHECK: kernel.recurrent
// CHECK: %[[LOW:.*]] = arith.constant -5.000000e-01 : f32
// CHECK-NEXT: arith.constant 2.500000e-01 : f32
// CHECK-NEXT: arith.cmpf ogt, %{{.*}}, %[[LOW]] : f32
// CHECK-NOT: kernel.call
sg.graph @main(%x: tensor<4x5x3xf32> {sg.name = "x"}, %h: tensor<1x5x2xf32> {sg.name = "h"}) -> (tensor<4x5x2xf32>, tensor<4x5x2xf32>) {
  %p = sg.parameter @p : tensor<56xf32>
  %0 = sg.rnn(%x, %p, %h, %h) {state_size = 2 : i64, num_layers = 1 : i64, mode = "lstm", lstm_state_clip_min = -0.5 : f64, lstm_state_clip_max = 0.25 : f64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>} : (tensor<4x5x3xf32>, tensor<56xf32>, tensor<1x5x2xf32>, tensor<1x5x2xf32>) -> tensor<4x5x2xf32>
  %1 = sg.rnn(%x, %p, %h, %h) {state_size = 2 : i64, num_layers = 1 : i64, mode = "lstm", lstm_state_clip_nan = true, lstm_state_clip_min = -0.5 : f64, lstm_state_clip_max = 0.25 : f64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>} : (tensor<4x5x3xf32>, tensor<56xf32>, tensor<1x5x2xf32>, tensor<1x5x2xf32>) -> tensor<4x5x2xf32>
  sg.heads %0, %1 : tensor<4x5x2xf32>, tensor<4x5x2xf32>
}
