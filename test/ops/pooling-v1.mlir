// Rounding of the result's extents.
// RUN: symc-opt --sg-infer-shapes %s | symc-opt | FileCheck %s

// CHECK-LABEL: @pooling_v1_full(
// CHECK: sg.pooling_v1({{.*}}) {{.*}}: (tensor<1x2x8x7xf32>) -> tensor<1x2x5x4xf32>
sg.graph @pooling_v1_full(%data: tensor<1x2x8x7xf32> {sg.name = "data"}) -> (tensor<*xf32>) {
  %0 = sg.pooling_v1(%data) {kernel = array<i64: 3, 3>, stride = array<i64: 2, 2>, pad = array<i64: 1, 1>, pooling_convention = "full"} : (tensor<1x2x8x7xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}
