// If this fails, a model gets an element type that MXNet would not give it.
// RUN: symc-opt --sg-infer-types %s | FileCheck %s
// RUN: symc-opt --sg-infer-types --sg-infer-types %s | FileCheck %s

// What one operand knows, the others and the weight get.
// CHECK: sg.weight @w : tensor<5x3xf64>
sg.weight @w : tensor<5x3x!sg.unknown>
// CHECK-LABEL: @spread(
// CHECK-SAME: -> tensor<2x5xf64>
sg.graph @spread(%data: tensor<2x3xf64> {sg.name = "data"}) -> (tensor<2x5x!sg.unknown>) {
  %w = sg.parameter @w : tensor<5x3x!sg.unknown>
  %0 = sg.fully_connected(%data, %w) {num_hidden = 5 : i64, no_bias = true} : (tensor<2x3xf64>, tensor<5x3x!sg.unknown>) -> tensor<2x5x!sg.unknown>
  sg.heads %0 : tensor<2x5x!sg.unknown>
}

// What nothing decides is float32, and the rest follows from that.
// CHECK-LABEL: @undecided(
// CHECK-SAME: %{{.*}}: tensor<2xf32>{{.*}} -> tensor<2xf32>
sg.graph @undecided(%data: tensor<2x!sg.unknown> {sg.name = "data"}) -> (tensor<2x!sg.unknown>) {
  %0 = sg.unary(%data) {fn = "relu"} : (tensor<2x!sg.unknown>) -> tensor<2x!sg.unknown>
  sg.heads %0 : tensor<2x!sg.unknown>
}

// A cast cuts the spreading: its operand is free to be float32.
// CHECK-LABEL: @cast(
// CHECK-SAME: %{{.*}}: tensor<2xf32>{{.*}} -> tensor<2xi32>
sg.graph @cast(%data: tensor<2x!sg.unknown> {sg.name = "data"}) -> (tensor<2x!sg.unknown>) {
  %0 = sg.cast(%data) {dtype = "int32"} : (tensor<2x!sg.unknown>) -> tensor<2x!sg.unknown>
  sg.heads %0 : tensor<2x!sg.unknown>
}
