// Attention layers are one step each, which reads queries, keys and values where they lie.
// RUN: symc-opt %s -split-input-file -pass-pipeline='builtin.module(sg-fuse-attention,sg-fuse-elementwise,kernel-choose-layouts,kernel-schedule)' --remarks-filter=kernel-schedule --remark-format=emitRemark 2>&1 | FileCheck %s

// CHECK: [Passed] attention {{.*}}"'values' is attention of 2 x 4 heads, s0 rows by s0 keys, in one step"
// CHECK: [Passed] attention {{.*}}"'values' is attention of 2 x 3 heads, 5 rows by 7 keys, in one step"

// Interleaved projections of a length that a run chooses: heads of 8 numbers, 24 apart; the row's
// length is a view of [8, s0].
#qkv = #sg.extents<()[s0] -> (s0, 2, 96)>
#scores = #sg.extents<()[s0] -> (8, s0, s0)>
#lengths = #sg.extents<()[s0] -> (8, s0)>
#out = #sg.extents<()[s0] -> (s0, 2, 32)>
// CHECK-LABEL: kernel.program @main_program
// CHECK-NOT: kernel.buffer
// CHECK: kernel.attention queries({{.*}} : memref<2x4x?x8xf32, strided<[96, 24, 192, 1]>>) keys({{.*}} : memref<2x4x?x8xf32, strided<[96, 24, 192, 1], offset: 8>>) values({{.*}} : memref<2x4x?x8xf32, strided<[96, 24, 192, 1], offset: 16>>) lengths({{.*}} : memref<2x4x?xi32, strided<[?, ?, 1]>>) extras() out({{.*}} : memref<2x4x?x8xf32, strided<[32, 8, 64, 1]>>)
// CHECK: arith.mulf
// CHECK-NOT: kernel.conv
sg.graph @main(%x: tensor<?x2x96xf32, #qkv> {sg.name = "x"}, %n: tensor<8x?xi32, #lengths> {sg.name = "n"}) -> (tensor<?x2x32xf32, #out>) attributes {dim_max = array<i64: 384>, dim_min = array<i64: 1>} {
  %0 = sg.interleaved_qk(%x) {heads = 4, is_self = true} : (tensor<?x2x96xf32, #qkv>) -> tensor<8x?x?xf32, #scores> loc("scores")
  %1 = sg.softmax(%0, %n) {use_length = true} : (tensor<8x?x?xf32, #scores>, tensor<8x?xi32, #lengths>) -> tensor<8x?x?xf32, #scores> loc("shares")
  %2 = sg.interleaved_valatt(%x, %1) {heads = 4, is_self = true} : (tensor<?x2x96xf32, #qkv>, tensor<8x?x?xf32, #scores>) -> tensor<?x2x32xf32, #out> loc("values")
  sg.heads %2 : tensor<?x2x32xf32, #out>
}

// -----

// Transposed queries, keys and results are views; a mask of each key repeats over heads and rows.
// CHECK-LABEL: kernel.program @main_program
// CHECK-NOT: kernel.copy
// CHECK: kernel.attention queries({{.*}} : memref<2x3x5x8xf32, strided<[120, 8, 24, 1]>>) keys({{.*}} : memref<2x3x7x8xf32, strided<[168, 56, 1, 7]>>) values({{.*}} : memref<2x3x7x8xf32, strided<[168, 56, 8, 1]>>) extras({{.*}} : memref<2x3x5x7xf32, strided<[7, 0, 0, 1]>>) out({{.*}} : memref<2x3x5x8xf32, strided<[120, 8, 24, 1]>>)
// CHECK-NEXT: ^bb0(%[[S:.*]]: f32, %[[M:.*]]: f32):
// CHECK: arith.divf %[[S]]
// CHECK: arith.addf
// CHECK-NOT: kernel.copy
sg.graph @main(%q: tensor<2x5x3x8xf32> {sg.name = "q"}, %k: tensor<6x8x7xf32> {sg.name = "k"}, %v: tensor<2x3x7x8xf32> {sg.name = "v"}, %m: tensor<2x1x1x7xf32> {sg.name = "m"}) -> (tensor<2x5x3x8xf32>) {
  %t = sg.transpose(%q) {axes = array<i64: 0, 2, 1, 3>} : (tensor<2x5x3x8xf32>) -> tensor<2x3x5x8xf32>
  %r = sg.reshape(%k) {shape = array<i64: 2, 3, 8, 7>} : (tensor<6x8x7xf32>) -> tensor<2x3x8x7xf32>
  %1 = sg.batch_dot(%t, %r) : (tensor<2x3x5x8xf32>, tensor<2x3x8x7xf32>) -> tensor<2x3x5x7xf32>
  %2 = sg.scalar(%1) {fn = "div", scalar = 2.0} : (tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>
  %3 = sg.binary(%2, %m) {fn = "add", broadcast = true} : (tensor<2x3x5x7xf32>, tensor<2x1x1x7xf32>) -> tensor<2x3x5x7xf32>
  %4 = sg.softmax(%3) : (tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32>
  %5 = sg.batch_dot(%4, %v) : (tensor<2x3x5x7xf32>, tensor<2x3x7x8xf32>) -> tensor<2x3x5x8xf32> loc("values")
  %6 = sg.transpose(%5) {axes = array<i64: 0, 2, 1, 3>} : (tensor<2x3x5x8xf32>) -> tensor<2x5x3x8xf32>
  sg.heads %6 : tensor<2x5x3x8xf32>
}
