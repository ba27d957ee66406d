// Nearest miss of kernel-check-plan: a plan is checked at sizes with which the program may run: a view of the rows behind the fifth
// lies inside of its buffer from five rows on, which the condition requires.
// RUN: symc-opt %s -split-input-file -verify-diagnostics -kernel-check-plan

kernel.program @main attributes {num_inputs = 0, num_outputs = 0, arena_bytes = 128, dim_min = array<i64: 1>, dim_max = array<i64: 16>,
    conditions = [affine_set<()[s0] : (s0 - 5 >= 0)>], sentences = ["needs five rows"]} {
^bb0(%n: index):
  %a = kernel.buffer(%n) at 0 : memref<?xf32>
  %first = memref.reinterpret_cast %a to offset: [0], sizes: [5], strides: [1] : memref<?xf32> to memref<5xf32, strided<[1]>>
  kernel.fill %first with 0.0 : f32 : memref<5xf32, strided<[1]>>
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 0, num_outputs = 0, arena_bytes = 128, dim_min = array<i64: 1>, dim_max = array<i64: 16>} {
^bb0(%n: index):
  %a = kernel.buffer(%n) at 0 : memref<?xf32>
  %first = memref.reinterpret_cast %a to offset: [0], sizes: [5], strides: [1] : memref<?xf32> to memref<5xf32, strided<[1]>>
  // expected-error@+1 {{internal error: plan check P2: a view covers bytes 0 to 20 of an object of 4}}
  kernel.fill %first with 0.0 : f32 : memref<5xf32, strided<[1]>>
  kernel.end
}
