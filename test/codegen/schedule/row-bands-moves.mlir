// If this fails, copies and pooling over images that a core's own cache can't hold wait for memory three times, or
// convolutions that gain nothing are cut.
// RUN: symc-opt --kernel-row-bands %s | FileCheck %s

// Copies and pooling are cut for a core's own cache, which a convolution of the same size is not.
// CHECK-LABEL: kernel.program @moves
// CHECK: kernel.conv
// CHECK-NOT: piece
// CHECK: kernel.copy {{.*}}piece = array<i64: 0, [[N:[0-9]+]]>
// CHECK: kernel.pool {{.*}}piece = array<i64: 1, [[N]]>
// What pooling leaves is small enough.
// CHECK-NOT: piece = array<i64: 2,
kernel.program @moves attributes {num_inputs = 3, num_outputs = 2} {
^bb0(%x: memref<4x64x64x64xf32>, %y: memref<4x1x64x64x16xf32>, %w: memref<4x1x1x1x16x16xf32>, %out: memref<4x64x32x32xf32>, %b: memref<4x4x64x64x16xf32>):
  kernel.conv data(%y : memref<4x1x64x64x16xf32>) weights(%w : memref<4x1x1x1x16x16xf32>) extras() out(%b : memref<4x4x64x64x16xf32>) {kernel = array<i64: 1, 1>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 16, out_channels = 64} body {
  ^bb0(%acc: f32):
    kernel.yield %acc : f32
  }
  %from = memref.reinterpret_cast %x to offset: [0], sizes: [4, 4, 64, 64, 16], strides: [262144, 65536, 64, 1, 4096] : memref<4x64x64x64xf32> to memref<4x4x64x64x16xf32, strided<[262144, 65536, 64, 1, 4096]>>
  %a = kernel.buffer() : memref<4x4x64x64x16xf32>
  kernel.copy %from to %a : memref<4x4x64x64x16xf32, strided<[262144, 65536, 64, 1, 4096]>> to memref<4x4x64x64x16xf32>
  %c = kernel.buffer() : memref<4x4x32x32x16xf32>
  kernel.pool "max" data(%a : memref<4x4x64x64x16xf32>) extras() out(%c : memref<4x4x32x32x16xf32>) {count_include_pad = true, kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, pad_begin = array<i64: 0, 0>, pad_end = array<i64: 0, 0>} body {
  ^bb0(%acc: f32):
    kernel.yield %acc : f32
  }
  %to = memref.reinterpret_cast %out to offset: [0], sizes: [4, 4, 32, 32, 16], strides: [65536, 16384, 32, 1, 1024] : memref<4x64x32x32xf32> to memref<4x4x32x32x16xf32, strided<[65536, 16384, 32, 1, 1024]>>
  kernel.copy %c to %to : memref<4x4x32x32x16xf32> to memref<4x4x32x32x16xf32, strided<[65536, 16384, 32, 1, 1024]>>
  kernel.end
}
