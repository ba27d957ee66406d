// If this fails, a layer's elementwise chain costs a pass over memory of its
// own, or a value that others read as well vanishes in a group.
// RUN: symc-opt --sg-fuse-elementwise %s | FileCheck %s
// RUN: symc-opt --sg-fuse-elementwise --sg-fuse-elementwise %s | FileCheck %s

// A layer, a residual and an activation are one group; the residual, which is
// computed first, stays an operand.
// CHECK-LABEL: @residual(
// CHECK-SAME: %[[X:[a-z0-9]+]]: {{[^,]*}}, %[[W:[a-z0-9]+]]:
// CHECK-NEXT: %[[F:.*]] = sg.fused(%[[X]], %[[W]])
// CHECK-NEXT: ^bb0(%[[A:.*]]: {{[^,]*}}, %[[B:[a-z0-9]+]]:
// CHECK-NEXT: %[[C:.*]] = sg.convolution(%[[A]], %[[B]])
// CHECK-NEXT: %[[D:.*]] = sg.binary(%[[C]], %[[A]]) {fn = "add"}
// CHECK-NEXT: %[[E:.*]] = sg.unary(%[[D]]) {fn = "relu"}
// CHECK-NEXT: sg.yield %[[E]]
// CHECK: sg.heads %[[F]]
sg.graph @residual(%x: tensor<2x3x8x8xf32> {sg.name = "x"}, %w: tensor<3x3x1x1xf32> {sg.name = "w"}) -> (tensor<2x3x8x8xf32>) {
  %0 = sg.convolution(%x, %w) {kernel = array<i64: 1, 1>, num_filter = 3 : i64, no_bias = true} : (tensor<2x3x8x8xf32>, tensor<3x3x1x1xf32>) -> tensor<2x3x8x8xf32>
  %1 = sg.binary(%0, %x) {fn = "add"} : (tensor<2x3x8x8xf32>, tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %2 = sg.unary(%1) {fn = "relu"} : (tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  sg.heads %2 : tensor<2x3x8x8xf32>
}

// Nodes without a layer in front group as well, with what they broadcast.
// CHECK-LABEL: @chain(
// CHECK-NEXT: sg.fused
// CHECK: sg.scalar
// CHECK-NEXT: sg.binary({{.*}}) {broadcast = true, fn = "mul"}
sg.graph @chain(%x: tensor<2x3xf32> {sg.name = "x"}, %v: tensor<3xf32> {sg.name = "v"}) -> (tensor<2x3xf32>) {
  %0 = sg.scalar(%x) {fn = "add", scalar = 1.0 : f64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = sg.binary(%0, %v) {fn = "mul", broadcast = true} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  sg.heads %1 : tensor<2x3xf32>
}

// A cast begins a group, since its operand has another type than what follows, or ends one. What
// follows it there is another's, and a layer has none.
// CHECK-LABEL: @cast(
// CHECK-NEXT: sg.fused
// CHECK: sg.cast
// CHECK-NEXT: sg.scalar
// CHECK-NEXT: sg.cast
// CHECK-NEXT: sg.yield
// CHECK-NEXT: }
// CHECK-NEXT: sg.scalar
// CHECK-NEXT: sg.pooling
// CHECK-NEXT: sg.cast
sg.graph @cast(%x: tensor<2x3xui8> {sg.name = "x"}, %y: tensor<1x2x3x3xf32> {sg.name = "y"}) -> (tensor<2x3xf16>, tensor<1x2x3x3xf16>) {
  %0 = sg.cast(%x) {dtype = "float32"} : (tensor<2x3xui8>) -> tensor<2x3xf32>
  %1 = sg.scalar(%0) {fn = "add", scalar = 1.0 : f64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %2 = sg.cast(%1) {dtype = "float16"} : (tensor<2x3xf32>) -> tensor<2x3xf16>
  %3 = sg.scalar(%2) {fn = "add", scalar = 1.0 : f64} : (tensor<2x3xf16>) -> tensor<2x3xf16>
  %4 = sg.pooling(%y) {kernel = array<i64: 1, 1>, pool_type = "max"} : (tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32>
  %5 = sg.cast(%4) {dtype = "float16"} : (tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf16>
  sg.heads %3, %5 : tensor<2x3xf16>, tensor<1x2x3x3xf16>
}

// A normalisation reads what is computed before it and is followed by what is computed of it.
// CHECK-LABEL: @norm(
// CHECK: sg.fused
// CHECK: sg.binary({{.*}}) {fn = "add"}
// CHECK-NEXT: sg.layer_norm
// CHECK-NEXT: sg.unary
// CHECK-NEXT: sg.yield
sg.graph @norm(%x: tensor<2x3xf32> {sg.name = "x"}, %r: tensor<2x3xf32> {sg.name = "r"}, %g: tensor<3xf32> {sg.name = "g"}) -> (tensor<2x3xf32>) {
  %0 = sg.binary(%x, %r) {fn = "add"} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = sg.layer_norm(%0, %g, %g) : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %2 = sg.unary(%1) {fn = "relu"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  sg.heads %2 : tensor<2x3xf32>
}

// A reduction's result is followed by nodes of its own shape; one of another type than its data
// stays alone, and so does one behind a layer.
// CHECK-LABEL: @reductions(
// CHECK: sg.fused
// CHECK: sg.reduce
// CHECK-NEXT: sg.scalar
// CHECK: sg.fused
// CHECK: sg.convolution
// CHECK-NEXT: sg.unary
// CHECK-NEXT: sg.yield
// CHECK: sg.softmax
// CHECK: sg.unary
// CHECK-NEXT: sg.softmax
sg.graph @reductions(%x: tensor<2x3x8x8xf32> {sg.name = "x"}, %w: tensor<3x3x1x1xf32> {sg.name = "w"}) -> (tensor<2x3xf32>, tensor<2x3x8x8xf32>, tensor<2x3x8x8xf16>) {
  %0 = sg.reduce(%x) {kind = "mean", axis = array<i64: 2, 3>} : (tensor<2x3x8x8xf32>) -> tensor<2x3xf32>
  %1 = sg.scalar(%0) {fn = "mul", scalar = 2.0 : f64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %2 = sg.convolution(%x, %w) {kernel = array<i64: 1, 1>, num_filter = 3 : i64, no_bias = true} : (tensor<2x3x8x8xf32>, tensor<3x3x1x1xf32>) -> tensor<2x3x8x8xf32>
  %3 = sg.unary(%2) {fn = "relu"} : (tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %4 = sg.softmax(%3) {axis = 1 : i64} : (tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %5 = sg.unary(%x) {fn = "exp"} : (tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32>
  %6 = sg.softmax(%5) {dtype = "float16"} : (tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf16>
  sg.heads %1, %4, %6 : tensor<2x3xf32>, tensor<2x3x8x8xf32>, tensor<2x3x8x8xf16>
}

// Nearest misses: a value that is a head as well; a value that a broadcast
// makes larger; a softmax of a value that others read.
// CHECK-LABEL: @misses(
// CHECK-NOT: sg.fused
// CHECK: sg.heads
sg.graph @misses(%x: tensor<2x3xf32> {sg.name = "x"}, %v: tensor<1x3xf32> {sg.name = "v"}) -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) {
  %0 = sg.unary(%x) {fn = "exp"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = sg.unary(%0) {fn = "relu"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %2 = sg.unary(%v) {fn = "exp"} : (tensor<1x3xf32>) -> tensor<1x3xf32>
  %3 = sg.binary(%x, %2) {fn = "add", broadcast = true} : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
  %4 = sg.softmax(%3) {axis = 1 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  sg.heads %0, %1, %3, %4 : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>
}

// A layer's value that several nodes read goes on in its kernel where all of these end in one node:
// x * sigmoid(x), and behind it x * (1 + erf(x)).
// CHECK-LABEL: @diamonds(
// CHECK: sg.fused(%{{.*}}, %{{.*}}) {{.*}} body {
// CHECK: sg.fully_connected
// CHECK: sg.unary({{.*}}) {fn = "sigmoid"}
// CHECK: sg.binary({{.*}}) {fn = "mul"}
// CHECK: sg.unary({{.*}}) {fn = "erf"}
// CHECK: sg.scalar
// CHECK: sg.binary({{.*}}) {fn = "mul"}
// CHECK: sg.yield
// CHECK: sg.heads
sg.graph @diamonds(%x: tensor<2x8xf32> {sg.name = "x"}, %w: tensor<4x8xf32> {sg.name = "w"}) -> (tensor<2x4xf32>) {
  %0 = sg.fully_connected(%x, %w) {num_hidden = 4, no_bias = true} : (tensor<2x8xf32>, tensor<4x8xf32>) -> tensor<2x4xf32>
  %1 = sg.unary(%0) {fn = "sigmoid"} : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %2 = sg.binary(%0, %1) {fn = "mul"} : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  %3 = sg.unary(%2) {fn = "erf"} : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %4 = sg.scalar(%3) {fn = "add", scalar = 1.0} : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %5 = sg.binary(%4, %2) {fn = "mul"} : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  sg.heads %5 : tensor<2x4xf32>
}

// Nearest miss: what is in the middle of one is a head, too.
// CHECK-LABEL: @read(
// CHECK: sg.fully_connected
// CHECK-NOT: sg.fused
// CHECK: sg.unary
// CHECK: sg.heads
sg.graph @read(%x: tensor<2x8xf32> {sg.name = "x"}, %w: tensor<4x8xf32> {sg.name = "w"}) -> (tensor<2x4xf32>, tensor<2x4xf32>) {
  %0 = sg.fully_connected(%x, %w) {num_hidden = 4, no_bias = true} : (tensor<2x8xf32>, tensor<4x8xf32>) -> tensor<2x4xf32>
  %1 = sg.unary(%0) {fn = "sigmoid"} : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %2 = sg.binary(%0, %1) {fn = "mul"} : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  sg.heads %2, %1 : tensor<2x4xf32>, tensor<2x4xf32>
}

// @prepare stays one node, one step: its rounding must not depend on groups.
// CHECK-LABEL: sg.graph @prepare
// CHECK-NOT: sg.fused
sg.graph @prepare() -> (tensor<4xf32>) {
  %c = sg.constant dense<1.0> : tensor<4xf32>
  %0 = sg.unary(%c) {fn = "exp"} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = sg.unary(%0) {fn = "relu"} : (tensor<4xf32>) -> tensor<4xf32>
  sg.heads %1 : tensor<4xf32>
}

// A product of matrices starts a group as a layer does.
// CHECK-LABEL: @product(
// CHECK-NEXT: sg.fused
// CHECK: sg.batch_dot
// CHECK-NEXT: sg.scalar
// CHECK-NEXT: sg.yield
sg.graph @product(%x: tensor<2x3x4xf32> {sg.name = "x"}, %y: tensor<2x4x5xf32> {sg.name = "y"}) -> (tensor<2x3x5xf32>) {
  %0 = sg.batch_dot(%x, %y) : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  %1 = sg.scalar(%0) {fn = "mul", scalar = 0.5 : f64} : (tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  sg.heads %1 : tensor<2x3x5xf32>
}

// In training two chains that one node alone reads are one group, and the sums of a normalisation's
// gradient have elementwise nodes before them. In prediction the first chain is another step.
// CHECK-LABEL: @training(
// CHECK: %[[F:.+]]:2 = sg.fused
// CHECK: sg.unary
// CHECK-NEXT: %[[A:.+]], %[[T:.+]] = sg.norm_sums
// CHECK-NEXT: sg.yield %[[A]], %[[T]]
// CHECK: sg.fused
// CHECK: fn = "mul"
// CHECK-NEXT: fn = "sub"
// CHECK-NEXT: fn = "sub"
// CHECK-NEXT: sg.yield
// CHECK: sg.heads %{{.+}}, %[[F]]#0, %[[F]]#1
sg.graph @training(%x: tensor<2x3xf32> {sg.name = "x"}, %g: tensor<2x3xf32> {sg.name = "g"}, %m: tensor<1x3xf32> {sg.name = "m"}) -> (tensor<2x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>) attributes {training} {
  %0 = sg.unary(%g) {fn = "relu"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1:2 = sg.norm_sums(%0, %x, %m, %m) {axes = array<i64: 0>} : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>) -> (tensor<1x3xf32>, tensor<1x3xf32>)
  %2 = sg.binary(%g, %m) {broadcast = true, fn = "sub"} : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
  %3 = sg.binary(%x, %m) {broadcast = true, fn = "mul"} : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
  %4 = sg.binary(%2, %3) {fn = "sub"} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  sg.heads %4, %1#0, %1#1 : tensor<2x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>
}

// As both operands of one node a value has one reader.
// CHECK-LABEL: @training_square(
// CHECK: sg.fused(%arg0)
// CHECK-NEXT: ^bb0
// CHECK-NEXT: %[[SQUARE:.*]] = sg.binary(%{{.*}}, %{{.*}}) {fn = "mul"}
// CHECK-NEXT: sg.binary(%[[SQUARE]], %[[SQUARE]]) {fn = "mul"}
sg.graph @training_square(%x: tensor<2x3xf32> {sg.name = "x"}) -> (tensor<2x3xf32>) attributes {training} {
  %0 = sg.binary(%x, %x) {fn = "mul"} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = sg.binary(%0, %0) {fn = "mul"} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  sg.heads %1 : tensor<2x3xf32>
}
