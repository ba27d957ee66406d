// If this fails, a quantised convolution that no kernel over bytes takes is taken apart all
// the same, or the remark gives another reason.
// RUN: symc-opt --sg-split-quantized --remarks-filter='sg-split-quantized' --remark-format=emitRemark %s 2>&1 | FileCheck %s

sg.weight @w : tensor<8x8x1x1xf32>
sg.weight @v : tensor<8x4x1x1xf32>

// CHECK: 'sigmoid' stays whole: a function other than relu follows
// CHECK: 'groups' stays whole: it has groups or is not over two extents
// CHECK: 'wide' stays whole: what it adds is int32
// CHECK-NOT: sg.integer_conv
sg.graph @main(%x: tensor<1x8x4x4xi8> {sg.name = "x"}, %s: tensor<1x8x4x4xi32> {sg.name = "s"}, %l: tensor<1xf32> {sg.name = "l"})
    -> (tensor<1x8x4x4xui8>, tensor<1x8x4x4xi8>, tensor<1x8x4x4xi8>) {
  %w = sg.parameter @w : tensor<8x8x1x1xf32>
  %v = sg.parameter @v : tensor<8x4x1x1xf32>
  %a:3 = sg.fused_conv(%x, %w, %l, %l) {kernel = array<i64: 1, 1>, num_filter = 8 : i64, no_bias = true, quantized = true, with_act = true, act = "sigmoid", min_calib_range = 0.0 : f64, max_calib_range = 1.0 : f64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0>} : (tensor<1x8x4x4xi8>, tensor<8x8x1x1xf32>, tensor<1xf32>, tensor<1xf32>) -> (tensor<1x8x4x4xui8>, tensor<1xf32>, tensor<1xf32>) loc("sigmoid")
  %b:3 = sg.fused_conv(%x, %v, %l, %l) {kernel = array<i64: 1, 1>, num_filter = 8 : i64, num_group = 2 : i64, no_bias = true, quantized = true, min_calib_range = -1.0 : f64, max_calib_range = 1.0 : f64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0>} : (tensor<1x8x4x4xi8>, tensor<8x4x1x1xf32>, tensor<1xf32>, tensor<1xf32>) -> (tensor<1x8x4x4xi8>, tensor<1xf32>, tensor<1xf32>) loc("groups")
  %c:3 = sg.fused_conv(%x, %w, %s, %l, %l, %l, %l) {kernel = array<i64: 1, 1>, num_filter = 8 : i64, no_bias = true, quantized = true, with_sum = true, min_calib_range = -1.0 : f64, max_calib_range = 1.0 : f64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1>} : (tensor<1x8x4x4xi8>, tensor<8x8x1x1xf32>, tensor<1x8x4x4xi32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> (tensor<1x8x4x4xi8>, tensor<1xf32>, tensor<1xf32>) loc("wide")
  sg.heads %a#0, %b#0, %c#0 : tensor<1x8x4x4xui8>, tensor<1x8x4x4xi8>, tensor<1x8x4x4xi8>
}
