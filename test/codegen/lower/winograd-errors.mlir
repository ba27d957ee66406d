// What the lowering of kernel.winograd and of its weights refuses. A schedule never
// asks for it, so these are internal errors that name the step and what it has.
// RUN: symc-opt %s -split-input-file -verify-diagnostics -kernel-choose-tiles=target=x86-64-v3 -kernel-outline

kernel.program @main attributes {num_inputs = 2, num_outputs = 3} {
^bb0(%x: memref<1x1x6x6x16xf64>, %w: memref<36x1x1x16x16xf64>, %out: memref<1x1x4x4x16xf64>, %s: memref<1x4096xf64>, %n: memref<1x16xi32>):
  // expected-error @below {{internal error: winograd of 'f64'; it needs 'f32'}}
  kernel.winograd data(%x : memref<1x1x6x6x16xf64>) weights(%w : memref<36x1x1x16x16xf64>) extras() out(%out : memref<1x1x4x4x16xf64>) scratch(%s : memref<1x4096xf64>, %n : memref<1x16xi32>) {output_tile = 4, in_channels = 16, out_channels = 16, block = array<i64: 1, 1>, per_task = array<i64: 1, 1>} body {
  ^bb0(%a: f64):
    kernel.yield %a : f64
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 3} {
^bb0(%all: memref<2048xf32>, %w: memref<36x1x1x16x16xf32>, %out: memref<1x1x4x4x16xf32>, %s: memref<1x4096xf32>, %n: memref<1x16xi32>):
  %x = memref.reinterpret_cast %all to offset: [0], sizes: [1, 1, 6, 6, 16], strides: [1152, 1152, 192, 32, 2] : memref<2048xf32> to memref<1x1x6x6x16xf32, strided<[1152, 1152, 192, 32, 2]>>
  // expected-error @below {{internal error: winograd needs 16 channels side by side}}
  kernel.winograd data(%x : memref<1x1x6x6x16xf32, strided<[1152, 1152, 192, 32, 2]>>) weights(%w : memref<36x1x1x16x16xf32>) extras() out(%out : memref<1x1x4x4x16xf32>) scratch(%s : memref<1x4096xf32>, %n : memref<1x16xi32>) {output_tile = 4, in_channels = 16, out_channels = 16, block = array<i64: 1, 1>, per_task = array<i64: 1, 1>} body {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 3} {
^bb0(%x: memref<1x1x6x6x16xf32>, %w: memref<36x1x1x16x16xf32>, %out: memref<1x1x4x4x16xf32>, %s: memref<1x64xf32>, %n: memref<1x16xi32>):
  // expected-error @below {{internal error: winograd needs 1 rows of 1728 elements of scratch}}
  kernel.winograd data(%x : memref<1x1x6x6x16xf32>) weights(%w : memref<36x1x1x16x16xf32>) extras() out(%out : memref<1x1x4x4x16xf32>) scratch(%s : memref<1x64xf32>, %n : memref<1x16xi32>) {output_tile = 4, in_channels = 16, out_channels = 16, block = array<i64: 1, 1>, per_task = array<i64: 1, 1>} body {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 3} {
^bb0(%x: memref<1x1x6x6x16xf32>, %w: memref<36x1x1x16x16xf32>, %out: memref<1x1x4x4x16xf32>, %s: memref<1x4096xf32>, %n: memref<1x16xi32>):
  // expected-error @below {{expand needs weights that are transformed on the fly}}
  kernel.winograd data(%x : memref<1x1x6x6x16xf32>) weights(%w : memref<36x1x1x16x16xf32>) extras() out(%out : memref<1x1x4x4x16xf32>) scratch(%s : memref<1x4096xf32>, %n : memref<1x16xi32>) {output_tile = 4, in_channels = 16, out_channels = 16, block = array<i64: 1, 1>, per_task = array<i64: 1, 1>, expand} body {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  kernel.end
}
