// If this fails, products of bf16 for x86-64-v4+amx are no products of matrices, read channels or
// pixels that do not exist, or take a tile that registers do not hold.
// RUN: symc-opt %s -kernel-plan-arena -kernel-choose-tiles=target=x86-64-v4+amx -kernel-outline=target=x86-64-v4+amx -canonicalize -cse -split-input-file -verify-diagnostics | FileCheck %s

// Two blocks of outputs by two rows of 14 pixels: four sums that begin with the bias. Of 20
// channels 16 are a step, eight pairs, and then 4, two pairs, in registers of their own: 0 to 3
// are sums, 4 and 5 weights and data of a step, 6 and 7 of the last one. Configured are bytes of a
// row (64 of sums and weights, 32 and 8 of data), from word 12 on rows (14 of pixels, 8 and 2 pairs).
// CHECK-LABEL: func.func private @rows_k0_conv
// CHECK: llvm.mlir.constant(dense<[1, 0, 0, 0, 4194368, 4194368, 2097216, 524352, 0, 0, 0, 0, 235802126, 235015688, 0, 0]> : vector<16xi32>)
// CHECK: llvm.call_intrinsic "llvm.x86.ldtilecfg"
// CHECK-COUNT-4: llvm.call_intrinsic "llvm.x86.tileloadd64"
// CHECK: scf.for
// CHECK-COUNT-2: llvm.call_intrinsic "llvm.x86.tileloadd64"
// CHECK-NEXT: llvm.call_intrinsic "llvm.x86.tdpbf16ps"(%[[S0:[0-9a-z_]+]], %[[A:[0-9a-z_]+]], %[[B:[0-9a-z_]+]])
// CHECK: llvm.call_intrinsic "llvm.x86.tdpbf16ps"(%{{[0-9a-z_]+}}, %[[A]], %[[B]])
// CHECK-COUNT-2: llvm.call_intrinsic "llvm.x86.tdpbf16ps"
// CHECK: scf.for
// CHECK-COUNT-4: llvm.call_intrinsic "llvm.x86.tdpbf16ps"
// CHECK-NOT: tdpbf16ps
// CHECK-COUNT-4: llvm.call_intrinsic "llvm.x86.tilestored64"
// CHECK: llvm.call_intrinsic "llvm.x86.tilerelease"
kernel.program @rows attributes {num_inputs = 3, num_outputs = 1} {
^bb0(%x: memref<1x2x30x30x16xbf16>, %w: memref<2x2x3x3x16x16xbf16>, %b: memref<32xf32>, %out: memref<1x2x28x28x16xf32>):
  %bias = memref.reinterpret_cast %b to offset: [0], sizes: [1, 2, 28, 28, 16], strides: [0, 16, 0, 0, 1] : memref<32xf32> to memref<1x2x28x28x16xf32, strided<[0, 16, 0, 0, 1]>>
  kernel.conv data(%x : memref<1x2x30x30x16xbf16>) weights(%w : memref<2x2x3x3x16x16xbf16>) extras(%bias : memref<1x2x28x28x16xf32, strided<[0, 16, 0, 0, 1]>>) out(%out : memref<1x2x28x28x16xf32>) {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 20, out_channels = 32, tile = array<i64: 2, 2, 14>} body {
  ^bb0(%acc: f32, %y: f32):
    %s = arith.addf %acc, %y : f32
    kernel.yield %s : f32
  }
  kernel.end
}

// -----

// Rows of a matrix: 32 channels of two blocks side by side are a step. Of 20 rows, two groups of
// ten.
// CHECK-LABEL: func.func private @matrix_k0_conv
// CHECK: dense<[1, 0, 0, 0, 4194368, 4194368, 4194368, 4194368, 0, 0, 0, 0, 168823306, 168430090, 0, 0]>
// CHECK: llvm.call_intrinsic "llvm.x86.tilezero"
// CHECK: llvm.call_intrinsic "llvm.x86.tilezero"
// CHECK: scf.for %{{.*}} to %c2 step
// CHECK-COUNT-2: llvm.call_intrinsic "llvm.x86.tileloadd64"
// CHECK: llvm.call_intrinsic "llvm.x86.tdpbf16ps"
// CHECK: llvm.call_intrinsic "llvm.x86.tileloadd64"
// CHECK: llvm.call_intrinsic "llvm.x86.tdpbf16ps"
// CHECK-NOT: tdpbf16ps
kernel.program @matrix attributes {num_inputs = 2, num_outputs = 1} {
^bb0(%rows: memref<20x64xbf16>, %w: memref<1x4x1x1x16x16xbf16>, %out: memref<1x1x1x20x16xf32>):
  %x = memref.reinterpret_cast %rows to offset: [0], sizes: [1, 4, 1, 20, 16], strides: [1280, 16, 1280, 64, 1] : memref<20x64xbf16> to memref<1x4x1x20x16xbf16, strided<[1280, 16, 1280, 64, 1]>>
  kernel.conv data(%x : memref<1x4x1x20x16xbf16, strided<[1280, 16, 1280, 64, 1]>>) weights(%w : memref<1x4x1x1x16x16xbf16>) extras() out(%out : memref<1x1x1x20x16xf32>) {kernel = array<i64: 1, 1>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 64, out_channels = 16} body {
  ^bb0(%acc: f32):
    kernel.yield %acc : f32
  }
  kernel.end
}

// -----

// Three pixels side by side leave a matrix almost empty.
// CHECK-LABEL: func.func private @few_k0_conv
// CHECK-NOT: llvm.x86.t
// CHECK: llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"
kernel.program @few attributes {num_inputs = 2, num_outputs = 1} {
^bb0(%x: memref<1x1x1x3x16xbf16>, %w: memref<1x1x1x1x16x16xbf16>, %out: memref<1x1x1x3x16xf32>):
  kernel.conv data(%x : memref<1x1x1x3x16xbf16>) weights(%w : memref<1x1x1x1x16x16xbf16>) extras() out(%out : memref<1x1x1x3x16xf32>) {kernel = array<i64: 1, 1>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 16, out_channels = 16} body {
  ^bb0(%acc: f32):
    kernel.yield %acc : f32
  }
  kernel.end
}

// -----

kernel.program @large attributes {num_inputs = 2, num_outputs = 1} {
^bb0(%x: memref<1x1x3x48x16xbf16>, %w: memref<1x1x1x3x16x16xbf16>, %out: memref<1x1x3x46x16xf32>):
  // expected-error@+1 {{internal error: conv by Tdpbf16ps has no tile of 1 blocks by 2 x 46 pixels}}
  kernel.conv data(%x : memref<1x1x3x48x16xbf16>) weights(%w : memref<1x1x1x3x16x16xbf16>) extras() out(%out : memref<1x1x3x46x16xf32>) {kernel = array<i64: 1, 3>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 16, out_channels = 16, tile = array<i64: 1, 2, 46>} body {
  ^bb0(%acc: f32):
    kernel.yield %acc : f32
  }
  kernel.end
}
