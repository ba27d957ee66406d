// If this fails, layers over large images are not computed band by band, a piece
// reads rows that are not written yet, or pieces overlap.
// RUN: symc-opt "--kernel-row-bands=large-bytes=1 band-bytes=11000" %s | FileCheck %s
// RUN: symc-opt "--kernel-row-bands=large-bytes=1 band-bytes=11000" -kernel-plan-arena -kernel-check-plan %s -o /dev/null
// RUN: symc-opt "--kernel-row-bands=large-bytes=1 band-bytes=11000" --remarks-filter='kernel-row-bands' --remark-format=emitRemark %s 2>&1 | FileCheck %s --check-prefix=REMARK
// Images that stay in the caches of every target: nothing happens.
// RUN: symc-opt --kernel-row-bands %s | FileCheck %s --check-prefix=WHOLE


// Eight rows of 1x1, then 3x3 over them with a halo of one row: bands of four rows of the
// last layer need five rows of the first, then the remaining three. Fills stay in front.
// CHECK-LABEL: kernel.program @halo
// CHECK: kernel.fill
// CHECK: kernel.conv {{.*}} out(%{{.*}} : memref<1x1x5x8x16xf32, strided<[1600, 1600, 160, 16, 1], offset: 176>>){{.*}}piece = #kernel.piece<step = 0, pieces = 2>
// CHECK: kernel.depthwise data(%{{.*}} : memref<1x1x6x10x16xf32, strided<[1600, 1600, 160, 16, 1]>>){{.*}}out(%{{.*}} : memref<1x1x4x8x16xf32, strided<[1024, 1024, 128, 16, 1]>>){{.*}}piece = #kernel.piece<step = 1, pieces = 2>
// CHECK: kernel.conv data(%{{.*}} : memref<1x1x3x8x16xf32, strided<[1024, 1024, 128, 16, 1], offset: 640>>){{.*}}piece = #kernel.piece<step = 0, pieces = 2>
// CHECK: kernel.depthwise data(%{{.*}} : memref<1x1x6x10x16xf32, strided<[1600, 1600, 160, 16, 1], offset: 640>>){{.*}}out(%{{.*}} : memref<1x1x4x8x16xf32, strided<[1024, 1024, 128, 16, 1], offset: 512>>){{.*}}piece = #kernel.piece<step = 1, pieces = 2>
// CHECK-NOT: kernel.conv
// REMARK: [Passed] row-bands {{.*}}"2 layers in bands of 4 of 8 rows: 0.0 MB an image between them are read while they are near"
// WHOLE-LABEL: kernel.program @halo
// WHOLE-NOT: {{[ {]}}piece =
kernel.program @halo attributes {num_inputs = 3, num_outputs = 1} {
^bb0(%x: memref<1x1x8x8x16xf32>, %w: memref<1x1x1x1x16x16xf32>, %d: memref<1x3x3x16xf32>, %out: memref<1x1x8x8x16xf32>):
  %a = kernel.buffer() : memref<1x1x10x10x16xf32>
  %inner = memref.reinterpret_cast %a to offset: [176], sizes: [1, 1, 8, 8, 16], strides: [1600, 1600, 160, 16, 1] : memref<1x1x10x10x16xf32> to memref<1x1x8x8x16xf32, strided<[1600, 1600, 160, 16, 1], offset: 176>>
  kernel.conv data(%x : memref<1x1x8x8x16xf32>) weights(%w : memref<1x1x1x1x16x16xf32>) extras() out(%inner : memref<1x1x8x8x16xf32, strided<[1600, 1600, 160, 16, 1], offset: 176>>) {kernel = array<i64: 1, 1>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 16, out_channels = 16} body {
  ^bb0(%acc: f32):
    kernel.yield %acc : f32
  }
  %b = kernel.buffer() : memref<1x1x4x4x16xf32>
  kernel.fill %b with 0.0 : f32 : memref<1x1x4x4x16xf32>
  kernel.depthwise data(%a : memref<1x1x10x10x16xf32>) weights(%d : memref<1x3x3x16xf32>) extras() out(%out : memref<1x1x8x8x16xf32>) {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>} body {
  ^bb0(%acc: f32):
    kernel.yield %acc : f32
  }
  kernel.end
}

// The window of a pooling layer is clipped at the image's first rows and last ones only.
// CHECK-LABEL: kernel.program @pool
// CHECK: kernel.pool "max" data(%{{.*}} : memref<1x1x8x8x16xf32, strided<[2048, 2048, 128, 16, 1]>>){{.*}}pad = #kernel.padding<top = 1, left = 1, right = 1>
// CHECK: kernel.pool "max" data(%{{.*}} : memref<1x1x9x8x16xf32, strided<[2048, 2048, 128, 16, 1], offset: 896>>){{.*}}pad = #kernel.padding<bottom = 1, left = 1, right = 1>
// CHECK-NOT: kernel.pool
kernel.program @pool attributes {num_inputs = 2, num_outputs = 1} {
^bb0(%x: memref<1x1x16x8x16xf32>, %w: memref<1x1x1x1x16x16xf32>, %out: memref<1x1x8x4x16xf32>):
  %a = kernel.buffer() : memref<1x1x16x8x16xf32>
  kernel.conv data(%x : memref<1x1x16x8x16xf32>) weights(%w : memref<1x1x1x1x16x16xf32>) extras() out(%a : memref<1x1x16x8x16xf32>) {kernel = array<i64: 1, 1>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 16, out_channels = 16} body {
  ^bb0(%acc: f32):
    kernel.yield %acc : f32
  }
  kernel.pool "max" data(%a : memref<1x1x16x8x16xf32>) extras() out(%out : memref<1x1x8x4x16xf32>) {count_include_pad = true, kernel = array<i64: 3, 3>, strides = array<i64: 2, 2>, pad = #kernel.padding<top = 1, bottom = 1, left = 1, right = 1>} body {
  ^bb0(%acc: f32):
    kernel.yield %acc : f32
  }
  kernel.end
}

// Nearest miss of kernel-row-bands: a step between two layers that reads what the first wrote keeps
// them apart.
// CHECK-LABEL: kernel.program @apart
// CHECK-NOT: {{[ {]}}piece =
kernel.program @apart attributes {num_inputs = 2, num_outputs = 2} {
^bb0(%x: memref<1x1x8x8x16xf32>, %w: memref<1x1x1x1x16x16xf32>, %seen: memref<1x1x8x8x16xf32>, %out: memref<1x1x8x8x16xf32>):
  %a = kernel.buffer() : memref<1x1x8x8x16xf32>
  kernel.conv data(%x : memref<1x1x8x8x16xf32>) weights(%w : memref<1x1x1x1x16x16xf32>) extras() out(%a : memref<1x1x8x8x16xf32>) {kernel = array<i64: 1, 1>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 16, out_channels = 16} body {
  ^bb0(%acc: f32):
    kernel.yield %acc : f32
  }
  kernel.copy %a to %seen : memref<1x1x8x8x16xf32> to memref<1x1x8x8x16xf32>
  kernel.conv data(%a : memref<1x1x8x8x16xf32>) weights(%w : memref<1x1x1x1x16x16xf32>) extras() out(%out : memref<1x1x8x8x16xf32>) {kernel = array<i64: 1, 1>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 16, out_channels = 16} body {
  ^bb0(%acc: f32):
    kernel.yield %acc : f32
  }
  kernel.end
}

// Two billion rows are neither tried one by one nor cut into millions of pieces.
// CHECK-LABEL: kernel.program @tall
// CHECK-NOT: piece =
kernel.program @tall attributes {num_inputs = 2, num_outputs = 1} {
^bb0(%x: memref<1x1x2147483647x8x16xf32>, %w: memref<1x1x1x1x16x16xf32>, %out: memref<1x1x2147483647x8x16xf32>):
  %a = kernel.buffer() : memref<1x1x2147483647x8x16xf32>
  kernel.conv data(%x : memref<1x1x2147483647x8x16xf32>) weights(%w : memref<1x1x1x1x16x16xf32>) extras() out(%a : memref<1x1x2147483647x8x16xf32>) {kernel = array<i64: 1, 1>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 16, out_channels = 16} body {
  ^bb0(%acc: f32):
    kernel.yield %acc : f32
  }
  kernel.conv data(%a : memref<1x1x2147483647x8x16xf32>) weights(%w : memref<1x1x1x1x16x16xf32>) extras() out(%out : memref<1x1x2147483647x8x16xf32>) {kernel = array<i64: 1, 1>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 16, out_channels = 16} body {
  ^bb0(%acc: f32):
    kernel.yield %acc : f32
  }
  kernel.end
}

// A window of several images reads others than the one that has just been written.
// CHECK-LABEL: kernel.program @windows
// CHECK-NOT: {{[ {]}}piece =
kernel.program @windows attributes {num_inputs = 3, num_outputs = 1} {
^bb0(%x: memref<2x1x8x8x16xf32>, %w: memref<1x1x1x1x16x16xf32>, %v: memref<1x2x1x1x16x16xf32>, %out: memref<2x1x8x8x16xf32>):
  %a = kernel.buffer() : memref<3x1x8x8x16xf32>
  %zero = memref.reinterpret_cast %a to offset: [0], sizes: [1, 1, 8, 8, 16], strides: [1024, 1024, 128, 16, 1] : memref<3x1x8x8x16xf32> to memref<1x1x8x8x16xf32, strided<[1024, 1024, 128, 16, 1]>>
  kernel.fill %zero with 0.0 : f32 : memref<1x1x8x8x16xf32, strided<[1024, 1024, 128, 16, 1]>>
  %inner = memref.reinterpret_cast %a to offset: [1024], sizes: [2, 1, 8, 8, 16], strides: [1024, 1024, 128, 16, 1] : memref<3x1x8x8x16xf32> to memref<2x1x8x8x16xf32, strided<[1024, 1024, 128, 16, 1], offset: 1024>>
  kernel.conv data(%x : memref<2x1x8x8x16xf32>) weights(%w : memref<1x1x1x1x16x16xf32>) extras() out(%inner : memref<2x1x8x8x16xf32, strided<[1024, 1024, 128, 16, 1], offset: 1024>>) {kernel = array<i64: 1, 1>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 16, out_channels = 16} body {
  ^bb0(%acc: f32):
    kernel.yield %acc : f32
  }
  %all = memref.reinterpret_cast %a to offset: [0], sizes: [2, 2, 8, 8, 16], strides: [1024, 1024, 128, 16, 1] : memref<3x1x8x8x16xf32> to memref<2x2x8x8x16xf32, strided<[1024, 1024, 128, 16, 1]>>
  kernel.conv data(%all : memref<2x2x8x8x16xf32, strided<[1024, 1024, 128, 16, 1]>>) weights(%v : memref<1x2x1x1x16x16xf32>) extras() out(%out : memref<2x1x8x8x16xf32>) {kernel = array<i64: 1, 1>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 32, out_channels = 16} body {
  ^bb0(%acc: f32):
    kernel.yield %acc : f32
  }
  kernel.end
}
