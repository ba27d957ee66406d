// If this fails, layers whose windows are multiples of their strides are computed from other pixels or weights than
// their own, in predictions, or where their channels are no blocks.
// RUN: symc-opt --split-input-file --sg-strides-to-depth=block-width=16 --remarks-filter=sg-strides-to-depth --remark-format=emitRemark %s 2>&1 | FileCheck %s
// RUN: symc-opt --split-input-file --sg-strides-to-depth=block-width=16 --sg-strides-to-depth=block-width=16 %s | FileCheck %s --check-prefix=TWICE

// CHECK: [Passed] space-to-depth {{.*}}Function=main {{.*}}"'wide' reads space-to-depth of its image by blocks of 2x2, by a window of 2x2"
// CHECK: [Passed] space-to-depth {{.*}}Function=main {{.*}}"'sums' reads space-to-depth of its image by blocks of 2x2, by a window of 2x2"
// CHECK: [Passed] space-to-depth {{.*}}"'cut' reads space-to-depth of its image by blocks of 3x3, by a window of 3x1"
// CHECK-NOT: [Passed]

// Both read the image alike. Of 9 rows and a border of 1 the windows read 10, of 11 columns 12.
// CHECK-LABEL: @main(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x16x9x11xf32>
// CHECK-SAME: %[[W:[a-z0-9]+]]: tensor<8x16x4x4xf32>
// CHECK: %[[P:.*]] = sg.pad(%[[X]]) {{.*}}pad_width = array<i64: 0, 0, 0, 0, 1, 0, 1, 0>{{.*}} -> tensor<2x16x10x12xf32>
// CHECK: %[[S:.*]] = sg.space_to_depth(%[[P]]) {block_size = 2 : i64} : (tensor<2x16x10x12xf32>) -> tensor<2x64x5x6xf32>
// CHECK: %[[V:.*]] = sg.space_to_depth(%[[W]]) {block_size = 2 : i64} : (tensor<8x16x4x4xf32>) -> tensor<8x64x2x2xf32>
// CHECK: %[[Y:.*]] = sg.convolution(%[[S]], %[[V]], %{{.*}}) {kernel = array<i64: 2, 2>, num_filter = 8 : i64} : {{.*}} -> tensor<2x8x4x5xf32>
// CHECK: %[[R:.*]] = sg.convolution_weights(%{{.*}}, %[[Y]]) {kernel = array<i64: 2, 2>} : {{.*}} -> tensor<8x64x2x2xf32>
// CHECK: %[[D:.*]] = sg.depth_to_space(%[[R]]) {block_size = 2 : i64} : (tensor<8x64x2x2xf32>) -> tensor<8x16x4x4xf32>
// CHECK: sg.heads %[[Y]], %[[D]]
// TWICE-LABEL: @main(
// TWICE-COUNT-3: sg.space_to_depth
// TWICE-NOT: sg.space_to_depth
// TWICE: sg.heads
sg.graph @main(%x: tensor<2x16x9x11xf32> {sg.name = "x"}, %w: tensor<8x16x4x4xf32> {sg.name = "w"}, %b: tensor<8xf32> {sg.name = "b"}) -> (tensor<2x8x4x5xf32>, tensor<8x16x4x4xf32>) attributes {training} {
  %0 = sg.convolution(%x, %w, %b) {kernel = array<i64: 4, 4>, stride = array<i64: 2, 2>, pad = array<i64: 1, 1>, num_filter = 8, no_bias = false} : (tensor<2x16x9x11xf32>, tensor<8x16x4x4xf32>, tensor<8xf32>) -> tensor<2x8x4x5xf32> loc("wide")
  %1 = sg.convolution_weights(%x, %0) {kernel = array<i64: 4, 4>, stride = array<i64: 2, 2>, pad = array<i64: 1, 1>} : (tensor<2x16x9x11xf32>, tensor<2x8x4x5xf32>) -> tensor<8x16x4x4xf32> loc("sums")
  sg.heads %0, %1 : tensor<2x8x4x5xf32>, tensor<8x16x4x4xf32>
}

// -----

// What no window reads is cut off: of 11 rows 9, of 8 columns 6.
// CHECK-LABEL: @cut(
// CHECK: sg.slice_axis({{.*}}) {axis = 2 : i64, begin = 0 : i64, end = 9 : i64}
// CHECK: sg.slice_axis({{.*}}) {axis = 3 : i64, begin = 0 : i64, end = 6 : i64}
// CHECK-NOT: sg.pad
// CHECK: sg.space_to_depth{{.*}} -> tensor<1x144x3x2xf32>
// CHECK: sg.convolution({{.*}}kernel = array<i64: 3, 1>, {{.*}} -> tensor<1x4x1x2xf32>
sg.graph @cut(%x: tensor<1x16x11x8xf32> {sg.name = "x"}, %w: tensor<4x16x9x3xf32> {sg.name = "w"}) -> (tensor<1x4x1x2xf32>) attributes {training} {
  %0 = sg.convolution(%x, %w) {kernel = array<i64: 9, 3>, stride = array<i64: 3, 3>, num_filter = 4, no_bias = true} : (tensor<1x16x11x8xf32>, tensor<4x16x9x3xf32>) -> tensor<1x4x1x2xf32> loc("cut")
  sg.heads %0 : tensor<1x4x1x2xf32>
}

// -----

// Windows that are no multiples of the stride or one of it, more than four taps, dilations, groups, other strides for columns,
// eight channels.
// CHECK-LABEL: @stay(
// CHECK-NOT: sg.space_to_depth
// CHECK: sg.heads
sg.graph @stay(%x: tensor<1x16x12x12xf32> {sg.name = "x"}, %y: tensor<1x8x12x12xf32> {sg.name = "y"}, %a: tensor<4x16x3x3xf32> {sg.name = "a"}, %b: tensor<4x16x2x2xf32> {sg.name = "b"},
               %c: tensor<4x16x10x10xf32> {sg.name = "c"}, %d: tensor<4x16x4x4xf32> {sg.name = "d"}, %e: tensor<4x8x4x4xf32> {sg.name = "e"})
    -> (tensor<1x4x5x5xf32>, tensor<1x4x6x6xf32>, tensor<1x4x2x2xf32>, tensor<1x4x3x3xf32>, tensor<1x4x5x5xf32>, tensor<1x4x5x9xf32>, tensor<1x4x5x5xf32>) attributes {training} {
  %0 = sg.convolution(%x, %a) {kernel = array<i64: 3, 3>, stride = array<i64: 2, 2>, num_filter = 4, no_bias = true} : (tensor<1x16x12x12xf32>, tensor<4x16x3x3xf32>) -> tensor<1x4x5x5xf32>
  %1 = sg.convolution(%x, %b) {kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>, num_filter = 4, no_bias = true} : (tensor<1x16x12x12xf32>, tensor<4x16x2x2xf32>) -> tensor<1x4x6x6xf32>
  %2 = sg.convolution(%x, %c) {kernel = array<i64: 10, 10>, stride = array<i64: 2, 2>, num_filter = 4, no_bias = true} : (tensor<1x16x12x12xf32>, tensor<4x16x10x10xf32>) -> tensor<1x4x2x2xf32>
  %3 = sg.convolution(%x, %d) {kernel = array<i64: 4, 4>, stride = array<i64: 2, 2>, dilate = array<i64: 2, 2>, num_filter = 4, no_bias = true} : (tensor<1x16x12x12xf32>, tensor<4x16x4x4xf32>) -> tensor<1x4x3x3xf32>
  %4 = sg.convolution(%x, %e) {kernel = array<i64: 4, 4>, stride = array<i64: 2, 2>, num_filter = 4, num_group = 2, no_bias = true} : (tensor<1x16x12x12xf32>, tensor<4x8x4x4xf32>) -> tensor<1x4x5x5xf32>
  %5 = sg.convolution(%x, %d) {kernel = array<i64: 4, 4>, stride = array<i64: 2, 1>, num_filter = 4, no_bias = true} : (tensor<1x16x12x12xf32>, tensor<4x16x4x4xf32>) -> tensor<1x4x5x9xf32>
  %6 = sg.convolution(%y, %e) {kernel = array<i64: 4, 4>, stride = array<i64: 2, 2>, num_filter = 4, no_bias = true} : (tensor<1x8x12x12xf32>, tensor<4x8x4x4xf32>) -> tensor<1x4x5x5xf32>
  sg.heads %0, %1, %2, %3, %4, %5, %6 : tensor<1x4x5x5xf32>, tensor<1x4x6x6xf32>, tensor<1x4x2x2xf32>, tensor<1x4x3x3xf32>, tensor<1x4x5x5xf32>, tensor<1x4x5x9xf32>, tensor<1x4x5x5xf32>
}

// -----

// A prediction's layer would pay for the copy alone.
// CHECK-LABEL: @predict(
// CHECK-NOT: sg.space_to_depth
// CHECK: sg.heads
sg.graph @predict(%x: tensor<1x16x12x12xf32> {sg.name = "x"}, %w: tensor<4x16x4x4xf32> {sg.name = "w"}) -> (tensor<1x4x5x5xf32>) {
  %0 = sg.convolution(%x, %w) {kernel = array<i64: 4, 4>, stride = array<i64: 2, 2>, num_filter = 4, no_bias = true} : (tensor<1x16x12x12xf32>, tensor<4x16x4x4xf32>) -> tensor<1x4x5x5xf32>
  sg.heads %0 : tensor<1x4x5x5xf32>
}
