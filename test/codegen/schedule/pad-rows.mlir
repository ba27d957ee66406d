// If this fails, products read rows of which all lie in one set of L1, or buffers get wider rows without need, or behind the
// back of a step that looks at them otherwise.
// RUN: symc-opt -split-input-file -kernel-pad-rows=target=x86-64-v3 %s | FileCheck %s
// RUN: symc-opt -split-input-file -kernel-pad-rows=target=x86-64-v3 --remarks-filter=kernel-pad-rows --remark-format=emitRemark %s 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: symc-opt -split-input-file -kernel-pad-rows %s | FileCheck %s --check-prefix=AS-IT-WAS
// AS-IT-WAS-NOT: 1040

// Rows of 1024 floats: what writes them and what reads them follows.
// CHECK-LABEL: kernel.program @rows
// CHECK: %[[H:.*]] = kernel.buffer() : memref<32x1040xf32>
// CHECK: memref.reinterpret_cast %[[H]] to offset: [0], sizes: [32, 1024], strides: [1040, 1] : memref<32x1040xf32>
// CHECK: kernel.loops
// CHECK: %[[DATA:.*]] = memref.reinterpret_cast %[[H]] to offset: [0], sizes: [1, 64, 1, 32, 16], strides: [0, 16, 0, 1040, 1]
// CHECK: kernel.conv data(%[[DATA]]
// REMARK: [Passed] rows {{.*}}"rows of its data lie 4160 bytes apart instead of 4096, at which they share one or two sets of L1"
kernel.program @rows attributes {num_inputs = 2, num_outputs = 1} {
^bb0(%x: memref<32x1024xf32>, %w: memref<1x64x1x1x16x16xf32>, %y: memref<1x1x1x32x16xf32>):
  %h = kernel.buffer() : memref<32x1024xf32>
  kernel.loops ins(%x : memref<32x1024xf32>) outs(%h : memref<32x1024xf32>) body {
  ^bb0(%a: f32):
    %0 = arith.addf %a, %a : f32
    kernel.yield %0 : f32
  }
  %data = memref.reinterpret_cast %h to offset: [0], sizes: [1, 64, 1, 32, 16], strides: [0, 16, 0, 1024, 1] : memref<32x1024xf32> to memref<1x64x1x32x16xf32, strided<[0, 16, 0, 1024, 1]>>
  kernel.conv data(%data : memref<1x64x1x32x16xf32, strided<[0, 16, 0, 1024, 1]>>) weights(%w : memref<1x64x1x1x16x16xf32>) extras() out(%y : memref<1x1x1x32x16xf32>) {kernel = array<i64: 1, 1>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 1024, out_channels = 16} body {
  ^bb0(%sum: f32):
    kernel.yield %sum : f32
  }
  kernel.end
}

// -----

// As many rows as a run chooses, parts of rows, and an element of bfloat16.
// CHECK-LABEL: kernel.program @open
// CHECK: %[[H:.*]] = kernel.buffer(%{{.*}}) : memref<?x2080xbf16>
// CHECK: memref.reinterpret_cast %[[H]] to offset: [2080], sizes: [1, 1024], strides: [2080, 1]
// CHECK: memref.reinterpret_cast %[[H]] to offset: [1024], sizes: [%{{.*}}, 1024], strides: [2080, 1]
// CHECK: memref.reinterpret_cast %[[H]] to offset: [0], sizes: [1, 128, 1, %{{.*}}, 16], strides: [0, 16, 0, 2080, 1]
kernel.program @open attributes {num_inputs = 2, num_outputs = 1, dim_min = array<i64: 2>, dim_max = array<i64: 64>} {
^bb0(%x: memref<1x1024xbf16>, %w: memref<1x128x1x1x16x16xbf16>, %y: memref<1x1x1x?x16xf32>, %s: index):
  %h = kernel.buffer(%s) : memref<?x2048xbf16>
  %second = memref.reinterpret_cast %h to offset: [2048], sizes: [1, 1024], strides: [2048, 1] : memref<?x2048xbf16> to memref<1x1024xbf16, strided<[2048, 1], offset: 2048>>
  kernel.copy %x to %second : memref<1x1024xbf16> to memref<1x1024xbf16, strided<[2048, 1], offset: 2048>>
  %half = memref.reinterpret_cast %h to offset: [1024], sizes: [%s, 1024], strides: [2048, 1] : memref<?x2048xbf16> to memref<?x1024xbf16, strided<[2048, 1], offset: 1024>>
  kernel.copy %half to %half : memref<?x1024xbf16, strided<[2048, 1], offset: 1024>> to memref<?x1024xbf16, strided<[2048, 1], offset: 1024>>
  %data = memref.reinterpret_cast %h to offset: [0], sizes: [1, 128, 1, %s, 16], strides: [0, 16, 0, 2048, 1] : memref<?x2048xbf16> to memref<1x128x1x?x16xbf16, strided<[0, 16, 0, 2048, 1]>>
  %out = memref.reinterpret_cast %y to offset: [0], sizes: [1, 1, 1, %s, 16], strides: [16, 16, 16, 16, 1] : memref<1x1x1x?x16xf32> to memref<1x1x1x?x16xf32, strided<[16, 16, 16, 16, 1]>>
  kernel.conv data(%data : memref<1x128x1x?x16xbf16, strided<[0, 16, 0, 2048, 1]>>) weights(%w : memref<1x128x1x1x16x16xbf16>) extras() out(%out : memref<1x1x1x?x16xf32, strided<[16, 16, 16, 16, 1]>>) {kernel = array<i64: 1, 1>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 2048, out_channels = 16, kernel.narrow} body {
  ^bb0(%sum: f32):
    kernel.yield %sum : f32
  }
  kernel.end
}

// -----

// Nearest misses of kernel-pad-rows: rows of another distance, few rows, and a step that reads all elements
// side by side.
// CHECK-LABEL: kernel.program @misses
// CHECK-COUNT-1: kernel.buffer() : memref<32x768xf32>
// CHECK-COUNT-1: kernel.buffer() : memref<8x1024xf32>
// CHECK-COUNT-1: kernel.buffer() : memref<32x1024xf32>
// CHECK-NOT: 1040
kernel.program @misses attributes {num_inputs = 2, num_outputs = 3} {
^bb0(%w: memref<1x48x1x1x16x16xf32>, %w1: memref<1x64x1x1x16x16xf32>, %y: memref<1x1x1x32x16xf32>, %y1: memref<1x1x1x8x16xf32>, %all: memref<32768xf32>):
  %other = kernel.buffer() : memref<32x768xf32>
  kernel.fill %other with 0.0 : f32 : memref<32x768xf32>
  %data = memref.reinterpret_cast %other to offset: [0], sizes: [1, 48, 1, 32, 16], strides: [0, 16, 0, 768, 1] : memref<32x768xf32> to memref<1x48x1x32x16xf32, strided<[0, 16, 0, 768, 1]>>
  kernel.conv data(%data : memref<1x48x1x32x16xf32, strided<[0, 16, 0, 768, 1]>>) weights(%w : memref<1x48x1x1x16x16xf32>) extras() out(%y : memref<1x1x1x32x16xf32>) {kernel = array<i64: 1, 1>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 768, out_channels = 16} body {
  ^bb0(%sum: f32):
    kernel.yield %sum : f32
  }
  %few = kernel.buffer() : memref<8x1024xf32>
  kernel.fill %few with 0.0 : f32 : memref<8x1024xf32>
  %data1 = memref.reinterpret_cast %few to offset: [0], sizes: [1, 64, 1, 8, 16], strides: [0, 16, 0, 1024, 1] : memref<8x1024xf32> to memref<1x64x1x8x16xf32, strided<[0, 16, 0, 1024, 1]>>
  kernel.conv data(%data1 : memref<1x64x1x8x16xf32, strided<[0, 16, 0, 1024, 1]>>) weights(%w1 : memref<1x64x1x1x16x16xf32>) extras() out(%y1 : memref<1x1x1x8x16xf32>) {kernel = array<i64: 1, 1>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 1024, out_channels = 16} body {
  ^bb0(%sum: f32):
    kernel.yield %sum : f32
  }
  %flat = kernel.buffer() : memref<32x1024xf32>
  %line = memref.reinterpret_cast %flat to offset: [0], sizes: [32768], strides: [1] : memref<32x1024xf32> to memref<32768xf32>
  kernel.copy %line to %all : memref<32768xf32> to memref<32768xf32>
  %data2 = memref.reinterpret_cast %flat to offset: [0], sizes: [1, 64, 1, 32, 16], strides: [0, 16, 0, 1024, 1] : memref<32x1024xf32> to memref<1x64x1x32x16xf32, strided<[0, 16, 0, 1024, 1]>>
  kernel.conv data(%data2 : memref<1x64x1x32x16xf32, strided<[0, 16, 0, 1024, 1]>>) weights(%w1 : memref<1x64x1x1x16x16xf32>) extras() out(%y : memref<1x1x1x32x16xf32>) {kernel = array<i64: 1, 1>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 1024, out_channels = 16} body {
  ^bb0(%sum: f32):
    kernel.yield %sum : f32
  }
  kernel.end
}
