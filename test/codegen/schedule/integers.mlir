// If this fails, a convolution or maximum over integers leaves its blocks of bytes, its
// weights are packed at every run although @prepare could, or its body rounds elsewhere.
// RUN: symc-opt --sg-split-quantized --sg-hoist-prepare --kernel-choose-layouts --kernel-schedule %s | FileCheck %s

sg.weight @w1 : tensor<20x3x3x3xf32>
sg.weight @w2 : tensor<16x20x1x1xf32>

// The range of the first data is an input: its weights are rounded and packed here, its
// three channels lie in quads of bytes, read plus 128.
// CHECK-LABEL: kernel.program @main_program
// CHECK: kernel.call "symc_ref_quantize_rows_f32"
// CHECK: kernel.fill %{{.*}} with 0 : i8
// CHECK: kernel.conv data(%{{.*}} : memref<1x1x10x10x4xi8{{.*}}weights(%{{.*}} : memref<2x1x3x3x4x16xi8>){{.*}}out(%{{.*}} : memref<1x2x8x8x16xi8{{.*}}shifted
// CHECK: ^bb0(%[[SUM:.*]]: i32, %[[CORRECTION:.*]]: i32, %[[BIAS:.*]]: f32, %[[SCALE:.*]]: f32):
// CHECK: arith.addi %[[SUM]], %[[CORRECTION]] : i32
// CHECK: math.roundeven
// CHECK: kernel.pool "umax" data(%{{.*}} : memref<1x2x8x8x16xi8
// CHECK-NOT: kernel.call
// CHECK: kernel.weight @w.prepared0.quads : memref<1x2x1x1x16x16xi8>
// CHECK: kernel.conv data(%{{.*}} : memref<1x2x4x4x16xi8
// CHECK-NOT: shifted
// CHECK-LABEL: kernel.program @prepare_program
// CHECK: kernel.call "symc_ref_quantize_rows_f32"
sg.graph @main(%x: tensor<1x3x8x8xi8> {sg.name = "x"}, %lo: tensor<1xf32> {sg.name = "lo"}, %hi: tensor<1xf32> {sg.name = "hi"}) -> (tensor<1x16x4x4xi8>) {
  %w1 = sg.parameter @w1 : tensor<20x3x3x3xf32>
  %w2 = sg.parameter @w2 : tensor<16x20x1x1xf32>
  %a:3 = sg.fused_conv(%x, %w1, %lo, %hi) {kernel = array<i64: 3, 3>, pad = array<i64: 1, 1>, num_filter = 20 : i64, no_bias = true, quantized = true, with_act = true, act = "relu", min_calib_range = 0.0 : f64, max_calib_range = 6.0 : f64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0>} : (tensor<1x3x8x8xi8>, tensor<20x3x3x3xf32>, tensor<1xf32>, tensor<1xf32>) -> (tensor<1x20x8x8xui8>, tensor<1xf32>, tensor<1xf32>)
  %p:3 = sg.quantized_pooling(%a#0, %a#1, %a#2) {kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>} : (tensor<1x20x8x8xui8>, tensor<1xf32>, tensor<1xf32>) -> (tensor<1x20x4x4xui8>, tensor<1xf32>, tensor<1xf32>)
  %b:3 = sg.fused_conv(%p#0, %w2, %p#1, %p#2) {kernel = array<i64: 1, 1>, num_filter = 16 : i64, no_bias = true, quantized = true, min_calib_range = -3.0 : f64, max_calib_range = 3.0 : f64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0>} : (tensor<1x20x4x4xui8>, tensor<16x20x1x1xf32>, tensor<1xf32>, tensor<1xf32>) -> (tensor<1x16x4x4xi8>, tensor<1xf32>, tensor<1xf32>)
  sg.heads %b#0 : tensor<1x16x4x4xi8>
}
