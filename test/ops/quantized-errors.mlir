// RUN: symc-opt --sg-infer-shapes --sg-infer-types -split-input-file -verify-diagnostics=only-expected %s
// Each constraint of an operator over quantised integers is an error that names both sides.

sg.graph @quantize_c1(%a0: tensor<2x3xf32>, %a1: tensor<2xf32>, %a2: tensor<1xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  // expected-error @+1 {{min_range has shape [2] but needs [1]}}
  %0:3 = sg.quantize(%a0, %a1, %a2) :
      (tensor<2x3xf32>, tensor<2xf32>, tensor<1xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>)
  sg.heads %0#0, %0#1, %0#2 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}

// -----

sg.graph @quantize_v2_c2(%a0: tensor<2x3xf64>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  // expected-error @+1 {{data has element type float64 but needs int8 or uint8}}
  %0:3 = sg.quantize_v2(%a0) :
      (tensor<2x3xf64>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>)
  sg.heads %0#0, %0#1, %0#2 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}

// -----

sg.graph @dequantize_c1(%a0: tensor<2x3xi32>, %a1: tensor<1xf32>, %a2: tensor<1xf32>) -> (tensor<*x!sg.unknown>) {
  // expected-error @+1 {{data has element type int32 but needs int8 or uint8}}
  %0 = sg.dequantize(%a0, %a1, %a2) :
      (tensor<2x3xi32>, tensor<1xf32>, tensor<1xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// -----

sg.graph @requantize_c1(%a0: tensor<2x3xi8>, %a1: tensor<1xf32>, %a2: tensor<1xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  // expected-error @+1 {{data has element type int8 but needs int32}}
  %0:3 = sg.requantize(%a0, %a1, %a2) :
      (tensor<2x3xi8>, tensor<1xf32>, tensor<1xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>)
  sg.heads %0#0, %0#1, %0#2 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}

// -----

sg.graph @quantized_conv_c1(%a0: tensor<1x3x5x5xui8>, %a1: tensor<4x3x3x3xi8>, %a2: tensor<1xf32>, %a3: tensor<1xf32>, %a4: tensor<1xf32>, %a5: tensor<1xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  // expected-error @+1 {{parameter 'layout' is NHWC, needs channels first over integers}}
  %0:3 = sg.quantized_conv(%a0, %a1, %a2, %a3, %a4, %a5) {kernel = array<i64: 3, 3>, num_filter = 4, no_bias = true, layout = "NHWC", operandSegmentSizes = array<i32: 1, 1, 0, 1, 1, 1, 1, 0, 0>} :
      (tensor<1x3x5x5xui8>, tensor<4x3x3x3xi8>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>)
  sg.heads %0#0, %0#1, %0#2 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}

// -----

sg.graph @quantized_conv_c2(%a0: tensor<1x3x5x5xui8>, %a1: tensor<4x2x3x3xi8>, %a2: tensor<1xf32>, %a3: tensor<1xf32>, %a4: tensor<1xf32>, %a5: tensor<1xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  // expected-error @+1 {{weight has shape [4, 2, 3, 3] but needs [4, 3, 3, 3]}}
  %0:3 = sg.quantized_conv(%a0, %a1, %a2, %a3, %a4, %a5) {kernel = array<i64: 3, 3>, num_filter = 4, no_bias = true, operandSegmentSizes = array<i32: 1, 1, 0, 1, 1, 1, 1, 0, 0>} :
      (tensor<1x3x5x5xui8>, tensor<4x2x3x3xi8>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>)
  sg.heads %0#0, %0#1, %0#2 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}

// -----

sg.graph @quantized_fully_connected_c1(%a0: tensor<2x3xi8>, %a1: tensor<4x5xi8>, %a2: tensor<1xf32>, %a3: tensor<1xf32>, %a4: tensor<1xf32>, %a5: tensor<1xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  // expected-error @+1 {{weight has shape [4, 5] but needs [4, 3] with num_hidden = 4}}
  %0:3 = sg.quantized_fully_connected(%a0, %a1, %a2, %a3, %a4, %a5) {num_hidden = 4, no_bias = true, operandSegmentSizes = array<i32: 1, 1, 0, 1, 1, 1, 1, 0, 0>} :
      (tensor<2x3xi8>, tensor<4x5xi8>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>)
  sg.heads %0#0, %0#1, %0#2 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}

// -----

sg.graph @quantized_fully_connected_c1_scalar(%a0: tensor<i8>, %a1: tensor<4x5xi8>, %a2: tensor<1xf32>, %a3: tensor<1xf32>, %a4: tensor<1xf32>, %a5: tensor<1xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  // expected-error @+1 {{data has no extents, needs at least 1}}
  %0:3 = sg.quantized_fully_connected(%a0, %a1, %a2, %a3, %a4, %a5) {num_hidden = 4, no_bias = true, operandSegmentSizes = array<i32: 1, 1, 0, 1, 1, 1, 1, 0, 0>} :
      (tensor<i8>, tensor<4x5xi8>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>)
  sg.heads %0#0, %0#1, %0#2 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}

// -----

sg.graph @quantized_pooling_c1(%a0: tensor<1x3x4x4xi8>, %a1: tensor<1xf32>, %a2: tensor<1xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  // expected-error @+1 {{parameter 'pool_type' is sum, needs max or avg over integers}}
  %0:3 = sg.quantized_pooling(%a0, %a1, %a2) {kernel = array<i64: 2, 2>, pool_type = "sum"} :
      (tensor<1x3x4x4xi8>, tensor<1xf32>, tensor<1xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>)
  sg.heads %0#0, %0#1, %0#2 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}

// -----

sg.graph @quantized_pooling_c2(%a0: tensor<1x3x4x4xi8>, %a1: tensor<1xf32>, %a2: tensor<1xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  // expected-error @+1 {{data has shape [1, 3, 4, 4]: the kernel spans 5 along axis 2 but the padded image has 4}}
  %0:3 = sg.quantized_pooling(%a0, %a1, %a2) {kernel = array<i64: 5, 5>} :
      (tensor<1x3x4x4xi8>, tensor<1xf32>, tensor<1xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>)
  sg.heads %0#0, %0#1, %0#2 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}

// -----

sg.graph @quantized_act_c1(%a0: tensor<2x3xi8>, %a1: tensor<1xf32>, %a2: tensor<1xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  // expected-error @+1 {{parameter 'act_type' is tanh, needs relu over integers}}
  %0:3 = sg.quantized_act(%a0, %a1, %a2) {act_type = "tanh"} :
      (tensor<2x3xi8>, tensor<1xf32>, tensor<1xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>)
  sg.heads %0#0, %0#1, %0#2 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}

// -----

sg.graph @quantized_act_c2(%a0: tensor<2x3xi8>, %a1: tensor<2xf32>, %a2: tensor<1xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  // expected-error @+1 {{min_data has shape [2] but needs [1]}}
  %0:3 = sg.quantized_act(%a0, %a1, %a2) {act_type = "relu"} :
      (tensor<2x3xi8>, tensor<2xf32>, tensor<1xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>)
  sg.heads %0#0, %0#1, %0#2 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}

// -----

sg.graph @quantized_flatten_c1(%a0: tensor<i8>, %a1: tensor<1xf32>, %a2: tensor<1xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  // expected-error @+1 {{data has no extents, needs at least 1}}
  %0:3 = sg.quantized_flatten(%a0, %a1, %a2) :
      (tensor<i8>, tensor<1xf32>, tensor<1xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>)
  sg.heads %0#0, %0#1, %0#2 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}

// -----

sg.graph @quantized_concat_c1(%a0: tensor<2x3xi8>, %a1: tensor<1xf32>, %a2: tensor<1xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  // expected-error @+1 {{there are 3 operands, num_args = 2 needs 6 (tensors, then two limits for each)}}
  %0:3 = sg.quantized_concat(%a0, %a1, %a2) {num_args = 2} :
      (tensor<2x3xi8>, tensor<1xf32>, tensor<1xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>)
  sg.heads %0#0, %0#1, %0#2 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}

// -----

sg.graph @quantized_concat_c2(%a0: tensor<2x3xi8>, %a1: tensor<1xf32>, %a2: tensor<1xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  // expected-error @+1 {{axis 2 is outside data0's shape [2, 3]}}
  %0:3 = sg.quantized_concat(%a0, %a1, %a2) {num_args = 1, dim = 2} :
      (tensor<2x3xi8>, tensor<1xf32>, tensor<1xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>)
  sg.heads %0#0, %0#1, %0#2 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}

// -----

sg.graph @quantized_concat_c3(%a0: tensor<2x3xi8>, %a1: tensor<3x3xi8>, %a2: tensor<1xf32>, %a3: tensor<1xf32>, %a4: tensor<1xf32>, %a5: tensor<1xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  // expected-error @+1 {{has shape [3, 3] but needs [2, ?] to lie along axis 1}}
  %0:3 = sg.quantized_concat(%a0, %a1, %a2, %a3, %a4, %a5) {num_args = 2} :
      (tensor<2x3xi8>, tensor<3x3xi8>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>)
  sg.heads %0#0, %0#1, %0#2 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}

// -----

sg.graph @quantized_elemwise_add_c1(%a0: tensor<2x3xi8>, %a1: tensor<3x2xi8>, %a2: tensor<1xf32>, %a3: tensor<1xf32>, %a4: tensor<1xf32>, %a5: tensor<1xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  // expected-error @+1 {{rhs has shape [3, 2] but needs [2, 3]}}
  %0:3 = sg.quantized_elemwise_add(%a0, %a1, %a2, %a3, %a4, %a5) :
      (tensor<2x3xi8>, tensor<3x2xi8>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>)
  sg.heads %0#0, %0#1, %0#2 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}

// -----

sg.graph @quantized_elemwise_mul_c1(%a0: tensor<2x3xi8>, %a1: tensor<2x3xui8>, %a2: tensor<1xf32>, %a3: tensor<1xf32>, %a4: tensor<1xf32>, %a5: tensor<1xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  // expected-error @+1 {{rhs has element type uint8 but needs int8}}
  %0:3 = sg.quantized_elemwise_mul(%a0, %a1, %a2, %a3, %a4, %a5) :
      (tensor<2x3xi8>, tensor<2x3xui8>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>)
  sg.heads %0#0, %0#1, %0#2 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}

// -----

sg.graph @quantized_embedding_c1(%a0: tensor<2xf32>, %a1: tensor<4x5xi8>, %a2: tensor<1xf32>, %a3: tensor<1xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  // expected-error @+1 {{weight has shape [4, 5] but needs [3, 5] with input_dim = 3}}
  %0:3 = sg.quantized_embedding(%a0, %a1, %a2, %a3) {input_dim = 3, output_dim = 5} :
      (tensor<2xf32>, tensor<4x5xi8>, tensor<1xf32>, tensor<1xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>)
  sg.heads %0#0, %0#1, %0#2 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}

// -----

sg.graph @quantized_batch_norm_c1(%a0: tensor<2x3xi8>, %a1: tensor<3xf32>, %a2: tensor<3xf32>, %a3: tensor<3xf32>, %a4: tensor<3xf32>, %a5: tensor<1xf32>, %a6: tensor<1xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  // expected-error @+1 {{parameter 'min_calib_range' or 'max_calib_range' is None, needs both limits of the result}}
  %0:3 = sg.quantized_batch_norm(%a0, %a1, %a2, %a3, %a4, %a5, %a6) {min_calib_range = -1.0 : f64} :
      (tensor<2x3xi8>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<1xf32>, tensor<1xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>)
  sg.heads %0#0, %0#1, %0#2 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}

// -----

sg.graph @quantized_batch_norm_c2(%a0: tensor<2x3xi8>, %a1: tensor<3xf32>, %a2: tensor<3xf32>, %a3: tensor<3xf32>, %a4: tensor<3xf32>, %a5: tensor<1xf32>, %a6: tensor<1xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  // expected-error @+1 {{axis 2 is outside data's shape [2, 3]}}
  %0:3 = sg.quantized_batch_norm(%a0, %a1, %a2, %a3, %a4, %a5, %a6) {min_calib_range = -1.0 : f64, max_calib_range = 1.0 : f64, axis = 2} :
      (tensor<2x3xi8>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<1xf32>, tensor<1xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>)
  sg.heads %0#0, %0#1, %0#2 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}

// -----

sg.graph @quantized_batch_norm_c3(%a0: tensor<2x3xi8>, %a1: tensor<2xf32>, %a2: tensor<3xf32>, %a3: tensor<3xf32>, %a4: tensor<3xf32>, %a5: tensor<1xf32>, %a6: tensor<1xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  // expected-error @+1 {{gamma has shape [2] but needs [3]}}
  %0:3 = sg.quantized_batch_norm(%a0, %a1, %a2, %a3, %a4, %a5, %a6) {min_calib_range = -1.0 : f64, max_calib_range = 1.0 : f64} :
      (tensor<2x3xi8>, tensor<2xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<1xf32>, tensor<1xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>)
  sg.heads %0#0, %0#1, %0#2 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}

// -----

sg.graph @quantize_v2_c1(%a: tensor<2x3xf32>) -> (tensor<3x2xi8>, tensor<1xf32>, tensor<1xf32>) {
  // expected-error @+1 {{has shape [3, 2] but needs [2, 3]}}
  %0:3 = sg.quantize_v2(%a) : (tensor<2x3xf32>) -> (tensor<3x2xi8>, tensor<1xf32>, tensor<1xf32>)
  sg.heads %0#0, %0#1, %0#2 : tensor<3x2xi8>, tensor<1xf32>, tensor<1xf32>
}
