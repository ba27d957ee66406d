// Convolutions and matrix products: what a register tile consists of, and how the
// last channels and pixels are handled.
// RUN: symc-opt %s -kernel-plan-arena -kernel-choose-tiles=target=x86-64-v4 -kernel-outline=target=x86-64-v4 -canonicalize -cse -split-input-file | FileCheck %s
// RUN: symc-opt %s -kernel-plan-arena -kernel-choose-tiles=target=x86-64-v4 "-kernel-outline=target=x86-64-v4 math=strict" -canonicalize -cse -split-input-file | FileCheck %s
// RUN: symc-opt %s -kernel-plan-arena -kernel-choose-tiles=target=x86-64-v4 "-kernel-outline=target=x86-64-v4 math=portable" -canonicalize -cse -split-input-file | FileCheck %s --check-prefix=PORTABLE
// RUN: symc-opt %s -kernel-plan-arena -kernel-choose-tiles=target=x86-64-v2 -kernel-outline=target=x86-64-v2 -canonicalize -cse -split-input-file | FileCheck %s --check-prefix=V2

// A tile of 2 vectors by 3 pixels: two weight loads, three broadcasts, six
// multiply-adds, in loops that are never unrolled. The sums begin with the bias.
// CHECK-LABEL: func.func private @tile_k0_conv
// CHECK: %[[B0:.*]] = llvm.load %{{.*}} -> vector<16xf32>
// CHECK: %[[B1:.*]] = llvm.load %{{.*}} -> vector<16xf32>
// CHECK: scf.for {{.*}} = %[[B0]], %{{.*}} = %[[B1]], %{{.*}} = %[[B0]], %{{.*}} = %[[B1]], %{{.*}} = %[[B0]], %{{.*}} = %[[B1]])
// CHECK: scf.for %{{.*}} to %c16 step
// CHECK: %[[W0:.*]] = llvm.load %{{.*}} -> vector<16xf32>
// CHECK: %[[W1:.*]] = llvm.load %{{.*}} -> vector<16xf32>
// CHECK: %[[X:.*]] = llvm.load %{{.*}} -> f32
// CHECK: %[[B:.*]] = vector.broadcast %[[X]] : f32 to vector<16xf32>
// CHECK: vector.fma %[[B]], %[[W0]], %{{.*}} : vector<16xf32>
// CHECK: vector.fma %[[B]], %[[W1]], %{{.*}} : vector<16xf32>
// CHECK-COUNT-4: vector.fma
// CHECK-NOT: vector.fma
// CHECK: {loop_annotation = #loop_annotation}
// What is left of the step's body, on vectors.
// CHECK-NOT: arith.addf
// CHECK: llvm.store %{{.*}} : vector<16xf32>
// Portable arithmetic (of @prepare) rounds twice; so does a target without fused multiply-add.
// PORTABLE-LABEL: func.func private @tile_k0_conv
// PORTABLE-NOT: vector.fma
// PORTABLE: arith.mulf %{{.*}} : vector<16xf32>
// PORTABLE-NEXT: arith.addf %{{.*}} : vector<16xf32>
// V2-LABEL: func.func private @tile_k0_conv
// V2-NOT: vector.fma
// V2: arith.mulf %{{.*}} : vector<4xf32>
// V2-NEXT: arith.addf %{{.*}} : vector<4xf32>
kernel.program @tile attributes {num_inputs = 3, num_outputs = 1} {
^bb0(%x: memref<1x1x8x8x16xf32>, %w: memref<2x1x3x3x16x16xf32>, %bias: memref<32xf32>, %out: memref<1x2x6x6x16xf32>):
  %b = memref.reinterpret_cast %bias to offset: [0], sizes: [1, 2, 6, 6, 16], strides: [0, 16, 0, 0, 1] : memref<32xf32> to memref<1x2x6x6x16xf32, strided<[0, 16, 0, 0, 1]>>
  kernel.conv data(%x : memref<1x1x8x8x16xf32>) weights(%w : memref<2x1x3x3x16x16xf32>) extras(%b : memref<1x2x6x6x16xf32, strided<[0, 16, 0, 0, 1]>>) out(%out : memref<1x2x6x6x16xf32>) {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 16, out_channels = 32, tile = array<i64: 2, 1, 3>} body {
  ^bb0(%acc: f32, %e: f32):
    %y = arith.addf %acc, %e : f32
    kernel.yield %y : f32
  }
  kernel.end
}

// -----

// Ten real channels of sixteen: the store is masked, extras beyond them are not
// read. Four channels of the input block are real: the loop ends there.
// CHECK-LABEL: func.func private @mask_k0_conv
// CHECK-DAG: %[[FOUR:.*]] = arith.constant 4 : index
// CHECK-DAG: %[[MASK:.*]] = arith.constant dense<[true, true, true, true, true, true, true, true, true, true, false, false, false, false, false, false]> : vector<16xi1>
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[FOUR]] step
// CHECK: llvm.intr.masked.load %{{.*}}, %[[MASK]]
// CHECK: llvm.intr.masked.store %{{.*}}, %{{.*}}, %[[MASK]]
// CHECK-NOT: llvm.store
kernel.program @mask attributes {num_inputs = 3, num_outputs = 1} {
^bb0(%x: memref<1x1x1x2x16xf32>, %w: memref<1x1x1x1x16x16xf32>, %bias: memref<16xf32>, %out: memref<1x1x1x2x16xf32>):
  %b = memref.reinterpret_cast %bias to offset: [0], sizes: [1, 1, 1, 2, 16], strides: [0, 16, 0, 0, 1] : memref<16xf32> to memref<1x1x1x2x16xf32, strided<[0, 16, 0, 0, 1]>>
  kernel.conv data(%x : memref<1x1x1x2x16xf32>) weights(%w : memref<1x1x1x1x16x16xf32>) extras(%b : memref<1x1x1x2x16xf32, strided<[0, 16, 0, 0, 1]>>) out(%out : memref<1x1x1x2x16xf32>) {kernel = array<i64: 1, 1>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 4, out_channels = 10} body {
  ^bb0(%acc: f32, %e: f32):
    %y = arith.addf %acc, %e : f32
    kernel.yield %y : f32
  }
  kernel.end
}

// -----

// 1x1 over 4x4 pixels without a halo: one row of 16 pixels in tiles of 12 and 4,
// the next channel block's pixels prefetched.
// CHECK-LABEL: func.func private @flat_k0_conv
// CHECK-COUNT-12: llvm.intr.prefetch
// CHECK-COUNT-12: vector.fma
// CHECK-NOT: vector.fma
// CHECK: llvm.intr.prefetch
// CHECK-COUNT-4: vector.fma
// CHECK-NOT: vector.fma
kernel.program @flat attributes {num_inputs = 2, num_outputs = 1} {
^bb0(%x: memref<1x2x4x4x16xf32>, %w: memref<1x2x1x1x16x16xf32>, %out: memref<1x1x4x4x16xf32>):
  kernel.conv data(%x : memref<1x2x4x4x16xf32>) weights(%w : memref<1x2x1x1x16x16xf32>) extras() out(%out : memref<1x1x4x4x16xf32>) {kernel = array<i64: 1, 1>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 32, out_channels = 16, tile = array<i64: 1, 1, 12>} body {
  ^bb0(%acc: f32):
    kernel.yield %acc : f32
  }
  kernel.end
}

// -----

// 24 channels: 16 and 8. Half of the second vector would be padding, so it has 8 lanes
// until the epilogue; on a target of 8 lanes or fewer all vectors are whole.
// CHECK-LABEL: func.func private @half_k0_conv
// CHECK: %[[W0:.*]] = llvm.load %{{.*}} -> vector<16xf32>
// CHECK: %[[W1:.*]] = llvm.load %{{.*}} -> vector<8xf32>
// CHECK: %[[B:.*]] = vector.broadcast %{{.*}} : f32 to vector<16xf32>
// CHECK: vector.fma %[[B]], %[[W0]], %{{.*}} : vector<16xf32>
// CHECK: %[[N:.*]] = vector.broadcast %{{.*}} : f32 to vector<8xf32>
// CHECK: vector.fma %[[N]], %[[W1]], %{{.*}} : vector<8xf32>
// CHECK: vector.insert_strided_slice %{{.*}} : vector<8xf32> into vector<16xf32>
// V2-LABEL: func.func private @half_k0_conv
// V2-NOT: strided_slice
kernel.program @half attributes {num_inputs = 2, num_outputs = 1} {
^bb0(%x: memref<1x1x1x2x16xf32>, %w: memref<2x1x1x1x16x16xf32>, %out: memref<1x2x1x2x16xf32>):
  kernel.conv data(%x : memref<1x1x1x2x16xf32>) weights(%w : memref<2x1x1x1x16x16xf32>) extras() out(%out : memref<1x2x1x2x16xf32>) {kernel = array<i64: 1, 1>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 16, out_channels = 24, tile = array<i64: 2, 1, 2>} body {
  ^bb0(%acc: f32):
    kernel.yield %acc : f32
  }
  kernel.end
}

// -----

// A task has two of the four tiles of pixels: each fetches half of the sixteen lines of a panel of
// the next group, counted from the task's first tile on.
// CHECK-LABEL: func.func private @ahead_k0_conv
// CHECK: scf.for
// CHECK: scf.for %[[T:.*]] = %[[FIRST:.*]] to
// CHECK: arith.subi %[[T]], %[[FIRST]]
// CHECK-COUNT-8: hint = 2
// CHECK-NOT: hint = 2
kernel.program @ahead attributes {num_inputs = 2, num_outputs = 1} {
^bb0(%x: memref<1x1x1x16x16xf32>, %w: memref<4x1x1x1x16x16xf32>, %out: memref<1x4x1x16x16xf32>):
  kernel.conv data(%x : memref<1x1x1x16x16xf32>) weights(%w : memref<4x1x1x1x16x16xf32>) extras() out(%out : memref<1x4x1x16x16xf32>) {kernel = array<i64: 1, 1>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 16, out_channels = 64, tile = array<i64: 1, 1, 4>, cut = #kernel.conv_tasks<groups = 2, pixel_tiles = 2, pixel_chunks = 2, images = 1>, prefetch} body {
  ^bb0(%acc: f32):
    kernel.yield %acc : f32
  }
  kernel.end
}

// -----

// Dilated, of weights beyond L2: each tap fetches its pixels of the next block of channels and the next panel. With few
// channels, none.
// CHECK-LABEL: func.func private @far_k0_conv
// CHECK-COUNT-20: hint = 3
// CHECK-NOT: hint = 3
// CHECK-COUNT-4: vector.fma
kernel.program @far attributes {num_inputs = 2, num_outputs = 1} {
^bb0(%x: memref<1x128x10x10x16xf32>, %w: memref<1x128x3x3x16x16xf32>, %out: memref<1x1x4x4x16xf32>):
  kernel.conv data(%x : memref<1x128x10x10x16xf32>) weights(%w : memref<1x128x3x3x16x16xf32>) extras() out(%out : memref<1x1x4x4x16xf32>) {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, dilations = array<i64: 3, 3>, in_channels = 2048, out_channels = 16, tile = array<i64: 1, 1, 4>} body {
  ^bb0(%acc: f32):
    kernel.yield %acc : f32
  }
  kernel.end
}

// -----

// CHECK-LABEL: func.func private @near_k0_conv
// CHECK-NOT: hint = 3
// CHECK-COUNT-4: vector.fma
kernel.program @near attributes {num_inputs = 2, num_outputs = 1} {
^bb0(%x: memref<1x32x10x10x16xf32>, %w: memref<1x32x3x3x16x16xf32>, %out: memref<1x1x4x4x16xf32>):
  kernel.conv data(%x : memref<1x32x10x10x16xf32>) weights(%w : memref<1x32x3x3x16x16xf32>) extras() out(%out : memref<1x1x4x4x16xf32>) {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, dilations = array<i64: 3, 3>, in_channels = 512, out_channels = 16, tile = array<i64: 1, 1, 4>} body {
  ^bb0(%acc: f32):
    kernel.yield %acc : f32
  }
  kernel.end
}
