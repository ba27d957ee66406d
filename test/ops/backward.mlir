// RUN: symc-opt --sg-infer-shapes --sg-infer-types %s | FileCheck %s
// RUN: symc-opt %s | symc-opt | symc-opt --sg-infer-shapes --sg-infer-types | FileCheck %s
// Operators that gradients are made of survive a round trip, and infer their results.

// CHECK-LABEL: sg.graph @slope(
// CHECK: sg.slope({{.*}}: (tensor<3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
sg.graph @slope(%a: tensor<3xf32>, %g: tensor<2x3xf32>) -> (tensor<*xf32>) {
  %0 = sg.slope(%a, %g) {fn = "power", by = 0 : i64, places = array<i64: 0>, numbers = array<f64: 0.0, 2.5>, num_args = 2 : i64} : (tensor<3xf32>, tensor<2x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @convolution_weights(
// CHECK: sg.convolution_weights({{.*}}: (tensor<2x6x9x8xf32>, tensor<2x4x4x3xf32>) -> tensor<4x3x3x3xf32>
sg.graph @convolution_weights(%x: tensor<2x6x9x8xf32>, %g: tensor<2x4x4x3xf32>) -> (tensor<*xf32>) {
  %0 = sg.convolution_weights(%x, %g) {kernel = array<i64: 3, 3>, stride = array<i64: 2, 2>, num_group = 2 : i64} : (tensor<2x6x9x8xf32>, tensor<2x4x4x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @pooling_gradient(
// CHECK: sg.pooling_gradient({{.*}}: (tensor<1x2x4x4xf32>, tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>) -> tensor<1x2x4x4xf32>
sg.graph @pooling_gradient(%x: tensor<1x2x4x4xf32>, %y: tensor<1x2x2x2xf32>, %g: tensor<*xf32>) -> (tensor<*xf32>) {
  %0 = sg.pooling_gradient(%x, %y, %g) {kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>} : (tensor<1x2x4x4xf32>, tensor<1x2x2x2xf32>, tensor<*xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @scatter_add(
// CHECK: sg.scatter_add({{.*}}: (tensor<2x3x4x5xf32>, tensor<3x4xi32>) -> tensor<2x7x5xf32>
sg.graph @scatter_add(%x: tensor<2x3x4x5xf32>, %i: tensor<3x4xi32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.scatter_add(%x, %i) {axis = 1 : i64, extent = 7 : i64} : (tensor<2x3x4x5xf32>, tensor<3x4xi32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @roi_pooling_gradient(
// CHECK: sg.roi_pooling_gradient({{.*}}: (tensor<2x3x6x5xf32>, tensor<4x5xf32>, tensor<4x3x2x2xf32>) -> tensor<2x3x6x5xf32>
sg.graph @roi_pooling_gradient(%x: tensor<2x3x6x5xf32>, %r: tensor<4x5xf32>, %g: tensor<4x3x2x2xf32>) -> (tensor<*xf32>) {
  %0 = sg.roi_pooling_gradient(%x, %r, %g) {pooled_size = array<i64: 2, 2>, spatial_scale = 1.0} : (tensor<2x3x6x5xf32>, tensor<4x5xf32>, tensor<4x3x2x2xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @roi_align_gradient(
// CHECK: sg.roi_align_gradient({{.*}}: (tensor<2x8x6x5xf32>, tensor<4x5xf32>, tensor<4x2x2x2xf32>) -> tensor<2x8x6x5xf32>
sg.graph @roi_align_gradient(%x: tensor<2x8x6x5xf32>, %r: tensor<4x5xf32>, %g: tensor<4x2x2x2xf32>) -> (tensor<*xf32>) {
  %0 = sg.roi_align_gradient(%x, %r, %g) {pooled_size = array<i64: 2, 2>, spatial_scale = 1.0, position_sensitive = true} : (tensor<2x8x6x5xf32>, tensor<4x5xf32>, tensor<4x2x2x2xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @boolean_mask_gradient(
// CHECK: sg.boolean_mask_gradient({{.*}}: (tensor<4x3xf32>, tensor<4xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
sg.graph @boolean_mask_gradient(%x: tensor<4x3xf32>, %m: tensor<4xf32>, %g: tensor<2x3xf32>) -> (tensor<*xf32>) {
  %0 = sg.boolean_mask_gradient(%x, %m, %g) : (tensor<4x3xf32>, tensor<4xf32>, tensor<2x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @psroi_gradient(
// CHECK: sg.psroi_gradient({{.*}}: (tensor<2x8x6x5xf32>, tensor<4x5xf32>, tensor<4x2x2x2xf32>) -> tensor<2x8x6x5xf32>
sg.graph @psroi_gradient(%x: tensor<2x8x6x5xf32>, %r: tensor<4x5xf32>, %g: tensor<4x2x2x2xf32>) -> (tensor<*xf32>) {
  %0 = sg.psroi_gradient(%x, %r, %g) {spatial_scale = 1.0, output_dim = 2 : i64, pooled_size = 2 : i64} : (tensor<2x8x6x5xf32>, tensor<4x5xf32>, tensor<4x2x2x2xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @deformable_psroi_gradient(
// CHECK: sg.deformable_psroi_gradient({{.*}}: (tensor<2x8x6x5xf32>, tensor<4x5xf32>, tensor<4x2x3x3xf32>, tensor<4x2x3x3xf32>) -> tensor<4x2x3x3xf32>
sg.graph @deformable_psroi_gradient(%x: tensor<2x8x6x5xf32>, %r: tensor<4x5xf32>, %g: tensor<4x2x3x3xf32>, %t: tensor<4x2x3x3xf32>) -> (tensor<*xf32>) {
  %0 = sg.deformable_psroi_gradient(%x, %r, %g, %t) {of = "trans", spatial_scale = 1.0, output_dim = 2 : i64, group_size = 2 : i64, pooled_size = 3 : i64} : (tensor<2x8x6x5xf32>, tensor<4x5xf32>, tensor<4x2x3x3xf32>, tensor<4x2x3x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @sampler_gradient(
// CHECK: sg.sampler_gradient({{.*}}: (tensor<2x3x6x5xf32>, tensor<2x2x4x4xf32>, tensor<2x3x4x4xf32>) -> tensor<2x2x4x4xf32>
sg.graph @sampler_gradient(%x: tensor<2x3x6x5xf32>, %p: tensor<2x2x4x4xf32>, %g: tensor<2x3x4x4xf32>) -> (tensor<*xf32>) {
  %0 = sg.sampler_gradient(%x, %p, %g) {of = "grid"} : (tensor<2x3x6x5xf32>, tensor<2x2x4x4xf32>, tensor<2x3x4x4xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @transformer_gradient(
// CHECK: sg.transformer_gradient({{.*}}: (tensor<2x3x6x5xf32>, tensor<2x6xf32>, tensor<2x3x4x4xf32>) -> tensor<2x6xf32>
sg.graph @transformer_gradient(%x: tensor<2x3x6x5xf32>, %l: tensor<2x6xf32>, %g: tensor<2x3x4x4xf32>) -> (tensor<*xf32>) {
  %0 = sg.transformer_gradient(%x, %l, %g) {of = "loc"} : (tensor<2x3x6x5xf32>, tensor<2x6xf32>, tensor<2x3x4x4xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @deformable_columns_gradient(
// CHECK: sg.deformable_columns_gradient({{.*}}: (tensor<2x3x6x5xf32>, tensor<2x18x6x5xf32>, tensor<2x27x6x5xf32>, tensor<2x9x6x5xf32>) -> tensor<2x9x6x5xf32>
sg.graph @deformable_columns_gradient(%x: tensor<2x3x6x5xf32>, %o: tensor<2x18x6x5xf32>, %g: tensor<2x27x6x5xf32>, %m: tensor<2x9x6x5xf32>) -> (tensor<*xf32>) {
  %0 = sg.deformable_columns_gradient(%x, %o, %g, %m) {of = "mask", kernel = array<i64: 3, 3>, pad = array<i64: 1, 1>} : (tensor<2x3x6x5xf32>, tensor<2x18x6x5xf32>, tensor<2x27x6x5xf32>, tensor<2x9x6x5xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @correlation_gradient(
// CHECK: sg.correlation_gradient({{.*}}: (tensor<2x3x6x5xf32>, tensor<2x3x6x5xf32>, tensor<2x9x4x3xf32>) -> tensor<2x3x6x5xf32>
sg.graph @correlation_gradient(%x: tensor<2x3x6x5xf32>, %y: tensor<2x3x6x5xf32>, %g: tensor<2x9x4x3xf32>) -> (tensor<*xf32>) {
  %0 = sg.correlation_gradient(%x, %y, %g) {of = "data2"} : (tensor<2x3x6x5xf32>, tensor<2x3x6x5xf32>, tensor<2x9x4x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @box_nms_gradient(
// CHECK: sg.box_nms_gradient({{.*}}: (tensor<2x8x6xf32>, tensor<2x8x6xf32>) -> tensor<2x8x6xf32>
sg.graph @box_nms_gradient(%x: tensor<2x8x6xf32>, %g: tensor<2x8x6xf32>) -> (tensor<*xf32>) {
  %0 = sg.box_nms_gradient(%x, %g) {overlap_thresh = 0.3} : (tensor<2x8x6xf32>, tensor<2x8x6xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// An operand's gradient has its shape and type, a gradient that arrives those of its result.
// CHECK-LABEL: sg.graph @backward(
// CHECK-SAME: %{{.+}}: tensor<2x4xf16>)
// CHECK: sg.backward({{.*}}: (tensor<2x3xf16>, tensor<4x3xf32>, tensor<2x4xf16>, tensor<2x4xf16>) -> (tensor<2x3xf16>, tensor<4x3xf32>)
sg.graph @backward(%x: tensor<2x3xf16>, %w: tensor<4x3xf32>, %y: tensor<2x4xf16>, %g: tensor<*x!sg.unknown>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  %0:2 = sg.backward(%x, %w, %y, %g) {operand_count = 2 : i64, result_count = 1 : i64, arriving = array<i64: 0>} : (tensor<2x3xf16>, tensor<4x3xf32>, tensor<2x4xf16>, tensor<*x!sg.unknown>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>)
  sg.heads %0#0, %0#1 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @over_ranks(
// CHECK: sg.over_ranks({{.*}}) {kind = "mean", node = 7 : i64} : (tensor<1x3xf32>, tensor<1x3xf32>) -> (tensor<1x3xf32>, tensor<1x3xf32>)
sg.graph @over_ranks(%a: tensor<1x3xf32>, %b: tensor<*xf32>) -> (tensor<*xf32>, tensor<*xf32>) {
  %0:2 = sg.over_ranks(%a, %b) {kind = "mean", node = 7 : i64} : (tensor<1x3xf32>, tensor<*xf32>) -> (tensor<*xf32>, tensor<*xf32>)
  sg.heads %0#0, %0#1 : tensor<*xf32>, tensor<*xf32>
}

// CHECK-LABEL: sg.graph @by_mode(
// CHECK: sg.by_mode({{.*}}) : (tensor<1x3xf32>, tensor<1x3xf32>) -> tensor<1x3xf32>
sg.graph @by_mode(%a: tensor<1x3xf32>, %b: tensor<*xf32>) -> (tensor<*xf32>) {
  %0 = sg.by_mode(%a, %b) : (tensor<1x3xf32>, tensor<*xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @norm_sums(
// CHECK: sg.norm_sums({{.*}}: (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>) -> (tensor<1x3x1xf32>, tensor<1x3x1xf32>)
sg.graph @norm_sums(%g: tensor<*xf32>, %x: tensor<2x3x4xf32>, %m: tensor<1x3x1xf32>) -> (tensor<*xf32>, tensor<*xf32>) {
  %0:2 = sg.norm_sums(%g, %x, %m, %m) {axes = array<i64: 0, -1>} : (tensor<*xf32>, tensor<2x3x4xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>) -> (tensor<*xf32>, tensor<*xf32>)
  sg.heads %0#0, %0#1 : tensor<*xf32>, tensor<*xf32>
}

// CHECK-LABEL: sg.graph @norm_gradient(
// CHECK: sg.norm_gradient({{.*}}: (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<2x3x1xf32>, tensor<2x3x1xf32>) -> tensor<2x3x4xf32>
sg.graph @norm_gradient(%g: tensor<*xf32>, %x: tensor<2x3x4xf32>, %m: tensor<2x3x1xf32>) -> (tensor<*xf32>) {
  %0 = sg.norm_gradient(%g, %x, %m, %m) {axes = array<i64: -1>} : (tensor<*xf32>, tensor<2x3x4xf32>, tensor<2x3x1xf32>, tensor<2x3x1xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}
