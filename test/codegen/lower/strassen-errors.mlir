// What the lowering of kernel.strassen and of its weights refuses. A schedule never
// asks for it, so these are internal errors that name the step and what it has.
// RUN: symc-opt %s -split-input-file -verify-diagnostics -kernel-choose-tiles=target=x86-64-v3 -kernel-outline

kernel.program @main attributes {num_inputs = 2, num_outputs = 3} {
^bb0(%x: memref<1x2x4x3x16xf64>, %w: memref<2x7x1x1x1x16x16xf64>, %out: memref<1x2x4x3x16xf64>, %s: memref<8x4096xf64>, %n: memref<8x16xi32>):
  // expected-error @below {{internal error: strassen of 'f64'; it needs 'f32'}}
  kernel.strassen data(%x : memref<1x2x4x3x16xf64>) weights(%w : memref<2x7x1x1x1x16x16xf64>) extras() out(%out : memref<1x2x4x3x16xf64>) scratch(%s : memref<8x4096xf64>, %n : memref<8x16xi32>) {in_channels = 32, out_channels = 32, unit = 3, per_task = array<i64: 1, 1>} body {
  ^bb0(%a: f64):
    kernel.yield %a : f64
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 3} {
^bb0(%all: memref<2048xf32>, %w: memref<2x7x1x1x1x16x16xf32>, %out: memref<1x2x4x3x16xf32>, %s: memref<8x4096xf32>, %n: memref<8x16xi32>):
  %x = memref.reinterpret_cast %all to offset: [0], sizes: [1, 2, 4, 3, 16], strides: [768, 384, 96, 32, 2] : memref<2048xf32> to memref<1x2x4x3x16xf32, strided<[768, 384, 96, 32, 2]>>
  // expected-error @below {{internal error: strassen needs 16 channels side by side}}
  kernel.strassen data(%x : memref<1x2x4x3x16xf32, strided<[768, 384, 96, 32, 2]>>) weights(%w : memref<2x7x1x1x1x16x16xf32>) extras() out(%out : memref<1x2x4x3x16xf32>) scratch(%s : memref<8x4096xf32>, %n : memref<8x16xi32>) {in_channels = 32, out_channels = 32, unit = 3, per_task = array<i64: 1, 1>} body {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 3} {
^bb0(%x: memref<1x2x4x3x16xf32>, %w: memref<2x7x1x1x1x16x16xf32>, %out: memref<1x2x4x3x16xf32>, %s: memref<8x64xf32>, %n: memref<8x16xi32>):
  // expected-error @below {{internal error: strassen needs 2 rows of 1216 elements of scratch}}
  kernel.strassen data(%x : memref<1x2x4x3x16xf32>) weights(%w : memref<2x7x1x1x1x16x16xf32>) extras() out(%out : memref<1x2x4x3x16xf32>) scratch(%s : memref<8x64xf32>, %n : memref<8x16xi32>) {in_channels = 32, out_channels = 32, unit = 3, per_task = array<i64: 1, 1>} body {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  kernel.end
}
