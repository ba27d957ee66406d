// If this fails, a trainer changes a parameter while a later step still reads it or writes its gradient, or before a step
// that can fail: then a step of training that fails has changed something.
// RUN: symc-opt %s -split-input-file -kernel-plan-arena -kernel-choose-tiles=target=x86-64-v3 -kernel-outline | FileCheck %s

// A gradient that has two writers (%gv), and a parameter that is read behind its gradient (%w), by a view. A report is
// -2 - 2 * output where the parameter may change, -3 - 2 * output in front of the first step at the gradient.
// CHECK-LABEL: llvm.func @main(
// CHECK:       %[[BEGIN_W:.+]] = llvm.mlir.constant(-5 : i32)
// CHECK-NEXT:  llvm.call @symc_report_step(%{{.+}}, %[[BEGIN_W]])
// CHECK:       func.call @main_k0_copy
// CHECK:       %[[BEGIN_V:.+]] = llvm.mlir.constant(-7 : i32)
// CHECK-NEXT:  llvm.call @symc_report_step(%{{.+}}, %[[BEGIN_V]])
// CHECK:       func.call @main_k0_copy
// CHECK-NOT:   llvm.mlir.constant({{-[46]}} : i32)
// CHECK:       func.call @main_k1_loops
// CHECK:       %[[V:.+]] = llvm.mlir.constant(-6 : i32)
// CHECK-NEXT:  llvm.call @symc_report_step(%{{.+}}, %[[V]])
// CHECK-NOT:   llvm.mlir.constant(-4 : i32)
// CHECK:       func.call @main_k2_copy
// CHECK:       %[[W:.+]] = llvm.mlir.constant(-4 : i32)
// CHECK-NEXT:  llvm.call @symc_report_step(%{{.+}}, %[[W]])
// CHECK-NOT:   llvm.mlir.constant({{-[2-9]}} : i32)
// CHECK:       return
kernel.program @main attributes {num_inputs = 3, num_outputs = 3, symc.reports, symc.updates = array<i64: -1, 1, 2>} {
^bb0(%x: memref<16xf32>, %w: memref<16xf32>, %v: memref<16xf32>, %y: memref<16xf32>, %gw: memref<16xf32>, %gv: memref<16xf32>):
  %a = kernel.buffer() : memref<8xf32>
  kernel.copy %x to %gw : memref<16xf32> to memref<16xf32>
  kernel.copy %v to %gv : memref<16xf32> to memref<16xf32>
  kernel.loops ins(%x : memref<16xf32>) outs(%gv, %y : memref<16xf32>, memref<16xf32>) body {
  ^bb0(%e: f32):
    kernel.yield %e, %e : f32, f32
  }
  %part = memref.subview %w[8] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1], offset: 8>>
  kernel.copy %part to %a : memref<8xf32, strided<[1], offset: 8>> to memref<8xf32>
  kernel.end
}

// -----

// CHECK-LABEL: llvm.func @main(
// CHECK-NOT:   llvm.mlir.constant(-2 : i32)
// CHECK:       llvm.call @main_step
// CHECK:       %[[W:.+]] = llvm.mlir.constant(-2 : i32)
// CHECK-NEXT:  llvm.call @symc_report_step(%{{.+}}, %[[W]])
kernel.program @main attributes {num_inputs = 2, num_outputs = 1, symc.reports, symc.updates = array<i64: 1>} {
^bb0(%x: memref<4xf32>, %w: memref<4xf32>, %g: memref<4xf32>):
  %a = kernel.buffer() : memref<4xf32>
  kernel.copy %w to %g : memref<4xf32> to memref<4xf32>
  kernel.call "symc_ref_x_f32" "relu" ins(%x : memref<4xf32>) outs(%a : memref<4xf32>) {params = [], dtypes = array<i64: 0, 0>, scratch_bytes = 0}
  kernel.end
}
