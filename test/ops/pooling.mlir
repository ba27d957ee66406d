// Rounding of the result's extents.
// RUN: symc-opt --sg-infer-shapes %s | symc-opt | FileCheck %s

// CHECK-LABEL: @pooling_valid(
// CHECK: sg.pooling({{.*}}) {{.*}}: (tensor<1x2x8x7xf32>) -> tensor<1x2x4x4xf32>
sg.graph @pooling_valid(%data: tensor<1x2x8x7xf32> {sg.name = "data"}) -> (tensor<*xf32>) {
  %0 = sg.pooling(%data) {kernel = array<i64: 3, 3>, stride = array<i64: 2, 2>, pad = array<i64: 1, 1>} : (tensor<1x2x8x7xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: @pooling_full(
// CHECK: sg.pooling({{.*}}) {{.*}}: (tensor<1x2x8x7xf32>) -> tensor<1x2x5x4xf32>
sg.graph @pooling_full(%data: tensor<1x2x8x7xf32> {sg.name = "data"}) -> (tensor<*xf32>) {
  %0 = sg.pooling(%data) {kernel = array<i64: 3, 3>, stride = array<i64: 2, 2>, pad = array<i64: 1, 1>, pooling_convention = "full"} : (tensor<1x2x8x7xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: @pooling_same(
// CHECK: sg.pooling({{.*}}) {{.*}}: (tensor<1x2x7xf32>) -> tensor<1x2x4xf32>
sg.graph @pooling_same(%data: tensor<1x2x7xf32> {sg.name = "data"}) -> (tensor<*xf32>) {
  %0 = sg.pooling(%data) {kernel = array<i64: 3>, stride = array<i64: 2>, pooling_convention = "same"} : (tensor<1x2x7xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: @pooling_global(
// CHECK: sg.pooling({{.*}}) {{.*}}: (tensor<1x2x8x7xf32>) -> tensor<1x2x1x1xf32>
sg.graph @pooling_global(%data: tensor<1x2x8x7xf32> {sg.name = "data"}) -> (tensor<*xf32>) {
  %0 = sg.pooling(%data) {global_pool = true} : (tensor<1x2x8x7xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}
