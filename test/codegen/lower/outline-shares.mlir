// If this fails, steps that are the same have code each, or steps that differ have the code of one.
// RUN: symc-opt %s -kernel-plan-arena -kernel-choose-tiles=target=x86-64-v3 -kernel-outline | FileCheck %s

// Two steps of one shape and body have one kernel. Nearest misses of kernel-outline: a body with another
// operation, and a view whose elements lie apart.
// CHECK-LABEL: llvm.func @main(
// CHECK-COUNT-2: func.call @main_k0_loops
// CHECK: func.call @main_k1_loops
// CHECK: func.call @main_k2_loops
// CHECK: func.func private @main_k0_loops(
// CHECK: arith.negf
// CHECK: func.func private @main_k1_loops(
// CHECK: math.absf
// CHECK: func.func private @main_k2_loops(
// CHECK: arith.negf
kernel.program @main attributes {num_inputs = 1, num_outputs = 4} {
^bb0(%in: memref<64xf32>, %a: memref<64xf32>, %b: memref<64xf32>, %c: memref<64xf32>, %d: memref<64xf32>):
  kernel.loops ins(%in : memref<64xf32>) outs(%a : memref<64xf32>) body {
  ^bb0(%x: f32):
    %y = arith.negf %x : f32
    kernel.yield %y : f32
  }
  kernel.loops ins(%in : memref<64xf32>) outs(%b : memref<64xf32>) body {
  ^bb0(%x: f32):
    %y = arith.negf %x : f32
    kernel.yield %y : f32
  }
  kernel.loops ins(%in : memref<64xf32>) outs(%c : memref<64xf32>) body {
  ^bb0(%x: f32):
    %y = math.absf %x : f32
    kernel.yield %y : f32
  }
  %to = memref.reinterpret_cast %d to offset: [0], sizes: [32], strides: [2] : memref<64xf32> to memref<32xf32, strided<[2]>>
  %from = memref.reinterpret_cast %in to offset: [0], sizes: [32], strides: [1] : memref<64xf32> to memref<32xf32, strided<[1]>>
  kernel.loops ins(%from : memref<32xf32, strided<[1]>>) outs(%to : memref<32xf32, strided<[2]>>) body {
  ^bb0(%x: f32):
    %y = arith.negf %x : f32
    kernel.yield %y : f32
  }
  kernel.end
}
