// If this fails, with --precision f16 a first layer over a picture brings its inputs to tensor cores one number at a
// time: rows of its kernel are no channels that lie in one piece.
// RUN: symc-opt --kernel-choose-layouts --kernel-schedule --kernel-make-variants=targets=x86-64-v3 --kernel-choose-algorithms --kernel-narrow-storage %s > %t
// RUN: FileCheck %s --input-file %t
// RUN: FileCheck %s --input-file %t --check-prefix=PLANES

// Four channels of eight columns are 32 terms of a row, zeros where the kernel has no column or the picture no channel.
// CHECK: kernel.prepared @w.rows.panels.planar3 at 0 : memref<1x1x5x1x32x16xf16>
// CHECK: kernel.prepared @w.odd.panels.planar3 {{.*}} : memref<1x1x3x3x3x16xf32>
// CHECK: kernel.program @prepare_program
// CHECK: [[EXACT:%.*]] = kernel.buffer() : memref<1x1x5x5x3x16xf32>
// CHECK: [[PANELS:%.*]] = kernel.weight @w.rows.panels.planar3 : memref<1x1x5x1x32x16xf16>
// CHECK: [[ALL:%.*]] = memref.reinterpret_cast [[PANELS]] to offset: [0], sizes: [1, 5, 8, 4, 16]
// CHECK-NEXT: kernel.fill [[ALL]] with 0.000000e+00 : f16
// CHECK: [[OLD:%.*]] = memref.reinterpret_cast [[EXACT]] to offset: [0], sizes: [1, 5, 5, 3, 16]
// CHECK: [[NEW:%.*]] = memref.reinterpret_cast [[PANELS]] to offset: [0], sizes: [1, 5, 5, 3, 16], strides: [2560, 512, 64, 16, 1]
// CHECK-NEXT: kernel.loops ins([[OLD]] : {{.*}}) outs([[NEW]] : {{.*}}) body {
// CHECK: arith.truncf {{.*}} : f32 to f16

// Nothing is left of the padded planes.
// PLANES-NOT: 2x3x21x21

// 17 columns and two of padding on each side; of the last output's eight columns one is behind them.
// CHECK: kernel.variant @model_run_0
// CHECK: [[ROWS:%.*]] = kernel.buffer() : memref<2x21x24x4xf16>
// CHECK: kernel.fill {{.*}} with 0.000000e+00 : f16 : memref<2x21x24x4xf16
// CHECK: [[INSIDE:%.*]] = memref.reinterpret_cast [[ROWS]] to offset: [200], sizes: [2, 17, 17, 3], strides: [2016, 96, 4, 1]
// CHECK-NEXT: kernel.copy {{.*}} to [[INSIDE]] {kernel.narrow}
// A kernel of five columns reads 20 of the 32, so that what lies behind them is not even multiplied by zero.
// CHECK: [[DATA:%.*]] = memref.reinterpret_cast [[ROWS]] to offset: [0], sizes: [2, 1, 21, 9, 32], strides: [2016, 2016, 96, 8, 1]
// CHECK: kernel.conv data([[DATA]] : {{.*}}) weights({{.*}}xf16>) {{.*}}in_channels = 20 : i64, kernel = array<i64: 5, 1>, kernel.narrow, {{.*}}strides = array<i64: 2, 1>}
// Of an odd stride pixels do not begin at pieces of 16 bytes.
// CHECK: kernel.conv data({{.*}}xf32{{.*}}) weights({{.*}}xf32>) {{.*}}kernel = array<i64: 3, 3>

sg.weight @rows : tensor<16x3x5x5xf32>
sg.weight @odd : tensor<16x3x3x3xf32>
sg.graph @main(%x: tensor<2x3x17x17xf32> {sg.name = "x"}) -> (tensor<2x16x9x9xf32>, tensor<2x16x17x17xf32>) {
  %w1 = sg.parameter @rows : tensor<16x3x5x5xf32>
  %w2 = sg.parameter @odd : tensor<16x3x3x3xf32>
  %0 = sg.convolution(%x, %w1) {kernel = array<i64: 5, 5>, num_filter = 16 : i64, no_bias = true, pad = array<i64: 2, 2>, stride = array<i64: 2, 2>} : (tensor<2x3x17x17xf32>, tensor<16x3x5x5xf32>) -> tensor<2x16x9x9xf32>
  %1 = sg.convolution(%x, %w2) {kernel = array<i64: 3, 3>, num_filter = 16 : i64, no_bias = true, pad = array<i64: 1, 1>} : (tensor<2x3x17x17xf32>, tensor<16x3x3x3xf32>) -> tensor<2x16x17x17xf32>
  sg.heads %0, %1 : tensor<2x16x9x9xf32>, tensor<2x16x17x17xf32>
}
