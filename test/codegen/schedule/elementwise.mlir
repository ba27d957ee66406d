// If this fails, an elementwise chain reads another element than the one that
// MXNet pairs with it, or copies between layouts for nothing.
// RUN: symc-opt --kernel-choose-layouts --kernel-schedule %s | FileCheck %s

sg.weight @w : tensor<16x16x1x1xf32>
sg.weight @s : tensor<1x16x1x1xf32>

// CHECK-LABEL: kernel.program @main_program
// CHECK: ^bb0(%[[X:.*]]: memref<2x3xf32>, %[[V:.*]]: memref<2x1xf32>, %[[I:.*]]: memref<1x16x4x4xf32>, %[[P:.*]]: memref<2x3xf32>, %[[Q:.*]]: memref<1x16x4x4xf32>):

// Plain: a broadcast axis has stride 0; two nodes are one body, straight into
// the program's output.
// CHECK: %[[B:.*]] = memref.reinterpret_cast %[[V]] to offset: [0], sizes: [2, 3], strides: [1, 0]
// CHECK: kernel.loops ins({{.*}}%[[B]]
// CHECK: arith.addf
// CHECK: math.exp
// CHECK: kernel.yield

// Blocked, because the convolution's result is: the weight over channels is a
// vector of lanes, and no copy stands between.
// CHECK: kernel.conv
// CHECK-NOT: kernel.copy
// CHECK: %[[S:.*]] = kernel.weight @w.s.vector : memref<16xf32>
// CHECK: memref.reinterpret_cast %[[S]] to offset: [0], sizes: [1, 1, 4, 4, 16], strides: [0, 16, 0, 0, 1]
// CHECK: kernel.loops
// CHECK: arith.mulf
sg.graph @main(%x: tensor<2x3xf32> {sg.name = "x"}, %v: tensor<2x1xf32> {sg.name = "v"}, %i: tensor<1x16x4x4xf32> {sg.name = "i"}) -> (tensor<2x3xf32>, tensor<1x16x4x4xf32>) {
  %w = sg.parameter @w : tensor<16x16x1x1xf32>
  %s = sg.parameter @s : tensor<1x16x1x1xf32>
  %0 = sg.fused(%x, %v) : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32> body {
  ^bb0(%a: tensor<2x3xf32>, %b: tensor<2x1xf32>):
    %c = sg.binary(%a, %b) {fn = "add", broadcast = true} : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
    %d = sg.unary(%c) {fn = "exp"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
    sg.yield %d : tensor<2x3xf32>
  }
  %1 = sg.convolution(%i, %w) {kernel = array<i64: 1, 1>, num_filter = 16 : i64, no_bias = true} : (tensor<1x16x4x4xf32>, tensor<16x16x1x1xf32>) -> tensor<1x16x4x4xf32>
  %2 = sg.binary(%1, %s) {fn = "mul", broadcast = true} : (tensor<1x16x4x4xf32>, tensor<1x16x1x1xf32>) -> tensor<1x16x4x4xf32>
  sg.heads %0, %2 : tensor<2x3xf32>, tensor<1x16x4x4xf32>
}
