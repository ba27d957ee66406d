// If this fails, passes over weights of states that L2 does not hold wait for them, or for the inputs of their rows, or
// fetch what no pass needs.
// RUN: symc-opt %s -kernel-choose-layouts -kernel-schedule -kernel-choose-algorithms=target=x86-64-v4 -kernel-plan-arena -kernel-choose-tiles=target=x86-64-v4 -kernel-outline=target=x86-64-v4 -canonicalize -cse -split-input-file | FileCheck %s

// Passes of 8 rows by two of the four gates: each fetches one line of its two of the next block into L2, beside lines of its
// own into L1; before them, of each row four lines of inputs and one of outputs.
// CHECK-LABEL: func.func private @main_program_k{{[0-9]+}}_recurrent
// CHECK-NOT: hint = 3
// CHECK-COUNT-7: hint = 2 : i32, rw = 1
// CHECK-NOT: hint = 3
// CHECK: hint = 2 : i32, rw = 1
// CHECK: "llvm.intr.prefetch"(%{{.*}}) <{cache = 1 : i32, hint = 3 : i32, rw = 0 : i32}>
// CHECK: "llvm.intr.prefetch"(%{{.*}}) <{cache = 1 : i32, hint = 2 : i32, rw = 0 : i32}>
// CHECK-COUNT-16: vector.fma
// CHECK-NOT: vector.fma
// CHECK: hint = 3
// CHECK: hint = 2
// CHECK-COUNT-16: vector.fma
// CHECK: return
sg.weight @p : tensor<1060864xf32>
sg.graph @main(%x: tensor<2x16x4xf32> {sg.name = "x"}, %h: tensor<1x16x512xf32> {sg.name = "h"}) -> (tensor<2x16x512xf32>) {
  %p = sg.parameter @p : tensor<1060864xf32>
  %0 = sg.rnn(%x, %p, %h, %h) {state_size = 512 : i64, num_layers = 1 : i64, mode = "lstm", operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>} : (tensor<2x16x4xf32>, tensor<1060864xf32>, tensor<1x16x512xf32>, tensor<1x16x512xf32>) -> tensor<2x16x512xf32>
  sg.heads %0 : tensor<2x16x512xf32>
}

// -----

// Weights and inputs that L2 holds, and a single pass of four rows, which reads each line of the weights once.
// CHECK-LABEL: func.func private @main_program_k{{[0-9]+}}_recurrent
// CHECK-NOT: llvm.intr.prefetch
// CHECK-LABEL: func.func private @main_program_k{{[0-9]+}}_recurrent
// CHECK-COUNT-4: hint = 2 : i32, rw = 1
// CHECK-NOT: llvm.intr.prefetch
// CHECK: return
sg.weight @q : tensor<68608xf32>
sg.weight @r : tensor<1060864xf32>
sg.graph @main(%x: tensor<2x16x4xf32> {sg.name = "x"}, %h: tensor<1x16x128xf32> {sg.name = "h"}, %y: tensor<2x4x4xf32> {sg.name = "y"}, %k: tensor<1x4x512xf32> {sg.name = "k"}) -> (tensor<2x16x128xf32>, tensor<2x4x512xf32>) {
  %q = sg.parameter @q : tensor<68608xf32>
  %r = sg.parameter @r : tensor<1060864xf32>
  %0 = sg.rnn(%x, %q, %h, %h) {state_size = 128 : i64, num_layers = 1 : i64, mode = "lstm", operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>} : (tensor<2x16x4xf32>, tensor<68608xf32>, tensor<1x16x128xf32>, tensor<1x16x128xf32>) -> tensor<2x16x128xf32>
  %1 = sg.rnn(%y, %r, %k, %k) {state_size = 512 : i64, num_layers = 1 : i64, mode = "lstm", operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>} : (tensor<2x4x4xf32>, tensor<1060864xf32>, tensor<1x4x512xf32>, tensor<1x4x512xf32>) -> tensor<2x4x512xf32>
  sg.heads %0, %1 : tensor<2x16x128xf32>, tensor<2x4x512xf32>
}
