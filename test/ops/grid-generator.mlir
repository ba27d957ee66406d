// Both kinds.
// RUN: symc-opt --sg-infer-shapes %s | symc-opt | FileCheck %s

// CHECK-LABEL: @grid_generator_c2(
// CHECK: sg.grid_generator({{.*}}) {{.*}}: (tensor<2x6xf32>) -> tensor<2x2x4x5xf32>
sg.graph @grid_generator_c2(%data: tensor<2x?xf32> {sg.name = "data"}) -> (tensor<*xf32>) {
  %0 = sg.grid_generator(%data) {transform_type = "affine", target_shape = array<i64: 4, 5>} : (tensor<2x?xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: @warp(
// CHECK: sg.grid_generator({{.*}}) {{.*}}: (tensor<2x2x4x5xf32>) -> tensor<2x2x4x5xf32>
sg.graph @warp(%data: tensor<2x2x4x5xf32> {sg.name = "data"}) -> (tensor<*xf32>) {
  %0 = sg.grid_generator(%data) {transform_type = "warp"} : (tensor<2x2x4x5xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}
