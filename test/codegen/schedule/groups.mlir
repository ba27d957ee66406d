// If this fails, groups of channels that begin within blocks are steps of their own with copies
// around them, or run in reference code.
// RUN: symc-opt --kernel-choose-layouts --kernel-schedule %s | FileCheck %s

sg.weight @w : tensor<24x12x1x1xf32>
sg.weight @v : tensor<36x8x3x3xf32>

// CHECK-LABEL: kernel.program @main_program
// Of two groups of 12 outputs the first block of 16 has both: three panels of 12 rows.
// CHECK: kernel.conv data(%{{.*}} : memref<1x2x{{[^)]*}}) weights(%{{.*}} : memref<3x1x1x1x12x16xf32>)
// CHECK-SAME: in_channels = 12 : i64{{.*}} kernel.groups = array<i64: 2, 1>{{.*}} out_channels = 24 : i64
// The next layer's three groups of 8 inputs are read from the four parts in turn, with their border.
// CHECK-NOT: kernel.copy
// CHECK: kernel.conv data(%{{.*}} : memref<1x2x10x10x16xf32{{.*}} weights(%{{.*}} : memref<5x1x3x3x8x16xf32>)
// CHECK-SAME: in_channels = 8 : i64{{.*}} kernel.groups = array<i64: 3, 4>{{.*}} out_channels = 36 : i64
// CHECK-NOT: choose
// CHECK-LABEL: kernel.program @prepare_program
// CHECK: kernel.pack_panels {{.*}} {kernel.groups = array<i64: 2, 1>} : memref<24x12x1x1xf32{{.*}}> to memref<3x1x1x1x12x16xf32>
// CHECK: kernel.pack_panels {{.*}} {kernel.groups = array<i64: 3, 1>} : memref<36x8x3x3xf32{{.*}}> to memref<5x1x3x3x8x16xf32>
sg.graph @main(%x: tensor<1x24x8x8xf32> {sg.name = "x"}) -> (tensor<1x36x8x8xf32>) {
  %w = sg.parameter @w : tensor<24x12x1x1xf32>
  %v = sg.parameter @v : tensor<36x8x3x3xf32>
  %0 = sg.convolution(%x, %w) {kernel = array<i64: 1, 1>, num_filter = 24, num_group = 2, no_bias = true, shuffle = array<i64: 1>} : (tensor<1x24x8x8xf32>, tensor<24x12x1x1xf32>) -> tensor<1x24x8x8xf32>
  %1 = sg.convolution(%0, %v) {kernel = array<i64: 3, 3>, pad = array<i64: 1, 1>, num_filter = 36, num_group = 3, no_bias = true, shuffle = array<i64: 4>} : (tensor<1x24x8x8xf32>, tensor<36x8x3x3xf32>) -> tensor<1x36x8x8xf32>
  sg.heads %1 : tensor<1x36x8x8xf32>
}
