// If this fails, a group that no kernel takes is lost, or nobody hears of it.
// RUN: symc-opt --kernel-choose-layouts --kernel-schedule --remarks-filter=kernel-schedule --remark-format=emitRemark %s 2>&1 | FileCheck %s

// A convolution over three dimensions has no tile kernel: its group is a call and a loop.
// CHECK: [Missed] split {{.*}}no kernel takes the whole group; its nodes are computed one by one
// CHECK: [Missed] call {{.*}}calls its reference kernel symc_ref_convolution_f32
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
