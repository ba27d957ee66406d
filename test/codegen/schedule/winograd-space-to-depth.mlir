// If this fails, a strided layer over three channels is not computed over the phases of
// its image, some phase is not copied, or its padding is not zero.
// RUN: symc-opt --kernel-choose-layouts --kernel-schedule "--kernel-choose-algorithms=target=x86-64-v4 force-kernel=winograd-space-to-depth" %s | FileCheck %s
// RUN: symc-opt --kernel-choose-layouts --kernel-schedule "--kernel-choose-algorithms=target=x86-64-v4 force-kernel=winograd-space-to-depth" --remarks-filter='kernel-choose-algorithms' --remark-format=emitRemark %s 2>&1 | FileCheck %s --check-prefix=REMARK

sg.weight @w : tensor<40x3x7x7xf32>
sg.weight @d : tensor<40x40x3x3xf32>

// Rows 0 and 1 of the phases are padding for some of them, so are the last two.
// CHECK-LABEL: kernel.program @main_program
// CHECK: %[[IMAGE:.*]] = kernel.buffer() : memref<1x1x19x15x16xf32>
// CHECK-COUNT-4: kernel.fill
// CHECK: kernel.copy %{{.*}} to %{{.*}} : memref<1x1x16x12x3xf32, strided<[2304, 3072, 48, 2, 768], offset: 25>> to memref<1x1x16x12x3xf32, strided<[4560, 4560, 240, 16, 4], offset: 512>>
// CHECK-COUNT-3: kernel.copy
// CHECK: kernel.weight @w.w.winograd.m3.r4.by2 : memref<36x3x1x16x16xf32>
// CHECK: kernel.winograd data(%{{.*}} : memref<1x1x19x15x16xf32
// CHECK-SAME: in_channels = 12 : i64, layer = array<i64: 3, 2, 7, 7>, out_channels = 40 : i64, output_tile = 3 : i64
// CHECK: kernel.conv
// REMARK: [Passed] convolution {{.*}}"winograd-space-to-depth in 1 tasks, {{[0-9]+}} tiles
// REMARK: [Missed] convolution {{.*}}"direct convolution: it has strides 1x1 and dilations 1x1, space-to-depth needs strides of 2 or 4 both ways"
sg.graph @main(%x: tensor<1x3x32x24xf32> {sg.name = "x"}) -> (tensor<1x40x16x12xf32>) {
  %w = sg.parameter @w : tensor<40x3x7x7xf32>
  %d = sg.parameter @d : tensor<40x40x3x3xf32>
  %0 = sg.convolution(%x, %w) {kernel = array<i64: 7, 7>, stride = array<i64: 2, 2>, pad = array<i64: 3, 3>, num_filter = 40 : i64, no_bias = true} : (tensor<1x3x32x24xf32>, tensor<40x3x7x7xf32>) -> tensor<1x40x16x12xf32>
  %1 = sg.convolution(%0, %d) {kernel = array<i64: 3, 3>, pad = array<i64: 1, 1>, num_filter = 40 : i64, no_bias = true} : (tensor<1x40x16x12xf32>, tensor<40x40x3x3xf32>) -> tensor<1x40x16x12xf32>
  sg.heads %1 : tensor<1x40x16x12xf32>
}

// CHECK-LABEL: kernel.program @prepare_program
// CHECK: kernel.pack_winograd %{{.*}} to %{{.*}} {form = #kernel.form<winograd, m = 3, r = 4, stride = 2>} : memref<40x3x7x7xf32{{.*}} to memref<36x3x1x16x16xf32>
