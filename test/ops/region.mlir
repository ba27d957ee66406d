// RUN: symc-opt --sg-infer-shapes --sg-infer-types %s | FileCheck %s
// RUN: symc-opt %s | symc-opt | symc-opt --sg-infer-shapes --sg-infer-types | FileCheck %s
// Pooling over regions: one result a region.

// CHECK-LABEL: sg.graph @roi_align(
// CHECK: sg.roi_align({{.*}}: (tensor<2x6x9x8xf32>, tensor<7x5xf32>) -> tensor<7x6x3x2xf32>
sg.graph @roi_align(%a: tensor<2x6x9x8xf32> {sg.name = "a"}, %b: tensor<7x?xf32> {sg.name = "b"}) -> (tensor<*xf32>) {
  %0 = sg.roi_align(%a, %b) {spatial_scale = 0.5 : f64, pooled_size = array<i64: 3, 2>} : (tensor<2x6x9x8xf32>, tensor<7x?xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @roi_align_sensitive(
// CHECK: sg.roi_align({{.*}}: (tensor<2x12x9x8xf32>, tensor<7x5xf32>) -> tensor<7x2x3x2xf32>
sg.graph @roi_align_sensitive(%a: tensor<2x12x9x8xf32> {sg.name = "a"}, %b: tensor<7x5xf32> {sg.name = "b"}) -> (tensor<*xf32>) {
  %0 = sg.roi_align(%a, %b) {position_sensitive = true, spatial_scale = 0.5 : f64, pooled_size = array<i64: 3, 2>} : (tensor<2x12x9x8xf32>, tensor<7x5xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @rroi_align(
// CHECK: sg.rroi_align({{.*}}: (tensor<2x6x9x8xf32>, tensor<7x6xf32>) -> tensor<7x6x3x2xf32>
sg.graph @rroi_align(%a: tensor<2x6x9x8xf32> {sg.name = "a"}, %b: tensor<7x?xf32> {sg.name = "b"}) -> (tensor<*xf32>) {
  %0 = sg.rroi_align(%a, %b) {spatial_scale = 0.5 : f64, pooled_size = array<i64: 3, 2>} : (tensor<2x6x9x8xf32>, tensor<7x?xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @psroi_pooling(
// CHECK: sg.psroi_pooling({{.*}}: (tensor<2x12x9x8xf32>, tensor<7x5xf32>) -> tensor<7x3x4x4xf32>
sg.graph @psroi_pooling(%a: tensor<2x?x9x8xf32> {sg.name = "a"}, %b: tensor<7x5xf32> {sg.name = "b"}) -> (tensor<*xf32>) {
  %0 = sg.psroi_pooling(%a, %b) {group_size = 2 : i64, output_dim = 3 : i64, pooled_size = 4 : i64, spatial_scale = 0.5 : f64} : (tensor<2x?x9x8xf32>, tensor<7x5xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @psroi_pooling_default(
// CHECK: sg.psroi_pooling({{.*}}: (tensor<2x48x9x8xf32>, tensor<7x5xf32>) -> tensor<7x3x4x4xf32>
sg.graph @psroi_pooling_default(%a: tensor<2x?x9x8xf32> {sg.name = "a"}, %b: tensor<7x5xf32> {sg.name = "b"}) -> (tensor<*xf32>) {
  %0 = sg.psroi_pooling(%a, %b) {output_dim = 3 : i64, pooled_size = 4 : i64, spatial_scale = 0.5 : f64} : (tensor<2x?x9x8xf32>, tensor<7x5xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @deformable_psroi_pooling(
// CHECK: sg.deformable_psroi_pooling({{.*}}: (tensor<2x16x9x8xf32>, tensor<7x5xf32>, tensor<7x4x1x1xf32>) -> tensor<7x4x4x4xf32>
sg.graph @deformable_psroi_pooling(%a: tensor<2x16x9x8xf32> {sg.name = "a"}, %b: tensor<7x5xf32> {sg.name = "b"}, %c: tensor<?x4x?x?xf32> {sg.name = "c"}) -> (tensor<*xf32>) {
  %0 = sg.deformable_psroi_pooling(%a, %b, %c) {group_size = 2 : i64, output_dim = 4 : i64, part_size = 1 : i64, pooled_size = 4 : i64, spatial_scale = 0.5 : f64} : (tensor<2x16x9x8xf32>, tensor<7x5xf32>, tensor<?x4x?x?xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @roi_align_greatest(
// CHECK: sg.roi_align({{.*}}greatest = true{{.*}} -> tensor<7x6x3x2xf32>
sg.graph @roi_align_greatest(%a: tensor<2x6x9x8xf32>, %b: tensor<7x5xf32>) -> (tensor<*xf32>) {
  %0 = sg.roi_align(%a, %b) {greatest = true, spatial_scale = 0.5 : f64, pooled_size = array<i64: 3, 2>} : (tensor<2x6x9x8xf32>, tensor<7x5xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}
