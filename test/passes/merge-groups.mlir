// If this fails, a convolution in groups of few channels runs in reference code, or what it reads
// of other groups is not 0.
// RUN: symc-opt --split-input-file --sg-merge-groups=block-width=16 %s | FileCheck %s
// RUN: symc-opt --split-input-file --sg-merge-groups=block-width=16 --sg-merge-groups=block-width=16 %s | FileCheck %s

// Four groups of four channels fill a block: a row of 36 weights and 144 zeros, 180 together,
// begins 36 further on in each row of 144.
// CHECK-LABEL: @four(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<1x32x8x8xf32>
// CHECK: %[[W:.*]] = sg.parameter @w
// CHECK: sg.reshape(%[[W]]) {shape = array<i64: 2, 4, 8, 36>}
// CHECK: sg.transpose({{.*}}) {axes = array<i64: 0, 2, 1, 3>}
// CHECK: sg.pad({{.*}}pad_width = array<i64: 0, 0, 0, 0, 0, 0, 0, 144>{{.*}} -> tensor<2x8x4x180xf32>
// CHECK: sg.slice_axis({{.*}}) {axis = 2 : i64, begin = 0 : i64, end = 576 : i64}
// CHECK: sg.transpose({{.*}}) {axes = array<i64: 0, 2, 1, 3>}
// CHECK: %[[V:.*]] = sg.reshape({{.*}} -> tensor<64x16x3x3xf32>
// CHECK: sg.convolution(%[[X]], %[[V]]) {{.*}}num_group = 2
sg.weight @w : tensor<64x4x3x3xf32>
sg.graph @four(%x: tensor<1x32x8x8xf32> {sg.name = "x"}) -> (tensor<1x64x6x6xf32>) {
  %w = sg.parameter @w : tensor<64x4x3x3xf32>
  %0 = sg.convolution(%x, %w) {kernel = array<i64: 3, 3>, num_filter = 64, num_group = 8, no_bias = true} : (tensor<1x32x8x8xf32>, tensor<64x4x3x3xf32>) -> tensor<1x64x6x6xf32>
  sg.heads %0 : tensor<1x64x6x6xf32>
}

// -----

// Groups that lie within a block stay: as many channels in as out, a divisor of sixteen.
// CHECK-LABEL: @within(
// CHECK: sg.convolution({{.*}}num_group = 8
sg.weight @w : tensor<32x4x3x3xf32>
sg.graph @within(%x: tensor<1x32x8x8xf32> {sg.name = "x"}) -> (tensor<1x32x6x6xf32>) {
  %w = sg.parameter @w : tensor<32x4x3x3xf32>
  %0 = sg.convolution(%x, %w) {kernel = array<i64: 3, 3>, num_filter = 32, num_group = 8, no_bias = true} : (tensor<1x32x8x8xf32>, tensor<32x4x3x3xf32>) -> tensor<1x32x6x6xf32>
  sg.heads %0 : tensor<1x32x6x6xf32>
}

// -----

// Where no number of groups fills blocks, all become one.
// CHECK-LABEL: @all(
// CHECK: sg.convolution({{.*}}) {kernel = array<i64: 1, 1>, no_bias = true, num_filter = 9 : i64} : {{.*}}tensor<9x12x1x1xf32>
sg.weight @w : tensor<9x4x1x1xf32>
sg.graph @all(%x: tensor<1x12x8x8xf32> {sg.name = "x"}) -> (tensor<1x9x8x8xf32>) {
  %w = sg.parameter @w : tensor<9x4x1x1xf32>
  %0 = sg.convolution(%x, %w) {kernel = array<i64: 1, 1>, num_filter = 9, num_group = 3, no_bias = true} : (tensor<1x12x8x8xf32>, tensor<9x4x1x1xf32>) -> tensor<1x9x8x8xf32>
  sg.heads %0 : tensor<1x9x8x8xf32>
}

// -----

// One channel in and two out: each of the two is alone with a copy.
// CHECK-LABEL: @multiplier(
// CHECK: sg.broadcast_to({{.*}}) {shape = array<i64: 1, 8, 2, 8, 8>}
// CHECK: %[[TWICE:.*]] = sg.reshape({{.*}} -> tensor<1x16x8x8xf32>
// CHECK: sg.convolution(%[[TWICE]], %{{[a-z0-9]+}}) {{.*}}num_group = 16
sg.weight @w : tensor<16x1x3x3xf32>
sg.graph @multiplier(%x: tensor<1x8x8x8xf32> {sg.name = "x"}) -> (tensor<1x16x6x6xf32>) {
  %w = sg.parameter @w : tensor<16x1x3x3xf32>
  %0 = sg.convolution(%x, %w) {kernel = array<i64: 3, 3>, num_filter = 16, num_group = 8, no_bias = true} : (tensor<1x8x8x8xf32>, tensor<16x1x3x3xf32>) -> tensor<1x16x6x6xf32>
  sg.heads %0 : tensor<1x16x6x6xf32>
}

// -----

// Groups that fill blocks, channels alone, and weights that the graph computes stay.
// CHECK-LABEL: @others(
// CHECK: sg.convolution({{.*}}num_group = 2 :
// CHECK: sg.convolution({{.*}}num_group = 32 :
// CHECK: sg.convolution({{.*}}num_group = 8 :
sg.weight @w : tensor<32x16x1x1xf32>
sg.weight @v : tensor<32x1x1x1xf32>
sg.graph @others(%x: tensor<1x32x8x8xf32> {sg.name = "x"}, %u: tensor<32x4x1x1xf32> {sg.name = "u"}) -> (tensor<1x32x8x8xf32>) {
  %w = sg.parameter @w : tensor<32x16x1x1xf32>
  %v = sg.parameter @v : tensor<32x1x1x1xf32>
  %0 = sg.convolution(%x, %w) {kernel = array<i64: 1, 1>, num_filter = 32, num_group = 2, no_bias = true} : (tensor<1x32x8x8xf32>, tensor<32x16x1x1xf32>) -> tensor<1x32x8x8xf32>
  %1 = sg.convolution(%0, %v) {kernel = array<i64: 1, 1>, num_filter = 32, num_group = 32, no_bias = true} : (tensor<1x32x8x8xf32>, tensor<32x1x1x1xf32>) -> tensor<1x32x8x8xf32>
  %2 = sg.convolution(%1, %u) {kernel = array<i64: 1, 1>, num_filter = 32, num_group = 8, no_bias = true} : (tensor<1x32x8x8xf32>, tensor<32x4x1x1xf32>) -> tensor<1x32x8x8xf32>
  sg.heads %2 : tensor<1x32x8x8xf32>
}

// -----

// Three groups whose results begin within blocks are three layers, each with the function behind it.
// CHECK-LABEL: @thirds(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<1x240x8x8xf32>
// CHECK-DAG: %[[X1:.*]] = sg.slice_axis(%[[X]]) {axis = 1 : i64, begin = 80 : i64, end = 160 : i64}
// CHECK-DAG: %[[W1:.*]] = sg.slice_axis(%{{.*}}) {axis = 0 : i64, begin = 20 : i64, end = 40 : i64} : (tensor<60x80x1x1xf32>)
// CHECK-DAG: %[[B1:.*]] = sg.slice_axis(%{{.*}}) {axis = 0 : i64, begin = 20 : i64, end = 40 : i64} : (tensor<60xf32>)
// CHECK: %[[Y1:.*]] = sg.convolution(%[[X1]], %[[W1]], %[[B1]]) {kernel = array<i64: 1, 1>, num_filter = 20 : i64} : {{.*}} -> tensor<1x20x8x8xf32>
// CHECK: sg.unary(%[[Y1]]) {fn = "relu"} : {{.*}} -> tensor<1x20x8x8xf32>
// CHECK: %[[ALL:.*]] = sg.concat({{.*}}) {{.*}} -> tensor<1x60x8x8xf32>
// CHECK: sg.heads %[[ALL]]
sg.weight @w : tensor<60x80x1x1xf32>
sg.weight @b : tensor<60xf32>
sg.graph @thirds(%x: tensor<1x240x8x8xf32> {sg.name = "x"}) -> (tensor<1x60x8x8xf32>) {
  %w = sg.parameter @w : tensor<60x80x1x1xf32>
  %b = sg.parameter @b : tensor<60xf32>
  %0 = sg.convolution(%x, %w, %b) {kernel = array<i64: 1, 1>, num_filter = 60, num_group = 3} : (tensor<1x240x8x8xf32>, tensor<60x80x1x1xf32>, tensor<60xf32>) -> tensor<1x60x8x8xf32>
  %1 = sg.unary(%0) {fn = "relu"} : (tensor<1x60x8x8xf32>) -> tensor<1x60x8x8xf32>
  sg.heads %1 : tensor<1x60x8x8xf32>
}

// -----

// In training a weight may be an argument, and of its gradient the blocks along the diagonal are
// taken: rows of 144 that begin 144 and 36 apart.
// CHECK-LABEL: @gradient(
// CHECK: %[[V:.*]] = sg.reshape({{.*}} -> tensor<64x16x3x3xf32>
// CHECK: sg.convolution(%{{.*}}, %[[V]]) {{.*}}num_group = 2
// CHECK: %[[ALL:.*]] = sg.convolution_weights({{.*}}num_group = 2 : i64{{.*}} -> tensor<64x16x3x3xf32>
// CHECK: sg.reshape(%[[ALL]]) {shape = array<i64: 2, 4, 8, 144>}
// CHECK: sg.reshape({{.*}} -> tensor<2x8x1x576xf32>
// CHECK: sg.pad({{.*}}pad_width = array<i64: 0, 0, 0, 0, 0, 0, 0, 144>{{.*}} -> tensor<2x8x1x720xf32>
// CHECK: sg.reshape({{.*}} -> tensor<2x8x4x180xf32>
// CHECK: sg.slice_axis({{.*}}) {axis = 3 : i64, begin = 0 : i64, end = 36 : i64}
// CHECK: %[[DW:.*]] = sg.reshape({{.*}} -> tensor<64x4x3x3xf32>
// CHECK: sg.heads %{{.*}}, %[[DW]]
sg.graph @gradient(%x: tensor<1x32x8x8xf32> {sg.name = "x"}, %w: tensor<64x4x3x3xf32> {sg.name = "w"}, %g: tensor<1x64x6x6xf32> {sg.name = "g"}) -> (tensor<1x64x6x6xf32>, tensor<64x4x3x3xf32>) attributes {training} {
  %0 = sg.convolution(%x, %w) {kernel = array<i64: 3, 3>, num_filter = 64, num_group = 8, no_bias = true} : (tensor<1x32x8x8xf32>, tensor<64x4x3x3xf32>) -> tensor<1x64x6x6xf32>
  %1 = sg.convolution_weights(%x, %g) {kernel = array<i64: 3, 3>, num_group = 8} : (tensor<1x32x8x8xf32>, tensor<1x64x6x6xf32>) -> tensor<64x4x3x3xf32>
  sg.heads %0, %1 : tensor<1x64x6x6xf32>, tensor<64x4x3x3xf32>
}

// -----

// Gradients of one channel in and two out read copies; those of two groups of many channels are two.
// CHECK-LABEL: @gradients(
// CHECK: %[[TWICE:.*]] = sg.reshape({{.*}} -> tensor<1x16x8x8xf32>
// CHECK: sg.convolution_weights(%[[TWICE]], %{{[a-z0-9]+}}) {{.*}}num_group = 16
// CHECK: sg.slice_axis
// CHECK-COUNT-2: sg.convolution_weights({{.*}} -> tensor<100x100x3x3xf32>
// CHECK: sg.concat({{.*}} -> tensor<200x100x3x3xf32>
sg.graph @gradients(%x: tensor<1x8x8x8xf32> {sg.name = "x"}, %g: tensor<1x16x6x6xf32> {sg.name = "g"}, %y: tensor<1x200x8x8xf32> {sg.name = "y"}, %h: tensor<1x200x6x6xf32> {sg.name = "h"}) -> (tensor<16x1x3x3xf32>, tensor<200x100x3x3xf32>) attributes {training} {
  %0 = sg.convolution_weights(%x, %g) {kernel = array<i64: 3, 3>, num_group = 8} : (tensor<1x8x8x8xf32>, tensor<1x16x6x6xf32>) -> tensor<16x1x3x3xf32>
  %1 = sg.convolution_weights(%y, %h) {kernel = array<i64: 3, 3>, num_group = 2} : (tensor<1x200x8x8xf32>, tensor<1x200x6x6xf32>) -> tensor<200x100x3x3xf32>
  sg.heads %0, %1 : tensor<16x1x3x3xf32>, tensor<200x100x3x3xf32>
}
