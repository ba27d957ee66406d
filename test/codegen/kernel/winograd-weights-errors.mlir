// If this fails, a malformed kernel.winograd_weights is a crash of its lowering instead of a sentence.
// RUN: symc-opt -split-input-file -verify-diagnostics %s

kernel.program @main attributes {num_inputs = 2, num_outputs = 3} {
^bb0(%x: memref<2x6x6x16xf32>, %g: memref<2x1x4x4x16xf32>, %s: memref<1x1x1x8x3x3x16xf32>, %m: memref<1x4096xf32>, %n: memref<1x16xi32>):
  // expected-error @below {{needs data and slope of rank 5 and sums of rank 7, found 4, 5 and 7}}
  kernel.winograd_weights data(%x : memref<2x6x6x16xf32>) slope(%g : memref<2x1x4x4x16xf32>) sums(%s : memref<1x1x1x8x3x3x16xf32>) scratch(%m : memref<1x4096xf32>, %n : memref<1x16xi32>) {in_channels = 8 : i64, out_channels = 10 : i64, per_slot = 1 : i64, block = array<i64: 2, 1, 1>, together = array<i64: 1, 1>, slots_of_task = 1 : i64}
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 3} {
^bb0(%x: memref<2x1x6x6x16xf16>, %g: memref<2x1x4x4x16xf32>, %s: memref<1x1x1x8x3x3x16xf32>, %m: memref<1x4096xf32>, %n: memref<1x16xi32>):
  // expected-error @below {{needs constant extents of f32, found 'memref<2x1x6x6x16xf16>'}}
  kernel.winograd_weights data(%x : memref<2x1x6x6x16xf16>) slope(%g : memref<2x1x4x4x16xf32>) sums(%s : memref<1x1x1x8x3x3x16xf32>) scratch(%m : memref<1x4096xf32>, %n : memref<1x16xi32>) {in_channels = 8 : i64, out_channels = 10 : i64, per_slot = 1 : i64, block = array<i64: 2, 1, 1>, together = array<i64: 1, 1>, slots_of_task = 1 : i64}
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 3} {
^bb0(%x: memref<2x1x6x6x16xf32>, %g: memref<2x1x4x4x16xf32>, %s: memref<1x1x1x8x3x3x16xf32>, %m: memref<1x4096xf32>, %n: memref<1x16xi32>):
  // expected-error @below {{per_slot needs a power of two, found 3}}
  kernel.winograd_weights data(%x : memref<2x1x6x6x16xf32>) slope(%g : memref<2x1x4x4x16xf32>) sums(%s : memref<1x1x1x8x3x3x16xf32>) scratch(%m : memref<1x4096xf32>, %n : memref<1x16xi32>) {in_channels = 8 : i64, out_channels = 10 : i64, per_slot = 3 : i64, block = array<i64: 2, 1, 1>, together = array<i64: 1, 1>, slots_of_task = 1 : i64}
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 3} {
^bb0(%x: memref<2x1x6x6x16xf32>, %g: memref<2x1x4x4x16xf32>, %s: memref<1x1x1x8x3x3x16xf32>, %m: memref<1x4096xf32>, %n: memref<1x16xi32>):
  // expected-error @below {{block needs three numbers of at least 1, found [2, 1]}}
  kernel.winograd_weights data(%x : memref<2x1x6x6x16xf32>) slope(%g : memref<2x1x4x4x16xf32>) sums(%s : memref<1x1x1x8x3x3x16xf32>) scratch(%m : memref<1x4096xf32>, %n : memref<1x16xi32>) {in_channels = 8 : i64, out_channels = 10 : i64, per_slot = 1 : i64, block = array<i64: 2, 1>, together = array<i64: 1, 1>, slots_of_task = 1 : i64}
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 3} {
^bb0(%x: memref<2x1x6x6x16xf32>, %g: memref<2x1x4x4x16xf32>, %s: memref<1x1x1x8x3x3x16xf32>, %m: memref<1x4096xf32>, %n: memref<1x16xi32>):
  // expected-error @below {{together needs two numbers of at least 1, found [1, 0]}}
  kernel.winograd_weights data(%x : memref<2x1x6x6x16xf32>) slope(%g : memref<2x1x4x4x16xf32>) sums(%s : memref<1x1x1x8x3x3x16xf32>) scratch(%m : memref<1x4096xf32>, %n : memref<1x16xi32>) {in_channels = 8 : i64, out_channels = 10 : i64, per_slot = 1 : i64, block = array<i64: 2, 1, 1>, together = array<i64: 1, 0>, slots_of_task = 1 : i64}
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 3} {
^bb0(%x: memref<2x1x6x6x16xf32>, %g: memref<2x1x4x4x16xf32>, %s: memref<1x1x1x8x3x3x16xf32>, %m: memref<1x4096xf32>, %n: memref<1x16xi32>):
  // expected-error @below {{slots_of_task needs at least 1, found 0}}
  kernel.winograd_weights data(%x : memref<2x1x6x6x16xf32>) slope(%g : memref<2x1x4x4x16xf32>) sums(%s : memref<1x1x1x8x3x3x16xf32>) scratch(%m : memref<1x4096xf32>, %n : memref<1x16xi32>) {in_channels = 8 : i64, out_channels = 10 : i64, per_slot = 1 : i64, block = array<i64: 2, 1, 1>, together = array<i64: 1, 1>, slots_of_task = 0 : i64}
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 3} {
^bb0(%x: memref<2x1x6x6x16xf32>, %g: memref<2x1x4x4x16xf32>, %s: memref<1x1x1x8x3x3x16xf32>, %m: memref<1x4096xf32>, %n: memref<1x16xi32>):
  // expected-error @below {{tile needs [rows, vectors] of at least 1, found [4, 0]}}
  kernel.winograd_weights data(%x : memref<2x1x6x6x16xf32>) slope(%g : memref<2x1x4x4x16xf32>) sums(%s : memref<1x1x1x8x3x3x16xf32>) scratch(%m : memref<1x4096xf32>, %n : memref<1x16xi32>) {in_channels = 8 : i64, out_channels = 10 : i64, per_slot = 1 : i64, block = array<i64: 2, 1, 1>, together = array<i64: 1, 1>, slots_of_task = 1 : i64, tile = array<i64: 4, 0>}
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 3} {
^bb0(%x: memref<2x1x6x5x16xf32>, %g: memref<2x1x4x4x16xf32>, %s: memref<1x1x1x8x3x3x16xf32>, %m: memref<1x4096xf32>, %n: memref<1x16xi32>):
  // expected-error @below {{has 5 columns of data and 4 of slope, between which a window of 3 taps has no distance of taps}}
  kernel.winograd_weights data(%x : memref<2x1x6x5x16xf32>) slope(%g : memref<2x1x4x4x16xf32>) sums(%s : memref<1x1x1x8x3x3x16xf32>) scratch(%m : memref<1x4096xf32>, %n : memref<1x16xi32>) {in_channels = 8 : i64, out_channels = 10 : i64, per_slot = 1 : i64, block = array<i64: 2, 1, 1>, together = array<i64: 1, 1>, slots_of_task = 1 : i64}
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 3} {
^bb0(%x: memref<2x1x6x6x16xf32>, %g: memref<2x1x4x4x16xf32>, %s: memref<1x1x1x8x3x3x16xf32>, %m: memref<1x4096xf32>, %n: memref<1x16xi32>):
  // expected-error @below {{has 17 by 10 channels, the images have 16 and 16}}
  kernel.winograd_weights data(%x : memref<2x1x6x6x16xf32>) slope(%g : memref<2x1x4x4x16xf32>) sums(%s : memref<1x1x1x8x3x3x16xf32>) scratch(%m : memref<1x4096xf32>, %n : memref<1x16xi32>) {in_channels = 17 : i64, out_channels = 10 : i64, per_slot = 1 : i64, block = array<i64: 2, 1, 1>, together = array<i64: 1, 1>, slots_of_task = 1 : i64}
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 3} {
^bb0(%x: memref<2x1x6x6x16xf32>, %g: memref<2x1x4x4x16xf32>, %s: memref<1x1x1x8x3x3x16xf32>, %m: memref<1x4096xf32>, %n: memref<1x16xi32>):
  // expected-error @below {{needs `together` to be all blocks of a task where tiles of a chunk are several groups}}
  kernel.winograd_weights data(%x : memref<2x1x6x6x16xf32>) slope(%g : memref<2x1x4x4x16xf32>) sums(%s : memref<1x1x1x8x3x3x16xf32>) scratch(%m : memref<1x4096xf32>, %n : memref<1x16xi32>) {in_channels = 8 : i64, out_channels = 10 : i64, per_slot = 1 : i64, block = array<i64: 1, 1, 1>, together = array<i64: 2, 1>, slots_of_task = 1 : i64}
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 3} {
^bb0(%x: memref<2x1x6x6x16xf32>, %g: memref<2x1x4x4x16xf32>, %s: memref<1x1x1x9x3x3x16xf32>, %m: memref<1x4096xf32>, %n: memref<1x16xi32>):
  // expected-error @below {{needs sums [1, 1, 1, 8, 3, 3, 16], found [1, 1, 1, 9, 3, 3, 16]}}
  kernel.winograd_weights data(%x : memref<2x1x6x6x16xf32>) slope(%g : memref<2x1x4x4x16xf32>) sums(%s : memref<1x1x1x9x3x3x16xf32>) scratch(%m : memref<1x4096xf32>, %n : memref<1x16xi32>) {in_channels = 8 : i64, out_channels = 10 : i64, per_slot = 1 : i64, block = array<i64: 2, 1, 1>, together = array<i64: 1, 1>, slots_of_task = 1 : i64}
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 3} {
^bb0(%x: memref<2x1x6x6x16xf32>, %g: memref<2x1x4x4x16xf32>, %s: memref<1x1x1x8x3x3x16xf32, strided<[2304, 2304, 2304, 288, 96, 32, 1]>>, %m: memref<1x4096xf32>, %n: memref<1x16xi32>):
  // expected-error @below {{needs sums without gaps}}
  kernel.winograd_weights data(%x : memref<2x1x6x6x16xf32>) slope(%g : memref<2x1x4x4x16xf32>) sums(%s : memref<1x1x1x8x3x3x16xf32, strided<[2304, 2304, 2304, 288, 96, 32, 1]>>) scratch(%m : memref<1x4096xf32>, %n : memref<1x16xi32>) {in_channels = 8 : i64, out_channels = 10 : i64, per_slot = 1 : i64, block = array<i64: 2, 1, 1>, together = array<i64: 1, 1>, slots_of_task = 1 : i64}
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 3} {
^bb0(%x: memref<2x1x6x6x16xf32>, %g: memref<2x1x4x4x16xf32>, %s: memref<1x1x1x8x3x2x16xf32>, %m: memref<1x4096xf32>, %n: memref<1x16xi32>):
  // expected-error @below {{needs a window of 2 to 4 taps along both axes, or along one, found 3x2}}
  kernel.winograd_weights data(%x : memref<2x1x6x6x16xf32>) slope(%g : memref<2x1x4x4x16xf32>) sums(%s : memref<1x1x1x8x3x2x16xf32>) scratch(%m : memref<1x4096xf32>, %n : memref<1x16xi32>) {in_channels = 8 : i64, out_channels = 10 : i64, per_slot = 1 : i64, block = array<i64: 2, 1, 1>, together = array<i64: 1, 1>, slots_of_task = 1 : i64}
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 3} {
^bb0(%x: memref<3x1x6x6x16xf32>, %g: memref<2x1x4x4x16xf32>, %s: memref<1x1x1x8x3x3x16xf32>, %m: memref<1x4096xf32>, %n: memref<1x16xi32>):
  // expected-error @below {{has data of 3 images and slope of 2}}
  kernel.winograd_weights data(%x : memref<3x1x6x6x16xf32>) slope(%g : memref<2x1x4x4x16xf32>) sums(%s : memref<1x1x1x8x3x3x16xf32>) scratch(%m : memref<1x4096xf32>, %n : memref<1x16xi32>) {in_channels = 8 : i64, out_channels = 10 : i64, per_slot = 1 : i64, block = array<i64: 2, 1, 1>, together = array<i64: 1, 1>, slots_of_task = 1 : i64}
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 3} {
^bb0(%x: memref<2x1x14x6x16xf32>, %g: memref<2x1x4x4x16xf32>, %s: memref<1x1x1x8x3x3x16xf32>, %m: memref<1x4096xf32>, %n: memref<1x16xi32>):
  // expected-error @below {{has taps 5 rows apart, beyond the 4 of slope}}
  kernel.winograd_weights data(%x : memref<2x1x14x6x16xf32>) slope(%g : memref<2x1x4x4x16xf32>) sums(%s : memref<1x1x1x8x3x3x16xf32>) scratch(%m : memref<1x4096xf32>, %n : memref<1x16xi32>) {in_channels = 8 : i64, out_channels = 10 : i64, per_slot = 1 : i64, block = array<i64: 2, 1, 1>, together = array<i64: 1, 1>, slots_of_task = 1 : i64}
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 3} {
^bb0(%x: memref<2x1x5x6x16xf32>, %g: memref<2x1x4x4x16xf32>, %s: memref<1x1x1x8x1x3x16xf32>, %m: memref<1x4096xf32>, %n: memref<1x16xi32>):
  // expected-error @below {{has 5 rows of data and 4 of slope, between which a window of 1 taps has no distance of taps}}
  kernel.winograd_weights data(%x : memref<2x1x5x6x16xf32>) slope(%g : memref<2x1x4x4x16xf32>) sums(%s : memref<1x1x1x8x1x3x16xf32>) scratch(%m : memref<1x4096xf32>, %n : memref<1x16xi32>) {in_channels = 8 : i64, out_channels = 10 : i64, per_slot = 1 : i64, block = array<i64: 2, 1, 1>, together = array<i64: 1, 1>, slots_of_task = 1 : i64}
  kernel.end
}
