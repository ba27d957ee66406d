// If this fails, sums of quantised integers leave the kernel over bytes, their weights are packed
// at every run although @prepare could, or what a sum begins with is lost.
// RUN: symc-opt --kernel-choose-layouts --kernel-schedule %s | FileCheck %s

sg.weight @w : tensor<20x16x3x3xi8>
sg.weight @v : tensor<24x18xi8>

// Data with a sign is read plus 128: a window of 128s gives what is too much, with the bias.
// CHECK-LABEL: kernel.program @main_program
// CHECK: kernel.loops ins({{.*}}) outs({{.*}}memref<1xf32{{.*}}memref<1xf32
// CHECK: kernel.loops {{.*}}body {
// CHECK: arith.extsi %{{.*}} : i8 to i32
// CHECK: %[[PANELS:.*]] = kernel.weight @w.w.quads : memref<2x1x3x3x16x16xi8>
// CHECK: kernel.fill %{{.*}} with -128 : i8
// CHECK: kernel.conv data(%{{.*}} : memref<1x1x3x3x16xi8{{.*}}weights(%[[PANELS]] {{.*}}out(%{{.*}} : memref<1x2x1x1x16xi32
// CHECK: arith.subi
// CHECK: kernel.conv data(%{{.*}} : memref<1x1x10x10x16xi8{{.*}}weights(%[[PANELS]] {{.*}}out(%{{.*}} : memref<1x2x8x8x16xi32{{.*}}shifted
// CHECK: arith.addi
// Rows of 18 are copied to rows of 20, which are whole quads.
// CHECK: kernel.buffer() : memref<5x20xi8>
// CHECK: kernel.weight @w.v.quads : memref<2x2x1x1x16x16xi8>
// CHECK: kernel.conv data(%{{.*}} : memref<1x2x1x5x16xi8, strided<[0, 16, 0, 20, 1]>>){{.*}}extras(){{.*}}in_channels = 18 : i64, kernel = array<i64: 1, 1>
// CHECK-NOT: shifted
// CHECK-NOT: kernel.call
// CHECK-LABEL: kernel.program @prepare_program
sg.graph @main(%x: tensor<1x16x8x8xi8> {sg.name = "x"}, %b: tensor<20xi8> {sg.name = "b"}, %y: tensor<5x18xui8> {sg.name = "y"}, %lo: tensor<1xf32> {sg.name = "lo"}, %hi: tensor<1xf32> {sg.name = "hi"})
    -> (tensor<1x20x8x8xi32>, tensor<5x24xi32>) {
  %w = sg.parameter @w : tensor<20x16x3x3xi8>
  %v = sg.parameter @v : tensor<24x18xi8>
  %s:3 = sg.quantized_conv(%x, %w, %b, %lo, %hi, %lo, %hi, %lo, %hi) {kernel = array<i64: 3, 3>, pad = array<i64: 1, 1>, num_filter = 20 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 1, 1>} : (tensor<1x16x8x8xi8>, tensor<20x16x3x3xi8>, tensor<20xi8>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> (tensor<1x20x8x8xi32>, tensor<1xf32>, tensor<1xf32>)
  %r:3 = sg.quantized_fully_connected(%y, %v, %lo, %hi, %lo, %hi) {num_hidden = 24 : i64, no_bias = true, operandSegmentSizes = array<i32: 1, 1, 0, 1, 1, 1, 1, 0, 0>} : (tensor<5x18xui8>, tensor<24x18xi8>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> (tensor<5x24xi32>, tensor<1xf32>, tensor<1xf32>)
  sg.heads %s#0, %r#0 : tensor<1x20x8x8xi32>, tensor<5x24xi32>
}
