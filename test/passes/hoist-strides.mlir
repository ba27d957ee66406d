// If this fails, the last layers of a ResNet stage compute pixels that nobody
// reads, or pixels vanish that somebody does.
// RUN: symc-opt --split-input-file --sg-hoist-strides %s | FileCheck %s
// RUN: symc-opt --split-input-file --sg-hoist-strides --sg-hoist-strides %s | FileCheck %s

// The end of a stage: the stride goes through relu and add into the 3x3 layer; the
// residual, which that layer reads in full, is read by steps.
// CHECK-LABEL: @stage(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<1x16x7x7xf32>
// CHECK: %[[R:.*]] = sg.unary(%[[X]])
// CHECK: %[[A:.*]] = sg.convolution(%[[R]], {{.*}}kernel = array<i64: 3, 3>, {{.*}} stride = array<i64: 2, 2>{{.*}} -> tensor<1x16x4x4xf32>
// CHECK: %[[B:.*]] = sg.convolution(%[[A]], {{.*}} stride = array<i64: 1, 1>{{.*}} -> tensor<1x16x4x4xf32>
// CHECK: %[[S:.*]] = sg.slice(%[[R]]) {{.*}}step = array<i64: 1, 1, 2, 2>} : {{.*}} -> tensor<1x16x4x4xf32>
// CHECK: %[[C:.*]] = sg.binary(%[[B]], %[[S]]) {{.*}} -> tensor<1x16x4x4xf32>
// CHECK: %[[D:.*]] = sg.unary(%[[C]]) {{.*}} -> tensor<1x16x4x4xf32>
// CHECK: sg.convolution(%[[D]], {{.*}} stride = array<i64: 1, 1>
// CHECK: sg.convolution(%[[D]], {{.*}} stride = array<i64: 1, 1>
sg.graph @stage(%x: tensor<1x16x7x7xf32> {sg.name = "x"}, %w: tensor<16x16x3x3xf32> {sg.name = "w"}, %v: tensor<16x16x1x1xf32> {sg.name = "v"}) -> (tensor<1x16x4x4xf32>, tensor<1x16x4x4xf32>) {
  %r = sg.unary(%x) {fn = "relu"} : (tensor<1x16x7x7xf32>) -> tensor<1x16x7x7xf32>
  %a = sg.convolution(%r, %w) {kernel = array<i64: 3, 3>, num_filter = 16 : i64, pad = array<i64: 1, 1>, no_bias = true} : (tensor<1x16x7x7xf32>, tensor<16x16x3x3xf32>) -> tensor<1x16x7x7xf32>
  %b = sg.convolution(%a, %v) {kernel = array<i64: 1, 1>, num_filter = 16 : i64, no_bias = true} : (tensor<1x16x7x7xf32>, tensor<16x16x1x1xf32>) -> tensor<1x16x7x7xf32>
  %c = sg.binary(%b, %r) {fn = "add"} : (tensor<1x16x7x7xf32>, tensor<1x16x7x7xf32>) -> tensor<1x16x7x7xf32>
  %d = sg.unary(%c) {fn = "relu"} : (tensor<1x16x7x7xf32>) -> tensor<1x16x7x7xf32>
  %e = sg.convolution(%d, %v) {kernel = array<i64: 1, 1>, stride = array<i64: 2, 2>, num_filter = 16 : i64, no_bias = true} : (tensor<1x16x7x7xf32>, tensor<16x16x1x1xf32>) -> tensor<1x16x4x4xf32>
  %f = sg.convolution(%d, %v) {kernel = array<i64: 1, 1>, stride = array<i64: 2, 2>, num_filter = 16 : i64, no_bias = true} : (tensor<1x16x7x7xf32>, tensor<16x16x1x1xf32>) -> tensor<1x16x4x4xf32>
  sg.heads %e, %f : tensor<1x16x4x4xf32>, tensor<1x16x4x4xf32>
}

// -----

// Readers with steps of 2 and 4 have 2 in common; a vector over channels is no
// pixel; a batch that is known at run time is none either.
// CHECK-LABEL: @common(
// CHECK: sg.pooling({{.*}} stride = array<i64: 4, 2>{{.*}} -> tensor<?x8x2x4xf32, {{.*}}>
// CHECK-NOT: sg.slice
// CHECK: sg.binary({{.*}}broadcast = true{{.*}} -> tensor<?x8x2x4xf32, {{.*}}>
// CHECK: sg.convolution({{.*}} stride = array<i64: 1, 1>
// CHECK: sg.convolution({{.*}} stride = array<i64: 1, 2>
#image = #sg.extents<()[s0] -> (s0, 8, 8, 8)>
#same = #sg.extents<()[s0] -> (s0, 8, 4, 8)>
#half = #sg.extents<()[s0] -> (s0, 8, 2, 4)>
#quarter = #sg.extents<()[s0] -> (s0, 8, 2, 2)>
sg.graph @common(%x: tensor<?x8x8x8xf32, #image> {sg.name = "x"}, %s: tensor<8x1x1xf32> {sg.name = "s"}, %v: tensor<8x8x1x1xf32> {sg.name = "v"}) -> (tensor<?x8x2x4xf32, #half>, tensor<?x8x2x2xf32, #quarter>) attributes {dim_max = array<i64: 4>, dim_min = array<i64: 1>} {
  %p = sg.pooling(%x) {kernel = array<i64: 2, 1>, stride = array<i64: 2, 1>, pool_type = "max"} : (tensor<?x8x8x8xf32, #image>) -> tensor<?x8x4x8xf32, #same>
  %a = sg.binary(%p, %s) {fn = "mul", broadcast = true} : (tensor<?x8x4x8xf32, #same>, tensor<8x1x1xf32>) -> tensor<?x8x4x8xf32, #same>
  %e = sg.convolution(%a, %v) {kernel = array<i64: 1, 1>, stride = array<i64: 2, 2>, num_filter = 8 : i64, no_bias = true} : (tensor<?x8x4x8xf32, #same>, tensor<8x8x1x1xf32>) -> tensor<?x8x2x4xf32, #half>
  %f = sg.convolution(%a, %v) {kernel = array<i64: 1, 1>, stride = array<i64: 2, 4>, num_filter = 8 : i64, no_bias = true} : (tensor<?x8x4x8xf32, #same>, tensor<8x8x1x1xf32>) -> tensor<?x8x2x2xf32, #quarter>
  sg.heads %e, %f : tensor<?x8x2x4xf32, #half>, tensor<?x8x2x2xf32, #quarter>
}

// -----

// Nearest misses: a value that is a head too; a reader with padding.
// CHECK-LABEL: @misses(
// CHECK-NOT: sg.slice
// CHECK: sg.unary({{.*}} -> tensor<1x16x8x8xf32>
// CHECK: sg.convolution({{.*}} stride = array<i64: 2, 2>
// CHECK: sg.unary({{.*}} -> tensor<1x16x8x8xf32>
// CHECK: sg.convolution({{.*}} stride = array<i64: 2, 2>
sg.graph @misses(%x: tensor<1x16x8x8xf32> {sg.name = "x"}, %v: tensor<16x16x1x1xf32> {sg.name = "v"}) -> (tensor<1x16x8x8xf32>, tensor<1x16x4x4xf32>, tensor<1x16x5x5xf32>) {
  %0 = sg.unary(%x) {fn = "relu"} : (tensor<1x16x8x8xf32>) -> tensor<1x16x8x8xf32>
  %1 = sg.convolution(%0, %v) {kernel = array<i64: 1, 1>, stride = array<i64: 2, 2>, num_filter = 16 : i64, no_bias = true} : (tensor<1x16x8x8xf32>, tensor<16x16x1x1xf32>) -> tensor<1x16x4x4xf32>
  %2 = sg.unary(%x) {fn = "tanh"} : (tensor<1x16x8x8xf32>) -> tensor<1x16x8x8xf32>
  %3 = sg.convolution(%2, %v) {kernel = array<i64: 1, 1>, stride = array<i64: 2, 2>, pad = array<i64: 1, 1>, num_filter = 16 : i64, no_bias = true} : (tensor<1x16x8x8xf32>, tensor<16x16x1x1xf32>) -> tensor<1x16x5x5xf32>
  sg.heads %0, %1, %3 : tensor<1x16x8x8xf32>, tensor<1x16x4x4xf32>, tensor<1x16x5x5xf32>
}
