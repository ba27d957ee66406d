// If this fails, a convolution multiplies padding, or leaves out a tap that meets the image.
// RUN: symc-opt --split-input-file --sg-drop-taps --remarks-filter=sg-drop-taps --remark-format=emitRemark %s 2>&1 | FileCheck %s
// RUN: symc-opt --split-input-file --sg-drop-taps --sg-drop-taps %s | FileCheck %s --check-prefix=TWICE

// CHECK: [Passed] taps {{.*}}Function=middle {{.*}}"'far' computes 1 of its 9 taps: the others lie in the padding"
// CHECK: [Passed] taps {{.*}}Function=rows {{.*}}"'wide' computes 6 of its 10 taps: the others lie in the padding"
// CHECK-LABEL: @middle(
// CHECK: sg.slice_axis({{.*}}) {axis = 2 : i64, begin = 1 : i64, end = 2 : i64}
// CHECK: sg.slice_axis({{.*}}) {axis = 3 : i64, begin = 1 : i64, end = 2 : i64}
// CHECK: sg.convolution({{.*}}kernel = array<i64: 1, 1>, {{.*}}pad = array<i64: 0, 0>
// TWICE-LABEL: @middle(
// TWICE-COUNT-2: sg.slice_axis
// TWICE-NOT: sg.slice_axis
// TWICE: sg.heads
sg.graph @middle(%x: tensor<1x4x20x20xf32> {sg.name = "x"}, %w: tensor<8x4x3x3xf32> {sg.name = "w"}) -> (tensor<1x8x20x20xf32>) {
  %0 = sg.convolution(%x, %w) {kernel = array<i64: 3, 3>, dilate = array<i64: 36, 36>, pad = array<i64: 36, 36>, num_filter = 8, no_bias = true} : (tensor<1x4x20x20xf32>, tensor<8x4x3x3xf32>) -> tensor<1x8x20x20xf32> loc("far")
  sg.heads %0 : tensor<1x8x20x20xf32>
}

// -----

// Two rows of five lie outside at all places; both columns meet the image.
// CHECK-LABEL: @rows(
// CHECK: sg.slice_axis({{.*}}) {axis = 2 : i64, begin = 1 : i64, end = 4 : i64}
// CHECK-NOT: sg.slice_axis
// CHECK: sg.convolution({{.*}}kernel = array<i64: 3, 2>, {{.*}}pad = array<i64: 2, 0>
sg.graph @rows(%x: tensor<1x4x3x20xf32> {sg.name = "x"}, %w: tensor<8x4x5x2xf32> {sg.name = "w"}) -> (tensor<1x8x3x19xf32>) {
  %0 = sg.convolution(%x, %w) {kernel = array<i64: 5, 2>, dilate = array<i64: 2, 1>, pad = array<i64: 4, 0>, num_filter = 8, no_bias = true} : (tensor<1x4x3x20xf32>, tensor<8x4x5x2xf32>) -> tensor<1x8x3x19xf32> loc("wide")
  sg.heads %0 : tensor<1x8x3x19xf32>
}

// -----

// Nearest misses: dilation by one less than the image; padding that would differ between sides;
// an extent that is chosen at run time.
#in = #sg.extents<()[s0] -> (1, 4, 20, s0)>
// CHECK-LABEL: @others(
// CHECK-NOT: sg.slice_axis
// CHECK: sg.heads
sg.graph @others(%x: tensor<1x4x20x20xf32> {sg.name = "x"}, %w: tensor<8x4x3x3xf32> {sg.name = "w"}, %y: tensor<1x4x20x?xf32, #in> {sg.name = "y"}, %v: tensor<8x4x2x1xf32> {sg.name = "v"}) -> (tensor<1x8x20x20xf32>, tensor<1x8x18x20xf32>, tensor<1x8x20x?xf32, #sg.extents<()[s0] -> (1, 8, 20, s0)>>)
    attributes {dim_max = array<i64: 64>, dim_min = array<i64: 1>} {
  %0 = sg.convolution(%x, %w) {kernel = array<i64: 3, 3>, dilate = array<i64: 19, 19>, pad = array<i64: 19, 19>, num_filter = 8, no_bias = true} : (tensor<1x4x20x20xf32>, tensor<8x4x3x3xf32>) -> tensor<1x8x20x20xf32>
  %1 = sg.convolution(%x, %v) {kernel = array<i64: 2, 1>, dilate = array<i64: 42, 1>, pad = array<i64: 20, 0>, num_filter = 8, no_bias = true} : (tensor<1x4x20x20xf32>, tensor<8x4x2x1xf32>) -> tensor<1x8x18x20xf32>
  %2 = sg.convolution(%y, %w) {kernel = array<i64: 3, 3>, dilate = array<i64: 36, 36>, pad = array<i64: 36, 36>, num_filter = 8, no_bias = true} : (tensor<1x4x20x?xf32, #in>, tensor<8x4x3x3xf32>) -> tensor<1x8x20x?xf32, #sg.extents<()[s0] -> (1, 8, 20, s0)>>
  sg.heads %0, %1, %2 : tensor<1x8x20x20xf32>, tensor<1x8x18x20xf32>, tensor<1x8x20x?xf32, #sg.extents<()[s0] -> (1, 8, 20, s0)>>
}
