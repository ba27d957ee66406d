// If this fails, an instruction set has no program of its own, lacks one that its program calls, or
// weights are prepared by code for another machine.
// RUN: symc-opt %s --kernel-make-variants='targets=x86-64-v4,x86-64-v3 prefix=net' | FileCheck %s
// RUN: symc-opt %s --kernel-make-variants='targets=x86-64-v4 prefix=net' --kernel-make-variants='targets=x86-64-v4 prefix=net' | FileCheck %s --check-prefix=TWICE
// RUN: symc-opt %s --kernel-make-prepare-variant='target=x86-64-v2 prefix=net' | FileCheck %s --check-prefix=PREPARE

// Programs that @main_program calls stand before it in each variant. Nearest miss of
// kernel-make-variants: a program that nothing calls stays, and so does the one that prepares weights.
// CHECK-NOT: kernel.program @body
// CHECK: kernel.program @apart
// CHECK: kernel.program @prepare_program
// CHECK: kernel.variant @net_run_0 for "x86-64-v4", "default"
// CHECK: kernel.program @body
// CHECK: kernel.program @main_program
// CHECK: kernel.variant @net_run_1 for "x86-64-v3", "default"
// CHECK: kernel.program @body
// CHECK: kernel.program @main_program
// CHECK-NOT: kernel.program
// TWICE-COUNT-1: kernel.variant
// TWICE-NOT: kernel.variant

// The original of @prepare_program stays for the machine that compiles. Nearest miss of
// kernel-make-prepare-variant: without prepared weights there is none (the module below).
// PREPARE: kernel.program @prepare_program
// PREPARE: kernel.variant @net_prepare_program for "x86-64-v2", "portable"
// PREPARE: kernel.program @prepare_program
// PREPARE-NOT: kernel.variant
kernel.prepared @w at 0 : memref<4xf32>
kernel.program @apart attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%in: memref<4xf32>, %out: memref<4xf32>):
  kernel.copy %in to %out : memref<4xf32> to memref<4xf32>
  kernel.end
}
kernel.program @body attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%in: memref<4xf32>, %out: memref<4xf32>):
  kernel.copy %in to %out : memref<4xf32> to memref<4xf32>
  kernel.end
}
kernel.program @main_program attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%in: memref<4xf32>, %out: memref<4xf32>):
  kernel.call "symc_ref_foreach" "foreach" ins(%in : memref<4xf32>) outs(%out : memref<4xf32>) {params = [], dtypes = array<i64: 0, 0>, scratch_bytes = 0 : i64, bodies = [@body], body_dtypes = array<i64: 0>}
  kernel.end
}
kernel.program @prepare_program attributes {num_inputs = 1, num_outputs = 0} {
^bb0(%in: memref<4xf32>):
  %w = kernel.weight @w : memref<4xf32>
  kernel.copy %in to %w : memref<4xf32> to memref<4xf32>
  kernel.end
}
