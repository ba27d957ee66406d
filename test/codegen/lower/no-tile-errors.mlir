// If this fails, a lowering decides what kernel-choose-tiles has to.
// RUN: symc-opt -split-input-file -verify-diagnostics %s -kernel-outline

kernel.program @main attributes {num_inputs = 2, num_outputs = 1} {
^bb0(%x: memref<1x1x4x4x16xf32>, %w: memref<1x1x1x1x16x16xf32>, %out: memref<1x1x4x4x16xf32>):
  // expected-error @below {{has no tile; kernel-choose-tiles sets it}}
  kernel.conv data(%x : memref<1x1x4x4x16xf32>) weights(%w : memref<1x1x1x1x16x16xf32>) extras() out(%out : memref<1x1x4x4x16xf32>) {kernel = array<i64: 1, 1>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 16, out_channels = 16} body {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 1} {
^bb0(%x: memref<1x1x4x4x16xf32>, %w: memref<1x1x1x1x16x16xf32>, %out: memref<1x1x4x4x16xf32>):
  // expected-error @below {{has no tile; kernel-choose-tiles sets it}}
  kernel.conv data(%x : memref<1x1x4x4x16xf32>) weights(%w : memref<1x1x1x1x16x16xf32>) extras() out(%out : memref<1x1x4x4x16xf32>) {kernel = array<i64: 1, 1>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 16, out_channels = 16, tile = array<i64: 1, 1, 4>} body {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 3} {
^bb0(%x: memref<1x1x6x6x16xf32>, %w: memref<36x1x1x16x16xf32>, %out: memref<1x1x4x4x16xf32>, %s: memref<1x4096xf32>, %n: memref<1x16xi32>):
  // expected-error @below {{has no tile; kernel-choose-tiles sets it}}
  kernel.winograd data(%x : memref<1x1x6x6x16xf32>) weights(%w : memref<36x1x1x16x16xf32>) extras() out(%out : memref<1x1x4x4x16xf32>) scratch(%s : memref<1x4096xf32>, %n : memref<1x16xi32>) {output_tile = 4, in_channels = 16, out_channels = 16, block = array<i64: 1, 1>, per_task = array<i64: 1, 1>} body {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 3} {
^bb0(%x: memref<1x2x4x3x16xf32>, %w: memref<2x7x1x1x1x16x16xf32>, %out: memref<1x2x4x3x16xf32>, %s: memref<8x4096xf32>, %n: memref<8x16xi32>):
  // expected-error @below {{has no tile; kernel-choose-tiles sets it}}
  kernel.strassen data(%x : memref<1x2x4x3x16xf32>) weights(%w : memref<2x7x1x1x1x16x16xf32>) extras() out(%out : memref<1x2x4x3x16xf32>) scratch(%s : memref<8x4096xf32>, %n : memref<8x16xi32>) {in_channels = 32, out_channels = 32, unit = 3, per_task = array<i64: 1, 1>} body {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 3, num_outputs = 2} {
^bb0(%g: memref<4x5x1x20xf32>, %w: memref<2x20x1x1x1x16xf32>, %h: memref<5x20xf32>, %out: memref<4x5x20xf32>, %t: memref<8xi64>):
  // expected-error @below {{has no tile; kernel-choose-tiles sets it}}
  kernel.recurrent gates(%g : memref<4x5x1x20xf32>) weights(%w : memref<2x20x1x1x1x16xf32>) state(%h : memref<5x20xf32>) out(%out : memref<4x5x20xf32>) step(%t : memref<8xi64>) {reverse = false, tile = array<i64: 1, 5, 1>} body {
  ^bb0(%a0: f32, %a1: f32, %a2: f32):
    kernel.yield %a0 : f32
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%in: memref<4xf32>, %out: memref<4xf32>):
  // expected-error @below {{has no tile; kernel-choose-tiles sets it}}
  kernel.copy %in to %out : memref<4xf32> to memref<4xf32>
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 1} {
^bb0(%x: memref<1x2x8x8x16xf32>, %w: memref<2x3x3x16xf32>, %out: memref<1x2x6x6x16xf32>):
  // expected-error @below {{has no tile; kernel-choose-tiles sets it}}
  kernel.depthwise data(%x : memref<1x2x8x8x16xf32>) weights(%w : memref<2x3x3x16xf32>) extras() out(%out : memref<1x2x6x6x16xf32>) {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>} body {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%in: memref<16x16x1x1xf32>, %out: memref<1x1x1x1x16x16xf32>):
  // expected-error @below {{has no tile; kernel-choose-tiles sets it}}
  kernel.pack_panels %in to %out : memref<16x16x1x1xf32> to memref<1x1x1x1x16x16xf32>
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 3} {
^bb0(%x: memref<2x1x6x6x16xf32>, %g: memref<2x1x4x4x16xf32>, %s: memref<1x1x1x8x3x3x16xf32>, %m: memref<1x4096xf32>, %n: memref<1x16xi32>):
  // expected-error @below {{has no tile; kernel-choose-tiles sets it}}
  kernel.winograd_weights data(%x : memref<2x1x6x6x16xf32>) slope(%g : memref<2x1x4x4x16xf32>) sums(%s : memref<1x1x1x8x3x3x16xf32>) scratch(%m : memref<1x4096xf32>, %n : memref<1x16xi32>) {in_channels = 8 : i64, out_channels = 10 : i64, per_slot = 1 : i64, block = array<i64: 2, 1, 1>, together = array<i64: 1, 1>, slots_of_task = 1 : i64}
  kernel.end
}
