// If this fails, a tile of one row multiplies rows of padding, or a tile of several rows
// leaves out products that one of its rows needs.
// RUN: symc-opt %s -kernel-plan-arena -kernel-choose-tiles=target=x86-64-v4 -kernel-outline=target=x86-64-v4 -canonicalize -cse -split-input-file | FileCheck %s

// Of a kernel of three rows: from max(0, 1 - y) to min(3, 9 - y) at output row y.
// CHECK-LABEL: func.func private @one_row_k0_conv
// CHECK: %[[END:.*]] = arith.minsi
// CHECK: %[[ROWS:.*]] = arith.subi %[[END]], %{{.*}} : index
// CHECK: scf.for %{{.*}} = %c0 to %[[ROWS]] step %c1
kernel.program @one_row attributes {num_inputs = 2, num_outputs = 1} {
^bb0(%x: memref<1x1x10x10x16xf32>, %w: memref<1x1x3x3x16x16xf32>, %out: memref<1x1x8x8x16xf32>):
  kernel.conv data(%x : memref<1x1x10x10x16xf32>) weights(%w : memref<1x1x3x3x16x16xf32>) extras() out(%out : memref<1x1x8x8x16xf32>) {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 16, out_channels = 16, tile = array<i64: 1, 1, 8>, zeros = #kernel.padding<top = 1, bottom = 1>} body {
  ^bb0(%acc: f32):
    kernel.yield %acc : f32
  }
  kernel.end
}

// -----

// CHECK-LABEL: func.func private @two_rows_k0_conv
// CHECK-NOT: arith.minsi
// CHECK: scf.for %{{.*}} = %c0 to %c3 step %c1
kernel.program @two_rows attributes {num_inputs = 2, num_outputs = 1} {
^bb0(%x: memref<1x1x4x10x16xf32>, %w: memref<1x1x3x3x16x16xf32>, %out: memref<1x1x2x8x16xf32>):
  kernel.conv data(%x : memref<1x1x4x10x16xf32>) weights(%w : memref<1x1x3x3x16x16xf32>) extras() out(%out : memref<1x1x2x8x16xf32>) {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 16, out_channels = 16, tile = array<i64: 1, 2, 8>, zeros = #kernel.padding<top = 1, bottom = 1>} body {
  ^bb0(%acc: f32):
    kernel.yield %acc : f32
  }
  kernel.end
}

// -----

// With a dilation rows and columns are left out, whatever the tile: of three, those that lie on the
// image for one of its pixels at least.
// CHECK-LABEL: func.func private @dilated_k0_conv
// CHECK: %[[BELOW:.*]] = arith.divui %{{.*}}, %c6 : index
// CHECK: %[[TOP:.*]] = arith.divui %{{.*}}, %c6 : index
// CHECK: %[[BOTTOM:.*]] = arith.minsi %[[BELOW]], %c3 : index
// CHECK: %[[BEYOND:.*]] = arith.divui %{{.*}}, %c6 : index
// CHECK: %[[LEFT:.*]] = arith.divui %{{.*}}, %c6 : index
// CHECK: %[[RIGHT:.*]] = arith.minsi %[[BEYOND]], %c3 : index
// CHECK: %[[ROWS:.*]] = arith.subi %[[BOTTOM]], %[[TOP]]
// CHECK: %[[COLUMNS:.*]] = arith.subi %[[RIGHT]], %[[LEFT]]
// CHECK: scf.for %{{.*}} = %c0 to %[[ROWS]] step %c1
// CHECK: scf.for %{{.*}} = %c0 to %[[COLUMNS]] step %c1
kernel.program @dilated attributes {num_inputs = 2, num_outputs = 1} {
^bb0(%x: memref<1x1x20x20x16xf32>, %w: memref<1x1x3x3x16x16xf32>, %out: memref<1x1x8x8x16xf32>):
  kernel.conv data(%x : memref<1x1x20x20x16xf32>) weights(%w : memref<1x1x3x3x16x16xf32>) extras() out(%out : memref<1x1x8x8x16xf32>) {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, dilations = array<i64: 6, 6>, in_channels = 16, out_channels = 16, tile = array<i64: 1, 2, 4>, zeros = #kernel.padding<top = 6, bottom = 6, left = 6, right = 6>} body {
  ^bb0(%acc: f32):
    kernel.yield %acc : f32
  }
  kernel.end
}
