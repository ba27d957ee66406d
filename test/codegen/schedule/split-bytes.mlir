// If this fails, layers over bytes take them apart for each tap and each group of outputs on targets
// that multiply pairs of 16 bits, or on those that multiply bytes, too.
// RUN: symc-opt -split-input-file -kernel-split-bytes=target=x86-64-v3 %s | FileCheck %s
// RUN: symc-opt -split-input-file -kernel-split-bytes=target=x86-64-v3 --remarks-filter=kernel-split-bytes --remark-format=emitRemark %s 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: symc-opt -split-input-file -kernel-split-bytes=target=x86-64-v4+vnni %s | FileCheck %s --check-prefix=WHOLE
// RUN: symc-opt -split-input-file -kernel-split-bytes %s | FileCheck %s --check-prefix=WHOLE
// WHOLE-NOT: kernel.split_bytes

// Signed bytes are 128 more from here on.
// CHECK-LABEL: kernel.program @many
// CHECK: %[[DATA:.*]] = kernel.buffer{{.*}} : memref<1x2x14x14x8xi32>
// CHECK: kernel.split_bytes %{{.*}} to %[[DATA]] {channels = 24 : i64, shifted}
// CHECK: %[[WEIGHTS:.*]] = kernel.buffer{{.*}} : memref<1x2x3x3x8x16xi32>
// CHECK: kernel.split_bytes %{{.*}} to %[[WEIGHTS]] {channels = 24 : i64}
// CHECK: kernel.conv data(%[[DATA]] : memref<1x2x14x14x8xi32>) weights(%[[WEIGHTS]] : memref<1x2x3x3x8x16xi32>)
// CHECK-NOT: shifted
// REMARK: [Passed] bytes {{.*}}"steps before the layer make 16 bits of the bytes of its data and weights, which x86-64-v3 multiplies in pairs"
kernel.program @many attributes {num_inputs = 2, num_outputs = 1} {
^bb0(%x: memref<1x2x14x14x16xi8>, %w: memref<1x2x3x3x16x16xi8>, %y: memref<1x1x12x12x16xi32>):
  kernel.conv data(%x : memref<1x2x14x14x16xi8>) weights(%w : memref<1x2x3x3x16x16xi8>) extras() out(%y : memref<1x1x12x12x16xi32>) {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 24, out_channels = 16, shifted} body {
  ^bb0(%sum: i32):
    kernel.yield %sum : i32
  }
  kernel.end
}

// -----

// Nearest misses of kernel-split-bytes: data that a layer uses twice, and layers of few pixels, stay
// bytes.
// CHECK-LABEL: kernel.program @seldom
// CHECK-NOT: kernel.split_bytes
kernel.program @seldom attributes {num_inputs = 4, num_outputs = 2} {
^bb0(%x: memref<1x2x14x14x16xi8>, %w: memref<2x2x1x1x16x16xi8>, %x1: memref<1x2x7x7x16xi8>, %w1: memref<1x2x3x3x16x16xi8>, %y: memref<1x2x14x14x16xi32>, %y1: memref<1x1x5x5x16xi32>):
  kernel.conv data(%x : memref<1x2x14x14x16xi8>) weights(%w : memref<2x2x1x1x16x16xi8>) extras() out(%y : memref<1x2x14x14x16xi32>) {kernel = array<i64: 1, 1>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 32, out_channels = 32} body {
  ^bb0(%sum: i32):
    kernel.yield %sum : i32
  }
  kernel.conv data(%x1 : memref<1x2x7x7x16xi8>) weights(%w1 : memref<1x2x3x3x16x16xi8>) extras() out(%y1 : memref<1x1x5x5x16xi32>) {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 32, out_channels = 16} body {
  ^bb0(%sum: i32):
    kernel.yield %sum : i32
  }
  kernel.end
}
