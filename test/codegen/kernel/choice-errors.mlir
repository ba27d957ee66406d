// If this fails, a choice that no lowering understands gets past kernel-choose-tiles, or past
// those who write one by hand.
// RUN: symc-opt -split-input-file -verify-diagnostics %s

kernel.program @main attributes {num_inputs = 2, num_outputs = 1} {
^bb0(%x: memref<1x1x4x4x16xf32>, %w: memref<1x1x1x1x16x16xf32>, %out: memref<1x1x4x4x16xf32>):
  // expected-error @below {{tile needs [vectors, rows, columns] of at least 1, found [1, 0, 4]}}
  kernel.conv data(%x : memref<1x1x4x4x16xf32>) weights(%w : memref<1x1x1x1x16x16xf32>) extras() out(%out : memref<1x1x4x4x16xf32>) {kernel = array<i64: 1, 1>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 16, out_channels = 16, tile = array<i64: 1, 0, 4>} body {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 1} {
^bb0(%x: memref<1x1x?x?x16xf32>, %w: memref<1x1x1x1x16x16xf32>, %out: memref<1x1x?x?x16xf32>):
  // expected-error @below {{has a tile of 2 rows, run-time extents need one of 1 row}}
  kernel.conv data(%x : memref<1x1x?x?x16xf32>) weights(%w : memref<1x1x1x1x16x16xf32>) extras() out(%out : memref<1x1x?x?x16xf32>) {kernel = array<i64: 1, 1>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 16, out_channels = 16, tile = array<i64: 1, 2, 4>} body {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 1} {
^bb0(%x: memref<1x1x1x8x16xf32>, %w: memref<?x1x1x1x16x16xf32>, %out: memref<1x?x1x8x16xf32>):
  // expected-error @below {{has a tile of 2 blocks of outputs, a run-time number of them needs one of 1}}
  kernel.conv data(%x : memref<1x1x1x8x16xf32>) weights(%w : memref<?x1x1x1x16x16xf32>) extras() out(%out : memref<1x?x1x8x16xf32>) {kernel = array<i64: 1, 1>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 16, out_channels = 64, tile = array<i64: 2, 1, 4>} body {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 1} {
^bb0(%x: memref<1x1x4x4x16xf32>, %w: memref<1x1x1x1x16x16xf32>, %out: memref<1x1x4x4x16xf32>):
  // expected-error @below {{tasks have groups, pixel_tiles, pixel_chunks and images of at least 1, image_chunks of at least 0, found 1, 1, 1, 0 and 0}}
  kernel.conv data(%x : memref<1x1x4x4x16xf32>) weights(%w : memref<1x1x1x1x16x16xf32>) extras() out(%out : memref<1x1x4x4x16xf32>) {kernel = array<i64: 1, 1>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 16, out_channels = 16, tile = array<i64: 1, 1, 4>, cut = #kernel.conv_tasks<groups = 1, pixel_tiles = 1, pixel_chunks = 1, images = 0>} body {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 1} {
^bb0(%x: memref<1x1x4x4x16xf32>, %w: memref<1x1x1x1x16x16xf32>, %out: memref<1x1x4x4x16xf32>):
  // expected-error @below {{cut needs a tile}}
  kernel.conv data(%x : memref<1x1x4x4x16xf32>) weights(%w : memref<1x1x1x1x16x16xf32>) extras() out(%out : memref<1x1x4x4x16xf32>) {kernel = array<i64: 1, 1>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 16, out_channels = 16, cut = #kernel.conv_tasks<groups = 1, pixel_tiles = 1, pixel_chunks = 1, images = 1>} body {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 1} {
^bb0(%x: memref<1x1x?x?x16xf32>, %w: memref<1x1x1x1x16x16xf32>, %out: memref<1x1x?x?x16xf32>):
  // expected-error @below {{prefetch needs constant rows and columns}}
  kernel.conv data(%x : memref<1x1x?x?x16xf32>) weights(%w : memref<1x1x1x1x16x16xf32>) extras() out(%out : memref<1x1x?x?x16xf32>) {kernel = array<i64: 1, 1>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 16, out_channels = 16, tile = array<i64: 1, 1, 4>, cut = #kernel.conv_tasks<groups = 1, pixel_tiles = 1, pixel_chunks = 1, images = 1>, prefetch} body {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 3} {
^bb0(%x: memref<1x1x6x6x16xf32>, %w: memref<36x1x1x16x16xf32>, %out: memref<1x1x4x4x16xf32>, %s: memref<1x4096xf32>, %n: memref<1x16xi32>):
  // expected-error @below {{tile needs [vectors, rows, columns] of at least 1, found [1, 1]}}
  kernel.winograd data(%x : memref<1x1x6x6x16xf32>) weights(%w : memref<36x1x1x16x16xf32>) extras() out(%out : memref<1x1x4x4x16xf32>) scratch(%s : memref<1x4096xf32>, %n : memref<1x16xi32>) {output_tile = 4, in_channels = 16, out_channels = 16, block = array<i64: 1, 1>, per_task = array<i64: 1, 1>, tile = array<i64: 1, 1>} body {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 3} {
^bb0(%x: memref<1x1x6x6x16xf32>, %w: memref<36x1x1x16x16xf32>, %out: memref<1x1x4x4x16xf32>, %s: memref<1x4096xf32>, %n: memref<1x16xi32>):
  // expected-error @below {{row_sums needs 3 or 6 columns and at least 1 tile, found [4, 1]}}
  kernel.winograd data(%x : memref<1x1x6x6x16xf32>) weights(%w : memref<36x1x1x16x16xf32>) extras() out(%out : memref<1x1x4x4x16xf32>) scratch(%s : memref<1x4096xf32>, %n : memref<1x16xi32>) {output_tile = 4, in_channels = 16, out_channels = 16, block = array<i64: 1, 1>, per_task = array<i64: 1, 1>, row_sums = array<i64: 4, 1>} body {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 2, num_outputs = 3} {
^bb0(%x: memref<1x2x4x3x16xf32>, %w: memref<2x7x1x1x1x16x16xf32>, %out: memref<1x2x4x3x16xf32>, %s: memref<8x4096xf32>, %n: memref<8x16xi32>):
  // expected-error @below {{tile needs [vectors, rows, columns] of at least 1, found [0, 1, 6]}}
  kernel.strassen data(%x : memref<1x2x4x3x16xf32>) weights(%w : memref<2x7x1x1x1x16x16xf32>) extras() out(%out : memref<1x2x4x3x16xf32>) scratch(%s : memref<8x4096xf32>, %n : memref<8x16xi32>) {in_channels = 32, out_channels = 32, unit = 3, per_task = array<i64: 1, 1>, tile = array<i64: 0, 1, 6>} body {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 3, num_outputs = 2} {
^bb0(%g: memref<4x5x1x20xf32>, %w: memref<2x20x1x1x1x16xf32>, %h: memref<5x20xf32>, %out: memref<4x5x20xf32>, %t: memref<8xi64>):
  // expected-error @below {{tile needs [vectors, rows, gates] of at least 1, gates that divide 1, found [1, 5, 2]}}
  kernel.recurrent gates(%g : memref<4x5x1x20xf32>) weights(%w : memref<2x20x1x1x1x16xf32>) state(%h : memref<5x20xf32>) out(%out : memref<4x5x20xf32>) step(%t : memref<8xi64>) {reverse = false, tile = array<i64: 1, 5, 2>} body {
  ^bb0(%a0: f32, %a1: f32, %a2: f32):
    kernel.yield %a0 : f32
  }
  kernel.end
}

// -----

kernel.program @main attributes {num_inputs = 3, num_outputs = 2} {
^bb0(%g: memref<4x5x1x20xf32>, %w: memref<2x20x1x1x1x16xf32>, %h: memref<5x20xf32>, %out: memref<4x5x20xf32>, %t: memref<8xi64>):
  // expected-error @below {{per_task needs a number of at least 1, found 0}}
  kernel.recurrent gates(%g : memref<4x5x1x20xf32>) weights(%w : memref<2x20x1x1x1x16xf32>) state(%h : memref<5x20xf32>) out(%out : memref<4x5x20xf32>) step(%t : memref<8xi64>) {reverse = false, per_task = 0} body {
  ^bb0(%a0: f32, %a1: f32, %a2: f32):
    kernel.yield %a0 : f32
  }
  kernel.end
}
