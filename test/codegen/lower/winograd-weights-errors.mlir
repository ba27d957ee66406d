// What the lowering of kernel.winograd_weights refuses. A schedule never asks for it, so these are internal
// errors that name the step and what it has.
// RUN: symc-opt %s -split-input-file -verify-diagnostics -kernel-choose-tiles=target=x86-64-v3 -kernel-outline

kernel.program @main attributes {num_inputs = 2, num_outputs = 3} {
^bb0(%x: memref<2x1x6x6x16xf32>, %g: memref<2x1x4x4x16xf32>, %s: memref<1x1x1x8x3x3x16xf32>, %m: memref<1x4096xf32>, %n: memref<1x16xi32>):
  // expected-error @below {{internal error: winograd_weights needs 1 rows of 13824 elements of scratch}}
  kernel.winograd_weights data(%x : memref<2x1x6x6x16xf32>) slope(%g : memref<2x1x4x4x16xf32>) sums(%s : memref<1x1x1x8x3x3x16xf32>) scratch(%m : memref<1x4096xf32>, %n : memref<1x16xi32>) {in_channels = 8 : i64, out_channels = 10 : i64, per_slot = 1 : i64, block = array<i64: 2, 1, 1>, together = array<i64: 1, 1>, slots_of_task = 1 : i64}
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 3} {
^bb0(%x: memref<2x1x6x6x16xf32>, %g: memref<2x1x4x4x16xf32>, %s: memref<1x1x1x8x3x3x16xf32>, %m: memref<1x16384xf32>, %n: memref<1x16xi32>):
  // expected-error @below {{internal error: winograd_weights needs a tile of whole blocks, or of a part by which they divide, that divides a task's, not of 24 channels}}
  kernel.winograd_weights data(%x : memref<2x1x6x6x16xf32>) slope(%g : memref<2x1x4x4x16xf32>) sums(%s : memref<1x1x1x8x3x3x16xf32>) scratch(%m : memref<1x16384xf32>, %n : memref<1x16xi32>) {in_channels = 8 : i64, out_channels = 10 : i64, per_slot = 1 : i64, block = array<i64: 2, 1, 1>, together = array<i64: 1, 1>, slots_of_task = 1 : i64, tile = array<i64: 4, 3>}
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 3} {
^bb0(%all: memref<4096xf32>, %g: memref<2x1x4x4x16xf32>, %s: memref<1x1x1x8x3x3x16xf32>, %m: memref<1x16384xf32>, %n: memref<1x16xi32>):
  %x = memref.reinterpret_cast %all to offset: [0], sizes: [2, 1, 6, 6, 16], strides: [1152, 1152, 192, 32, 2] : memref<4096xf32> to memref<2x1x6x6x16xf32, strided<[1152, 1152, 192, 32, 2]>>
  // expected-error @below {{internal error: winograd_weights needs blocks of 16 channels side by side}}
  kernel.winograd_weights data(%x : memref<2x1x6x6x16xf32, strided<[1152, 1152, 192, 32, 2]>>) slope(%g : memref<2x1x4x4x16xf32>) sums(%s : memref<1x1x1x8x3x3x16xf32>) scratch(%m : memref<1x16384xf32>, %n : memref<1x16xi32>) {in_channels = 8 : i64, out_channels = 10 : i64, per_slot = 1 : i64, block = array<i64: 2, 1, 1>, together = array<i64: 1, 1>, slots_of_task = 1 : i64}
  kernel.end
}
