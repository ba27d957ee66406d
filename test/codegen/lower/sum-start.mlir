// If this fails, a layer's sums do not begin with its bias where they can, or begin with
// something that is no bias: a residual, or what is added to a scaled sum.
// RUN: symc-opt %s -kernel-plan-arena -kernel-choose-tiles=target=x86-64-v4 -kernel-outline=target=x86-64-v4 -canonicalize -cse -split-input-file | FileCheck %s

// The eleven channels that exist are read, the rest are zero.
// CHECK-LABEL: func.func private @bias_k0_conv
// CHECK: %[[BIAS:.*]] = llvm.intr.masked.load
// CHECK: scf.for {{.*}} = %[[BIAS]])
// CHECK-NOT: arith.addf
// CHECK: arith.maximumf
kernel.program @bias attributes {num_inputs = 3, num_outputs = 1} {
^bb0(%x: memref<1x1x1x1x16xf32>, %w: memref<1x1x1x1x16x16xf32>, %bias: memref<11xf32>, %out: memref<1x1x1x1x16xf32>):
  %b = memref.reinterpret_cast %bias to offset: [0], sizes: [1, 1, 1, 1, 16], strides: [0, 16, 0, 0, 1] : memref<11xf32> to memref<1x1x1x1x16xf32, strided<[0, 16, 0, 0, 1]>>
  kernel.conv data(%x : memref<1x1x1x1x16xf32>) weights(%w : memref<1x1x1x1x16x16xf32>) extras(%b : memref<1x1x1x1x16xf32, strided<[0, 16, 0, 0, 1]>>) out(%out : memref<1x1x1x1x16xf32>) {kernel = array<i64: 1, 1>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 16, out_channels = 11} body {
  ^bb0(%acc: f32, %e: f32):
    %zero = arith.constant 0.0 : f32
    %y = arith.addf %e, %acc : f32
    %z = arith.maximumf %y, %zero : f32
    kernel.yield %z : f32
  }
  kernel.end
}

// -----

// Of depthwise layers, too.
// CHECK-LABEL: func.func private @depthwise_k0_depthwise
// CHECK: vector.fma
// CHECK-NOT: arith.addf
kernel.program @depthwise attributes {num_inputs = 3, num_outputs = 1} {
^bb0(%x: memref<1x1x4x4x16xf32>, %w: memref<1x3x3x16xf32>, %bias: memref<16xf32>, %out: memref<1x1x2x2x16xf32>):
  %b = memref.reinterpret_cast %bias to offset: [0], sizes: [1, 1, 2, 2, 16], strides: [0, 16, 0, 0, 1] : memref<16xf32> to memref<1x1x2x2x16xf32, strided<[0, 16, 0, 0, 1]>>
  kernel.depthwise data(%x : memref<1x1x4x4x16xf32>) weights(%w : memref<1x3x3x16xf32>) extras(%b : memref<1x1x2x2x16xf32, strided<[0, 16, 0, 0, 1]>>) out(%out : memref<1x1x2x2x16xf32>) {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>} body {
  ^bb0(%acc: f32, %e: f32):
    %y = arith.addf %acc, %e : f32
    kernel.yield %y : f32
  }
  kernel.end
}

// -----

// A residual differs from pixel to pixel.
// CHECK-LABEL: func.func private @residual_k0_conv
// CHECK: vector.fma
// CHECK: arith.addf %{{.*}} : vector<16xf32>
kernel.program @residual attributes {num_inputs = 3, num_outputs = 1} {
^bb0(%x: memref<1x1x1x2x16xf32>, %w: memref<1x1x1x1x16x16xf32>, %r: memref<1x1x1x2x16xf32>, %out: memref<1x1x1x2x16xf32>):
  kernel.conv data(%x : memref<1x1x1x2x16xf32>) weights(%w : memref<1x1x1x1x16x16xf32>) extras(%r : memref<1x1x1x2x16xf32>) out(%out : memref<1x1x1x2x16xf32>) {kernel = array<i64: 1, 1>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 16, out_channels = 16} body {
  ^bb0(%acc: f32, %e: f32):
    %y = arith.addf %acc, %e : f32
    kernel.yield %y : f32
  }
  kernel.end
}

// -----

// CHECK-LABEL: func.func private @scaled_k0_conv
// CHECK: vector.fma
// CHECK: arith.mulf %{{.*}} : vector<16xf32>
// CHECK: arith.addf %{{.*}} : vector<16xf32>
kernel.program @scaled attributes {num_inputs = 3, num_outputs = 1} {
^bb0(%x: memref<1x1x1x1x16xf32>, %w: memref<1x1x1x1x16x16xf32>, %bias: memref<16xf32>, %out: memref<1x1x1x1x16xf32>):
  %b = memref.reinterpret_cast %bias to offset: [0], sizes: [1, 1, 1, 1, 16], strides: [0, 16, 0, 0, 1] : memref<16xf32> to memref<1x1x1x1x16xf32, strided<[0, 16, 0, 0, 1]>>
  kernel.conv data(%x : memref<1x1x1x1x16xf32>) weights(%w : memref<1x1x1x1x16x16xf32>) extras(%b : memref<1x1x1x1x16xf32, strided<[0, 16, 0, 0, 1]>>) out(%out : memref<1x1x1x1x16xf32>) {kernel = array<i64: 1, 1>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 16, out_channels = 16} body {
  ^bb0(%acc: f32, %e: f32):
    %two = arith.constant 2.0 : f32
    %y = arith.mulf %acc, %two : f32
    %z = arith.addf %y, %e : f32
    kernel.yield %z : f32
  }
  kernel.end
}
