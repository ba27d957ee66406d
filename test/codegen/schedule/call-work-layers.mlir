// If this fails, nothing tells a user that a layer whose lengths are known only at run time takes most of the time.
// RUN: symc-opt --kernel-choose-layouts=reference=true "--kernel-schedule=reference=true" %s | FileCheck %s

// 5 time steps of 2 samples by 14 numbers; 2 heads of 5 x 5 sums over a width of 4, and of 5 x 4 sums over 5 keys.
// CHECK: kernel.call "symc_ref_rnn_f32"
// CHECK-SAME: work = 140 : i64
// CHECK: kernel.call "symc_ref_interleaved_qk_f32"
// CHECK-SAME: work = 200 : i64
// CHECK: kernel.call "symc_ref_interleaved_valatt_f32"
// CHECK-SAME: work = 200 : i64
sg.graph @main(%x: tensor<5x2x3xf32> {sg.name = "x"}, %p: tensor<14xf32> {sg.name = "p"}, %s: tensor<1x2x2xf32> {sg.name = "s"}, %q: tensor<5x1x24xf32> {sg.name = "q"}) -> (tensor<5x2x2xf32>, tensor<5x1x8xf32>) {
  %0 = sg.rnn(%x, %p, %s) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>, state_size = 2 : i64, num_layers = 1 : i64, mode = "rnn_tanh"} : (tensor<5x2x3xf32>, tensor<14xf32>, tensor<1x2x2xf32>) -> tensor<5x2x2xf32>
  %1 = sg.interleaved_qk(%q) {heads = 2 : i64, is_self = true} : (tensor<5x1x24xf32>) -> tensor<2x5x5xf32>
  %2 = sg.interleaved_valatt(%q, %1) {heads = 2 : i64, is_self = true} : (tensor<5x1x24xf32>, tensor<2x5x5xf32>) -> tensor<5x1x8xf32>
  sg.heads %0, %2 : tensor<5x2x2xf32>, tensor<5x1x8xf32>
}
