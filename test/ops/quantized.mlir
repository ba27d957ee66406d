// RUN: symc-opt --sg-infer-shapes --sg-infer-types %s | FileCheck %s
// RUN: symc-opt %s | symc-opt | symc-opt --sg-infer-shapes --sg-infer-types | FileCheck %s
// Quantised integers: types follow from parameters and operands, limits are one element each.

// CHECK-LABEL: sg.graph @quantize(
// CHECK: (tensor<2x3xf32>, tensor<1xf32>, tensor<1xf32>) -> (tensor<2x3xui8>, tensor<1xf32>, tensor<1xf32>)
sg.graph @quantize(%a: tensor<2x3xf32>, %b: tensor<*xf32>, %c: tensor<*xf32>) -> (tensor<*x!sg.unknown>) {
  %0:3 = sg.quantize(%a, %b, %c) : (tensor<2x3xf32>, tensor<*xf32>, tensor<*xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>)
  sg.heads %0#0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @quantize_v2(
// CHECK: (tensor<2x3xf32>) -> (tensor<2x3xui8>, tensor<1xf32>, tensor<1xf32>)
sg.graph @quantize_v2(%a: tensor<2x3xf32>) -> (tensor<*x!sg.unknown>) {
  %0:3 = sg.quantize_v2(%a) {out_type = "auto", min_calib_range = 0.0 : f64, max_calib_range = 1.0 : f64} :
      (tensor<2x3xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>)
  sg.heads %0#0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @quantized_conv(
// CHECK: (tensor<1x3x5x5xui8>, tensor<4x3x3x3xi8>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> (tensor<1x4x3x3xi32>, tensor<1xf32>, tensor<1xf32>)
sg.graph @quantized_conv(%a: tensor<1x3x5x5xui8>, %w: tensor<*x!sg.unknown>, %l: tensor<*x!sg.unknown>) -> (tensor<*x!sg.unknown>) {
  %0:3 = sg.quantized_conv(%a, %w, %l, %l, %l, %l) {kernel = array<i64: 3, 3>, num_filter = 4, no_bias = true, operandSegmentSizes = array<i32: 1, 1, 0, 1, 1, 1, 1, 0, 0>} :
      (tensor<1x3x5x5xui8>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>)
  sg.heads %0#0 : tensor<*x!sg.unknown>
}

// int8 beside uint8 gives int8.
// CHECK-LABEL: sg.graph @quantized_concat(
// CHECK: -> (tensor<2x7xi8>, tensor<1xf32>, tensor<1xf32>)
sg.graph @quantized_concat(%a: tensor<2x3xui8>, %b: tensor<2x4xi8>, %l: tensor<1xf32>) -> (tensor<*x!sg.unknown>) {
  %0:3 = sg.quantized_concat(%a, %b, %l, %l, %l, %l) {num_args = 2} :
      (tensor<2x3xui8>, tensor<2x4xi8>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>)
  sg.heads %0#0 : tensor<*x!sg.unknown>
}

// A sum of both types in a given range is int8, without a range int32.
// CHECK-LABEL: sg.graph @quantized_elemwise_add(
// CHECK: -> (tensor<2x3xi8>, tensor<1xf32>, tensor<1xf32>)
// CHECK: -> (tensor<2x3xi32>, tensor<1xf32>, tensor<1xf32>)
sg.graph @quantized_elemwise_add(%a: tensor<2x3xui8>, %b: tensor<2x3xi8>, %l: tensor<1xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  %0:3 = sg.quantized_elemwise_add(%a, %b, %l, %l, %l, %l) {min_calib_range = -1.0 : f64, max_calib_range = 1.0 : f64} :
      (tensor<2x3xui8>, tensor<2x3xi8>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>)
  %1:3 = sg.quantized_elemwise_add(%a, %b, %l, %l, %l, %l) :
      (tensor<2x3xui8>, tensor<2x3xi8>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>)
  sg.heads %0#0, %1#0 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}
