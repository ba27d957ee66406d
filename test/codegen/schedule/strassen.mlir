// If this fails, a 1x1 layer is not taken by the forced kernel, its scratch or its
// weights have the wrong size, or nobody is told why another layer is direct.
// RUN: symc-opt --kernel-choose-layouts --kernel-schedule "--kernel-choose-algorithms=target=x86-64-v4 force-kernel=strassen" %s | FileCheck %s
// RUN: symc-opt --kernel-choose-layouts --kernel-schedule "--kernel-choose-algorithms=target=x86-64-v4 force-kernel=strassen" --remarks-filter='kernel-choose-algorithms' --remark-format=emitRemark %s 2>&1 | FileCheck %s --check-prefix=REMARK

sg.weight @w1 : tensor<64x32x1x1xf32>
sg.weight @b1 : tensor<64xf32>
sg.weight @w2 : tensor<32x64x1x1xf32>
sg.weight @w4 : tensor<64x64x2x2xf32>
sg.weight @w3 : tensor<40x32x1x1xf32>

// Around the first result lie zeros for the next layer, so its eight rows are halved as
// rows; the nine of the other are one row of 90 pixels.
// CHECK-LABEL: kernel.program @main_program
// CHECK: %[[SLOTS:.*]] = kernel.buffer() : memref<16x16xi32>
// CHECK: kernel.fill %{{.*}} with 0 : i32
// CHECK: kernel.weight @w.w1.strassen : memref<3x7x1x1x1x16x16xf32>
// CHECK: %[[SCRATCH:.*]] = kernel.buffer() : memref<{{[0-9]+}}x{{[0-9]+}}xf32>
// CHECK: kernel.strassen data(%{{.*}} : memref<1x2x8x9x16xf32{{.*}}scratch(%[[SCRATCH]] : memref<{{.*}}>, %[[SLOTS]] : memref<16x16xi32>)
// CHECK-SAME: {in_channels = 32 : i64, out_channels = 64 : i64, per_task = array<i64: {{[0-9]+}}, {{[0-9]+}}>, reason = "forced", unit = {{9|18|27|36}} : i64
// CHECK: ^bb0(%[[SUM:.*]]: f32, %[[BIAS:.*]]: f32):
// CHECK: arith.addf %[[SUM]], %[[BIAS]]
// CHECK: kernel.conv
// CHECK: kernel.strassen
// CHECK-SAME: flat
// CHECK-SAME: unit = 45 : i64
// CHECK: kernel.conv
// REMARK: [Passed] convolution {{.*}}"strassen in {{[0-9]+}} tasks, {{9|18|27|36}} pixels of a half at once: forced; error at most 1.1E-05 of a channel's largest"
// REMARK: [Missed] convolution {{.*}}"direct convolution: its kernel is 2x2, Strassen's product takes 1x1"
// REMARK: [Passed] convolution {{.*}}"strassen in {{[0-9]+}} tasks, 45 pixels of a half at once: forced
// REMARK: [Missed] convolution {{.*}}"direct convolution: it has 32 input and 40 output channels, Strassen's product takes multiples of 32"
sg.graph @main(%x: tensor<1x32x8x9xf32> {sg.name = "x"}) -> (tensor<1x40x9x10xf32>) {
  %w1 = sg.parameter @w1 : tensor<64x32x1x1xf32>
  %b1 = sg.parameter @b1 : tensor<64xf32>
  %w2 = sg.parameter @w2 : tensor<32x64x1x1xf32>
  %w3 = sg.parameter @w3 : tensor<40x32x1x1xf32>
  %0 = sg.convolution(%x, %w1, %b1) {kernel = array<i64: 1, 1>, num_filter = 64 : i64} : (tensor<1x32x8x9xf32>, tensor<64x32x1x1xf32>, tensor<64xf32>) -> tensor<1x64x8x9xf32>
  %w4 = sg.parameter @w4 : tensor<64x64x2x2xf32>
  %p = sg.convolution(%0, %w4) {kernel = array<i64: 2, 2>, pad = array<i64: 1, 1>, num_filter = 64 : i64, no_bias = true} : (tensor<1x64x8x9xf32>, tensor<64x64x2x2xf32>) -> tensor<1x64x9x10xf32>
  %1 = sg.convolution(%p, %w2) {kernel = array<i64: 1, 1>, num_filter = 32 : i64, no_bias = true} : (tensor<1x64x9x10xf32>, tensor<32x64x1x1xf32>) -> tensor<1x32x9x10xf32>
  %2 = sg.convolution(%1, %w3) {kernel = array<i64: 1, 1>, num_filter = 40 : i64, no_bias = true} : (tensor<1x32x9x10xf32>, tensor<40x32x1x1xf32>) -> tensor<1x40x9x10xf32>
  sg.heads %2 : tensor<1x40x9x10xf32>
}

// CHECK-LABEL: kernel.program @prepare_program
// CHECK: kernel.pack_strassen_scales %{{.*}} to %{{.*}} : memref<64x32x1x1xf32{{.*}} to memref<3x7x1x1x1x16x16xf32>
// CHECK: kernel.pack_strassen %{{.*}} to %{{.*}} : memref<64x32x1x1xf32{{.*}} to memref<3x7x1x1x1x16x16xf32>
