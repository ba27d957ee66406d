// If this fails, what weights alone decide is computed at each run, or a value
// that data decides is computed before there is data.
// RUN: symc-opt --split-input-file --sg-hoist-prepare %s | FileCheck %s
// RUN: symc-opt --split-input-file --sg-hoist-prepare --sg-hoist-prepare %s | FileCheck %s

sg.weight @w : tensor<4xf32>
sg.weight @s : tensor<4xf32>

// Two nodes move, one of them is read outside and becomes a head; the node that
// reads data, the bare parameter and the constants alone stay.
// CHECK: sg.graph @prepare() -> tensor<4xf32>
// CHECK: %[[S:.*]] = sg.parameter @s
// CHECK: %[[E:.*]] = sg.unary(%[[S]]) {fn = "exp"}
// CHECK: %[[W:.*]] = sg.parameter @w
// CHECK: %[[M:.*]] = sg.binary(%[[W]], %[[E]]) {fn = "mul"}
// CHECK: sg.heads %[[M]] : tensor<4xf32>
// CHECK-LABEL: sg.graph @main(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xf32>
// CHECK: %[[P:.*]] = sg.prepared 0 : tensor<4xf32>
// CHECK: sg.unary({{.*}}) {fn = "relu"}
// CHECK: sg.binary(%[[X]], %[[P]]) {fn = "add"}
// CHECK-NOT: fn = "exp"
// CHECK: sg.heads
sg.graph @main(%x: tensor<4xf32> {sg.name = "x"}) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %w = sg.parameter @w : tensor<4xf32>
  %s = sg.parameter @s : tensor<4xf32>
  %c = sg.constant dense<1.0> : tensor<4xf32>
  %0 = sg.unary(%s) {fn = "exp"} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = sg.binary(%w, %0) {fn = "mul"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %2 = sg.unary(%c) {fn = "relu"} : (tensor<4xf32>) -> tensor<4xf32>
  %3 = sg.binary(%x, %1) {fn = "add"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  sg.heads %3, %2, %w : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// -----

// A range that chooses rows of a weight is the same in each run; what would be larger than the
// weights is computed at each run.
// CHECK: sg.graph @prepare() -> tensor<3x4xf32>
// CHECK: %[[W:.*]] = sg.parameter @w
// CHECK: %[[I:.*]] = sg.arange
// CHECK: %[[T:.*]] = sg.take(%[[W]], %[[I]])
// CHECK: sg.heads %[[T]] : tensor<3x4xf32>
// CHECK-LABEL: sg.graph @main(
// CHECK: %[[P:.*]] = sg.prepared 0 : tensor<3x4xf32>
// CHECK: %[[B:.*]] = sg.take
// CHECK: sg.heads %[[P]], %[[B]]
sg.weight @w : tensor<5x4xf32>
sg.graph @main() -> (tensor<3x4xf32>, tensor<9x4xf32>) {
  %w = sg.parameter @w : tensor<5x4xf32>
  %i = sg.arange() {start = 0.0 : f64, stop = 3.0 : f64} : () -> tensor<3xf32>
  %l = sg.arange() {start = 0.0 : f64, stop = 9.0 : f64} : () -> tensor<9xf32>
  %0 = sg.take(%w, %i) : (tensor<5x4xf32>, tensor<3xf32>) -> tensor<3x4xf32>
  %1 = sg.take(%w, %l) : (tensor<5x4xf32>, tensor<9xf32>) -> tensor<9x4xf32>
  sg.heads %0, %1 : tensor<3x4xf32>, tensor<9x4xf32>
}

// -----

// So is a range that is cast, as those of nets of float16 are.
// CHECK: sg.graph @prepare() -> tensor<3x4xf32>
// CHECK: %[[W:.*]] = sg.parameter @w
// CHECK: %[[R:.*]] = sg.arange
// CHECK: %[[I:.*]] = sg.cast(%[[R]])
// CHECK: %[[T:.*]] = sg.take(%[[W]], %[[I]])
// CHECK: sg.heads %[[T]] : tensor<3x4xf32>
// CHECK-LABEL: sg.graph @main(
// CHECK-NOT: sg.take
sg.weight @w : tensor<5x4xf32>
sg.graph @main() -> tensor<3x4xf32> {
  %w = sg.parameter @w : tensor<5x4xf32>
  %r = sg.arange() {dtype = "float16", start = 0.0 : f64, stop = 3.0 : f64} : () -> tensor<3xf16>
  %i = sg.cast(%r) {dtype = "float32"} : (tensor<3xf16>) -> tensor<3xf32>
  %0 = sg.take(%w, %i) : (tensor<5x4xf32>, tensor<3xf32>) -> tensor<3x4xf32>
  sg.heads %0 : tensor<3x4xf32>
}
