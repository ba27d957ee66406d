// If this fails, an attention layer keeps its matrix of scores in memory, or a value that others
// read is lost.
// RUN: symc-opt --split-input-file --sg-fuse-attention --remarks-filter=sg-fuse-attention --remark-format=emitRemark %s 2>&1 >%t | FileCheck %s --check-prefix=REMARK
// RUN: symc-opt --split-input-file --sg-fuse-attention %s | FileCheck %s
// RUN: symc-opt --split-input-file --sg-fuse-attention --sg-fuse-attention %s | FileCheck %s --check-prefix=TWICE

// REMARK: [Passed] attention {{.*}}"one step for 'q', 'scores', 'scale', 'four', 'masked', 'shares', 'kept', 'three', 'values', 'split', 'swapped'"
// REMARK: [Passed] attention {{.*}}"one step for 'scores', 'shares', 'values'"
// REMARK: [Missed] attention {{.*}}"'values' is not computed in one step with its softmax: 'shares' has other readers"
// REMARK: [Missed] attention {{.*}}"'wide' is not computed in one step with its softmax: its heads have more than 256 elements"
// REMARK: [Missed] attention {{.*}}"'open' is not computed in one step with its softmax: the width of its heads is known only at run time"
// REMARK: [Missed] attention {{.*}}"'odd' is not computed in one step with its softmax: 'otherwise' has other leading extents"
// CHECK-LABEL: @forms(
// CHECK: sg.fused(
// CHECK: sg.reshape
// CHECK: sg.batch_dot
// CHECK: sg.scalar
// CHECK: sg.softmax
// CHECK: sg.batch_dot
// CHECK: sg.transpose
// CHECK: sg.yield
// CHECK-NEXT: }
// CHECK-NEXT: sg.heads
// TWICE-LABEL: @forms(
// TWICE-COUNT-1: sg.fused(
// TWICE-NOT: sg.fused(
// TWICE: sg.heads
sg.graph @forms(%q: tensor<2x3x5x8xf32> {sg.name = "q"}, %k: tensor<6x7x8xf32> {sg.name = "k"}, %v: tensor<6x7x8xf32> {sg.name = "v"}, %m: tensor<2x1x1x7xf32> {sg.name = "m"}, %n: tensor<2x1x5x7xf32> {sg.name = "n"}) -> (tensor<2x5x3x8xf32>) {
  %0 = sg.reshape(%q) {shape = array<i64: 6, 5, 8>} : (tensor<2x3x5x8xf32>) -> tensor<6x5x8xf32> loc("q")
  %1 = sg.batch_dot(%0, %k) {transpose_b = true} : (tensor<6x5x8xf32>, tensor<6x7x8xf32>) -> tensor<6x5x7xf32> loc("scores")
  %2 = sg.scalar(%1) {fn = "div", scalar = 2.0} : (tensor<6x5x7xf32>) -> tensor<6x5x7xf32> loc("scale")
  %3 = sg.reshape(%2) {shape = array<i64: 2, 3, 5, 7>} : (tensor<6x5x7xf32>) -> tensor<2x3x5x7xf32> loc("four")
  %4 = sg.binary(%m, %3) {fn = "add", broadcast = true} : (tensor<2x1x1x7xf32>, tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32> loc("masked")
  %5 = sg.softmax(%4) : (tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32> loc("shares")
  %6 = sg.binary(%5, %n) {fn = "mul", broadcast = true} : (tensor<2x3x5x7xf32>, tensor<2x1x5x7xf32>) -> tensor<2x3x5x7xf32> loc("kept")
  %7 = sg.reshape(%6) {shape = array<i64: 6, 5, 7>} : (tensor<2x3x5x7xf32>) -> tensor<6x5x7xf32> loc("three")
  %8 = sg.batch_dot(%7, %v) : (tensor<6x5x7xf32>, tensor<6x7x8xf32>) -> tensor<6x5x8xf32> loc("values")
  %9 = sg.reshape(%8) {shape = array<i64: 2, 3, 5, 8>} : (tensor<6x5x8xf32>) -> tensor<2x3x5x8xf32> loc("split")
  %10 = sg.transpose(%9) {axes = array<i64: 0, 2, 1, 3>} : (tensor<2x3x5x8xf32>) -> tensor<2x5x3x8xf32> loc("swapped")
  sg.heads %10 : tensor<2x5x3x8xf32>
}

// -----

// Lengths of a run; a softmax with lengths; interleaved projections.
#qkv = #sg.extents<()[s0] -> (s0, 2, 96)>
#scores = #sg.extents<()[s0] -> (8, s0, s0)>
#lengths = #sg.extents<()[s0] -> (8, s0)>
#out = #sg.extents<()[s0] -> (s0, 2, 32)>
// CHECK-LABEL: @interleaved(
// CHECK: sg.fused(
// CHECK: sg.interleaved_qk
// TWICE-LABEL: @interleaved(
// TWICE-COUNT-1: sg.fused(
// TWICE-NOT: sg.fused(
// TWICE: sg.heads
sg.graph @interleaved(%x: tensor<?x2x96xf32, #qkv> {sg.name = "x"}, %n: tensor<8x?xi32, #lengths> {sg.name = "n"}) -> (tensor<?x2x32xf32, #out>) {
  %0 = sg.interleaved_qk(%x) {heads = 4, is_self = true} : (tensor<?x2x96xf32, #qkv>) -> tensor<8x?x?xf32, #scores> loc("scores")
  %1 = sg.softmax(%0, %n) {use_length = true} : (tensor<8x?x?xf32, #scores>, tensor<8x?xi32, #lengths>) -> tensor<8x?x?xf32, #scores> loc("shares")
  %2 = sg.interleaved_valatt(%x, %1) {heads = 4, is_self = true} : (tensor<?x2x96xf32, #qkv>, tensor<8x?x?xf32, #scores>) -> tensor<?x2x32xf32, #out> loc("values")
  sg.heads %2 : tensor<?x2x32xf32, #out>
}

// -----

// Nearest miss of sg-fuse-attention: the shares are a head, too.
// CHECK-LABEL: @shared(
// CHECK-NOT: sg.fused
// CHECK: sg.heads
sg.graph @shared(%q: tensor<6x5x8xf32> {sg.name = "q"}, %k: tensor<6x7x8xf32> {sg.name = "k"}, %v: tensor<6x7x8xf32> {sg.name = "v"}) -> (tensor<6x5x8xf32>, tensor<6x5x7xf32>) {
  %0 = sg.batch_dot(%q, %k) {transpose_b = true} : (tensor<6x5x8xf32>, tensor<6x7x8xf32>) -> tensor<6x5x7xf32> loc("scores")
  %1 = sg.softmax(%0) : (tensor<6x5x7xf32>) -> tensor<6x5x7xf32> loc("shares")
  %2 = sg.batch_dot(%1, %v) : (tensor<6x5x7xf32>, tensor<6x7x8xf32>) -> tensor<6x5x8xf32> loc("values")
  sg.heads %2, %1 : tensor<6x5x8xf32>, tensor<6x5x7xf32>
}

// -----

// The others: heads of 300 elements, a softmax along rows, of no product, or its logarithm; shares
// that go through a function that is not linear.
// CHECK-LABEL: @others(
// CHECK-NOT: sg.fused
// CHECK: sg.heads
sg.graph @others(%q: tensor<6x5x300xf32> {sg.name = "q"}, %k: tensor<6x5x300xf32> {sg.name = "k"}, %v: tensor<6x5x8xf32> {sg.name = "v"}, %s: tensor<6x5x5xf32> {sg.name = "s"}, %a: tensor<6x5x8xf32> {sg.name = "a"}) -> (tensor<6x5x8xf32>, tensor<6x5x8xf32>, tensor<6x5x8xf32>, tensor<6x5x8xf32>, tensor<6x5x8xf32>) {
  %0 = sg.batch_dot(%q, %k) {transpose_b = true} : (tensor<6x5x300xf32>, tensor<6x5x300xf32>) -> tensor<6x5x5xf32>
  %1 = sg.softmax(%0) : (tensor<6x5x5xf32>) -> tensor<6x5x5xf32>
  %2 = sg.batch_dot(%1, %v) : (tensor<6x5x5xf32>, tensor<6x5x8xf32>) -> tensor<6x5x8xf32> loc("wide")
  %3 = sg.batch_dot(%a, %a) {transpose_b = true} : (tensor<6x5x8xf32>, tensor<6x5x8xf32>) -> tensor<6x5x5xf32>
  %4 = sg.softmax(%3) {axis = 1} : (tensor<6x5x5xf32>) -> tensor<6x5x5xf32>
  %5 = sg.batch_dot(%4, %v) : (tensor<6x5x5xf32>, tensor<6x5x8xf32>) -> tensor<6x5x8xf32>
  %6 = sg.softmax(%s) : (tensor<6x5x5xf32>) -> tensor<6x5x5xf32>
  %7 = sg.batch_dot(%6, %v) : (tensor<6x5x5xf32>, tensor<6x5x8xf32>) -> tensor<6x5x8xf32>
  %8 = sg.batch_dot(%a, %a) {transpose_b = true} : (tensor<6x5x8xf32>, tensor<6x5x8xf32>) -> tensor<6x5x5xf32>
  %9 = sg.softmax(%8) {kind = "log_softmax"} : (tensor<6x5x5xf32>) -> tensor<6x5x5xf32>
  %10 = sg.batch_dot(%9, %v) : (tensor<6x5x5xf32>, tensor<6x5x8xf32>) -> tensor<6x5x8xf32>
  %11 = sg.batch_dot(%a, %a) {transpose_b = true} : (tensor<6x5x8xf32>, tensor<6x5x8xf32>) -> tensor<6x5x5xf32>
  %12 = sg.softmax(%11) : (tensor<6x5x5xf32>) -> tensor<6x5x5xf32>
  %13 = sg.unary(%12) {fn = "sqrt"} : (tensor<6x5x5xf32>) -> tensor<6x5x5xf32>
  %14 = sg.batch_dot(%13, %v) : (tensor<6x5x5xf32>, tensor<6x5x8xf32>) -> tensor<6x5x8xf32>
  sg.heads %2, %5, %7, %10, %14 : tensor<6x5x8xf32>, tensor<6x5x8xf32>, tensor<6x5x8xf32>, tensor<6x5x8xf32>, tensor<6x5x8xf32>
}

// -----

// A width that a run chooses.
#q = #sg.extents<()[s0] -> (6, 5, s0)>
// CHECK-LABEL: @extents(
// CHECK-NOT: sg.fused
// CHECK: sg.heads
sg.graph @extents(%q: tensor<6x5x?xf32, #q> {sg.name = "q"}, %k: tensor<6x5x?xf32, #q> {sg.name = "k"}, %v: tensor<6x5x8xf32> {sg.name = "v"}) -> (tensor<6x5x8xf32>) {
  %0 = sg.batch_dot(%q, %k) {transpose_b = true} : (tensor<6x5x?xf32, #q>, tensor<6x5x?xf32, #q>) -> tensor<6x5x5xf32>
  %1 = sg.softmax(%0) : (tensor<6x5x5xf32>) -> tensor<6x5x5xf32>
  %2 = sg.batch_dot(%1, %v) : (tensor<6x5x5xf32>, tensor<6x5x8xf32>) -> tensor<6x5x8xf32> loc("open")
  sg.heads %2 : tensor<6x5x8xf32>
}

// -----

// Scores whose heads are counted in two ways.
// CHECK-LABEL: @counts(
// CHECK-NOT: sg.fused
// CHECK: sg.heads
sg.graph @counts(%v: tensor<6x5x8xf32> {sg.name = "v"}, %a: tensor<6x5x8xf32> {sg.name = "a"}, %m: tensor<2x3x1x5xf32> {sg.name = "m"}) -> (tensor<6x5x8xf32>) {
  %3 = sg.batch_dot(%a, %a) {transpose_b = true} : (tensor<6x5x8xf32>, tensor<6x5x8xf32>) -> tensor<6x5x5xf32>
  %4 = sg.reshape(%3) {shape = array<i64: 3, 2, 5, 5>} : (tensor<6x5x5xf32>) -> tensor<3x2x5x5xf32> loc("otherwise")
  %5 = sg.reshape(%4) {shape = array<i64: 2, 3, 5, 5>} : (tensor<3x2x5x5xf32>) -> tensor<2x3x5x5xf32>
  %6 = sg.binary(%5, %m) {fn = "add", broadcast = true} : (tensor<2x3x5x5xf32>, tensor<2x3x1x5xf32>) -> tensor<2x3x5x5xf32>
  %7 = sg.softmax(%6) : (tensor<2x3x5x5xf32>) -> tensor<2x3x5x5xf32>
  %8 = sg.reshape(%7) {shape = array<i64: 6, 5, 5>} : (tensor<2x3x5x5xf32>) -> tensor<6x5x5xf32>
  %9 = sg.batch_dot(%8, %v) : (tensor<6x5x5xf32>, tensor<6x5x8xf32>) -> tensor<6x5x8xf32> loc("odd")
  sg.heads %9 : tensor<6x5x8xf32>
}
