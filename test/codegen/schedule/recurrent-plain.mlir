// If this fails, nobody is told why the states of a recurrent layer are multiplied by plain
// products, or batch sizes that share weights take different forms of them.
// RUN: symc-opt -split-input-file --kernel-choose-layouts --kernel-schedule --kernel-choose-algorithms=target=x86-64-v4 %s | FileCheck %s
// RUN: not symc-opt -split-input-file --kernel-choose-layouts --kernel-schedule "--kernel-choose-algorithms=target=x86-64-v4 batches=16,8" %s 2>/dev/null | FileCheck %s --check-prefix=SHARED

// 64 and 1024 units over 4 features.
// CHECK: kernel.recurrent
// CHECK-SAME: reason = "it has 64 units, Strassen's product takes multiples of 32 from 128 on"
// CHECK: kernel.recurrent
// CHECK-SAME: reason = "the weights of Strassen's product would not stay in the last cache"
sg.weight @p : tensor<17920xf32>
sg.weight @q : tensor<4218880xf32>
sg.graph @main(%x: tensor<2x32x4xf32> {sg.name = "x"}, %h: tensor<1x32x64xf32> {sg.name = "h"}, %k: tensor<1x32x1024xf32> {sg.name = "k"}) -> (tensor<2x32x64xf32>, tensor<2x32x1024xf32>) {
  %p = sg.parameter @p : tensor<17920xf32>
  %q = sg.parameter @q : tensor<4218880xf32>
  %0 = sg.rnn(%x, %p, %h, %h) {state_size = 64 : i64, num_layers = 1 : i64, mode = "lstm", operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>} : (tensor<2x32x4xf32>, tensor<17920xf32>, tensor<1x32x64xf32>, tensor<1x32x64xf32>) -> tensor<2x32x64xf32>
  %1 = sg.rnn(%x, %q, %k, %k) {state_size = 1024 : i64, num_layers = 1 : i64, mode = "lstm", operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>} : (tensor<2x32x4xf32>, tensor<4218880xf32>, tensor<1x32x1024xf32>, tensor<1x32x1024xf32>) -> tensor<2x32x1024xf32>
  sg.heads %0, %1 : tensor<2x32x64xf32>, tensor<2x32x1024xf32>
}

// -----

// SHARED: reason = "the batch size with 8 rows shares its weights, Strassen's product takes even numbers from 16 on"
// SHARED: reason = "it has 8 rows, Strassen's product takes even numbers from 16 on"
module {
  module {
    sg.weight @p : tensor<68608xf32>
    sg.graph @main(%x: tensor<2x16x4xf32> {sg.name = "x"}, %h: tensor<1x16x128xf32> {sg.name = "h"}) -> (tensor<2x16x128xf32>) {
      %p = sg.parameter @p : tensor<68608xf32>
      %0 = sg.rnn(%x, %p, %h, %h) {state_size = 128 : i64, num_layers = 1 : i64, mode = "lstm", operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>} : (tensor<2x16x4xf32>, tensor<68608xf32>, tensor<1x16x128xf32>, tensor<1x16x128xf32>) -> tensor<2x16x128xf32>
      sg.heads %0 : tensor<2x16x128xf32>
    }
  }
  module {
    sg.weight @p : tensor<68608xf32>
    sg.graph @main(%x: tensor<2x8x4xf32> {sg.name = "x"}, %h: tensor<1x8x128xf32> {sg.name = "h"}) -> (tensor<2x8x128xf32>) {
      %p = sg.parameter @p : tensor<68608xf32>
      %0 = sg.rnn(%x, %p, %h, %h) {state_size = 128 : i64, num_layers = 1 : i64, mode = "lstm", operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>} : (tensor<2x8x4xf32>, tensor<68608xf32>, tensor<1x8x128xf32>, tensor<1x8x128xf32>) -> tensor<2x8x128xf32>
      sg.heads %0 : tensor<2x8x128xf32>
    }
  }
}
