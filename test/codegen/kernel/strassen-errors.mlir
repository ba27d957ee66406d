// If this fails, a malformed kernel.strassen is a crash of its lowering instead of a sentence.
// RUN: symc-opt -split-input-file -verify-diagnostics %s

kernel.program @main attributes {num_inputs = 2, num_outputs = 3} {
^bb0(%x: memref<1x2x?x3x16xf32>, %w: memref<2x7x1x1x1x16x16xf32>, %out: memref<1x2x4x3x16xf32>, %s: memref<8x4096xf32>, %n: memref<8x16xi32>):
  // expected-error @below {{needs constant extents}}
  kernel.strassen data(%x : memref<1x2x?x3x16xf32>) weights(%w : memref<2x7x1x1x1x16x16xf32>) extras() out(%out : memref<1x2x4x3x16xf32>) scratch(%s : memref<8x4096xf32>, %n : memref<8x16xi32>) {in_channels = 32, out_channels = 32, unit = 3, per_task = array<i64: 1, 1>} body {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 3} {
^bb0(%x: memref<1x2x4x3x16xf32>, %w: memref<2x7x1x1x1x16x16xf32>, %out: memref<1x2x4x3x16xf32>, %s: memref<8x4096xf32>, %n: memref<8x16xi32>):
  // expected-error @below {{has 48 input and 32 output channels, needs multiples of 32}}
  kernel.strassen data(%x : memref<1x2x4x3x16xf32>) weights(%w : memref<2x7x1x1x1x16x16xf32>) extras() out(%out : memref<1x2x4x3x16xf32>) scratch(%s : memref<8x4096xf32>, %n : memref<8x16xi32>) {in_channels = 48, out_channels = 32, unit = 3, per_task = array<i64: 1, 1>} body {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 3} {
^bb0(%x: memref<1x2x4x3x16xf32>, %w: memref<2x6x1x1x1x16x16xf32>, %out: memref<1x2x4x3x16xf32>, %s: memref<8x4096xf32>, %n: memref<8x16xi32>):
  // expected-error @below {{weights need the shape [2, 7, 1, 1, 1, 16, 16]}}
  kernel.strassen data(%x : memref<1x2x4x3x16xf32>) weights(%w : memref<2x6x1x1x1x16x16xf32>) extras() out(%out : memref<1x2x4x3x16xf32>) scratch(%s : memref<8x4096xf32>, %n : memref<8x16xi32>) {in_channels = 32, out_channels = 32, unit = 3, per_task = array<i64: 1, 1>} body {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 3} {
^bb0(%x: memref<1x2x5x3x16xf32>, %w: memref<2x7x1x1x1x16x16xf32>, %out: memref<1x2x4x3x16xf32>, %s: memref<8x4096xf32>, %n: memref<8x16xi32>):
  // expected-error @below {{data needs the pixels of out}}
  kernel.strassen data(%x : memref<1x2x5x3x16xf32>) weights(%w : memref<2x7x1x1x1x16x16xf32>) extras() out(%out : memref<1x2x4x3x16xf32>) scratch(%s : memref<8x4096xf32>, %n : memref<8x16xi32>) {in_channels = 32, out_channels = 32, unit = 3, per_task = array<i64: 1, 1>} body {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 3} {
^bb0(%x: memref<1x2x3x3x16xf32>, %w: memref<2x7x1x1x1x16x16xf32>, %out: memref<1x2x3x3x16xf32>, %s: memref<8x4096xf32>, %n: memref<8x16xi32>):
  // expected-error @below {{has 3 by 3 pixels that cannot be halved}}
  kernel.strassen data(%x : memref<1x2x3x3x16xf32>) weights(%w : memref<2x7x1x1x1x16x16xf32>) extras() out(%out : memref<1x2x3x3x16xf32>) scratch(%s : memref<8x4096xf32>, %n : memref<8x16xi32>) {in_channels = 32, out_channels = 32, unit = 3, per_task = array<i64: 1, 1>} body {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 3} {
^bb0(%x: memref<1x2x4x3x16xf32>, %w: memref<2x7x1x1x1x16x16xf32>, %out: memref<1x2x4x3x16xf32>, %s: memref<8x4096xf32>, %n: memref<8x16xi32>):
  // expected-error @below {{unit and per_task need numbers of at least 1}}
  kernel.strassen data(%x : memref<1x2x4x3x16xf32>) weights(%w : memref<2x7x1x1x1x16x16xf32>) extras() out(%out : memref<1x2x4x3x16xf32>) scratch(%s : memref<8x4096xf32>, %n : memref<8x16xi32>) {in_channels = 32, out_channels = 32, unit = 3, per_task = array<i64: 1, 0>} body {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 3} {
^bb0(%x: memref<1x2x4x3x16xf32>, %w: memref<2x7x1x1x1x16x16xf32>, %out: memref<1x2x4x3x16xf32>, %s: memref<8x4096xf32>, %n: memref<8x16xi32>):
  // expected-error @below {{has units of 4 pixels, needs whole rows of 3}}
  kernel.strassen data(%x : memref<1x2x4x3x16xf32>) weights(%w : memref<2x7x1x1x1x16x16xf32>) extras() out(%out : memref<1x2x4x3x16xf32>) scratch(%s : memref<8x4096xf32>, %n : memref<8x16xi32>) {in_channels = 32, out_channels = 32, unit = 4, per_task = array<i64: 1, 1>} body {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%x: memref<32x48x1x1xf32>, %w: memref<2x7x1x1x1x16x16xf32>):
  // expected-error @below {{needs f32 weights [O, I, 1, 1] and panels [O/32 + scales, 7, I/32, 1, 1, 16, 16]}}
  kernel.pack_strassen %x to %w : memref<32x48x1x1xf32> to memref<2x7x1x1x1x16x16xf32>
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%x: memref<32x32x1x1xf32>, %w: memref<1x7x1x1x1x16x16xf32>):
  // expected-error @below {{needs f32 weights [O, I, 1, 1] and panels [O/32 + scales, 7, I/32, 1, 1, 16, 16]}}
  kernel.pack_strassen_scales %x to %w : memref<32x32x1x1xf32> to memref<1x7x1x1x1x16x16xf32>
  kernel.end
}
