// One extent, two, or none.
// RUN: symc-opt --sg-infer-shapes %s | symc-opt | FileCheck %s

// CHECK-LABEL: @none(
// CHECK: sg.adaptive_avg_pooling({{.*}}) {{.*}}: (tensor<1x2x5x8xf32>) -> tensor<1x2x1x1xf32>
sg.graph @none(%data: tensor<1x2x5x8xf32> {sg.name = "data"}) -> (tensor<*xf32>) {
  %0 = sg.adaptive_avg_pooling(%data) : (tensor<1x2x5x8xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: @one(
// CHECK: sg.adaptive_avg_pooling({{.*}}) {{.*}}: (tensor<1x2x5x8xf32>) -> tensor<1x2x3x3xf32>
sg.graph @one(%data: tensor<1x2x5x8xf32> {sg.name = "data"}) -> (tensor<*xf32>) {
  %0 = sg.adaptive_avg_pooling(%data) {output_size = array<i64: 3>} : (tensor<1x2x5x8xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: @two(
// CHECK: sg.adaptive_avg_pooling({{.*}}) {{.*}}: (tensor<1x2x5x8xf32>) -> tensor<1x2x3x2xf32>
sg.graph @two(%data: tensor<1x2x5x8xf32> {sg.name = "data"}) -> (tensor<*xf32>) {
  %0 = sg.adaptive_avg_pooling(%data) {output_size = array<i64: 3, 2>} : (tensor<1x2x5x8xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}
