// If this fails, the states of large batches are multiplied by plain products where --math=fast
// lets samples mix, or others by Strassen's.
// RUN: symc-opt --kernel-choose-layouts --kernel-schedule "--kernel-choose-algorithms=target=x86-64-v4 math=fast" %s | FileCheck %s
// RUN: symc-opt --kernel-choose-layouts --kernel-schedule "--kernel-choose-algorithms=target=x86-64-v4 math=strict" %s | FileCheck %s --check-prefix=STRICT
// RUN: symc-opt --kernel-choose-layouts --kernel-schedule --kernel-choose-algorithms=target=x86-64-v4 %s | FileCheck %s --check-prefix=DEFAULT
// RUN: symc-opt --kernel-choose-layouts --kernel-schedule "--kernel-choose-algorithms=target=x86-64-v4+bf16 precision=bf16 math=fast" %s | FileCheck %s --check-prefix=NARROW
// RUN: symc-opt --kernel-choose-layouts --kernel-schedule "--kernel-choose-algorithms=target=x86-64-v4 precision=bf16 math=fast" %s | FileCheck %s

// 16 rows of 128 units over 4 features: matrices of 512 x 4 and 512 x 128, biases of 512.
sg.weight @p : tensor<68608xf32>
sg.weight @q : tensor<68608xf32>

// STRICT-NOT: scratch
// STRICT: kernel.recurrent {{.*}}reason = "strict mathematics keeps to it"
// STRICT-NOT: scratch
// DEFAULT-NOT: scratch
// DEFAULT: kernel.recurrent {{.*}}reason = "Strassen's product mixes pixels and rows, which --math=fast allows"
// DEFAULT-NOT: scratch
// NARROW-NOT: scratch
// NARROW: kernel.recurrent {{.*}}reason = "x86-64-v4+bf16 multiplies floats of 16 bits in half of the time"
// NARROW-NOT: scratch
// CHECK-LABEL: kernel.program @main_program
// CHECK: %[[SUMS:.*]] = kernel.weight @w.p.sums.at2048x128x128x4x1 : memref<4x2x7x64x2x16xf32>
// CHECK: %[[SCRATCH:.*]] = kernel.buffer() : memref<6x7680xf32>
// CHECK: kernel.recurrent {{.*}}weights(%[[SUMS]] : {{.*}}scratch(%[[SCRATCH]] : memref<6x7680xf32>)
// CHECK-SAME: reason = "an eighth of the products is saved"
// CHECK: kernel.weight @w.q.panels.planar1
// CHECK: kernel.recurrent
// CHECK-NOT: scratch
// CHECK-SAME: reason = "it has 15 rows, Strassen's product takes even numbers from 16 on"
// CHECK: kernel.prepared
sg.graph @main(%x: tensor<2x16x4xf32> {sg.name = "x"}, %h: tensor<1x16x128xf32> {sg.name = "h"},
               %y: tensor<2x15x4xf32> {sg.name = "y"}, %k: tensor<1x15x128xf32> {sg.name = "k"})
    -> (tensor<2x16x128xf32>, tensor<2x15x128xf32>) {
  %p = sg.parameter @p : tensor<68608xf32>
  %q = sg.parameter @q : tensor<68608xf32>
  %0 = sg.rnn(%x, %p, %h, %h) {state_size = 128 : i64, num_layers = 1 : i64, mode = "lstm", operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>} : (tensor<2x16x4xf32>, tensor<68608xf32>, tensor<1x16x128xf32>, tensor<1x16x128xf32>) -> tensor<2x16x128xf32>
  %1 = sg.rnn(%y, %q, %k, %k) {state_size = 128 : i64, num_layers = 1 : i64, mode = "lstm", operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>} : (tensor<2x15x4xf32>, tensor<68608xf32>, tensor<1x15x128xf32>, tensor<1x15x128xf32>) -> tensor<2x15x128xf32>
  sg.heads %0, %1 : tensor<2x16x128xf32>, tensor<2x15x128xf32>
}

// The sums of the third product: A21 + A22 - A11.
// CHECK-LABEL: kernel.program @prepare_program
// CHECK: memref.reinterpret_cast %{{.*}} to offset: [2048], sizes: [4, 2, 64, 2, 16], strides: [2048, 32768, 1, 16384, 128]
// CHECK: kernel.loops ins(%{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}} : {{.*}} body
// CHECK: arith.subf
// CHECK: arith.addf
// CHECK: arith.addf
// CHECK: arith.truncf
