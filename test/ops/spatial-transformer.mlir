// The result has the target's size.
// RUN: symc-opt --sg-infer-shapes %s | symc-opt | FileCheck %s

// CHECK-LABEL: @spatial_transformer_c2(
// CHECK: sg.spatial_transformer({{.*}}) {{.*}}: (tensor<2x3x8x8xf32>, tensor<2x6xf32>) -> tensor<2x3x4x5xf32>
sg.graph @spatial_transformer_c2(%data: tensor<2x3x8x8xf32> {sg.name = "data"}, %loc: tensor<*xf32> {sg.name = "loc"}) -> (tensor<*xf32>) {
  %0 = sg.spatial_transformer(%data, %loc) {target_shape = array<i64: 4, 5>, transform_type = "affine", sampler_type = "bilinear"} : (tensor<2x3x8x8xf32>, tensor<*xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}
