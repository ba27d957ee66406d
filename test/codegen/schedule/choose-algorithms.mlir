// If this fails, a layer that the schedule left open stays open, its padding is not laid around
// planar data, panels that nobody reads stay among the weights, or two layers of one weight
// lose the form that one of them still reads.
// RUN: symc-opt --kernel-choose-layouts --kernel-schedule %s | FileCheck %s --check-prefix=OPEN
// RUN: symc-opt --kernel-choose-layouts --kernel-schedule "--kernel-choose-algorithms=target=x86-64-v4 force-kernel=winograd-f4" %s | FileCheck %s
// RUN: not symc-opt --kernel-choose-layouts --kernel-schedule --kernel-plan-arena --kernel-choose-tiles=target=x86-64-v3 --kernel-outline %s 2>&1 | FileCheck %s --check-prefix=REFUSED

// OPEN: kernel.conv data(%{{.*}} : memref<1x1x12x12x3xf32{{.*}}choose = "images"{{.*}}pad = #kernel.padding<top = 1, bottom = 1, left = 1, right = 1>
// OPEN: kernel.prepared @w.v.panels at 1728

// Nearest miss of kernel-choose-algorithms: the first layer reads a padded copy; nothing can compute
// it but the direct convolution.
// CHECK-LABEL: kernel.program @main_program
// CHECK-NOT: choose
// CHECK: %[[PADDED:.*]] = kernel.buffer() : memref<1x3x14x14xf32>
// CHECK-COUNT-4: kernel.fill
// CHECK: kernel.copy
// CHECK: kernel.conv data(%{{.*}} : memref<1x1x14x14x3xf32
// CHECK-SAME: reason = "its image is read as it lies, Winograd takes blocks of 16 channels"
// CHECK-SAME: zeros = #kernel.padding<top = 1, bottom = 1, left = 1, right = 1>
// CHECK: kernel.winograd
// CHECK-SAME: reason = "forced"
// CHECK: kernel.winograd
// CHECK: kernel.conv
// CHECK-SAME: reason = "it has stride 2, Winograd takes 1"
// CHECK: kernel.prepared @w.u.panels.planar3 at 0 :
// CHECK-NEXT: kernel.prepared @w.v.winograd.m4.r3 at 1728 :
// CHECK-NEXT: kernel.prepared @w.s.winograd.m4.r3 at 38592 :
// CHECK-NEXT: kernel.prepared @w.s.panels at 75456 :
sg.weight @u : tensor<16x3x3x3xf32>
sg.weight @v : tensor<16x16x3x3xf32>
sg.weight @s : tensor<16x16x3x3xf32>
sg.graph @main(%x: tensor<1x3x12x12xf32> {sg.name = "x"}) -> (tensor<1x16x6x6xf32>) {
  %u = sg.parameter @u : tensor<16x3x3x3xf32>
  %v = sg.parameter @v : tensor<16x16x3x3xf32>
  %s = sg.parameter @s : tensor<16x16x3x3xf32>
  %0 = sg.convolution(%x, %u) {kernel = array<i64: 3, 3>, pad = array<i64: 1, 1>, num_filter = 16 : i64, no_bias = true} : (tensor<1x3x12x12xf32>, tensor<16x3x3x3xf32>) -> tensor<1x16x12x12xf32>
  %1 = sg.convolution(%0, %v) {kernel = array<i64: 3, 3>, pad = array<i64: 1, 1>, num_filter = 16 : i64, no_bias = true} : (tensor<1x16x12x12xf32>, tensor<16x16x3x3xf32>) -> tensor<1x16x12x12xf32>
  %2 = sg.convolution(%1, %s) {kernel = array<i64: 3, 3>, pad = array<i64: 1, 1>, num_filter = 16 : i64, no_bias = true} : (tensor<1x16x12x12xf32>, tensor<16x16x3x3xf32>) -> tensor<1x16x12x12xf32>
  %3 = sg.convolution(%2, %s) {kernel = array<i64: 3, 3>, stride = array<i64: 2, 2>, pad = array<i64: 1, 1>, num_filter = 16 : i64, no_bias = true} : (tensor<1x16x12x12xf32>, tensor<16x16x3x3xf32>) -> tensor<1x16x6x6xf32>
  sg.heads %3 : tensor<1x16x6x6xf32>
}

// CHECK-LABEL: kernel.program @prepare_program
// CHECK: kernel.pack_panels
// CHECK: kernel.pack_winograd
// CHECK: kernel.pack_winograd
// CHECK: kernel.pack_panels
// CHECK-NOT: kernel.pack

// REFUSED: error: internal error: conv over data without its padding, which kernel-choose-algorithms adds
