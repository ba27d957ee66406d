// If this fails, a layer is not taken by its tile kernel, reads the wrong
// border, or writes where nobody reads.
// RUN: symc-opt --kernel-choose-layouts --kernel-schedule %s | FileCheck %s

sg.weight @w1 : tensor<32x3x3x3xf32>
sg.weight @b1 : tensor<32xf32>
sg.weight @w2 : tensor<40x32x3x3xf32>
sg.weight @w3 : tensor<40x1x3x3xf32>

// CHECK-LABEL: kernel.program @main_program
// CHECK-SAME: num_inputs = 1 : i64, num_outputs = 1 : i64
// CHECK: ^bb0(%[[IN:.*]]: memref<1x3x10x10xf32>, %[[OUT:.*]]: memref<1x40x8x8xf32>):

// Three channels are read as they lie, one block of three lanes; the result has
// a halo of one pixel for the next layer, whose four strips are zeroed.
// CHECK: %[[PLANAR:.*]] = memref.reinterpret_cast %[[IN]] {{.*}} sizes: [1, 1, 10, 10, 3], strides: [300, 300, 10, 1, 100]
// CHECK: %[[A:.*]] = kernel.buffer() : memref<1x2x10x10x16xf32>
// CHECK-COUNT-4: kernel.fill
// CHECK: %[[INSIDE:.*]] = memref.reinterpret_cast %[[A]] to offset: [176], sizes: [1, 2, 8, 8, 16]
// CHECK: kernel.conv data(%[[PLANAR]] {{.*}} out(%[[INSIDE]]
// CHECK-SAME: in_channels = 3 : i64{{.*}} out_channels = 32 : i64
// CHECK: ^bb0(%[[ACC:.*]]: f32, %[[BIAS:.*]]: f32):
// CHECK: %[[SUM:.*]] = arith.addf %[[ACC]], %[[BIAS]]
// CHECK: arith.select
// CHECK: kernel.yield

// The second reads its halo: ten pixels where the image has eight; it says which rows are zero.
// CHECK: kernel.conv data(%{{.*}} : memref<1x2x10x10x16xf32{{.*}}weights(%{{.*}} : memref<3x2x3x3x16x16xf32>)
// CHECK-SAME: in_channels = 32 : i64{{.*}} out_channels = 40 : i64{{.*}} zeros = #kernel.padding<top = 1, bottom = 1, left = 1, right = 1>}
// CHECK: kernel.depthwise data(%{{.*}} : memref<1x3x10x10x16xf32{{.*}}weights(%{{.*}} : memref<3x3x3x16xf32>)

// The head leaves the blocks: whole ones, then the eight channels that remain.
// CHECK: kernel.copy {{.*}} : memref<1x2x8x8x16xf32
// CHECK: kernel.copy {{.*}} : memref<1x1x8x8x8xf32
sg.graph @main(%x: tensor<1x3x10x10xf32> {sg.name = "x"}) -> (tensor<1x40x8x8xf32>) {
  %w1 = sg.parameter @w1 : tensor<32x3x3x3xf32>
  %b1 = sg.parameter @b1 : tensor<32xf32>
  %w2 = sg.parameter @w2 : tensor<40x32x3x3xf32>
  %w3 = sg.parameter @w3 : tensor<40x1x3x3xf32>
  %0 = sg.fused(%x, %w1, %b1) : (tensor<1x3x10x10xf32>, tensor<32x3x3x3xf32>, tensor<32xf32>) -> tensor<1x32x8x8xf32> body {
  ^bb0(%d: tensor<1x3x10x10xf32>, %w: tensor<32x3x3x3xf32>, %b: tensor<32xf32>):
    %c = sg.convolution(%d, %w, %b) {kernel = array<i64: 3, 3>, num_filter = 32 : i64} : (tensor<1x3x10x10xf32>, tensor<32x3x3x3xf32>, tensor<32xf32>) -> tensor<1x32x8x8xf32>
    %r = sg.unary(%c) {fn = "relu"} : (tensor<1x32x8x8xf32>) -> tensor<1x32x8x8xf32>
    sg.yield %r : tensor<1x32x8x8xf32>
  }
  %1 = sg.convolution(%0, %w2) {kernel = array<i64: 3, 3>, pad = array<i64: 1, 1>, num_filter = 40 : i64, no_bias = true} : (tensor<1x32x8x8xf32>, tensor<40x32x3x3xf32>) -> tensor<1x40x8x8xf32>
  %2 = sg.convolution(%1, %w3) {kernel = array<i64: 3, 3>, pad = array<i64: 1, 1>, num_filter = 40 : i64, num_group = 40 : i64, no_bias = true} : (tensor<1x40x8x8xf32>, tensor<40x1x3x3xf32>) -> tensor<1x40x8x8xf32>
  sg.heads %2 : tensor<1x40x8x8xf32>
}

// Prepared weights lie one after the other, each at a cache line's start.
// CHECK: kernel.prepared @w.b1.vector at 0 : memref<32xf32>
// CHECK: kernel.prepared @w.w1.panels.planar3 at 128 : memref<2x1x3x3x3x16xf32>
// CHECK: kernel.prepared @w.w2.panels at 3584 : memref<3x2x3x3x16x16xf32>
// CHECK: kernel.prepared @w.w3.depthwise at 58880 : memref<3x3x3x16xf32>

// @prepare packs each weight into the form that was asked for.
// CHECK-LABEL: kernel.program @prepare_program
// CHECK-SAME: num_inputs = 4 : i64, num_outputs = 0 : i64
// CHECK: kernel.copy {{.*}} : memref<32xf32
// CHECK: kernel.pack_panels {{.*}} : memref<32x3x3x3xf32{{.*}}> to memref<2x1x3x3x3x16xf32>
// CHECK: kernel.pack_panels {{.*}} to memref<3x2x3x3x16x16xf32>
// CHECK: kernel.pack_depthwise {{.*}} to memref<3x3x3x16xf32>
