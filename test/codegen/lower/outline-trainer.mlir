// If this fails, the run of a trainer, of hundreds of steps, which it has twice, holds a loop over the tasks of each step, most of
// them unrolled: two fifths of its code. Other programs keep theirs.
// RUN: symc-opt %s -kernel-plan-arena -kernel-choose-tiles=target=x86-64-v3 -kernel-outline | FileCheck %s
// RUN: sed 's/, symc.operators = {}//' %s | symc-opt -kernel-plan-arena -kernel-choose-tiles=target=x86-64-v3 -kernel-outline | FileCheck %s --check-prefix=OTHERS

// CHECK-LABEL: llvm.func @main(
// CHECK: llvm.call @symc_parallel({{.*}}) {no_inline}
// CHECK-LABEL: llvm.func @main_watched(
// CHECK: llvm.call @symc_parallel({{.*}}) {no_inline}
// OTHERS: llvm.call @symc_parallel(
// OTHERS-NOT: no_inline
kernel.program @main attributes {num_inputs = 1, num_outputs = 1, symc.operators = {}} {
^bb0(%x: memref<1048576xf32>, %y: memref<1048576xf32>):
  kernel.loops ins(%x : memref<1048576xf32>) outs(%y : memref<1048576xf32>) body {
  ^bb0(%e: f32):
    %0 = math.log %e : f32
    kernel.yield %0 : f32
  }
  kernel.end
}
