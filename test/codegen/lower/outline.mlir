// A program becomes functions: one kernel for identical steps, a wrapper for a step of
// several tasks, and the program's function, which calls kernels, or wrappers in parallel.
// RUN: symc-opt %s -kernel-plan-arena -kernel-choose-tiles=target=x86-64-v3 -kernel-outline | FileCheck %s
// RUN: symc-opt %s -kernel-plan-arena -kernel-choose-tiles=target=x86-64-v3 -kernel-outline=probes=true | FileCheck %s --check-prefix=PROBES

kernel.prepared @bias at 128 : memref<16xf32>
kernel.program @main attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%in: memref<100000xf32>, %out: memref<16xf32>):
  %w = kernel.weight @bias : memref<16xf32>
  %a = kernel.buffer() : memref<100000xf32>
  %b = kernel.buffer() : memref<16xf32>
  %c = kernel.buffer() : memref<16xf32>
  kernel.copy %in to %a : memref<100000xf32> to memref<100000xf32>
  kernel.loops ins(%w : memref<16xf32>) outs(%b : memref<16xf32>) body {
  ^bb0(%x: f32):
    %y = arith.negf %x : f32
    kernel.yield %y : f32
  }
  kernel.loops ins(%w : memref<16xf32>) outs(%c : memref<16xf32>) body {
  ^bb0(%x: f32):
    %y = arith.negf %x : f32
    kernel.yield %y : f32
  }
  kernel.call "symc_ref_dot_f32" "dot" ins(%b, %c : memref<16xf32>, memref<16xf32>) outs(%out : memref<16xf32>) {params = [1, -1, 2.0, array<i64: 3, 4>, array<i64>, "text"], dtypes = array<i64: 0, 0, 0>, scratch_bytes = 0 : i64} loc("dot0")
  kernel.end
}

// CHECK: llvm.mlir.global internal constant @main_node3("dot0\00")
// The parameters are one constant of 8-byte slots.
// CHECK: llvm.mlir.global internal constant @main_step3_params()
// CHECK-SAME: !llvm.struct<(i64, i64, f64, i64, ptr, i64, ptr, ptr)>

// CHECK-LABEL: llvm.func @main(%{{.*}}: !llvm.ptr) -> i32
// CHECK: %[[COUNT:.*]] = llvm.mlir.constant(8 : i64)
// CHECK: %[[STEP:.*]] = llvm.mlir.addressof @main_step0
// CHECK: llvm.call @symc_parallel(%{{.*}}, %[[STEP]], %[[COUNT]])
// CHECK: func.call @main_k1_loops
// CHECK: func.call @main_k1_loops
// CHECK: %[[STATUS:.*]] = llvm.call @main_step3
// CHECK: %[[BAD:.*]] = llvm.icmp "ne" %[[STATUS]]
// CHECK: llvm.cond_br %[[BAD]]
// CHECK: %[[NODE:.*]] = llvm.mlir.addressof @main_node3
// CHECK: llvm.call @symc_name_failure(%{{.*}}, %[[STATUS]], %[[NODE]])
// CHECK: llvm.return %[[STATUS]]

// CHECK: func.func private @main_k0_copy(%{{.*}}: !llvm.ptr {llvm.align = 4 : i64, llvm.noalias, llvm.readonly}, %{{.*}}: !llvm.ptr {llvm.align = 64 : i64, llvm.noalias}, %{{.*}}: index)
// CHECK: func.func private @main_k1_loops(
// CHECK-NOT: func.func private @main_k2
// CHECK: llvm.func internal @main_step3(%{{.*}}: !llvm.ptr) -> i32
// CHECK: llvm.call @symc_ref_dot_f32(

// PROBES: llvm.func @symc_probe(!llvm.ptr, i64, i32)
// PROBES-LABEL: llvm.func @main(
// PROBES-COUNT-8: llvm.call @symc_probe
// PROBES-NOT: llvm.call @symc_probe
