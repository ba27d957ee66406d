// If this fails, a malformed kernel.winograd is a crash of its lowering instead of a sentence.
// RUN: symc-opt -split-input-file -verify-diagnostics %s

kernel.program @main attributes {num_inputs = 2, num_outputs = 3} {
^bb0(%x: memref<1x1x6x6x16xf32>, %w: memref<36x1x1x16x16xf32>, %out: memref<1x1x4x4x16xf32>, %s: memref<1x4096xf32>, %n: memref<1x16xi32>):
  // expected-error @below {{output_tile is 6, needs 2 to 5}}
  kernel.winograd data(%x : memref<1x1x6x6x16xf32>) weights(%w : memref<36x1x1x16x16xf32>) extras() out(%out : memref<1x1x4x4x16xf32>) scratch(%s : memref<1x4096xf32>, %n : memref<1x16xi32>) {output_tile = 6, in_channels = 16, out_channels = 16, block = array<i64: 1, 1>, per_task = array<i64: 1, 1>} body {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 3} {
^bb0(%x: memref<1x1x6x6x16xf32>, %w: memref<36x1x1x16x16xf32>, %out: memref<1x1x4x4x16xf32>, %s: memref<1x4096xf32>, %n: memref<1x16xi32>):
  // expected-error @below {{block needs two numbers of at least 1}}
  kernel.winograd data(%x : memref<1x1x6x6x16xf32>) weights(%w : memref<36x1x1x16x16xf32>) extras() out(%out : memref<1x1x4x4x16xf32>) scratch(%s : memref<1x4096xf32>, %n : memref<1x16xi32>) {output_tile = 4, in_channels = 16, out_channels = 16, block = array<i64: 1>, per_task = array<i64: 1, 1>} body {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 3} {
^bb0(%x: memref<1x1x6x6x16xf32>, %w: memref<36x1x1x16x16xf32>, %out: memref<1x1x4x4x16xf32>, %s: memref<1x4096xf32>, %n: memref<1x16xi32>):
  // expected-error @below {{per_task needs two numbers of at least 1}}
  kernel.winograd data(%x : memref<1x1x6x6x16xf32>) weights(%w : memref<36x1x1x16x16xf32>) extras() out(%out : memref<1x1x4x4x16xf32>) scratch(%s : memref<1x4096xf32>, %n : memref<1x16xi32>) {output_tile = 4, in_channels = 16, out_channels = 16, block = array<i64: 1, 1>, per_task = array<i64: 1, 0>} body {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 3} {
^bb0(%x: memref<1x1x6x6x16xf32>, %w: memref<36x1x1x16x16xf32>, %out: memref<1x1x?x4x16xf32>, %s: memref<1x4096xf32>, %n: memref<1x16xi32>):
  // expected-error @below {{needs constant extents}}
  kernel.winograd data(%x : memref<1x1x6x6x16xf32>) weights(%w : memref<36x1x1x16x16xf32>) extras() out(%out : memref<1x1x?x4x16xf32>) scratch(%s : memref<1x4096xf32>, %n : memref<1x16xi32>) {output_tile = 4, in_channels = 16, out_channels = 16, block = array<i64: 1, 1>, per_task = array<i64: 1, 1>} body {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 3} {
^bb0(%x: memref<1x1x6x6x16xf32>, %w: memref<16x1x1x16x16xf32>, %out: memref<1x1x4x4x16xf32>, %s: memref<1x4096xf32>, %n: memref<1x16xi32>):
  // expected-error @below {{weights need 36 positions of panels}}
  kernel.winograd data(%x : memref<1x1x6x6x16xf32>) weights(%w : memref<16x1x1x16x16xf32>) extras() out(%out : memref<1x1x4x4x16xf32>) scratch(%s : memref<1x4096xf32>, %n : memref<1x16xi32>) {output_tile = 4, in_channels = 16, out_channels = 16, block = array<i64: 1, 1>, per_task = array<i64: 1, 1>} body {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 3} {
^bb0(%x: memref<1x1x6x5x16xf32>, %w: memref<36x1x1x16x16xf32>, %out: memref<1x1x4x4x16xf32>, %s: memref<1x4096xf32>, %n: memref<1x16xi32>):
  // expected-error @below {{data needs 2 rows and 2 columns more than out}}
  kernel.winograd data(%x : memref<1x1x6x5x16xf32>) weights(%w : memref<36x1x1x16x16xf32>) extras() out(%out : memref<1x1x4x4x16xf32>) scratch(%s : memref<1x4096xf32>, %n : memref<1x16xi32>) {output_tile = 4, in_channels = 16, out_channels = 16, block = array<i64: 1, 1>, per_task = array<i64: 1, 1>} body {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 3} {
^bb0(%x: memref<1x1x6x6x16xf32>, %w: memref<36x1x1x16x16xf32>, %out: memref<1x1x4x4x16xf32>, %s: memref<1x4096xf32>, %n: memref<1x16xi32>):
  // expected-error @below {{body takes 'f64' but its operands need 'f32'}}
  kernel.winograd data(%x : memref<1x1x6x6x16xf32>) weights(%w : memref<36x1x1x16x16xf32>) extras() out(%out : memref<1x1x4x4x16xf32>) scratch(%s : memref<1x4096xf32>, %n : memref<1x16xi32>) {output_tile = 4, in_channels = 16, out_channels = 16, block = array<i64: 1, 1>, per_task = array<i64: 1, 1>} body {
  ^bb0(%a: f64):
    kernel.yield %a : f64
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 3} {
^bb0(%x: memref<1x1x6x6x16xf32>, %w: memref<1x1x16x9x16xf32>, %out: memref<1x1x4x4x16xf32>, %s: memref<1x4096xf32>, %n: memref<1x16xi32>):
  // expected-error @below {{weights need 16 positions of panels}}
  kernel.winograd data(%x : memref<1x1x6x6x16xf32>) weights(%w : memref<1x1x16x9x16xf32>) extras() out(%out : memref<1x1x4x4x16xf32>) scratch(%s : memref<1x4096xf32>, %n : memref<1x16xi32>) {output_tile = 2, in_channels = 16, out_channels = 16, block = array<i64: 1, 1>, per_task = array<i64: 1, 1>} body {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  kernel.end
}

// -----

// Kernels of 4x4: 6x6 positions, three rows and columns more.
kernel.program @main attributes {num_inputs = 2, num_outputs = 3} {
^bb0(%x: memref<1x1x6x6x16xf32>, %w: memref<36x1x1x16x16xf32>, %out: memref<1x1x4x4x16xf32>, %s: memref<1x4096xf32>, %n: memref<1x16xi32>):
  // expected-error @below {{data needs 3 rows and 3 columns more than out}}
  kernel.winograd data(%x : memref<1x1x6x6x16xf32>) weights(%w : memref<36x1x1x16x16xf32>) extras() out(%out : memref<1x1x4x4x16xf32>) scratch(%s : memref<1x4096xf32>, %n : memref<1x16xi32>) {output_tile = 3, in_channels = 16, out_channels = 16, block = array<i64: 1, 1>, per_task = array<i64: 1, 1>} body {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 3} {
^bb0(%x: memref<1x1x7x7x16xf32>, %w: memref<36x1x1x16x16xf32>, %out: memref<1x1x4x4x16xf32>, %s: memref<1x4096xf32>, %n: memref<1x16xi32>):
  // expected-error @below {{layer needs channels, stride, kernel rows and columns of at least 1}}
  kernel.winograd data(%x : memref<1x1x7x7x16xf32>) weights(%w : memref<36x1x1x16x16xf32>) extras() out(%out : memref<1x1x4x4x16xf32>) scratch(%s : memref<1x4096xf32>, %n : memref<1x16xi32>) {output_tile = 3, in_channels = 12, out_channels = 16, block = array<i64: 1, 1>, per_task = array<i64: 1, 1>, layer = array<i64: 3, 2, 7>} body {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%x: memref<16x16x5x5xf32>, %w: memref<36x1x1x16x16xf32>):
  // expected-error @below {{needs f32 weights [O, I, kH, kW] and panels [positions, OB, IB of each piece, 16, 16]}}
  kernel.pack_winograd %x to %w {form = #kernel.form<winograd, m = 4, r = 3>} : memref<16x16x5x5xf32> to memref<36x1x1x16x16xf32>
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%x: memref<16x16x3x3xf32>, %w: memref<36x1x1x16x16xf32>):
  // expected-error @below {{needs f32 weights [O, I, kH, kW] and panels [OB, IB, 16, 9, 16] of 3x3 taps}}
  kernel.pack_winograd %x to %w {form = #kernel.form<winograd, m = 4, r = 3, onTheFly = true>} : memref<16x16x3x3xf32> to memref<36x1x1x16x16xf32>
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%x: memref<16x16x3x3xf32>, %w: memref<64x1x1x16x16xf32>):
  // expected-error @below {{has the form #kernel.form<winograd, m = 6, r = 3>, which is none of Winograd's}}
  kernel.pack_winograd %x to %w {form = #kernel.form<winograd, m = 6, r = 3>} : memref<16x16x3x3xf32> to memref<64x1x1x16x16xf32>
  kernel.end
}

// -----

// 1x7 in two pieces of four taps.
kernel.program @main attributes {num_inputs = 2, num_outputs = 3} {
^bb0(%x: memref<1x1x4x9x16xf32>, %w: memref<6x1x2x16x16xf32>, %out: memref<1x1x4x3x16xf32>, %s: memref<1x4096xf32>, %n: memref<1x16xi32>):
  // expected-error @below {{in pieces needs whole blocks of 16 input channels}}
  kernel.winograd data(%x : memref<1x1x4x9x16xf32>) weights(%w : memref<6x1x2x16x16xf32>) extras() out(%out : memref<1x1x4x3x16xf32>) scratch(%s : memref<1x4096xf32>, %n : memref<1x16xi32>) {output_tile = 3, in_channels = 12, out_channels = 16, block = array<i64: 1, 1>, per_task = array<i64: 1, 1>, layer = array<i64: 12, 1, 1, 7>} body {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 3} {
^bb0(%x: memref<1x1x4x8x16xf32>, %w: memref<6x1x2x16x16xf32>, %out: memref<1x1x4x3x16xf32>, %s: memref<1x4096xf32>, %n: memref<1x16xi32>):
  // expected-error @below {{data needs 0 rows and 6 columns more than out}}
  kernel.winograd data(%x : memref<1x1x4x8x16xf32>) weights(%w : memref<6x1x2x16x16xf32>) extras() out(%out : memref<1x1x4x3x16xf32>) scratch(%s : memref<1x4096xf32>, %n : memref<1x16xi32>) {output_tile = 3, in_channels = 16, out_channels = 16, block = array<i64: 1, 1>, per_task = array<i64: 1, 1>, layer = array<i64: 16, 1, 1, 7>} body {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 3} {
^bb0(%x: memref<1x4x8x16xf32>, %w: memref<36x1x1x16x16xf32>, %out: memref<1x1x4x4x16xf32>, %s: memref<1x4096xf32>, %n: memref<1x16xi32>):
  // expected-error @below {{data, weights and out need five axes}}
  kernel.winograd data(%x : memref<1x4x8x16xf32>) weights(%w : memref<36x1x1x16x16xf32>) extras() out(%out : memref<1x1x4x4x16xf32>) scratch(%s : memref<1x4096xf32>, %n : memref<1x16xi32>) {output_tile = 4, in_channels = 16, out_channels = 16, block = array<i64: 1, 1>, per_task = array<i64: 1, 1>} body {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 3} {
^bb0(%x: memref<1x1x8x8x16xf32>, %w: memref<36x1x1x16x16xf32>, %out: memref<1x1x4x4x16xf32>, %s: memref<1x4096xf32>, %n: memref<1x16xi32>):
  // expected-error @below {{dilations need to divide the rows and columns of out, found [2, 3]}}
  kernel.winograd data(%x : memref<1x1x8x8x16xf32>) weights(%w : memref<36x1x1x16x16xf32>) extras() out(%out : memref<1x1x4x4x16xf32>) scratch(%s : memref<1x4096xf32>, %n : memref<1x16xi32>) {output_tile = 4, in_channels = 16, out_channels = 16, block = array<i64: 1, 1>, dilations = array<i64: 2, 3>, per_task = array<i64: 1, 1>} body {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 3} {
^bb0(%x: memref<1x1x6x6x16xf32>, %w: memref<36x1x1x16x16xf32>, %out: memref<1x1x4x4x16xf32>, %s: memref<1x4096xf32>, %n: memref<1x16xi32>):
  // expected-error @below {{data needs 4 rows and 4 columns more than out}}
  kernel.winograd data(%x : memref<1x1x6x6x16xf32>) weights(%w : memref<36x1x1x16x16xf32>) extras() out(%out : memref<1x1x4x4x16xf32>) scratch(%s : memref<1x4096xf32>, %n : memref<1x16xi32>) {output_tile = 4, in_channels = 16, out_channels = 16, block = array<i64: 1, 1>, dilations = array<i64: 2, 2>, per_task = array<i64: 1, 1>} body {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  kernel.end
}
