// If this fails, a trainer does not learn in time, or learns too early, that a gradient is final: sums over processes
// then begin late, or change what a later step reads.
// RUN: symc-opt %s -kernel-plan-arena -kernel-choose-tiles=target=x86-64-v3 -kernel-outline | FileCheck %s

// CHECK-LABEL: llvm.func @main_forward(
// CHECK:       func.call @main_k0_loops
// CHECK-NEXT:  %[[Y:.+]] = llvm.mlir.constant(0 : i32)
// CHECK-NEXT:  llvm.call @symc_report_step(%{{.+}}, %[[Y]])
// CHECK-LABEL: llvm.func @main_backward(
// The first gradient is written, read, and only then final.
// CHECK:       func.call @main_k1_copy
// CHECK-NOT:   llvm.mlir.constant({{[12]}} : i32)
// CHECK:       func.call @main_k2_copy
// CHECK-NEXT:  %[[G:.+]] = llvm.mlir.constant(1 : i32)
// CHECK-NEXT:  llvm.call @symc_report_step(%{{.+}}, %[[G]])
// CHECK:       func.call @main_k3_copy
// CHECK-NEXT:  %[[NONE:.+]] = llvm.mlir.constant(-1 : i32)
// CHECK-NEXT:  llvm.call @symc_report_step(%{{.+}}, %[[NONE]])
// CHECK:       func.call @main_k1_copy
// CHECK-NEXT:  %[[H:.+]] = llvm.mlir.constant(2 : i32)
// CHECK-NEXT:  llvm.call @symc_report_step(%{{.+}}, %[[H]])
kernel.program @main attributes {num_inputs = 1, num_outputs = 3, parts = ["forward", "forward", "backward", "backward"], symc.reports} {
^bb0(%x: memref<16xf32>, %y: memref<16xf32>, %g: memref<16xf32>, %h: memref<16xf32>):
  %a = kernel.buffer() : memref<16xf32>
  %b = kernel.buffer() : memref<16xf32>
  %c = kernel.buffer() : memref<16xf32>
  kernel.loops ins(%x : memref<16xf32>) outs(%y, %a : memref<16xf32>, memref<16xf32>) body {
  ^bb0(%e: f32):
    kernel.yield %e, %e : f32, f32
  }
  kernel.forward_end
  kernel.copy %a to %g : memref<16xf32> to memref<16xf32>
  kernel.copy %g to %b : memref<16xf32> to memref<16xf32>
  kernel.copy %b to %c : memref<16xf32> to memref<16xf32>
  kernel.copy %c to %h : memref<16xf32> to memref<16xf32>
  kernel.end
}
