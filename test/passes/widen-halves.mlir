// If this fails, a net of float16 is computed by loops of the runtime, or its values are rounded
// elsewhere than in the graph as it was written.
// RUN: symc-opt --split-input-file --sg-widen-halves %s | FileCheck %s
// RUN: symc-opt --split-input-file --sg-widen-halves --sg-widen-halves %s | FileCheck %s

// A layer computes in float32 and is rounded; relu of rounded numbers is exact; the head's cast
// rounds what it reads.
// CHECK-LABEL: @layers(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x8xf16>
// CHECK-SAME: %[[W:[a-z0-9]+]]: tensor<4x8xf16>
// CHECK-DAG: %[[XX:.*]] = sg.cast(%[[X]]) {dtype = "float32"}
// CHECK-DAG: %[[WW:.*]] = sg.cast(%[[W]]) {dtype = "float32"}
// CHECK: %[[FC:.*]] = sg.fully_connected(%[[XX]], %[[WW]]) {{.*}} -> tensor<2x4xf32>
// CHECK: %[[R:.*]] = sg.unary(%[[FC]]) {fn = "round_float16"}
// CHECK: %[[A:.*]] = sg.activation(%[[R]]) {act_type = "relu"} : (tensor<2x4xf32>)
// CHECK-NOT: sg.unary
// CHECK: %[[S:.*]] = sg.softmax(%[[A]]){{.*}} -> tensor<2x4xf32>
// CHECK-NOT: sg.unary
// CHECK: %[[H:.*]] = sg.cast(%[[S]]) {dtype = "float16"}
// CHECK: sg.heads %[[H]]
sg.graph @layers(%x: tensor<2x8xf16> {sg.name = "x"}, %w: tensor<4x8xf16> {sg.name = "w"}) -> (tensor<2x4xf16>) {
  %0 = sg.fully_connected(%x, %w) {num_hidden = 4, no_bias = true} : (tensor<2x8xf16>, tensor<4x8xf16>) -> tensor<2x4xf16>
  %1 = sg.activation(%0) {act_type = "relu"} : (tensor<2x4xf16>) -> tensor<2x4xf16>
  %2 = sg.softmax(%1) : (tensor<2x4xf16>) -> tensor<2x4xf16>
  sg.heads %2 : tensor<2x4xf16>
}

// -----

// Numbers are rounded to the type: 0.1 is 0.0999755859375, as elements are. bfloat16 is rounded
// to bfloat16.
// CHECK-LABEL: @numbers(
// CHECK: sg.scalar({{.*}}) {fn = "greater", scalar = 0.0999755859375 : f64}
// CHECK-NOT: round_
// CHECK: sg.scalar({{.*}}) {fn = "add", scalar = 1.001000e+00 : f64} : (tensor<4xf32>)
// CHECK: sg.scalar({{.*}}) {fn = "mul", scalar = 0.10009765625 : f64}
// CHECK: sg.unary({{.*}}) {fn = "round_bfloat16"}
// CHECK: sg.scalar({{.*}}) {fn = "mul", scalar = 1.000000e+00 : f64}
sg.graph @numbers(%x: tensor<4xf16> {sg.name = "x"}, %y: tensor<4xbf16> {sg.name = "y"}, %z: tensor<4xf32> {sg.name = "z"}) -> (tensor<4xf16>, tensor<4xf32>, tensor<4xbf16>) {
  %0 = sg.scalar(%x) {fn = "greater", scalar = 0.1} : (tensor<4xf16>) -> tensor<4xf16>
  %1 = sg.scalar(%z) {fn = "add", scalar = 1.001} : (tensor<4xf32>) -> tensor<4xf32>
  %2 = sg.scalar(%y) {fn = "mul", scalar = 0.1} : (tensor<4xbf16>) -> tensor<4xbf16>
  %3 = sg.scalar(%2) {fn = "mul", scalar = 1.0} : (tensor<4xbf16>) -> tensor<4xbf16>
  sg.heads %0, %1, %3 : tensor<4xf16>, tensor<4xf32>, tensor<4xbf16>
}

// -----

// Casts of the graph's own: a value that becomes float32 again is the rounded one, and is no cast.
// CHECK-LABEL: @casts(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x8xf32>
// CHECK: sg.cast(%[[X]]) {dtype = "float16", floats_only = true}
// CHECK: %[[R:.*]] = sg.unary(%[[X]]) {fn = "round_float16"}
// CHECK: %[[E:.*]] = sg.unary(%[[R]]) {fn = "exp"}
// CHECK: %[[S:.*]] = sg.unary(%[[E]]) {fn = "round_float16"}
// CHECK-NOT: sg.cast
// CHECK: sg.heads %[[S]]
sg.graph @casts(%x: tensor<2x8xf32> {sg.name = "x"}) -> (tensor<2x8xf32>) {
  %0 = sg.cast(%x) {dtype = "float16", floats_only = true} : (tensor<2x8xf32>) -> tensor<2x8xf16>
  %1 = sg.unary(%0) {fn = "exp"} : (tensor<2x8xf16>) -> tensor<2x8xf16>
  %2 = sg.cast(%1) {dtype = "float32", floats_only = true} : (tensor<2x8xf16>) -> tensor<2x8xf32>
  sg.heads %2 : tensor<2x8xf32>
}

// -----

// Nearest misses: float32 and float64, a move with nothing widened in front, random numbers.
// CHECK-LABEL: @others(
// CHECK-NOT: sg.cast
// CHECK-NOT: round_float16
// CHECK: sg.transpose({{.*}} -> tensor<8x2xf16>
// CHECK-NOT: sg.cast
// CHECK: sg.heads
sg.graph @others(%x: tensor<2x8xf16> {sg.name = "x"}, %y: tensor<4xf64> {sg.name = "y"}, %z: tensor<4xf32> {sg.name = "z"}) -> (tensor<8x2xf16>, tensor<4xf64>, tensor<4xf32>, tensor<4xf16>) {
  %0 = sg.transpose(%x) {axes = array<i64: 1, 0>} : (tensor<2x8xf16>) -> tensor<8x2xf16>
  %1 = sg.unary(%y) {fn = "exp"} : (tensor<4xf64>) -> tensor<4xf64>
  %2 = sg.unary(%z) {fn = "exp"} : (tensor<4xf32>) -> tensor<4xf32>
  %3 = sg.random() {kind = "uniform", shape = array<i64: 4>, dtype = "float16"} : () -> tensor<4xf16>
  sg.heads %0, %1, %2, %3 : tensor<8x2xf16>, tensor<4xf64>, tensor<4xf32>, tensor<4xf16>
}

// -----

// Behind a layer the same move is one of float32.
// CHECK-LABEL: @moves(
// CHECK: sg.transpose({{.*}} -> tensor<8x2xf32>
// CHECK: sg.cast({{.*}}) {dtype = "float16"} : (tensor<8x2xf32>)
sg.graph @moves(%x: tensor<2x8xf16> {sg.name = "x"}) -> (tensor<8x2xf16>) {
  %0 = sg.unary(%x) {fn = "exp"} : (tensor<2x8xf16>) -> tensor<2x8xf16>
  %1 = sg.transpose(%0) {axes = array<i64: 1, 0>} : (tensor<2x8xf16>) -> tensor<8x2xf16>
  sg.heads %1 : tensor<8x2xf16>
}
