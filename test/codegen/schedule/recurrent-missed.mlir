// If this fails, a recurrent layer that no kernel takes breaks the schedule instead of
// calling its reference kernel, or the remark has another reason.
// RUN: symc-opt --kernel-choose-layouts --kernel-schedule --remarks-filter='kernel-schedule' --remark-format=emitRemark %s 2>&1 | FileCheck %s

sg.weight @p : tensor<300xf32>
sg.weight @d : tensor<14xf64>
sg.weight @e : tensor<14xf32>

// CHECK: 'projected' does not fit rule 'recurrent': its state is projected
// CHECK: 'double' does not fit rule 'recurrent': its elements are not float32
// CHECK: 'empty' does not fit rule 'recurrent': it is empty or may be
sg.graph @main(%x: tensor<4x5x3xf32> {sg.name = "x"}, %g: tensor<14xf32> {sg.name = "g"}, %h: tensor<1x5x2xf32> {sg.name = "h"},
               %y: tensor<4x5x3xf64> {sg.name = "y"}, %k: tensor<1x5x2xf64> {sg.name = "k"}, %z: tensor<0x5x3xf32> {sg.name = "z"},
               %s: tensor<1x5x1xf32> {sg.name = "s"})
    -> (tensor<4x5x2xf32>, tensor<4x5x1xf32>, tensor<4x5x2xf64>, tensor<0x5x2xf32>) {
  %p = sg.parameter @p : tensor<300xf32>
  %d = sg.parameter @d : tensor<14xf64>
  %e = sg.parameter @e : tensor<14xf32>
  %0 = sg.rnn(%x, %g, %h) {state_size = 2 : i64, num_layers = 1 : i64, mode = "rnn_tanh", operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>} : (tensor<4x5x3xf32>, tensor<14xf32>, tensor<1x5x2xf32>) -> tensor<4x5x2xf32> loc("given")
  %1 = sg.rnn(%x, %p, %s, %h) {state_size = 2 : i64, num_layers = 1 : i64, mode = "lstm", projection_size = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>} : (tensor<4x5x3xf32>, tensor<300xf32>, tensor<1x5x1xf32>, tensor<1x5x2xf32>) -> tensor<4x5x1xf32> loc("projected")
  %3 = sg.rnn(%y, %d, %k) {state_size = 2 : i64, num_layers = 1 : i64, mode = "rnn_tanh", operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>} : (tensor<4x5x3xf64>, tensor<14xf64>, tensor<1x5x2xf64>) -> tensor<4x5x2xf64> loc("double")
  %4 = sg.rnn(%z, %e, %h) {state_size = 2 : i64, num_layers = 1 : i64, mode = "rnn_tanh", operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>} : (tensor<0x5x3xf32>, tensor<14xf32>, tensor<1x5x2xf32>) -> tensor<0x5x2xf32> loc("empty")
  sg.heads %0, %1, %3, %4 : tensor<4x5x2xf32>, tensor<4x5x1xf32>, tensor<4x5x2xf64>, tensor<0x5x2xf32>
}
