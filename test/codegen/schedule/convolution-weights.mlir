// If this fails, weights' gradients are computed by the reference kernel, or read images in another form than the layers
// beside them: layers that blocks of channels suit are sums over pixels in generated code.
// RUN: symc-opt --split-input-file --kernel-choose-layouts --kernel-schedule %s | FileCheck %s

// The image has one blocked form, with the border of the layer and its gradient, in which both read it.
// CHECK-LABEL: kernel.program @main_program
// CHECK: kernel.conv data(%[[X:.*]] : memref<3x2x10x10x16xf32
// CHECK-NOT: kernel.copy
// CHECK: kernel.conv_weights data(%{{.*}} : memref<3x2x10x10x16xf32{{.*}}slope(%{{.*}} : memref<3x3x4x4x16xf32{{.*}}sums(%{{.*}} : memref<1x1x3x20x3x3x16xf32>) {dilations = array<i64: 1, 1>, in_channels = 20 : i64, kernel = array<i64: 3, 3>, out_channels = 33 : i64, per_slot = 1 : i64, strides = array<i64: 2, 2>}
// CHECK: kernel.join_sums %{{.*}} to %{{.*}} : memref<1x3x180x16xf32{{.*}} to memref<33x180xf32
sg.weight @w : tensor<33x20x3x3xf32>
sg.graph @main(%x: tensor<3x20x8x8xf32> {sg.name = "x"}) -> (tensor<3x33x4x4xf32>, tensor<33x20x3x3xf32>) {
  %w = sg.parameter @w : tensor<33x20x3x3xf32>
  %0 = sg.convolution(%x, %w) {kernel = array<i64: 3, 3>, stride = array<i64: 2, 2>, pad = array<i64: 1, 1>, num_filter = 33 : i64, no_bias = true} : (tensor<3x20x8x8xf32>, tensor<33x20x3x3xf32>) -> tensor<3x33x4x4xf32>
  %1 = sg.convolution_weights(%x, %0) {kernel = array<i64: 3, 3>, stride = array<i64: 2, 2>, pad = array<i64: 1, 1>} : (tensor<3x20x8x8xf32>, tensor<3x33x4x4xf32>) -> tensor<33x20x3x3xf32>
  sg.heads %0, %1 : tensor<3x33x4x4xf32>, tensor<33x20x3x3xf32>
}

// -----

// Few channels are read as they lie, zeros around them; 40 images of 100 by 100 pixels are 120 chunks, 8 in a slot; groups that
// fill blocks are steps of their own; a line is an image of one row.
// CHECK-LABEL: kernel.program @main_program
// CHECK: kernel.conv_weights data(%{{.*}} : memref<40x1x102x102x3xf32, strided<[31212, 31212, 102, 1, 10404]>>) {{.*}}sums(%{{.*}} : memref<15x4x1x3x3x3x16xf32>) {{.*}}per_slot = 8
// CHECK-COUNT-2: kernel.conv_weights data(%{{.*}} : memref<1x1x4x4x16xf32{{.*}}sums(%{{.*}} : memref<1x1x2x16x2x2x16xf32>)
// CHECK: kernel.conv_weights data(%{{.*}} : memref<2x2x1x9x16xf32{{.*}}kernel = array<i64: 1, 3>
// CHECK-NOT: kernel.call
sg.graph @main(%x: tensor<40x3x100x100xf32> {sg.name = "x"}, %g: tensor<40x8x100x100xf32> {sg.name = "g"}, %y: tensor<1x32x4x4xf32> {sg.name = "y"}, %h: tensor<1x64x3x3xf32> {sg.name = "h"},
               %l: tensor<2x20x9xf32> {sg.name = "l"}, %k: tensor<2x5x7xf32> {sg.name = "k"})
    -> (tensor<8x3x3x3xf32>, tensor<64x16x2x2xf32>, tensor<5x20x3xf32>) {
  %0 = sg.convolution_weights(%x, %g) {kernel = array<i64: 3, 3>, pad = array<i64: 1, 1>} : (tensor<40x3x100x100xf32>, tensor<40x8x100x100xf32>) -> tensor<8x3x3x3xf32>
  %1 = sg.convolution_weights(%y, %h) {kernel = array<i64: 2, 2>, num_group = 2 : i64} : (tensor<1x32x4x4xf32>, tensor<1x64x3x3xf32>) -> tensor<64x16x2x2xf32>
  %2 = sg.convolution_weights(%l, %k) {kernel = array<i64: 3>} : (tensor<2x20x9xf32>, tensor<2x5x7xf32>) -> tensor<5x20x3xf32>
  sg.heads %0, %1, %2 : tensor<8x3x3x3xf32>, tensor<64x16x2x2xf32>, tensor<5x20x3xf32>
}

// -----

// Channels alone are vectors; groups of four, too.
// CHECK-LABEL: kernel.program @main_program
// CHECK: kernel.depthwise_weights data(%{{.*}} : memref<2x3x7x7x16xf32{{.*}}slope(%{{.*}} : memref<2x3x5x5x16xf32{{.*}}sums(%{{.*}} : memref<1x1x3x1x3x3x16xf32>)
// CHECK: kernel.join_sums %{{.*}} : memref<1x3x9x16xf32{{.*}} to memref<40x9xf32
// CHECK: kernel.depthwise_weights data({{.*}}sums(%{{.*}} : memref<1x1x3x4x3x3x16xf32>)
// CHECK: kernel.join_sums %{{.*}} : memref<1x3x36x16xf32{{.*}} to memref<40x36xf32
// CHECK-NOT: kernel.call
sg.graph @main(%x: tensor<2x40x5x5xf32> {sg.name = "x"}, %g: tensor<2x40x5x5xf32> {sg.name = "g"}) -> (tensor<40x1x3x3xf32>, tensor<40x4x3x3xf32>) {
  %0 = sg.convolution_weights(%x, %g) {kernel = array<i64: 3, 3>, pad = array<i64: 1, 1>, num_group = 40 : i64} : (tensor<2x40x5x5xf32>, tensor<2x40x5x5xf32>) -> tensor<40x1x3x3xf32>
  %1 = sg.convolution_weights(%x, %g) {kernel = array<i64: 3, 3>, pad = array<i64: 1, 1>, num_group = 10 : i64} : (tensor<2x40x5x5xf32>, tensor<2x40x5x5xf32>) -> tensor<40x4x3x3xf32>
  sg.heads %0, %1 : tensor<40x1x3x3xf32>, tensor<40x4x3x3xf32>
}
