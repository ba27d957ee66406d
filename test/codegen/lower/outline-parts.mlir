// If this fails, a part of a program with gradients has no function of its own, runs steps of the other
// part, or the whole run goes on after forward has failed.
// RUN: symc-opt %s -kernel-plan-arena -kernel-choose-tiles=target=x86-64-v3 -kernel-outline | FileCheck %s
// RUN: symc-opt %s -kernel-plan-arena -kernel-choose-tiles=target=x86-64-v3 -kernel-outline=probes=true | FileCheck %s --check-prefix=PROBES

// RUN: sed 's/num_outputs = 2, /num_outputs = 2, symc.step_table, /' %s | symc-opt -kernel-plan-arena -kernel-choose-tiles=target=x86-64-v3 -kernel-outline | FileCheck %s --check-prefix=TABLES

// By tables, kernels are shared by both parts: the copies are one function.
// TABLES: @main_backward_functions()
// TABLES: func.constant @main_k[[COPY:[0-9]+]]_copy
// TABLES: func.constant @main_k[[COPY]]_copy
// TABLES-LABEL: llvm.func @main(
// TABLES: llvm.call @main_forward
// TABLES: llvm.call @main_backward
// TABLES-LABEL: llvm.func @main_forward(
// TABLES: %[[ENTRIES:.+]] = llvm.mlir.addressof @main_forward_entries
// TABLES: llvm.call @symc_run_steps(%{{.+}}, %[[ENTRIES]],
// TABLES-LABEL: llvm.func @main_backward(
// TABLES: llvm.mlir.addressof @main_backward_entries

// CHECK-LABEL: llvm.func @main(%{{.*}}: !llvm.ptr) -> i32
// CHECK:       %[[STATUS:.+]] = llvm.call @main_forward
// CHECK:       %[[BAD:.+]] = llvm.icmp "ne" %[[STATUS]]
// CHECK-NEXT:  llvm.cond_br %[[BAD]], ^[[END:.+]], ^[[GO:.+]]
// CHECK:       ^[[END]]:
// CHECK-NEXT:  llvm.return %[[STATUS]]
// CHECK:       ^[[GO]]:
// CHECK-NEXT:  %[[LAST:.+]] = llvm.call @main_backward
// CHECK-NEXT:  llvm.return %[[LAST]]

// CHECK-LABEL: llvm.func @main_forward(
// CHECK:       func.call @main_k0_loops
// CHECK-NOT:   {{llvm|func}}.call
// CHECK:       llvm.return
// CHECK-LABEL: llvm.func @main_backward(
// CHECK:       func.call @main_k1_copy
// CHECK:       func.call @main_k2_copy
// CHECK:       llvm.return

// Steps of backward have the numbers behind those of forward.
// PROBES-LABEL: llvm.func @main_backward(
// PROBES:       %[[ONE:.+]] = llvm.mlir.constant(1 : i64)
// PROBES:       llvm.call @symc_probe(%{{.+}}, %[[ONE]]
kernel.program @main attributes {num_inputs = 1, num_outputs = 2, parts = ["forward", "forward", "backward"]} {
^bb0(%x: memref<16xf32>, %y: memref<16xf32>, %g: memref<16xf32>):
  %a = kernel.buffer() : memref<16xf32>
  %b = kernel.buffer() : memref<16xf32>
  kernel.loops ins(%x : memref<16xf32>) outs(%y, %a : memref<16xf32>, memref<16xf32>) body {
  ^bb0(%e: f32):
    kernel.yield %e, %e : f32, f32
  }
  kernel.forward_end
  kernel.copy %a to %b : memref<16xf32> to memref<16xf32>
  kernel.copy %b to %g : memref<16xf32> to memref<16xf32>
  kernel.end
}
