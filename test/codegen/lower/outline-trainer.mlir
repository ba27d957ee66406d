// If this fails, the run of a trainer is a function with a call for each of its hundreds of steps, a fifth of what LLVM compiles
// for it, or what its table says of them is wrong. Other programs keep theirs.
// RUN: symc-opt %s -kernel-plan-arena -kernel-choose-tiles=target=x86-64-v3 -kernel-outline | FileCheck %s
// RUN: sed 's/, symc.step_table//' %s | symc-opt -kernel-plan-arena -kernel-choose-tiles=target=x86-64-v3 -kernel-outline | FileCheck %s --check-prefix=OTHERS

// 11 more bytes: 8 tasks, no naming step, two places, no integers, no reports, no text (7F is -1), no views; io[0] and io[1] from byte 0. Then
// the same with 1 task, of bytes 0 and 4096 (80 20) of the arena.
// CHECK: llvm.mlir.global internal constant @main_functions()
// CHECK: func.constant @main_k0_loops
// CHECK: func.constant @main_k1_loops
// CHECK: func.constant @main_k2_copy
// CHECK: llvm.mlir.global internal constant @main_entries("\0B\08\00\02\00\00\7F\00\02\00\03\00\0C\01\00\02\00\00\7F\00\00\00\00\80 \0C
// CHECK-NOT: llvm.func internal
// CHECK-LABEL: llvm.func @main(
// CHECK-NEXT: %[[ENTRIES:.+]] = llvm.mlir.addressof @main_entries
// CHECK-NEXT: %[[FUNCTIONS:.+]] = llvm.mlir.addressof @main_functions
// CHECK-NEXT: %[[COUNT:.+]] = llvm.mlir.constant(3 : i64)
// CHECK-NEXT: %[[STATUS:.+]] = llvm.call @symc_run_steps(%arg0, %[[ENTRIES]], %[[FUNCTIONS]], %[[COUNT]])
// CHECK-NEXT: llvm.return %[[STATUS]]
// OTHERS-NOT: main_entries
// OTHERS: llvm.call @symc_parallel(
kernel.program @main attributes {num_inputs = 1, num_outputs = 1, symc.step_table} {
^bb0(%x: memref<1048576xf32>, %y: memref<1048576xf32>):
  %a = kernel.buffer() : memref<1024xf32>
  %b = kernel.buffer() : memref<1024xf32>
  kernel.loops ins(%x : memref<1048576xf32>) outs(%y : memref<1048576xf32>) body {
  ^bb0(%e: f32):
    %0 = math.log %e : f32
    kernel.yield %0 : f32
  }
  kernel.loops ins(%a : memref<1024xf32>) outs(%b : memref<1024xf32>) body {
  ^bb0(%e: f32):
    %0 = math.sqrt %e : f32
    kernel.yield %0 : f32
  }
  kernel.copy %b to %a : memref<1024xf32> to memref<1024xf32>
  kernel.end
}
