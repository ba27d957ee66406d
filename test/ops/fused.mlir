// RUN: symc-opt --sg-infer-shapes --sg-infer-types %s | FileCheck %s
// RUN: symc-opt %s | symc-opt | symc-opt --sg-infer-shapes --sg-infer-types | FileCheck %s
// Quantised layers with followers: weights stay float32, the last function decides the type.

// CHECK-LABEL: sg.graph @fused_conv(
// CHECK: (tensor<1x3x5x5xi8>, tensor<4x3x3x3xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<1xf32>, tensor<1xf32>) -> (tensor<1x4x3x3xui8>, tensor<1xf32>, tensor<1xf32>)
sg.graph @fused_conv(%a: tensor<1x3x5x5xi8>, %w: tensor<*x!sg.unknown>, %v: tensor<*x!sg.unknown>, %l: tensor<*x!sg.unknown>) -> (tensor<*x!sg.unknown>) {
  %0:3 = sg.fused_conv(%a, %w, %v, %v, %v, %v, %l, %l) {kernel = array<i64: 3, 3>, num_filter = 4, no_bias = true, quantized = true, with_bn = true, with_act = true, act = "relu", min_calib_range = 0.0 : f64, max_calib_range = 6.0 : f64, operandSegmentSizes = array<i32: 1, 1, 0, 1, 1, 1, 1, 0, 1, 1, 0, 0>} :
      (tensor<1x3x5x5xi8>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>)
  sg.heads %0#0 : tensor<*x!sg.unknown>
}

// Behind a sum without a function the result has a sign.
// CHECK-LABEL: sg.graph @fused_conv_sum(
// CHECK: (tensor<1x3x5x5xui8>, tensor<4x3x1x1xf32>, tensor<1x4x5x5xui8>, tensor<1xf32>, {{.*}}) -> (tensor<1x4x5x5xi8>, tensor<1xf32>, tensor<1xf32>)
sg.graph @fused_conv_sum(%a: tensor<1x3x5x5xui8>, %w: tensor<*x!sg.unknown>, %s: tensor<1x4x5x5xui8>, %l: tensor<*x!sg.unknown>) -> (tensor<*x!sg.unknown>) {
  %0:3 = sg.fused_conv(%a, %w, %s, %l, %l, %l, %l) {kernel = array<i64: 1, 1>, num_filter = 4, no_bias = true, quantized = true, with_sum = true, min_calib_range = -1.0 : f64, max_calib_range = 6.0 : f64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1>} :
      (tensor<1x3x5x5xui8>, tensor<*x!sg.unknown>, tensor<1x4x5x5xui8>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>)
  sg.heads %0#0 : tensor<*x!sg.unknown>
}

// Weights of int8 with limits of their own, and a result of float32.
// CHECK-LABEL: sg.graph @fused_fully_connected(
// CHECK: (tensor<2x3xui8>, tensor<4x3xi8>, tensor<4xi8>, {{.*}}) -> tensor<2x4xf32>
sg.graph @fused_fully_connected(%a: tensor<2x3xui8>, %w: tensor<*x!sg.unknown>, %b: tensor<*x!sg.unknown>, %l: tensor<*x!sg.unknown>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.fused_fully_connected(%a, %w, %b, %l, %l, %l, %l, %l, %l) {num_hidden = 4, quantized = true, enable_float_output = true, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 1, 1>} :
      (tensor<2x3xui8>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// What sg-split-quantized makes of a convolution: rows in scales of their own, and sums.
// CHECK-LABEL: sg.graph @parts(
// CHECK: sg.quantize_rows(%{{.*}}) {data_reach = 3.000000e+00 : f64{{.*}} -> (tensor<24x21x1x1xi8>, tensor<24xi32>, tensor<24xf32>, tensor<24xf32>, tensor<1xf32>)
// CHECK: sg.integer_conv({{.*}}) {{.*}} -> tensor<1x24x5x6xi8>
sg.graph @parts(%x: tensor<1x21x5x6xui8>, %w: tensor<24x21x1x1xf32>) -> (tensor<1x24x5x6xi8>) {
  %r:5 = sg.quantize_rows(%w) {data_reach = 3.0 : f64, max_calib_range = 2.0 : f64, min_calib_range = -1.5 : f64, no_bias = true, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 0, 0>} : (tensor<24x21x1x1xf32>) -> (tensor<24x21x1x1xi8>, tensor<24xi32>, tensor<24xf32>, tensor<24xf32>, tensor<1xf32>)
  %0 = sg.integer_conv(%x, %r#0, %r#1, %r#2, %r#3) {kernel = array<i64: 1, 1>, num_filter = 24 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 0>} : (tensor<1x21x5x6xui8>, tensor<24x21x1x1xi8>, tensor<24xi32>, tensor<24xf32>, tensor<24xf32>) -> tensor<1x24x5x6xi8>
  sg.heads %0 : tensor<1x24x5x6xi8>
}
