// If this fails, code grows with the square of the sizes that values decide: behind each step
// that decides one, that size alone is read again.
// RUN: symc-opt %s -kernel-plan-arena -kernel-outline | FileCheck %s

kernel.program @main attributes {num_inputs = 1, num_outputs = 1, dim_min = array<i64: 1, 1, 1>, dim_max = array<i64: 4, 4, 4>} {
^bb0(%in: memref<4xf32>, %out: memref<4xf32>, %n0: index, %n1: index, %n2: index):
  %a = kernel.buffer(%n0) : memref<?xf32>
  kernel.call "symc_ref_x_f32" "relu" ins(%in : memref<4xf32>) outs(%a : memref<?xf32>) {params = [], dtypes = array<i64: 0, 0>, scratch_bytes = 0, decides = 0}
  %b = kernel.buffer(%n1) : memref<?xf32>
  kernel.call "symc_ref_x_f32" "relu" ins(%in : memref<4xf32>) outs(%b : memref<?xf32>) {params = [], dtypes = array<i64: 0, 0>, scratch_bytes = 0, decides = 1}
  %c = kernel.buffer(%n2) : memref<?xf32>
  kernel.call "symc_ref_x_f32" "relu" ins(%in : memref<4xf32>) outs(%c : memref<?xf32>) {params = [], dtypes = array<i64: 0, 0>, scratch_bytes = 0, decides = 2}
  kernel.call "symc_ref_x_f32" "relu" ins(%a : memref<?xf32>) outs(%out : memref<4xf32>) {params = [], dtypes = array<i64: 0, 0>, scratch_bytes = 0}
  kernel.end
}

// CHECK-LABEL: llvm.func @main(
// CHECK-COUNT-3: llvm.load {{.*}} -> i64
// CHECK-NOT: -> i64
// CHECK: call @main_step0
// CHECK-COUNT-1: llvm.load {{.*}} -> i64
// CHECK-NOT: -> i64
// CHECK: call @main_step1
// CHECK-COUNT-1: llvm.load {{.*}} -> i64
// CHECK-NOT: -> i64
// CHECK: call @main_step2
