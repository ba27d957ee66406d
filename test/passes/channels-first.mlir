// If this fails, a model with channels behind the pixels runs on reference kernels or
// transposes every image twice, or two transposes that do not cancel are taken away.
// RUN: symc-opt --split-input-file --sg-channels-first %s | FileCheck %s
// RUN: symc-opt --split-input-file --sg-channels-first --sg-channels-first %s | FileCheck %s

// Two layers, a vector over channels, a residual and a pooling: one transpose in, one
// out; the one behind the global pooling moves nothing.
// CHECK-LABEL: @net(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x8x6x16xf32>
// CHECK: %[[T:.*]] = sg.transpose(%[[X]]) {axes = array<i64: 0, 3, 1, 2>} {{.*}} -> tensor<2x16x8x6xf32>
// CHECK: sg.transpose(%{{.*}}) {axes = array<i64: 0, 3, 1, 2>} : (tensor<16x3x3x16xf32>) -> tensor<16x16x3x3xf32>
// CHECK: %[[A:.*]] = sg.convolution(%[[T]]
// CHECK-NOT: layout
// CHECK: %[[S:.*]] = sg.reshape(%{{.*}}) {{.*}} -> tensor<1x16x1x1xf32>
// CHECK: %[[B:.*]] = sg.binary(%[[A]], %[[S]]) {broadcast = true, fn = "mul"}
// CHECK: %[[C:.*]] = sg.binary(%[[B]], %[[A]]) {{.*}} -> tensor<2x16x8x6xf32>
// CHECK: %[[D:.*]] = sg.concat(%[[C]], %[[B]]) {num_args = 2 : i64}
// CHECK: %[[E:.*]] = sg.transpose(%[[D]]) {axes = array<i64: 0, 2, 3, 1>}
// CHECK: %[[P:.*]] = sg.pooling(%[[D]]) {{.*}} -> tensor<2x32x1x1xf32>
// CHECK: %[[F:.*]] = sg.reshape(%[[P]]) {{.*}} -> tensor<2x1x1x32xf32>
// CHECK: sg.heads %[[E]], %[[F]]
sg.graph @net(%x: tensor<2x8x6x16xf32> {sg.name = "x"}, %w: tensor<16x3x3x16xf32> {sg.name = "w"}, %s: tensor<16xf32> {sg.name = "s"}) -> (tensor<2x8x6x32xf32>, tensor<2x1x1x32xf32>) {
  %a = sg.convolution(%x, %w) {kernel = array<i64: 3, 3>, pad = array<i64: 1, 1>, num_filter = 16 : i64, no_bias = true, layout = "NHWC"} : (tensor<2x8x6x16xf32>, tensor<16x3x3x16xf32>) -> tensor<2x8x6x16xf32>
  %b = sg.binary(%a, %s) {fn = "mul", broadcast = true} : (tensor<2x8x6x16xf32>, tensor<16xf32>) -> tensor<2x8x6x16xf32>
  %c = sg.binary(%b, %a) {fn = "add"} : (tensor<2x8x6x16xf32>, tensor<2x8x6x16xf32>) -> tensor<2x8x6x16xf32>
  %d = sg.concat(%c, %b) {dim = 3 : i64, num_args = 2 : i64} : (tensor<2x8x6x16xf32>, tensor<2x8x6x16xf32>) -> tensor<2x8x6x32xf32>
  %p = sg.pooling(%d) {global_pool = true, pool_type = "avg", layout = "NHWC"} : (tensor<2x8x6x32xf32>) -> tensor<2x1x1x32xf32>
  sg.heads %d, %p : tensor<2x8x6x32xf32>, tensor<2x1x1x32xf32>
}

// -----

// An axis that is counted from the end.
// CHECK-LABEL: @from_the_end(
// CHECK: %[[J:.*]] = sg.concat({{.*}}) {num_args = 2 : i64} {{.*}} -> tensor<2x6x4x5xf32>
// CHECK-NEXT: sg.transpose(%[[J]]) {axes = array<i64: 0, 2, 3, 1>}
sg.graph @from_the_end(%x: tensor<2x3x4x5xf32> {sg.name = "x"}, %y: tensor<2x3x4x5xf32> {sg.name = "y"}) -> (tensor<2x4x5x6xf32>) {
  %0 = sg.transpose(%x) {axes = array<i64: 0, 2, 3, 1>} : (tensor<2x3x4x5xf32>) -> tensor<2x4x5x3xf32>
  %1 = sg.transpose(%y) {axes = array<i64: 0, 2, 3, 1>} : (tensor<2x3x4x5xf32>) -> tensor<2x4x5x3xf32>
  %2 = sg.concat(%0, %1) {dim = -1 : i64, num_args = 2 : i64} : (tensor<2x4x5x3xf32>, tensor<2x4x5x3xf32>) -> tensor<2x4x5x6xf32>
  sg.heads %2 : tensor<2x4x5x6xf32>
}

// -----

// Nearest misses: an operand that is transposed another way; a function whose second
// operand belongs to axis 1 wherever that lies.
// CHECK-LABEL: @misses(
// CHECK: sg.transpose
// CHECK: sg.binary({{.*}} -> tensor<4x4x4xf32>
// CHECK: sg.leaky_relu({{.*}} -> tensor<4x4x4xf32>
// CHECK-NEXT: sg.heads
sg.graph @misses(%x: tensor<4x4x4xf32> {sg.name = "x"}, %s: tensor<4xf32> {sg.name = "s"}) -> (tensor<4x4x4xf32>, tensor<4x4x4xf32>) {
  %0 = sg.transpose(%x) {axes = array<i64: 0, 2, 1>} : (tensor<4x4x4xf32>) -> tensor<4x4x4xf32>
  %1 = sg.binary(%0, %x) {fn = "add"} : (tensor<4x4x4xf32>, tensor<4x4x4xf32>) -> tensor<4x4x4xf32>
  %2 = sg.leaky_relu(%0, %s) {act_type = "prelu"} : (tensor<4x4x4xf32>, tensor<4xf32>) -> tensor<4x4x4xf32>
  sg.heads %1, %2 : tensor<4x4x4xf32>, tensor<4x4x4xf32>
}
