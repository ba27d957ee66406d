// If this fails, a quantised convolution is taken apart wrongly, the rounding of its weights
// stays in @main although the range of its data is known, or nobody is told why a layer
// stays whole.
// RUN: symc-opt --sg-split-quantized --sg-hoist-prepare %s | FileCheck %s
// RUN: symc-opt --sg-split-quantized --sg-hoist-prepare --sg-split-quantized %s | FileCheck %s
// RUN: symc-opt --sg-split-quantized --remarks-filter='sg-split-quantized' --remark-format=emitRemark %s 2>&1 | FileCheck %s --check-prefix=REMARK

sg.weight @w1 : tensor<8x3x3x3xf32>
sg.weight @w2 : tensor<8x8x1x1xf32>

// The range of the first layer's data is an input; that of the second's the first's limits,
// through the pooling.
// CHECK-LABEL: sg.graph @prepare
// CHECK: sg.quantize_rows({{.*}}data_reach = 6.000000e+00
// CHECK-LABEL: sg.graph @main
// CHECK: sg.prepared
// CHECK: %[[I:[a-z_0-9]+]], %[[C:[a-z_0-9]+]], %[[B:[a-z_0-9]+]], %[[S:[a-z_0-9]+]], %{{.*}} = sg.quantize_rows(%{{.*}}) {data_signed = true{{.*}}result_signed = false}
// CHECK: sg.integer_conv(%{{.*}}, %[[I]], %[[C]], %[[B]], %[[S]]) {{.*}}relu = true
// CHECK: sg.quantized_pooling
// CHECK-NOT: sg.quantize_rows
// CHECK: sg.integer_conv
// CHECK: sg.fused_conv
// REMARK: [Missed] integers {{.*}}'open' stays whole: its result has no calibration limits
sg.graph @main(%x: tensor<1x3x8x8xi8> {sg.name = "x"}, %lo: tensor<1xf32> {sg.name = "lo"}, %hi: tensor<1xf32> {sg.name = "hi"})
    -> (tensor<1x8x4x4xi8>, tensor<1x8x4x4xi32>) {
  %w1 = sg.parameter @w1 : tensor<8x3x3x3xf32>
  %w2 = sg.parameter @w2 : tensor<8x8x1x1xf32>
  %a:3 = sg.fused_conv(%x, %w1, %lo, %hi) {kernel = array<i64: 3, 3>, pad = array<i64: 1, 1>, num_filter = 8 : i64, no_bias = true, quantized = true, with_act = true, act = "relu", min_calib_range = 0.0 : f64, max_calib_range = 6.0 : f64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0>} : (tensor<1x3x8x8xi8>, tensor<8x3x3x3xf32>, tensor<1xf32>, tensor<1xf32>) -> (tensor<1x8x8x8xui8>, tensor<1xf32>, tensor<1xf32>)
  %p:3 = sg.quantized_pooling(%a#0, %a#1, %a#2) {kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>} : (tensor<1x8x8x8xui8>, tensor<1xf32>, tensor<1xf32>) -> (tensor<1x8x4x4xui8>, tensor<1xf32>, tensor<1xf32>)
  %b:3 = sg.fused_conv(%p#0, %w2, %p#1, %p#2) {kernel = array<i64: 1, 1>, num_filter = 8 : i64, no_bias = true, quantized = true, min_calib_range = -3.0 : f64, max_calib_range = 3.0 : f64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0>} : (tensor<1x8x4x4xui8>, tensor<8x8x1x1xf32>, tensor<1xf32>, tensor<1xf32>) -> (tensor<1x8x4x4xi8>, tensor<1xf32>, tensor<1xf32>)
  %c:3 = sg.fused_conv(%b#0, %w2, %b#1, %b#2) {kernel = array<i64: 1, 1>, num_filter = 8 : i64, no_bias = true, quantized = true, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0>} : (tensor<1x8x4x4xi8>, tensor<8x8x1x1xf32>, tensor<1xf32>, tensor<1xf32>) -> (tensor<1x8x4x4xi32>, tensor<1xf32>, tensor<1xf32>) loc("open")
  sg.heads %b#0, %c#0 : tensor<1x8x4x4xi8>, tensor<1x8x4x4xi32>
}
