// If this fails, trackers that look for one image in another leave their generated code: a
// convolution whose weight or bias the graph computes, or gets, packs its taps or panels in each run.
// RUN: symc-opt --kernel-choose-layouts --kernel-schedule %s | FileCheck %s

// CHECK-LABEL: kernel.program @main_program
// CHECK: kernel.pack_depthwise {{.*}} to memref<3x2x2x16xf32>
// CHECK: kernel.depthwise {{.*}}weights(%{{.*}} : memref<3x2x2x16xf32>)
// One along a line has rows of one tap.
// CHECK: kernel.pack_depthwise {{.*}} to memref<2x1x3x16xf32>
// CHECK: kernel.depthwise
// Sums over channels are direct, and stay so.
// CHECK: kernel.pack_panels {{.*}} to memref<2x3x1x1x16x16xf32>
// CHECK: kernel.conv data(%{{.*}} : memref<1x3x8x8x16xf32
// CHECK-NOT: choose
// Few channels are read as they lie, zeros around them; the bias gets a whole block.
// CHECK: kernel.copy {{.*}} to memref<1x3x8x8xf32, strided<[300, 100, 10, 1], offset: 11>>
// CHECK: kernel.copy {{.*}} to memref<7xf32
// CHECK: kernel.pack_panels {{.*}} to memref<1x1x3x3x3x16xf32>
// CHECK: kernel.conv data(%{{.*}} : memref<1x1x10x10x3xf32{{.*}}extras(%{{.*}} : memref<1x1x8x8x16xf32, strided<[0, 16, 0, 0, 1]>>)
// CHECK-SAME: zeros = #kernel.padding<top = 1, bottom = 1, left = 1, right = 1>
// CHECK-NOT: choose
sg.graph @main(%x: tensor<1x40x8x8xf32> {sg.name = "x"}, %t: tensor<1x40x2x2xf32> {sg.name = "t"}, %l: tensor<1x32x9xf32> {sg.name = "l"}, %v: tensor<32x1x3xf32> {sg.name = "v"}, %d: tensor<32x40x1x1xf32> {sg.name = "d"}, %i: tensor<1x3x8x8xf32> {sg.name = "i"}, %f: tensor<7x3x3x3xf32> {sg.name = "f"}, %b: tensor<7xf32> {sg.name = "b"}) -> (tensor<1x40x7x7xf32>, tensor<1x32x7xf32>, tensor<1x32x8x8xf32>, tensor<1x7x8x8xf32>) {
  %0 = sg.unary(%t) {fn = "relu"} : (tensor<1x40x2x2xf32>) -> tensor<1x40x2x2xf32> loc("map")
  %1 = sg.reshape(%0) {shape = array<i64: -1, 1, 2, 2>} : (tensor<1x40x2x2xf32>) -> tensor<40x1x2x2xf32> loc("taps")
  %2 = sg.convolution(%x, %1) {kernel = array<i64: 2, 2>, num_filter = 40 : i64, num_group = 40 : i64, no_bias = true} : (tensor<1x40x8x8xf32>, tensor<40x1x2x2xf32>) -> tensor<1x40x7x7xf32> loc("found")
  %3 = sg.convolution(%l, %v) {kernel = array<i64: 3>, num_filter = 32 : i64, num_group = 32 : i64, no_bias = true} : (tensor<1x32x9xf32>, tensor<32x1x3xf32>) -> tensor<1x32x7xf32> loc("line")
  %4 = sg.convolution(%x, %d) {kernel = array<i64: 1, 1>, num_filter = 32 : i64, no_bias = true} : (tensor<1x40x8x8xf32>, tensor<32x40x1x1xf32>) -> tensor<1x32x8x8xf32> loc("dense")
  %5 = sg.convolution(%i, %f, %b) {kernel = array<i64: 3, 3>, pad = array<i64: 1, 1>, num_filter = 7 : i64} : (tensor<1x3x8x8xf32>, tensor<7x3x3x3xf32>, tensor<7xf32>) -> tensor<1x7x8x8xf32> loc("few")
  sg.heads %2, %3, %4, %5 : tensor<1x40x7x7xf32>, tensor<1x32x7xf32>, tensor<1x32x8x8xf32>, tensor<1x7x8x8xf32>
}
