// If this fails, nobody is told which layers over volumes stay in reference code, and why.
// RUN: symc-opt --split-input-file --sg-volumes-to-images --remarks-filter=sg-volumes-to-images --remark-format=emitRemark %s 2>&1 | FileCheck %s

// CHECK-DAG: [Missed] volumes {{.*}}Function=main {{.*}}"'norm' is not computed as images: its type is lp"
// CHECK-DAG: [Missed] volumes {{.*}}"'edges' is not computed as images: its windows hold different numbers of images"
// CHECK-DAG: [Missed] volumes {{.*}}"'behind' is not computed as images: channels lie behind the pixels"
sg.graph @main(%x: tensor<1x4x6x8x8xf32> {sg.name = "x"}) -> (tensor<1x4x3x4x4xf32>, tensor<1x4x6x8x8xf32>, tensor<1x2x3x4x8xf32>) {
  %1 = sg.pooling(%x) {kernel = array<i64: 2, 2, 2>, stride = array<i64: 2, 2, 2>, pool_type = "lp", p_value = 2} : (tensor<1x4x6x8x8xf32>) -> tensor<1x4x3x4x4xf32> loc("norm")
  %2 = sg.pooling(%x) {kernel = array<i64: 3, 3, 3>, pad = array<i64: 1, 1, 1>, pool_type = "avg", count_include_pad = false} : (tensor<1x4x6x8x8xf32>) -> tensor<1x4x6x8x8xf32> loc("edges")
  %3 = sg.pooling(%x) {kernel = array<i64: 2, 2, 2>, stride = array<i64: 2, 2, 2>, layout = "NDHWC"} : (tensor<1x4x6x8x8xf32>) -> tensor<1x2x3x4x8xf32> loc("behind")
  sg.heads %1, %2, %3 : tensor<1x4x3x4x4xf32>, tensor<1x4x6x8x8xf32>, tensor<1x2x3x4x8xf32>
}

// -----

// The last window of a mean holds fewer images, and a range does not say how many.
#in = #sg.extents<()[s0] -> (1, 4, s0, 8, 8)>
#out = #sg.extents<()[s0] -> (1, 4, (s0 - 1) floordiv 2 + 1, 8, 8)>
// CHECK-DAG: [Missed] volumes {{.*}}"'open' is not computed as images: a depth that is known only at run time decides its windows"
sg.graph @main(%x: tensor<1x4x?x8x8xf32, #in> {sg.name = "x"}) -> (tensor<1x4x?x8x8xf32, #out>) attributes {dim_max = array<i64: 8>, dim_min = array<i64: 3>} {
  %0 = sg.pooling(%x) {kernel = array<i64: 3, 1, 1>, stride = array<i64: 2, 1, 1>, pad = array<i64: 1, 0, 0>, pool_type = "avg", count_include_pad = false} : (tensor<1x4x?x8x8xf32, #in>) -> tensor<1x4x?x8x8xf32, #out> loc("open")
  sg.heads %0 : tensor<1x4x?x8x8xf32, #out>
}

// -----

// MXNet's average of no pixels is NaN over volumes; last rows and columns of windows lie beside the volume here.
// CHECK-DAG: [Missed] volumes {{.*}}"'beside' is not computed as images: a window may hold no pixel"
sg.graph @main(%x: tensor<1x4x6x9x9xf32> {sg.name = "x"}) -> (tensor<1x4x6x4x4xf32>) {
  %0 = sg.pooling(%x) {kernel = array<i64: 1, 2, 2>, stride = array<i64: 1, 3, 3>, pooling_convention = "full", pool_type = "avg"} : (tensor<1x4x6x9x9xf32>) -> tensor<1x4x6x4x4xf32> loc("beside")
  sg.heads %0 : tensor<1x4x6x4x4xf32>
}

// -----

// Gradients of poolings: of few channels, and of a pooling that is none of images.
// CHECK-DAG: [Missed] volumes {{.*}}"'few' is not computed as images: it has few channels, or extents that are known only at run time"
// CHECK-DAG: [Missed] volumes {{.*}}"'foreign' is not computed as images: its pooling is not one of images"
sg.graph @main(%x: tensor<1x4x6x4x4xf32> {sg.name = "x"}, %z: tensor<1x8x6x4x4xf32> {sg.name = "z"}, %dy: tensor<1x4x6x2x2xf32> {sg.name = "dy"}, %y: tensor<1x8x6x2x2xf32> {sg.name = "y"}) -> (tensor<1x4x6x4x4xf32>, tensor<1x8x6x4x4xf32>) attributes {training} {
  %0 = sg.pooling(%x) {kernel = array<i64: 1, 2, 2>, stride = array<i64: 1, 2, 2>} : (tensor<1x4x6x4x4xf32>) -> tensor<1x4x6x2x2xf32>
  %1 = sg.pooling_gradient(%x, %0, %dy) {kernel = array<i64: 1, 2, 2>, stride = array<i64: 1, 2, 2>} : (tensor<1x4x6x4x4xf32>, tensor<1x4x6x2x2xf32>, tensor<1x4x6x2x2xf32>) -> tensor<1x4x6x4x4xf32> loc("few")
  %2 = sg.pooling_gradient(%z, %y, %y) {kernel = array<i64: 1, 2, 2>, stride = array<i64: 1, 2, 2>} : (tensor<1x8x6x4x4xf32>, tensor<1x8x6x2x2xf32>, tensor<1x8x6x2x2xf32>) -> tensor<1x8x6x4x4xf32> loc("foreign")
  sg.heads %1, %2 : tensor<1x4x6x4x4xf32>, tensor<1x8x6x4x4xf32>
}

// -----

// A window of 64 images is the deepest.
// CHECK-DAG: [Missed] volumes {{.*}}"'deep' is not computed as images: its windows are too deep"
// CHECK-DAG: [Missed] volumes {{.*}}"'wells' is not computed as images: its windows are too deep"
// CHECK-LABEL: @depths(
// CHECK-NOT: sg.pooling({{.*}}kernel = array<i64: 64, 1, 1>
// CHECK: sg.heads
sg.graph @depths(%x: tensor<1x1x99x1x1xf32> {sg.name = "x"}, %w: tensor<1x1x65x1x1xf32> {sg.name = "w"}) -> (tensor<1x1x35x1x3xf32>, tensor<1x1x35x1x1xf32>, tensor<1x1x36x1x1xf32>) {
  %0 = sg.convolution(%x, %w) {kernel = array<i64: 65, 1, 1>, pad = array<i64: 0, 0, 1>, num_filter = 1, no_bias = true} : (tensor<1x1x99x1x1xf32>, tensor<1x1x65x1x1xf32>) -> tensor<1x1x35x1x3xf32> loc("deep")
  %1 = sg.pooling(%x) {kernel = array<i64: 65, 1, 1>} : (tensor<1x1x99x1x1xf32>) -> tensor<1x1x35x1x1xf32> loc("wells")
  %2 = sg.pooling(%x) {kernel = array<i64: 64, 1, 1>} : (tensor<1x1x99x1x1xf32>) -> tensor<1x1x36x1x1xf32> loc("deepest")
  sg.heads %0, %1, %2 : tensor<1x1x35x1x3xf32>, tensor<1x1x35x1x1xf32>, tensor<1x1x36x1x1xf32>
}
