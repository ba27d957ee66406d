// If this fails, the steps of a trainer that predict are others than those of training that lead to its answers, in which what a
// step has in prediction stands for what was computed; or training runs steps that are of prediction alone.
// RUN: symc-opt %s -kernel-plan-arena -kernel-choose-tiles=target=x86-64-v3 -kernel-outline | FileCheck %s
// RUN: sed 's/symc.predicted_outputs = array<i64: 1, 2>, //' %s | symc-opt -kernel-plan-arena -kernel-choose-tiles=target=x86-64-v3 -kernel-outline | FileCheck %s --check-prefix=OTHERS

// To train: the sum of the batch, its logarithm, the gradient and the new state. To predict: what the state is made of for it,
// copies in the place of the sum, the logarithm; the border of the image both times.
// CHECK-LABEL: @main_predict_functions()
// CHECK: func.constant @main_k[[$BORDER:[0-9]+]]_fill
// CHECK: func.constant @main_k{{.*}}_loops
// CHECK: func.constant @main_k{{.*}}_copy
// CHECK: func.constant @main_k{{.*}}_copy
// CHECK: func.constant @main_k[[$LOG:[0-9]+]]_loops
// CHECK-NOT: func.constant
// CHECK-LABEL: @main_functions()
// CHECK: func.constant @main_k[[$BORDER]]_fill
// CHECK: func.constant @main_k[[$SUM:[0-9]+]]_loops
// CHECK: func.constant @main_k[[$LOG]]_loops
// CHECK: func.constant @main_k{{.*}}_loops
// CHECK: func.constant @main_k{{.*}}_loops
// CHECK-NOT: func.constant
// CHECK-LABEL: llvm.func @main_predict(
// CHECK: llvm.call @symc_run_steps(
// OTHERS-NOT: main_predict
// OTHERS-NOT: _copy
kernel.program @main attributes {num_inputs = 2, num_outputs = 3, symc.predicted_outputs = array<i64: 1, 2>, symc.operators = {}, symc.step_table} {
^bb0(%x: memref<64xf32>, %state: memref<64xf32>, %answer: memref<64xf32>, %gradient: memref<64xf32>, %next: memref<64xf32>):
  %a = kernel.buffer() : memref<80xf32>
  %border = memref.reinterpret_cast %a to offset: [64], sizes: [16], strides: [1] : memref<80xf32> to memref<16xf32, strided<[1], offset: 64>>
  %inside = memref.reinterpret_cast %a to offset: [0], sizes: [64], strides: [1] : memref<80xf32> to memref<64xf32, strided<[1]>>
  kernel.fill %border with 0.0 : f32 : memref<16xf32, strided<[1], offset: 64>>
  kernel.loops ins(%x : memref<64xf32>) outs(%inside : memref<64xf32, strided<[1]>>) body {
  ^bb0(%e: f32):
    %0 = arith.addf %e, %e : f32
    kernel.yield %0 : f32
  }
  %b = kernel.buffer() : memref<64xf32>
  kernel.loops ins(%state : memref<64xf32>) outs(%b : memref<64xf32>) body {
  ^bb0(%e: f32):
    %0 = math.sqrt %e : f32
    kernel.yield %0 : f32
  }
  %b0 = memref.reinterpret_cast %b to offset: [0], sizes: [48], strides: [1] : memref<64xf32> to memref<48xf32, strided<[1]>>
  %b1 = memref.reinterpret_cast %b to offset: [48], sizes: [16], strides: [1] : memref<64xf32> to memref<16xf32, strided<[1], offset: 48>>
  %a0 = memref.reinterpret_cast %a to offset: [0], sizes: [48], strides: [1] : memref<80xf32> to memref<48xf32, strided<[1]>>
  %a1 = memref.reinterpret_cast %a to offset: [48], sizes: [16], strides: [1] : memref<80xf32> to memref<16xf32, strided<[1], offset: 48>>
  kernel.copy %b0 to %a0 {kernel.predicting} : memref<48xf32, strided<[1]>> to memref<48xf32, strided<[1]>>
  kernel.copy %b1 to %a1 {kernel.predicting} : memref<16xf32, strided<[1], offset: 48>> to memref<16xf32, strided<[1], offset: 48>>
  kernel.loops ins(%inside : memref<64xf32, strided<[1]>>) outs(%answer : memref<64xf32>) body {
  ^bb0(%e: f32):
    %0 = math.log %e : f32
    kernel.yield %0 : f32
  }
  kernel.loops ins(%inside : memref<64xf32, strided<[1]>>) outs(%gradient : memref<64xf32>) body {
  ^bb0(%e: f32):
    %0 = math.exp %e : f32
    kernel.yield %0 : f32
  }
  kernel.loops ins(%x, %state : memref<64xf32>, memref<64xf32>) outs(%next : memref<64xf32>) body {
  ^bb0(%e: f32, %f: f32):
    %0 = arith.mulf %e, %f : f32
    kernel.yield %0 : f32
  }
  kernel.end
}
