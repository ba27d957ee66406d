// RUN: symc-opt --sg-infer-shapes -split-input-file -verify-diagnostics=only-expected %s
// Regions that do not fit.

sg.graph @roi_align_c1(%a: tensor<2x6x9x8xf32> {sg.name = "a"}, %b: tensor<7x5xf32> {sg.name = "b"}) -> (tensor<*xf32>) {
  // expected-error @+1 {{parameter 'pooled_size' is (3), needs two extents of at least 1}}
  %0 = sg.roi_align(%a, %b) {spatial_scale = 0.5 : f64, pooled_size = array<i64: 3>} : (tensor<2x6x9x8xf32>, tensor<7x5xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @roi_align_c2(%a: tensor<2x6x9x8xf32> {sg.name = "a"}, %b: tensor<7x4xf32> {sg.name = "b"}) -> (tensor<*xf32>) {
  // expected-error @+1 {{rois has shape [7, 4] but needs [?, 5]}}
  %0 = sg.roi_align(%a, %b) {spatial_scale = 0.5 : f64, pooled_size = array<i64: 3, 2>} : (tensor<2x6x9x8xf32>, tensor<7x4xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @roi_align_c3(%a: tensor<2x7x9x8xf32> {sg.name = "a"}, %b: tensor<7x5xf32> {sg.name = "b"}) -> (tensor<*xf32>) {
  // expected-error @+1 {{data has 7 channels, needs a multiple of the 6 windows of pooled_size = (3, 2)}}
  %0 = sg.roi_align(%a, %b) {position_sensitive = true, spatial_scale = 0.5 : f64, pooled_size = array<i64: 3, 2>} : (tensor<2x7x9x8xf32>, tensor<7x5xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @rroi_align_c1(%a: tensor<2x6x9x8xf32> {sg.name = "a"}, %b: tensor<7x6xf32> {sg.name = "b"}) -> (tensor<*xf32>) {
  // expected-error @+1 {{parameter 'pooled_size' is (0, 2), needs two extents of at least 1}}
  %0 = sg.rroi_align(%a, %b) {spatial_scale = 0.5 : f64, pooled_size = array<i64: 0, 2>} : (tensor<2x6x9x8xf32>, tensor<7x6xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @rroi_align_c2(%a: tensor<2x6x9x8xf32> {sg.name = "a"}, %b: tensor<7x5xf32> {sg.name = "b"}) -> (tensor<*xf32>) {
  // expected-error @+1 {{rois has shape [7, 5] but needs [?, 6]}}
  %0 = sg.rroi_align(%a, %b) {spatial_scale = 0.5 : f64, pooled_size = array<i64: 3, 2>} : (tensor<2x6x9x8xf32>, tensor<7x5xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @psroi_pooling_c1(%a: tensor<2x12x9x8xf32> {sg.name = "a"}, %b: tensor<7x5xf32> {sg.name = "b"}) -> (tensor<*xf32>) {
  // expected-error @+1 {{parameter 'group_size' is -1, needs 0 for pooled_size, or at least 1}}
  %0 = sg.psroi_pooling(%a, %b) {group_size = -1 : i64, output_dim = 3 : i64, pooled_size = 4 : i64, spatial_scale = 0.5 : f64} : (tensor<2x12x9x8xf32>, tensor<7x5xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @psroi_pooling_c2(%a: tensor<2x11x9x8xf32> {sg.name = "a"}, %b: tensor<7x5xf32> {sg.name = "b"}) -> (tensor<*xf32>) {
  // expected-error @+1 {{data has shape [2, 11, 9, 8] but needs [?, 12, ?, ?]}}
  %0 = sg.psroi_pooling(%a, %b) {group_size = 2 : i64, output_dim = 3 : i64, pooled_size = 4 : i64, spatial_scale = 0.5 : f64} : (tensor<2x11x9x8xf32>, tensor<7x5xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @deformable_psroi_pooling_c1(%a: tensor<2x12x9x8xf32> {sg.name = "a"}, %b: tensor<7x5xf32> {sg.name = "b"}) -> (tensor<*xf32>) {
  // expected-error @+1 {{parameter 'part_size' is -2, needs 0 for pooled_size, or at least 1}}
  %0 = sg.deformable_psroi_pooling(%a, %b) {group_size = 2 : i64, no_trans = true, output_dim = 3 : i64, part_size = -2 : i64, pooled_size = 4 : i64, spatial_scale = 0.5 : f64} : (tensor<2x12x9x8xf32>, tensor<7x5xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @deformable_psroi_pooling_c2(%a: tensor<2x11x9x8xf32> {sg.name = "a"}, %b: tensor<7x5xf32> {sg.name = "b"}) -> (tensor<*xf32>) {
  // expected-error @+1 {{data has shape [2, 11, 9, 8] but needs [?, 12, ?, ?]}}
  %0 = sg.deformable_psroi_pooling(%a, %b) {group_size = 2 : i64, no_trans = true, output_dim = 3 : i64, pooled_size = 4 : i64, spatial_scale = 0.5 : f64} : (tensor<2x11x9x8xf32>, tensor<7x5xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @deformable_psroi_pooling_c3(%a: tensor<2x12x9x8xf32> {sg.name = "a"}, %b: tensor<7x5xf32> {sg.name = "b"}, %c: tensor<7x4x4x4xf32> {sg.name = "c"}) -> (tensor<*xf32>) {
  // expected-error @+1 {{trans has shape [7, 4, 4, 4], needs two channels for each of a number of classes that divides output_dim = 3}}
  %0 = sg.deformable_psroi_pooling(%a, %b, %c) {group_size = 2 : i64, output_dim = 3 : i64, pooled_size = 4 : i64, spatial_scale = 0.5 : f64} : (tensor<2x12x9x8xf32>, tensor<7x5xf32>, tensor<7x4x4x4xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}
