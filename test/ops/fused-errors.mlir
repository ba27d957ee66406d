// RUN: symc-opt --sg-infer-shapes --sg-infer-types -split-input-file -verify-diagnostics=only-expected %s
// Each constraint of a quantised layer with its followers is an error.

sg.graph @fused_conv_c1(%a0: tensor<1x3x4x4xui8>, %a1: tensor<2x3x1x1xf32>, %a2: tensor<1xf32>, %a3: tensor<1xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  // expected-error @+1 {{parameter 'kernel' is (0, 1), needs extents of at least 1}}
  %0:3 = sg.fused_conv(%a0, %a1, %a2, %a3) {kernel = array<i64: 0, 1>, num_filter = 2, no_bias = true, quantized = true, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0>} :
      (tensor<1x3x4x4xui8>, tensor<2x3x1x1xf32>, tensor<1xf32>, tensor<1xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>)
  sg.heads %0#0, %0#1, %0#2 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}

// -----

sg.graph @fused_conv_c1_layout(%a0: tensor<1x3x4x4xui8>, %a1: tensor<2x3x1x1xf32>, %a2: tensor<1xf32>, %a3: tensor<1xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  // expected-error @+1 {{parameter 'layout' is NHWC, needs channels first over integers}}
  %0:3 = sg.fused_conv(%a0, %a1, %a2, %a3) {kernel = array<i64: 1, 1>, num_filter = 2, no_bias = true, quantized = true, layout = "NHWC", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0>} :
      (tensor<1x3x4x4xui8>, tensor<2x3x1x1xf32>, tensor<1xf32>, tensor<1xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>)
  sg.heads %0#0, %0#1, %0#2 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}

// -----

sg.graph @fused_conv_c2(%a0: tensor<1x3x4x4xui8>, %a1: tensor<2x3x1x1xf32>, %a2: tensor<1xf32>, %a3: tensor<1xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  // expected-error @+1 {{parameter 'quantized' is false, needs true}}
  %0:3 = sg.fused_conv(%a0, %a1, %a2, %a3) {kernel = array<i64: 1, 1>, num_filter = 2, no_bias = true, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0>} :
      (tensor<1x3x4x4xui8>, tensor<2x3x1x1xf32>, tensor<1xf32>, tensor<1xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>)
  sg.heads %0#0, %0#1, %0#2 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}

// -----

sg.graph @fused_conv_c3(%a0: tensor<1x3x4x4xf32>, %a1: tensor<2x3x1x1xf32>, %a2: tensor<1xf32>, %a3: tensor<1xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  // expected-error @+1 {{data has element type float32 but needs int8 or uint8}}
  %0:3 = sg.fused_conv(%a0, %a1, %a2, %a3) {kernel = array<i64: 1, 1>, num_filter = 2, no_bias = true, quantized = true, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0>} :
      (tensor<1x3x4x4xf32>, tensor<2x3x1x1xf32>, tensor<1xf32>, tensor<1xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>)
  sg.heads %0#0, %0#1, %0#2 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}

// -----

sg.graph @fused_conv_c3_sum(%a0: tensor<1x3x4x4xui8>, %a1: tensor<2x3x1x1xf32>, %a2: tensor<1x2x4x4xf32>, %a3: tensor<1xf32>, %a4: tensor<1xf32>, %a5: tensor<1xf32>, %a6: tensor<1xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  // expected-error @+1 {{sum has element type float32 but needs int8, uint8 or int32}}
  %0:3 = sg.fused_conv(%a0, %a1, %a2, %a3, %a4, %a5, %a6) {kernel = array<i64: 1, 1>, num_filter = 2, no_bias = true, quantized = true, with_sum = true, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1>} :
      (tensor<1x3x4x4xui8>, tensor<2x3x1x1xf32>, tensor<1x2x4x4xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>)
  sg.heads %0#0, %0#1, %0#2 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}

// -----

sg.graph @fused_fully_connected_c1(%a0: tensor<2x3xi8>, %a1: tensor<2x3xi8>, %a2: tensor<1xf32>, %a3: tensor<1xf32>, %a4: tensor<1xf32>, %a5: tensor<1xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  // expected-error @+1 {{parameter 'quantized' is false, needs true}}
  %0:3 = sg.fused_fully_connected(%a0, %a1, %a2, %a3, %a4, %a5) {num_hidden = 2, no_bias = true, operandSegmentSizes = array<i32: 1, 1, 0, 1, 1, 1, 1, 0, 0>} :
      (tensor<2x3xi8>, tensor<2x3xi8>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>)
  sg.heads %0#0, %0#1, %0#2 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}

// -----

sg.graph @fused_fully_connected_c1_rows(%a0: tensor<2x3xi8>, %a1: tensor<2x3xf32>, %a2: tensor<1xf32>, %a3: tensor<1xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  // expected-error @+1 {{parameter 'channel_wise_quantize' is true, needs calibration limits or enable_float_output}}
  %0:3 = sg.fused_fully_connected(%a0, %a1, %a2, %a3) {num_hidden = 2, no_bias = true, quantized = true, channel_wise_quantize = true, operandSegmentSizes = array<i32: 1, 1, 0, 1, 1, 0, 0, 0, 0>} :
      (tensor<2x3xi8>, tensor<2x3xf32>, tensor<1xf32>, tensor<1xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>)
  sg.heads %0#0, %0#1, %0#2 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}

// -----

sg.graph @fused_fully_connected_c2(%a0: tensor<2x3xi8>, %a1: tensor<2x4xi8>, %a2: tensor<1xf32>, %a3: tensor<1xf32>, %a4: tensor<1xf32>, %a5: tensor<1xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  // expected-error @+1 {{weight has shape [2, 4] but needs [2, 3] with num_hidden = 2}}
  %0:3 = sg.fused_fully_connected(%a0, %a1, %a2, %a3, %a4, %a5) {num_hidden = 2, no_bias = true, quantized = true, operandSegmentSizes = array<i32: 1, 1, 0, 1, 1, 1, 1, 0, 0>} :
      (tensor<2x3xi8>, tensor<2x4xi8>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>)
  sg.heads %0#0, %0#1, %0#2 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}

// -----

sg.graph @fused_fully_connected_c2_scalar(%a0: tensor<i8>, %a1: tensor<2x4xi8>, %a2: tensor<1xf32>, %a3: tensor<1xf32>, %a4: tensor<1xf32>, %a5: tensor<1xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  // expected-error @+1 {{data has no extents, needs at least 1}}
  %0:3 = sg.fused_fully_connected(%a0, %a1, %a2, %a3, %a4, %a5) {num_hidden = 2, no_bias = true, quantized = true, operandSegmentSizes = array<i32: 1, 1, 0, 1, 1, 1, 1, 0, 0>} :
      (tensor<i8>, tensor<2x4xi8>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>)
  sg.heads %0#0, %0#1, %0#2 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}

// -----

sg.graph @fused_fully_connected_c2_type(%a0: tensor<2x3xi32>, %a1: tensor<2x3xi8>, %a2: tensor<1xf32>, %a3: tensor<1xf32>, %a4: tensor<1xf32>, %a5: tensor<1xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  // expected-error @+1 {{data has element type int32 but needs int8 or uint8}}
  %0:3 = sg.fused_fully_connected(%a0, %a1, %a2, %a3, %a4, %a5) {num_hidden = 2, no_bias = true, quantized = true, operandSegmentSizes = array<i32: 1, 1, 0, 1, 1, 1, 1, 0, 0>} :
      (tensor<2x3xi32>, tensor<2x3xi8>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>)
  sg.heads %0#0, %0#1, %0#2 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}

// -----

sg.graph @integer_product_c1(%a0: tensor<ui8>, %a1: tensor<2x3xi8>, %a2: tensor<2xi32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{needs rows and a matrix, found [] and [2, 3]}}
  %0 = sg.integer_product(%a0, %a1, %a2) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>} : (tensor<ui8>, tensor<2x3xi8>, tensor<2xi32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @integer_product_c2(%a0: tensor<4x3xf32>, %a1: tensor<2x3xi8>, %a2: tensor<2xi32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{data has element type float32 but needs int8 or uint8}}
  %0 = sg.integer_product(%a0, %a1, %a2) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>} : (tensor<4x3xf32>, tensor<2x3xi8>, tensor<2xi32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}
