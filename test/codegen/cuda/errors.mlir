// Steps and bodies without code on a CUDA device are refused, each with its node.
// RUN: not symc-opt %s -kernel-plan-arena -kernel-print-cuda -split-input-file -o /dev/null 2>&1 | FileCheck %s

// CHECK: node 'sorted': call symc_ref_sort_f32 has no code on a CUDA device: no kernel is written for it
kernel.program @call attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%in: memref<8xf32>, %out: memref<8xf32>):
  kernel.call "symc_ref_sort_f32" "sort" ins(%in : memref<8xf32>) outs(%out : memref<8xf32>) {dtypes = array<i64: 0, 0>, params = [], scratch_bytes = 0 : i64} loc("sorted")
  kernel.end
}

// -----

// CHECK: error: 'math.ctlz' has no text in CUDA C++
kernel.program @body attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%in: memref<8xi32>, %out: memref<8xi32>):
  kernel.loops ins(%in : memref<8xi32>) outs(%out : memref<8xi32>) body {
  ^bb0(%x: i32):
    %y = math.ctlz %x : i32
    kernel.yield %y : i32
  }
  kernel.end
}

// -----

// CHECK: error: 'kernel.conv' op is too large for a grid: 1 groups of outputs and 65536 images, at most 65535
kernel.program @images attributes {num_inputs = 2, num_outputs = 1} {
^bb0(%in: memref<65536x1x1x1x16xf32>, %w: memref<65536x1x1x1x1x16x16xf32>, %out: memref<65536x1x1x1x16xf32>):
  kernel.conv data(%in : memref<65536x1x1x1x16xf32>) weights(%w : memref<65536x1x1x1x1x16x16xf32>) extras() out(%out : memref<65536x1x1x1x16xf32>) {kernel = array<i64: 1, 1>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 16 : i64, out_channels = 16 : i64} body {
  ^bb0(%sum: f32):
    kernel.yield %sum : f32
  }
  kernel.end
}
