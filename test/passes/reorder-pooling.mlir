// If this fails, a DenseNet transition convolves four pixels for each that it keeps, an
// Inception branch pools channels that it drops, or a bias is pooled with padding.
// RUN: symc-opt --split-input-file --sg-reorder-pooling %s | FileCheck %s
// RUN: symc-opt --split-input-file --sg-reorder-pooling --sg-reorder-pooling %s | FileCheck %s

// Pooling leaves a quarter of the pixels: it goes first, the bias stays.
// CHECK-LABEL: @transition(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<1x64x8x8xf32>{{.*}}, %[[W:[a-z0-9]+]]: tensor<32x64x1x1xf32>{{.*}}, %[[B:[a-z0-9]+]]: tensor<32xf32>
// CHECK: %[[P:.*]] = sg.pooling(%[[X]]) {{.*}} -> tensor<1x64x4x4xf32>
// CHECK: %[[C:.*]] = sg.convolution(%[[P]], %[[W]], %[[B]]) {{.*}} -> tensor<1x32x4x4xf32>
// CHECK: sg.heads %[[C]]
sg.graph @transition(%x: tensor<1x64x8x8xf32> {sg.name = "x"}, %w: tensor<32x64x1x1xf32> {sg.name = "w"}, %b: tensor<32xf32> {sg.name = "b"}) -> (tensor<1x32x4x4xf32>) {
  %0 = sg.convolution(%x, %w, %b) {kernel = array<i64: 1, 1>, num_filter = 32 : i64} : (tensor<1x64x8x8xf32>, tensor<32x64x1x1xf32>, tensor<32xf32>) -> tensor<1x32x8x8xf32>
  %1 = sg.pooling(%0) {kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>, pool_type = "avg"} : (tensor<1x32x8x8xf32>) -> tensor<1x32x4x4xf32>
  sg.heads %1 : tensor<1x32x4x4xf32>
}

// -----

// The convolution leaves a quarter of the channels: it goes first. The bias comes after
// the pooling, whose windows count zeros around the image.
// CHECK-LABEL: @branch(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<1x64x8x8xf32>{{.*}}, %[[W:[a-z0-9]+]]: tensor<16x64x1x1xf32>{{.*}}, %[[B:[a-z0-9]+]]: tensor<16xf32>
// CHECK: %[[C:.*]] = sg.convolution(%[[X]], %[[W]]) {{.*}}no_bias = true{{.*}} -> tensor<1x16x8x8xf32>
// CHECK: %[[P:.*]] = sg.pooling(%[[C]]) {{.*}} -> tensor<1x16x8x8xf32>
// CHECK: %[[R:.*]] = sg.reshape(%[[B]]) {{.*}} -> tensor<16x1x1xf32>
// CHECK: %[[S:.*]] = sg.binary(%[[P]], %[[R]]) {broadcast = true, fn = "add"}
// CHECK: sg.heads %[[S]]
sg.graph @branch(%x: tensor<1x64x8x8xf32> {sg.name = "x"}, %w: tensor<16x64x1x1xf32> {sg.name = "w"}, %b: tensor<16xf32> {sg.name = "b"}) -> (tensor<1x16x8x8xf32>) {
  %0 = sg.pooling(%x) {kernel = array<i64: 3, 3>, pad = array<i64: 1, 1>, pool_type = "avg"} : (tensor<1x64x8x8xf32>) -> tensor<1x64x8x8xf32>
  %1 = sg.convolution(%0, %w, %b) {kernel = array<i64: 1, 1>, num_filter = 16 : i64} : (tensor<1x64x8x8xf32>, tensor<16x64x1x1xf32>, tensor<16xf32>) -> tensor<1x16x8x8xf32>
  sg.heads %1 : tensor<1x16x8x8xf32>
}

// -----

// Nearest misses: a bias under windows that count padding; max pooling; a 3x3 kernel;
// another reader of what lies between; an order that is the cheaper one already.
// CHECK-LABEL: @misses(
// CHECK: %[[A:.*]] = sg.convolution(%{{[a-z0-9]+}}, %{{[a-z0-9]+}}, %{{[a-z0-9]+}}) {{.*}} -> tensor<1x32x8x8xf32>
// CHECK: sg.pooling(%[[A]]) {{.*}}pad = array<i64: 1, 1>
// CHECK: sg.pooling(%[[A]]) {kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>}
// CHECK: %[[D:.*]] = sg.convolution({{.*}}kernel = array<i64: 3, 3>
// CHECK: sg.pooling(%[[D]])
// CHECK: %[[F:.*]] = sg.pooling(%{{[a-z0-9]+}}) {{.*}} -> tensor<1x64x4x4xf32>
// CHECK: sg.convolution(%[[F]], {{.*}} -> tensor<1x32x4x4xf32>
// CHECK-NOT: sg.binary
sg.graph @misses(%x: tensor<1x64x8x8xf32> {sg.name = "x"}, %w: tensor<32x64x1x1xf32> {sg.name = "w"}, %b: tensor<32xf32> {sg.name = "b"}, %v: tensor<32x64x3x3xf32> {sg.name = "v"}) -> (tensor<1x32x5x5xf32>, tensor<1x32x4x4xf32>, tensor<1x32x3x3xf32>, tensor<1x32x4x4xf32>) {
  %0 = sg.convolution(%x, %w, %b) {kernel = array<i64: 1, 1>, num_filter = 32 : i64} : (tensor<1x64x8x8xf32>, tensor<32x64x1x1xf32>, tensor<32xf32>) -> tensor<1x32x8x8xf32>
  %1 = sg.pooling(%0) {kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>, pad = array<i64: 1, 1>, pool_type = "avg"} : (tensor<1x32x8x8xf32>) -> tensor<1x32x5x5xf32>
  %2 = sg.pooling(%0) {kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>, pool_type = "max"} : (tensor<1x32x8x8xf32>) -> tensor<1x32x4x4xf32>
  %3 = sg.convolution(%x, %v) {kernel = array<i64: 3, 3>, num_filter = 32 : i64, no_bias = true} : (tensor<1x64x8x8xf32>, tensor<32x64x3x3xf32>) -> tensor<1x32x6x6xf32>
  %4 = sg.pooling(%3) {kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>, pool_type = "avg"} : (tensor<1x32x6x6xf32>) -> tensor<1x32x3x3xf32>
  %5 = sg.pooling(%x) {kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>, pool_type = "avg"} : (tensor<1x64x8x8xf32>) -> tensor<1x64x4x4xf32>
  %6 = sg.convolution(%5, %w) {kernel = array<i64: 1, 1>, num_filter = 32 : i64, no_bias = true} : (tensor<1x64x4x4xf32>, tensor<32x64x1x1xf32>) -> tensor<1x32x4x4xf32>
  sg.heads %1, %2, %4, %6 : tensor<1x32x5x5xf32>, tensor<1x32x4x4xf32>, tensor<1x32x3x3xf32>, tensor<1x32x4x4xf32>
}

// -----

// Last windows that are cut off hold pixels still: the bias stays with the convolution.
// CHECK-LABEL: @cut(
// CHECK-SAME: %[[X:[a-z0-9]+]]:
// CHECK: %[[P:.*]] = sg.pooling(%[[X]]) {{.*}} -> tensor<1x64x4x4xf32>
// CHECK: sg.convolution(%[[P]], %{{.*}}, %{{.*}})
sg.graph @cut(%x: tensor<1x64x8x8xf32> {sg.name = "x"}, %w: tensor<32x64x1x1xf32> {sg.name = "w"}, %b: tensor<32xf32> {sg.name = "b"}) -> (tensor<1x32x4x4xf32>) {
  %0 = sg.convolution(%x, %w, %b) {kernel = array<i64: 1, 1>, num_filter = 32 : i64} : (tensor<1x64x8x8xf32>, tensor<32x64x1x1xf32>, tensor<32xf32>) -> tensor<1x32x8x8xf32>
  %1 = sg.pooling(%0) {kernel = array<i64: 3, 3>, stride = array<i64: 2, 2>, pooling_convention = "full", pool_type = "avg"} : (tensor<1x32x8x8xf32>) -> tensor<1x32x4x4xf32>
  sg.heads %1 : tensor<1x32x4x4xf32>
}

// -----

// Nearest miss: last windows lie behind the image, where the average is 0 and not the bias.
// CHECK-LABEL: @beside(
// CHECK-SAME: %[[X:[a-z0-9]+]]:
// CHECK: %[[C:.*]] = sg.convolution(%[[X]], %{{.*}}, %{{.*}})
// CHECK: sg.pooling(%[[C]])
sg.graph @beside(%x: tensor<1x64x9x9xf32> {sg.name = "x"}, %w: tensor<32x64x1x1xf32> {sg.name = "w"}, %b: tensor<32xf32> {sg.name = "b"}) -> (tensor<1x32x4x4xf32>) {
  %0 = sg.convolution(%x, %w, %b) {kernel = array<i64: 1, 1>, num_filter = 32 : i64} : (tensor<1x64x9x9xf32>, tensor<32x64x1x1xf32>, tensor<32xf32>) -> tensor<1x32x9x9xf32>
  %1 = sg.pooling(%0) {kernel = array<i64: 2, 2>, stride = array<i64: 3, 3>, pooling_convention = "full", pool_type = "avg"} : (tensor<1x32x9x9xf32>) -> tensor<1x32x4x4xf32>
  sg.heads %1 : tensor<1x32x4x4xf32>
}

// -----

// Without a bias 0 stays 0.
// CHECK-LABEL: @linear(
// CHECK-SAME: %[[X:[a-z0-9]+]]:
// CHECK: %[[P:.*]] = sg.pooling(%[[X]])
// CHECK: sg.convolution(%[[P]], %{{.*}})
sg.graph @linear(%x: tensor<1x64x9x9xf32> {sg.name = "x"}, %w: tensor<32x64x1x1xf32> {sg.name = "w"}) -> (tensor<1x32x4x4xf32>) {
  %0 = sg.convolution(%x, %w) {kernel = array<i64: 1, 1>, num_filter = 32 : i64, no_bias = true} : (tensor<1x64x9x9xf32>, tensor<32x64x1x1xf32>) -> tensor<1x32x9x9xf32>
  %1 = sg.pooling(%0) {kernel = array<i64: 2, 2>, stride = array<i64: 3, 3>, pooling_convention = "full", pool_type = "avg"} : (tensor<1x32x9x9xf32>) -> tensor<1x32x4x4xf32>
  sg.heads %1 : tensor<1x32x4x4xf32>
}
