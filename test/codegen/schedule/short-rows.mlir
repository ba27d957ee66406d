// If this fails, a layer of one tap writes rows of seven pixels apart, which tiles of six do not fit, or
// its reader has no zeros around the image.
// RUN: symc-opt --kernel-choose-layouts=target=x86-64-v3 --kernel-schedule --remarks-filter=kernel-layout --remark-format=emitRemark %s 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=CHECK-REMARK < %t.remarks
// RUN: symc-opt --kernel-choose-layouts=target=x86-64-v4 --kernel-schedule %s | FileCheck %s --check-prefix=WIDE

// With tiles of six pixels a layer of one tap computes the 49 pixels as one row: its output has no
// border, which the next layer's copy has. One of few channels writes into the border.
// CHECK-LABEL: kernel.program @main_program
// CHECK: kernel.conv {{.*}} out(%{{[a-z0-9_]+}} : memref<1x1x7x7x16xf32, strided<[1296, 1296, 144, 16, 1], offset: 160>>)
// CHECK: kernel.conv {{.*}} out(%{{[a-z0-9_]+}} : memref<1x1x7x7x16xf32, strided<[784, 784, 112, 16, 1]>>)
// CHECK: kernel.copy {{.*}} : memref<1x1x7x7x16xf32, strided<[784, 784, 112, 16, 1]>> to memref<1x1x7x7x16xf32, strided<[1296, 1296, 144, 16, 1], offset: 160>>
// CHECK: kernel.conv
// WIDE-COUNT-2: kernel.conv {{.*}} out(%{{[a-z0-9_]+}} : memref<1x1x7x7x16xf32, strided<[1296, 1296, 144, 16, 1], offset: 160>>)
// CHECK-REMARK: [Passed] halo {{.*}}"output 0 of node 'deep' is written without a border, which its reader gets in a copy: its pixels are one row"
sg.weight @wf : tensor<16x32x1x1xf32>
sg.weight @wd : tensor<16x256x1x1xf32>
sg.weight @w3 : tensor<16x16x3x3xf32>
sg.graph @main(%x: tensor<1x32x7x7xf32> {sg.name = "x"}, %y: tensor<1x256x7x7xf32> {sg.name = "y"}) -> (tensor<1x16x7x7xf32>, tensor<1x16x7x7xf32>) {
  %wf = sg.parameter @wf : tensor<16x32x1x1xf32>
  %wd = sg.parameter @wd : tensor<16x256x1x1xf32>
  %w3 = sg.parameter @w3 : tensor<16x16x3x3xf32>
  %f = sg.convolution(%x, %wf) {kernel = array<i64: 1, 1>, num_filter = 16 : i64, no_bias = true} : (tensor<1x32x7x7xf32>, tensor<16x32x1x1xf32>) -> tensor<1x16x7x7xf32> loc("few")
  %d = sg.convolution(%y, %wd) {kernel = array<i64: 1, 1>, num_filter = 16 : i64, no_bias = true} : (tensor<1x256x7x7xf32>, tensor<16x256x1x1xf32>) -> tensor<1x16x7x7xf32> loc("deep")
  %0 = sg.convolution(%f, %w3) {kernel = array<i64: 3, 3>, pad = array<i64: 1, 1>, num_filter = 16 : i64, no_bias = true} : (tensor<1x16x7x7xf32>, tensor<16x16x3x3xf32>) -> tensor<1x16x7x7xf32>
  %1 = sg.convolution(%d, %w3) {kernel = array<i64: 3, 3>, pad = array<i64: 1, 1>, num_filter = 16 : i64, no_bias = true} : (tensor<1x16x7x7xf32>, tensor<16x16x3x3xf32>) -> tensor<1x16x7x7xf32>
  sg.heads %0, %1 : tensor<1x16x7x7xf32>, tensor<1x16x7x7xf32>
}
