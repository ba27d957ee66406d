// If this fails, a 3x3 layer is not taken by the forced kernel, its scratch or its
// weights have the wrong size, or nobody is told why another layer is direct.
// RUN: symc-opt --kernel-choose-layouts --kernel-schedule "--kernel-choose-algorithms=target=x86-64-v4 force-kernel=winograd-f4" %s | FileCheck %s
// RUN: symc-opt --kernel-choose-layouts --kernel-schedule "--kernel-choose-algorithms=target=x86-64-v4 force-kernel=winograd-f4" --remarks-filter='kernel-choose-algorithms' --remark-format=emitRemark %s 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: symc-opt --kernel-choose-layouts --kernel-schedule "--kernel-choose-algorithms=target=x86-64-v4 math=strict" --remarks-filter='kernel-choose-algorithms' --remark-format=emitRemark %s 2>&1 | FileCheck %s --check-prefix=STRICT
// RUN: symc-opt --kernel-choose-layouts --kernel-schedule "--kernel-choose-algorithms=target=x86-64-v4 force-kernel=winograd-f4-on-the-fly" %s | FileCheck %s --check-prefix=FLY

sg.weight @w1 : tensor<40x32x3x3xf32>
sg.weight @b1 : tensor<40xf32>
sg.weight @w2 : tensor<40x40x1x1xf32>
sg.weight @w3 : tensor<40x40x3x3xf32>

// Nine tiles of 4 x 4 outputs; 36 positions of 3 output and 2 input blocks. The
// words of the rows of scratch are zeroed once.
// CHECK-LABEL: kernel.program @main_program
// CHECK: %[[SLOTS:.*]] = kernel.buffer() : memref<16x16xi32>
// CHECK: kernel.fill %{{.*}} with 0 : i32
// CHECK: kernel.weight @w.w1.winograd.m4.r3 : memref<36x3x2x16x16xf32>
// CHECK: %[[SCRATCH:.*]] = kernel.buffer() : memref<1x{{[0-9]+}}xf32>
// CHECK: kernel.winograd data(%{{.*}} : memref<1x2x13x13x16xf32{{.*}}scratch(%[[SCRATCH]] : memref<1x{{[0-9]+}}xf32>, %[[SLOTS]] : memref<16x16xi32>)
// CHECK-SAME: block = array<i64: 9, {{[0-9]}}>, in_channels = 32 : i64, out_channels = 40 : i64, output_tile = 4 : i64, per_task = array<i64: 1, 3>
// CHECK: ^bb0(%[[SUM:.*]]: f32, %[[BIAS:.*]]: f32):
// CHECK: arith.addf %[[SUM]], %[[BIAS]]
// CHECK: kernel.conv
// CHECK: kernel.conv
// REMARK: [Passed] convolution {{.*}}"winograd-f4 in 1 tasks, 9 tiles and {{[0-9]}} output blocks at once: forced; error at most {{[0-9.]+}}E-06 of a channel's largest"
// REMARK: [Missed] convolution {{.*}}"direct convolution: its kernel is 1x1, Winograd takes 3x3"
// REMARK: [Missed] convolution {{.*}}"direct convolution: it has stride 2, Winograd takes 1"
// STRICT: [Missed] convolution {{.*}}"direct convolution: strict mathematics keeps to it"
sg.graph @main(%x: tensor<1x32x11x11xf32> {sg.name = "x"}) -> (tensor<1x40x6x6xf32>) {
  %w1 = sg.parameter @w1 : tensor<40x32x3x3xf32>
  %b1 = sg.parameter @b1 : tensor<40xf32>
  %w2 = sg.parameter @w2 : tensor<40x40x1x1xf32>
  %w3 = sg.parameter @w3 : tensor<40x40x3x3xf32>
  %0 = sg.convolution(%x, %w1, %b1) {kernel = array<i64: 3, 3>, pad = array<i64: 1, 1>, num_filter = 40 : i64} : (tensor<1x32x11x11xf32>, tensor<40x32x3x3xf32>, tensor<40xf32>) -> tensor<1x40x11x11xf32>
  %1 = sg.convolution(%0, %w2) {kernel = array<i64: 1, 1>, num_filter = 40 : i64, no_bias = true} : (tensor<1x40x11x11xf32>, tensor<40x40x1x1xf32>) -> tensor<1x40x11x11xf32>
  %2 = sg.convolution(%1, %w3) {kernel = array<i64: 3, 3>, stride = array<i64: 2, 2>, pad = array<i64: 1, 1>, num_filter = 40 : i64, no_bias = true} : (tensor<1x40x11x11xf32>, tensor<40x40x3x3xf32>) -> tensor<1x40x6x6xf32>
  sg.heads %2 : tensor<1x40x6x6xf32>
}

// FLY: kernel.weight @w.w1.winograd.m4.r3.on_the_fly : memref<3x2x16x9x16xf32>
// FLY: kernel.pack_winograd %{{.*}} to %{{.*}} {form = #kernel.form<winograd, m = 4, r = 3, onTheFly = true>} : memref<40x32x3x3xf32{{.*}} to memref<3x2x16x9x16xf32>

// CHECK-LABEL: kernel.program @prepare_program
// CHECK: kernel.pack_winograd %{{.*}} to %{{.*}} {form = #kernel.form<winograd, m = 4, r = 3>} : memref<40x32x3x3xf32{{.*}} to memref<36x3x2x16x16xf32>
