// If this fails, a group that no kernel takes is lost, or no remark reports it.
// RUN: symc-opt --split-input-file --kernel-choose-layouts --kernel-schedule %s | FileCheck %s
// RUN: symc-opt --split-input-file --kernel-choose-layouts --kernel-schedule --remarks-filter=kernel-schedule --remark-format=emitRemark %s 2>&1 >/dev/null | FileCheck %s --check-prefix=WHY

// A convolution over three dimensions has no tile kernel: its group is a call and a loop.
// WHY: [Missed] convolution {{.*}}its window has 3 axes, tiles take one or two
// WHY: [Missed] split {{.*}}no kernel takes the whole group; '{{.*}}' is computed apart from the nodes around it
// WHY: [Missed] call {{.*}}calls its reference kernel symc_ref_convolution_f32
// CHECK: kernel.call "symc_ref_convolution_f32"
// CHECK: kernel.loops
sg.weight @w : tensor<4x4x1x1x1xf32>
sg.graph @main(%x: tensor<1x4x2x2x2xf32> {sg.name = "x"}) -> (tensor<1x4x2x2x2xf32>) {
  %w = sg.parameter @w : tensor<4x4x1x1x1xf32>
  %0 = sg.fused(%x, %w) : (tensor<1x4x2x2x2xf32>, tensor<4x4x1x1x1xf32>) -> tensor<1x4x2x2x2xf32> body {
  ^bb0(%d: tensor<1x4x2x2x2xf32>, %v: tensor<4x4x1x1x1xf32>):
    %c = sg.convolution(%d, %v) {kernel = array<i64: 1, 1, 1>, num_filter = 4 : i64, no_bias = true} : (tensor<1x4x2x2x2xf32>, tensor<4x4x1x1x1xf32>) -> tensor<1x4x2x2x2xf32>
    %r = sg.unary(%c) {fn = "relu"} : (tensor<1x4x2x2x2xf32>) -> tensor<1x4x2x2x2xf32>
    sg.yield %r : tensor<1x4x2x2x2xf32>
  }
  sg.heads %0 : tensor<1x4x2x2x2xf32>
}

// -----

// A weight that is an image cannot be read in blocks.
// WHY: [Missed] convolution {{.*}}an operand of the nodes around it cannot be read in the form of its result
// WHY: [Missed] split {{.*}}no kernel takes the whole group; '{{.*}}' is computed apart from the nodes around it
// CHECK: kernel.conv
// CHECK: kernel.loops
sg.weight @w : tensor<16x16x1x1xf32>
sg.weight @image : tensor<1x16x8x8xf32>
sg.graph @main(%x: tensor<1x16x8x8xf32> {sg.name = "x"}) -> (tensor<1x16x8x8xf32>) {
  %w = sg.parameter @w : tensor<16x16x1x1xf32>
  %i = sg.parameter @image : tensor<1x16x8x8xf32>
  %0 = sg.fused(%x, %w, %i) : (tensor<1x16x8x8xf32>, tensor<16x16x1x1xf32>, tensor<1x16x8x8xf32>) -> tensor<1x16x8x8xf32> body {
  ^bb0(%d: tensor<1x16x8x8xf32>, %v: tensor<16x16x1x1xf32>, %j: tensor<1x16x8x8xf32>):
    %c = sg.convolution(%d, %v) {kernel = array<i64: 1, 1>, num_filter = 16 : i64, no_bias = true} : (tensor<1x16x8x8xf32>, tensor<16x16x1x1xf32>) -> tensor<1x16x8x8xf32>
    %r = sg.binary(%c, %j) {fn = "add"} : (tensor<1x16x8x8xf32>, tensor<1x16x8x8xf32>) -> tensor<1x16x8x8xf32>
    sg.yield %r : tensor<1x16x8x8xf32>
  }
  sg.heads %0 : tensor<1x16x8x8xf32>
}

// -----

// Nodes over truth values have no bodies: each is a call.
// WHY: [Missed] split {{.*}}no kernel takes the whole group; its nodes are computed one by one
// CHECK: kernel.call "symc_ref_unary_bool"
// CHECK: kernel.call "symc_ref_unary_bool"
sg.graph @main(%x: tensor<8xi1> {sg.name = "x"}) -> (tensor<8xi1>) {
  %0 = sg.fused(%x) : (tensor<8xi1>) -> tensor<8xi1> body {
  ^bb0(%d: tensor<8xi1>):
    %a = sg.unary(%d) {fn = "logical_not"} : (tensor<8xi1>) -> tensor<8xi1>
    %b = sg.unary(%a) {fn = "logical_not"} : (tensor<8xi1>) -> tensor<8xi1>
    sg.yield %b : tensor<8xi1>
  }
  sg.heads %0 : tensor<8xi1>
}
