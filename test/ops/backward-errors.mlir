// RUN: symc-opt --sg-infer-shapes -split-input-file -verify-diagnostics=only-expected %s
// Each constraint of operators that gradients are made of is an error with what was found and what is needed.

sg.graph @slope_c1(%a: tensor<2x3xf32>, %g: tensor<2x3xf32>) -> (tensor<2x4xf32>) {
  // expected-error @+1 {{output has shape [2, 4] but needs [2, 3]}}
  %0 = sg.slope(%a, %g) {fn = "tanh", by = 0 : i64, places = array<i64: 0>, numbers = array<f64: 0.0>, num_args = 2 : i64} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x4xf32>
  sg.heads %0 : tensor<2x4xf32>
}

// -----

sg.graph @slope_c2(%a: tensor<2xf32>, %g: tensor<2x3xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{operand 0 has shape [2], which does not repeat to the gradient's, [2, 3]}}
  %0 = sg.slope(%a, %g) {fn = "tanh", by = 0 : i64, places = array<i64: 0>, numbers = array<f64: 0.0>, num_args = 2 : i64} : (tensor<2xf32>, tensor<2x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @convolution_weights_c1(%x: tensor<2x6x5xf32>, %g: tensor<2x4x3xf32>) -> (tensor<4x6x2xf32>) {
  // expected-error @+1 {{output has shape [4, 6, 2] but needs [4, 6, 3]}}
  %0 = sg.convolution_weights(%x, %g) {kernel = array<i64: 3>} : (tensor<2x6x5xf32>, tensor<2x4x3xf32>) -> tensor<4x6x2xf32>
  sg.heads %0 : tensor<4x6x2xf32>
}

// -----

sg.graph @convolution_weights_c2(%x: tensor<2x6x5xf32>, %g: tensor<2x4x3x3xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{data has shape [2, 6, 5] and gradient [2, 4, 3, 3], needs rank 4 of a window over 2 axes}}
  %0 = sg.convolution_weights(%x, %g) {kernel = array<i64: 3, 3>} : (tensor<2x6x5xf32>, tensor<2x4x3x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @convolution_weights_c2_items(%x: tensor<2x6x5xf32>, %g: tensor<3x4x3xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{data has 2 items and gradient 3, needs as many}}
  %0 = sg.convolution_weights(%x, %g) {kernel = array<i64: 3>} : (tensor<2x6x5xf32>, tensor<3x4x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @pooling_gradient_c1(%x: tensor<1x2x4xf32>, %y: tensor<1x2x2xf32>, %g: tensor<1x2x2xf32>) -> (tensor<1x2x5xf32>) {
  // expected-error @+1 {{output has shape [1, 2, 5] but needs [1, 2, 4]}}
  %0 = sg.pooling_gradient(%x, %y, %g) {kernel = array<i64: 2>} : (tensor<1x2x4xf32>, tensor<1x2x2xf32>, tensor<1x2x2xf32>) -> tensor<1x2x5xf32>
  sg.heads %0 : tensor<1x2x5xf32>
}

// -----

sg.graph @pooling_gradient_c2(%x: tensor<1x2x4xf32>, %y: tensor<1x2x2xf32>, %g: tensor<1x2x3xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{gradient has shape [1, 2, 3] but needs [1, 2, 2]}}
  %0 = sg.pooling_gradient(%x, %y, %g) {kernel = array<i64: 2>} : (tensor<1x2x4xf32>, tensor<1x2x2xf32>, tensor<1x2x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @scatter_add_c1(%x: tensor<3x4xf32>, %i: tensor<3xi32>) -> (tensor<5x4xf32>) {
  // expected-error @+1 {{output has shape [5, 4] but needs [6, 4]}}
  %0 = sg.scatter_add(%x, %i) {axis = 0 : i64, extent = 6 : i64} : (tensor<3x4xf32>, tensor<3xi32>) -> tensor<5x4xf32>
  sg.heads %0 : tensor<5x4xf32>
}

// -----

sg.graph @scatter_add_c2(%x: tensor<3x4xf32>, %i: tensor<3x4x2xi32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{data has shape [3, 4], needs the extents of indices, [3, 4, 2], from axis 0 on}}
  %0 = sg.scatter_add(%x, %i) {axis = 0 : i64, extent = 6 : i64} : (tensor<3x4xf32>, tensor<3x4x2xi32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @roi_pooling_gradient_c1(%x: tensor<2x3x6x5xf32>, %r: tensor<4x5xf32>, %g: tensor<4x3x2x2xf32>) -> (tensor<2x3x6x7xf32>) {
  // expected-error @+1 {{output has shape [2, 3, 6, 7] but needs [2, 3, 6, 5]}}
  %0 = sg.roi_pooling_gradient(%x, %r, %g) {pooled_size = array<i64: 2, 2>, spatial_scale = 1.0} : (tensor<2x3x6x5xf32>, tensor<4x5xf32>, tensor<4x3x2x2xf32>) -> tensor<2x3x6x7xf32>
  sg.heads %0 : tensor<2x3x6x7xf32>
}

// -----

sg.graph @roi_align_gradient_c1(%x: tensor<2x8x6x5xf32>, %r: tensor<4x5xf32>, %g: tensor<4x2x2x2xf32>) -> (tensor<2x8x6x7xf32>) {
  // expected-error @+1 {{output has shape [2, 8, 6, 7] but needs [2, 8, 6, 5]}}
  %0 = sg.roi_align_gradient(%x, %r, %g) {pooled_size = array<i64: 2, 2>, spatial_scale = 1.0, position_sensitive = true} : (tensor<2x8x6x5xf32>, tensor<4x5xf32>, tensor<4x2x2x2xf32>) -> tensor<2x8x6x7xf32>
  sg.heads %0 : tensor<2x8x6x7xf32>
}

// -----

sg.graph @boolean_mask_gradient_c1(%x: tensor<4x3xf32>, %m: tensor<4xf32>, %g: tensor<2x3xf32>) -> (tensor<4x5xf32>) {
  // expected-error @+1 {{output has shape [4, 5] but needs [4, 3]}}
  %0 = sg.boolean_mask_gradient(%x, %m, %g) : (tensor<4x3xf32>, tensor<4xf32>, tensor<2x3xf32>) -> tensor<4x5xf32>
  sg.heads %0 : tensor<4x5xf32>
}

// -----

sg.graph @psroi_gradient_c1(%x: tensor<2x8x6x5xf32>, %r: tensor<4x5xf32>, %g: tensor<4x2x2x2xf32>) -> (tensor<2x8x6x7xf32>) {
  // expected-error @+1 {{output has shape [2, 8, 6, 7] but needs [2, 8, 6, 5]}}
  %0 = sg.psroi_gradient(%x, %r, %g) {spatial_scale = 1.0, output_dim = 2 : i64, pooled_size = 2 : i64} : (tensor<2x8x6x5xf32>, tensor<4x5xf32>, tensor<4x2x2x2xf32>) -> tensor<2x8x6x7xf32>
  sg.heads %0 : tensor<2x8x6x7xf32>
}

// -----

sg.graph @deformable_psroi_gradient_c1(%x: tensor<2x8x6x5xf32>, %r: tensor<4x5xf32>, %g: tensor<4x2x3x3xf32>, %t: tensor<4x2x3x3xf32>) -> (tensor<4x2x3x7xf32>) {
  // expected-error @+1 {{output has shape [4, 2, 3, 7] but needs [4, 2, 3, 3]}}
  %0 = sg.deformable_psroi_gradient(%x, %r, %g, %t) {of = "trans", spatial_scale = 1.0, output_dim = 2 : i64, group_size = 2 : i64, pooled_size = 3 : i64} : (tensor<2x8x6x5xf32>, tensor<4x5xf32>, tensor<4x2x3x3xf32>, tensor<4x2x3x3xf32>) -> tensor<4x2x3x7xf32>
  sg.heads %0 : tensor<4x2x3x7xf32>
}

// -----

sg.graph @sampler_gradient_c1(%x: tensor<2x3x6x5xf32>, %p: tensor<2x2x4x4xf32>, %g: tensor<2x3x4x4xf32>) -> (tensor<2x2x4x7xf32>) {
  // expected-error @+1 {{output has shape [2, 2, 4, 7] but needs [2, 2, 4, 4]}}
  %0 = sg.sampler_gradient(%x, %p, %g) {of = "grid"} : (tensor<2x3x6x5xf32>, tensor<2x2x4x4xf32>, tensor<2x3x4x4xf32>) -> tensor<2x2x4x7xf32>
  sg.heads %0 : tensor<2x2x4x7xf32>
}

// -----

sg.graph @transformer_gradient_c1(%x: tensor<2x3x6x5xf32>, %l: tensor<2x6xf32>, %g: tensor<2x3x4x4xf32>) -> (tensor<2x7xf32>) {
  // expected-error @+1 {{output has shape [2, 7] but needs [2, 6]}}
  %0 = sg.transformer_gradient(%x, %l, %g) {of = "loc"} : (tensor<2x3x6x5xf32>, tensor<2x6xf32>, tensor<2x3x4x4xf32>) -> tensor<2x7xf32>
  sg.heads %0 : tensor<2x7xf32>
}

// -----

sg.graph @deformable_columns_gradient_c1(%x: tensor<2x3x6x5xf32>, %o: tensor<2x18x6x5xf32>, %g: tensor<2x27x6x5xf32>, %m: tensor<2x9x6x5xf32>) -> (tensor<2x9x6x7xf32>) {
  // expected-error @+1 {{output has shape [2, 9, 6, 7] but needs [2, 9, 6, 5]}}
  %0 = sg.deformable_columns_gradient(%x, %o, %g, %m) {of = "mask", kernel = array<i64: 3, 3>, pad = array<i64: 1, 1>} : (tensor<2x3x6x5xf32>, tensor<2x18x6x5xf32>, tensor<2x27x6x5xf32>, tensor<2x9x6x5xf32>) -> tensor<2x9x6x7xf32>
  sg.heads %0 : tensor<2x9x6x7xf32>
}

// -----

sg.graph @correlation_gradient_c1(%x: tensor<2x3x6x5xf32>, %y: tensor<2x3x6x5xf32>, %g: tensor<2x9x4x3xf32>) -> (tensor<2x3x6x7xf32>) {
  // expected-error @+1 {{output has shape [2, 3, 6, 7] but needs [2, 3, 6, 5]}}
  %0 = sg.correlation_gradient(%x, %y, %g) {of = "data2"} : (tensor<2x3x6x5xf32>, tensor<2x3x6x5xf32>, tensor<2x9x4x3xf32>) -> tensor<2x3x6x7xf32>
  sg.heads %0 : tensor<2x3x6x7xf32>
}

// -----

sg.graph @box_nms_gradient_c1(%x: tensor<2x8x6xf32>, %g: tensor<2x8x6xf32>) -> (tensor<2x8x7xf32>) {
  // expected-error @+1 {{output has shape [2, 8, 7] but needs [2, 8, 6]}}
  %0 = sg.box_nms_gradient(%x, %g) {overlap_thresh = 0.3} : (tensor<2x8x6xf32>, tensor<2x8x6xf32>) -> tensor<2x8x7xf32>
  sg.heads %0 : tensor<2x8x7xf32>
}

// -----

sg.graph @backward_c1(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) -> (tensor<2x4xf32>) {
  // expected-error @+1 {{gradients0 has shape [2, 4] but needs [2, 3]}}
  %0 = sg.backward(%x, %y) {operand_count = 1 : i64, result_count = 1 : i64, arriving = array<i64>} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x4xf32>
  sg.heads %0 : tensor<2x4xf32>
}

// -----

sg.graph @backward_c1_count(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) -> (tensor<2x3xf32>) {
  // expected-error @+1 {{has 2 gradients of 1 operands}}
  %0:2 = sg.backward(%x, %y) {operand_count = 1 : i64, result_count = 1 : i64, arriving = array<i64>} : (tensor<2x3xf32>, tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>)
  sg.heads %0#0 : tensor<2x3xf32>
}

// -----

sg.graph @backward_c2(%x: tensor<2x3xf32>, %y: tensor<2x4xf32>, %g: tensor<2x3xf32>) -> (tensor<2x3xf32>) {
  // expected-error @+1 {{values2 has shape [2, 3] but needs [2, 4]}}
  %0 = sg.backward(%x, %y, %g) {operand_count = 1 : i64, result_count = 1 : i64, arriving = array<i64: 0>} : (tensor<2x3xf32>, tensor<2x4xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  sg.heads %0 : tensor<2x3xf32>
}

// -----

sg.graph @backward_c2_place(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>, %g: tensor<2x3xf32>) -> (tensor<2x3xf32>) {
  // expected-error @+1 {{has a gradient of result 1 of a node with 1}}
  %0 = sg.backward(%x, %y, %g) {operand_count = 1 : i64, result_count = 1 : i64, arriving = array<i64: 1>} : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  sg.heads %0 : tensor<2x3xf32>
}

// -----

sg.graph @backward_values(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) -> (tensor<2x3xf32>) {
  // expected-error @+1 {{has 2 values, needs 1 operands, 1 results and 1 gradients}}
  %0 = sg.backward(%x, %y) {operand_count = 1 : i64, result_count = 1 : i64, arriving = array<i64: 0>} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  sg.heads %0 : tensor<2x3xf32>
}

// -----

sg.graph @over_ranks_c1(%a: tensor<1x3xf32>, %b: tensor<1x4xf32>) -> (tensor<*xf32>, tensor<*xf32>) {
  // expected-error @+1 {{second has shape [1, 4] but needs [1, 3]}}
  %0:2 = sg.over_ranks(%a, %b) {node = 1 : i64} : (tensor<1x3xf32>, tensor<1x4xf32>) -> (tensor<*xf32>, tensor<*xf32>)
  sg.heads %0#0, %0#1 : tensor<*xf32>, tensor<*xf32>
}

// -----

sg.graph @by_mode_c1(%a: tensor<1x3xf32>, %b: tensor<1x4xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{prediction has shape [1, 4] but needs [1, 3]}}
  %0 = sg.by_mode(%a, %b) : (tensor<1x3xf32>, tensor<1x4xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @norm_sums_c1(%g: tensor<2x3x4xf32>, %x: tensor<2x3x5xf32>, %m: tensor<1x3x1xf32>, %i: tensor<1x3x1xf32>) -> (tensor<*xf32>, tensor<*xf32>) {
  // expected-error @+1 {{slope has shape [2, 3, 4] but needs [2, 3, 5]}}
  %0:2 = sg.norm_sums(%g, %x, %m, %i) {axes = array<i64: 0, 2>} : (tensor<2x3x4xf32>, tensor<2x3x5xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>) -> (tensor<*xf32>, tensor<*xf32>)
  sg.heads %0#0, %0#1 : tensor<*xf32>, tensor<*xf32>
}

// -----

sg.graph @norm_sums_c2(%g: tensor<2x3x4xf32>, %x: tensor<2x3x4xf32>, %m: tensor<1x2x1xf32>, %i: tensor<1x3x1xf32>) -> (tensor<*xf32>, tensor<*xf32>) {
  // expected-error @+1 {{mean has shape [1, 2, 1], which does not repeat to the data's, [2, 3, 4]}}
  %0:2 = sg.norm_sums(%g, %x, %m, %i) {axes = array<i64: 0, 2>} : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1x2x1xf32>, tensor<1x3x1xf32>) -> (tensor<*xf32>, tensor<*xf32>)
  sg.heads %0#0, %0#1 : tensor<*xf32>, tensor<*xf32>
}

// -----

sg.graph @norm_sums_c2_inverse(%g: tensor<2x3x4xf32>, %x: tensor<2x3x4xf32>, %m: tensor<1x3x1xf32>, %i: tensor<3xf32>) -> (tensor<*xf32>, tensor<*xf32>) {
  // expected-error @+1 {{inverse has shape [3], which does not repeat to the data's, [2, 3, 4]}}
  %0:2 = sg.norm_sums(%g, %x, %m, %i) {axes = array<i64: 0, 2>} : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1x3x1xf32>, tensor<3xf32>) -> (tensor<*xf32>, tensor<*xf32>)
  sg.heads %0#0, %0#1 : tensor<*xf32>, tensor<*xf32>
}

// -----

sg.graph @norm_sums_c3(%g: tensor<2x3x4xf32>, %x: tensor<2x3x4xf32>, %m: tensor<1x3x1xf32>, %i: tensor<1x3x1xf32>) -> (tensor<*xf32>, tensor<*xf32>) {
  // expected-error @+1 {{axis -1 is named twice}}
  %0:2 = sg.norm_sums(%g, %x, %m, %i) {axes = array<i64: 2, -1>} : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>) -> (tensor<*xf32>, tensor<*xf32>)
  sg.heads %0#0, %0#1 : tensor<*xf32>, tensor<*xf32>
}

// -----

sg.graph @norm_sums_c4(%g: tensor<2x3x4xf32>, %x: tensor<2x3x4xf32>, %m: tensor<1x3x1xf32>, %i: tensor<1x3x1xf32>) -> (tensor<1x3x1xf32>, tensor<1x3x1xf32>) {
  // expected-error @+1 {{along has shape [1, 3, 1] but needs [2, 3, 1]}}
  %0:2 = sg.norm_sums(%g, %x, %m, %i) {axes = array<i64: 2>} : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>) -> (tensor<1x3x1xf32>, tensor<1x3x1xf32>)
  sg.heads %0#0, %0#1 : tensor<1x3x1xf32>, tensor<1x3x1xf32>
}

// -----

sg.graph @norm_gradient_c1(%g: tensor<2x3x4xf32>, %x: tensor<2x3x5xf32>, %m: tensor<2x3x1xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{slope has shape [2, 3, 4] but needs [2, 3, 5]}}
  %0 = sg.norm_gradient(%g, %x, %m, %m) {axes = array<i64: 2>} : (tensor<2x3x4xf32>, tensor<2x3x5xf32>, tensor<2x3x1xf32>, tensor<2x3x1xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @norm_gradient_c2(%g: tensor<2x3x4xf32>, %x: tensor<2x3x4xf32>, %m: tensor<3x3x1xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{mean has shape [3, 3, 1], which does not repeat to the data's, [2, 3, 4]}}
  %0 = sg.norm_gradient(%g, %x, %m, %m) {axes = array<i64: 2>} : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<3x3x1xf32>, tensor<3x3x1xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @norm_gradient_c3(%g: tensor<2x3x4xf32>, %x: tensor<2x3x4xf32>, %m: tensor<2x3x1xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{axis -1 is named twice}}
  %0 = sg.norm_gradient(%g, %x, %m, %m) {axes = array<i64: 2, -1>} : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<2x3x1xf32>, tensor<2x3x1xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @norm_gradient_c4(%g: tensor<2x3x4xf32>, %x: tensor<2x3x4xf32>, %m: tensor<2x3x1xf32>) -> (tensor<2x3x1xf32>) {
  // expected-error @+1 {{output has shape [2, 3, 1] but needs [2, 3, 4]}}
  %0 = sg.norm_gradient(%g, %x, %m, %m) {axes = array<i64: 2>} : (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<2x3x1xf32>, tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
  sg.heads %0 : tensor<2x3x1xf32>
}
