// If this fails, a step's tile, cut, order or prefetch is not the target's, or is overwritten.
// RUN: symc-opt %s -kernel-choose-tiles=target=x86-64-v4 -split-input-file > %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: symc-opt %t.mlir -kernel-choose-tiles=target=x86-64-v2 -split-input-file | diff %t.mlir -
// RUN: symc-opt %s -kernel-choose-tiles=target=x86-64-v2 -split-input-file | FileCheck %s --check-prefix=V2

// Weights of 1 MiB are a quarter of L2 and more: groups outside, some a task.
// CHECK-LABEL: @weights
// CHECK: kernel.conv
// CHECK-NOT: pixels_outside
// CHECK-SAME: cut = #kernel.conv_tasks<
// V2-LABEL: @weights
kernel.program @weights attributes {num_inputs = 2, num_outputs = 1} {
^bb0(%x: memref<1x32x2x7x16xf32>, %w: memref<32x32x1x1x16x16xf32>, %out: memref<1x32x2x7x16xf32>):
  kernel.conv data(%x : memref<1x32x2x7x16xf32>) weights(%w : memref<32x32x1x1x16x16xf32>) extras() out(%out : memref<1x32x2x7x16xf32>) {kernel = array<i64: 1, 1>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 512, out_channels = 512} body {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  kernel.end
}

// -----

// 72 groups of weights are tasks enough: each meets all rows of the matrix at once, and fetches the
// weights of the next one.
// CHECK-LABEL: @rows_of_matrix
// CHECK: kernel.conv
// CHECK-NOT: pixels_outside
// CHECK-SAME: cut = #kernel.conv_tasks<groups = 3, pixel_tiles = 10, pixel_chunks = 1, images = 1, image_chunks = 32>
// CHECK-NOT: pixels_outside
// CHECK-SAME: prefetch
// V2-LABEL: @rows_of_matrix
// V2: kernel.conv
// V2-NOT: prefetch
kernel.program @rows_of_matrix attributes {num_inputs = 2, num_outputs = 1} {
^bb0(%x: memref<1x48x1x128x16xf32>, %w: memref<144x48x1x1x16x16xf32>, %out: memref<1x144x1x128x16xf32>):
  kernel.conv data(%x : memref<1x48x1x128x16xf32>) weights(%w : memref<144x48x1x1x16x16xf32>) extras() out(%out : memref<1x144x1x128x16xf32>) {kernel = array<i64: 1, 1>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 768, out_channels = 2304} body {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  kernel.end
}

// -----

// So are they where a run chooses the rows, of which one may be all: groups are tasks, and so are
// blocks of rows from 182 on.
// CHECK-LABEL: @open_rows_of_matrix
// CHECK: kernel.conv
// CHECK-NOT: pixels_outside
// CHECK-SAME: cut = #kernel.conv_tasks<groups = 9, pixel_tiles = 14, pixel_chunks = 4, images = 1>
// CHECK-NOT: pixels_outside
kernel.program @open_rows_of_matrix attributes {num_inputs = 2, num_outputs = 1} {
^bb0(%x: memref<1x48x1x?x16xf32, strided<[0, 16, 0, 768, 1]>>, %w: memref<144x48x1x1x16x16xf32>, %out: memref<1x144x1x?x16xf32, strided<[0, 16, 0, 2304, 1]>>):
  kernel.conv data(%x : memref<1x48x1x?x16xf32, strided<[0, 16, 0, 768, 1]>>) weights(%w : memref<144x48x1x1x16x16xf32>) extras() out(%out : memref<1x144x1x?x16xf32, strided<[0, 16, 0, 2304, 1]>>) {kernel = array<i64: 1, 1>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 768, out_channels = 2304} body {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  kernel.end
}

// -----

// Few weights: each pixel is read once, and images join a task while they are small.
// CHECK-LABEL: @pixels
// CHECK: kernel.conv
// CHECK-SAME: pixels_outside
kernel.program @pixels attributes {num_inputs = 2, num_outputs = 1} {
^bb0(%x: memref<8x1x4x4x16xf32>, %w: memref<1x1x1x1x16x16xf32>, %out: memref<8x1x4x4x16xf32>):
  kernel.conv data(%x : memref<8x1x4x4x16xf32>) weights(%w : memref<1x1x1x1x16x16xf32>) extras() out(%out : memref<8x1x4x4x16xf32>) {kernel = array<i64: 1, 1>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 16, out_channels = 16} body {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  kernel.end
}

// -----

// A batch of none is cut, too.
// CHECK-LABEL: @none
// CHECK: kernel.conv
// CHECK-SAME: cut = #kernel.conv_tasks<
kernel.program @none attributes {num_inputs = 2, num_outputs = 1} {
^bb0(%x: memref<0x4x1x128x16xf32>, %w: memref<0x8x4x1x1x16x16xf32>, %out: memref<0x8x1x128x16xf32>):
  kernel.conv data(%x : memref<0x4x1x128x16xf32>) weights(%w : memref<0x8x4x1x1x16x16xf32>) extras() out(%out : memref<0x8x1x128x16xf32>) {kernel = array<i64: 1, 1>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 64, out_channels = 128} body {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  kernel.end
}

// -----

// Products of a batch have panels of their own: tasks have whole ones, twelve of 96 each.
// CHECK-LABEL: @products
// CHECK: kernel.conv
// CHECK-SAME: cut = #kernel.conv_tasks<groups = 4, pixel_tiles = 10, pixel_chunks = 1, images = 12, image_chunks = 32>
kernel.program @products attributes {num_inputs = 2, num_outputs = 1} {
^bb0(%x: memref<96x4x1x128x16xf32>, %w: memref<96x8x4x1x1x16x16xf32>, %out: memref<96x8x1x128x16xf32>):
  kernel.conv data(%x : memref<96x4x1x128x16xf32>) weights(%w : memref<96x8x4x1x1x16x16xf32>) extras() out(%out : memref<96x8x1x128x16xf32>) {kernel = array<i64: 1, 1>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 64, out_channels = 128} body {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  kernel.end
}

// -----

// 1024 rows of 768 by weights of 9 MiB: blocks of rows that L2 holds, some groups a task.
// CHECK-LABEL: @rows
// CHECK: kernel.conv
// CHECK-NOT: pixels_outside
// CHECK-SAME: cut = #kernel.conv_tasks<groups = 24, pixel_tiles = 13, pixel_chunks = 6, images = 1>
kernel.program @rows attributes {num_inputs = 2, num_outputs = 1} {
^bb0(%x: memref<1024x768xf32>, %w: memref<192x48x1x1x16x16xf32>, %out: memref<1024x3072xf32>):
  %rows = memref.reinterpret_cast %x to offset: [0], sizes: [1, 48, 1, 1024, 16], strides: [0, 16, 0, 768, 1] : memref<1024x768xf32> to memref<1x48x1x1024x16xf32, strided<[0, 16, 0, 768, 1]>>
  %to = memref.reinterpret_cast %out to offset: [0], sizes: [1, 192, 1, 1024, 16], strides: [0, 16, 0, 3072, 1] : memref<1024x3072xf32> to memref<1x192x1x1024x16xf32, strided<[0, 16, 0, 3072, 1]>>
  kernel.conv data(%rows : memref<1x48x1x1024x16xf32, strided<[0, 16, 0, 768, 1]>>) weights(%w : memref<192x48x1x1x16x16xf32>) extras() out(%to : memref<1x192x1x1024x16xf32, strided<[0, 16, 0, 3072, 1]>>) {kernel = array<i64: 1, 1>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 768, out_channels = 3072} body {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  kernel.end
}

// -----

// Run-time extents: the fewest tiles that earn a task; images have tasks of their own.
// CHECK-LABEL: @sizes
// CHECK: kernel.conv
kernel.program @sizes attributes {num_inputs = 2, num_outputs = 1} {
^bb0(%x: memref<1x1x?x?x16xf32>, %w: memref<1x1x1x1x16x16xf32>, %out: memref<1x1x?x?x16xf32>):
  kernel.conv data(%x : memref<1x1x?x?x16xf32>) weights(%w : memref<1x1x1x1x16x16xf32>) extras() out(%out : memref<1x1x?x?x16xf32>) {kernel = array<i64: 1, 1>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 16, out_channels = 16} body {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  kernel.end
}

// -----

// Nearest miss of kernel-choose-tiles: a tile that is given stays; the rest is chosen for it.
// CHECK-LABEL: @given
// CHECK: kernel.conv
// CHECK-SAME: tile = array<i64: 1, 2, 3>
kernel.program @given attributes {num_inputs = 2, num_outputs = 1} {
^bb0(%x: memref<1x1x6x6x16xf32>, %w: memref<1x1x3x3x16x16xf32>, %out: memref<1x1x4x4x16xf32>):
  kernel.conv data(%x : memref<1x1x6x6x16xf32>) weights(%w : memref<1x1x3x3x16x16xf32>) extras() out(%out : memref<1x1x4x4x16xf32>) {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 16, out_channels = 16, tile = array<i64: 1, 2, 3>} body {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  kernel.end
}

// -----

// CHECK-LABEL: @layer
// CHECK: kernel.recurrent
// CHECK-SAME: per_task = 2 : i64
// CHECK-SAME: tile = array<i64: 1, 5, 1>
// V2-LABEL: @layer
kernel.program @layer attributes {num_inputs = 3, num_outputs = 2} {
^bb0(%g: memref<4x5x1x20xf32>, %w: memref<2x20x1x1x1x16xf32>, %h: memref<5x20xf32>, %out: memref<4x5x20xf32>, %t: memref<8xi64>):
  kernel.recurrent gates(%g : memref<4x5x1x20xf32>) weights(%w : memref<2x20x1x1x1x16xf32>) state(%h : memref<5x20xf32>) out(%out : memref<4x5x20xf32>) step(%t : memref<8xi64>) {reverse = false} body {
  ^bb0(%a0: f32, %a1: f32, %a2: f32):
    kernel.yield %a0 : f32
  }
  kernel.end
}

// -----

// 16 rows of four gates are several passes over the weights: with 16 registers a pass takes
// less of them and more rows, with 32 all gates of six.
// CHECK-LABEL: @rows
// CHECK: kernel.recurrent
// CHECK-SAME: tile = array<i64: 1, 6, 4>
// V2-LABEL: @rows
// V2: kernel.recurrent
// V2-SAME: tile = array<i64: 4, 2, 1>
kernel.program @rows attributes {num_inputs = 3, num_outputs = 2} {
^bb0(%g: memref<4x16x4x32xf32>, %w: memref<2x32x4x1x1x16xf32>, %h: memref<16x32xf32>, %out: memref<4x16x32xf32>, %t: memref<8xi64>):
  kernel.recurrent gates(%g : memref<4x16x4x32xf32>) weights(%w : memref<2x32x4x1x1x16xf32>) state(%h : memref<16x32xf32>) out(%out : memref<4x16x32xf32>) step(%t : memref<8xi64>) {reverse = false} body {
  ^bb0(%a0: f32, %a1: f32, %a2: f32, %a3: f32, %a4: f32, %a5: f32, %a6: f32, %a7: f32, %a8: f32):
    %sum = arith.addf %a0, %a3 : f32
    kernel.yield %sum : f32
  }
  kernel.end
}
