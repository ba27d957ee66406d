// If this fails, nobody is told which poolings changed places with a convolution and why
// others did not.
// RUN: symc-opt --split-input-file --sg-reorder-pooling --remarks-filter=sg-reorder-pooling --remark-format=emitRemark %s 2>&1 | FileCheck %s

// CHECK-DAG: [Passed] order {{.*}} Function=main {{.*}}"'down' pools before 'mix': 65536 multiply-adds instead of 147456"
// CHECK-DAG: [Passed] order {{.*}}"'narrow' convolves before 'around': 139264 multiply-adds instead of 360448"
// CHECK-DAG: [Missed] order {{.*}}"'narrow' and 'down' keep their order: convolving first takes 73728 multiply-adds, after 49152"
// CHECK-DAG: [Missed] order {{.*}}"'twice' and 'shared' keep their order: 'twice' has other readers"
// CHECK-DAG: [Missed] order {{.*}}"'biased' and 'counted' keep their order: its windows count padding, which the bias must not reach"
sg.graph @main(%x: tensor<1x64x8x8xf32> {sg.name = "x"}, %w: tensor<32x64x1x1xf32> {sg.name = "w"}, %v: tensor<16x64x1x1xf32> {sg.name = "v"}, %b: tensor<32xf32> {sg.name = "b"}) -> (tensor<1x32x4x4xf32>, tensor<1x16x8x8xf32>, tensor<1x16x4x4xf32>, tensor<1x32x8x8xf32>, tensor<1x32x4x4xf32>, tensor<1x32x5x5xf32>) {
  %0 = sg.convolution(%x, %w) {kernel = array<i64: 1, 1>, num_filter = 32 : i64, no_bias = true} : (tensor<1x64x8x8xf32>, tensor<32x64x1x1xf32>) -> tensor<1x32x8x8xf32> loc("mix")
  %1 = sg.pooling(%0) {kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>, pool_type = "avg"} : (tensor<1x32x8x8xf32>) -> tensor<1x32x4x4xf32> loc("down")
  %2 = sg.pooling(%x) {kernel = array<i64: 3, 3>, pad = array<i64: 1, 1>, pool_type = "avg"} : (tensor<1x64x8x8xf32>) -> tensor<1x64x8x8xf32> loc("around")
  %3 = sg.convolution(%2, %v) {kernel = array<i64: 1, 1>, num_filter = 16 : i64, no_bias = true} : (tensor<1x64x8x8xf32>, tensor<16x64x1x1xf32>) -> tensor<1x16x8x8xf32> loc("narrow")
  %4 = sg.pooling(%x) {kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>, pool_type = "avg"} : (tensor<1x64x8x8xf32>) -> tensor<1x64x4x4xf32> loc("down")
  %5 = sg.convolution(%4, %v) {kernel = array<i64: 1, 1>, num_filter = 16 : i64, no_bias = true} : (tensor<1x64x4x4xf32>, tensor<16x64x1x1xf32>) -> tensor<1x16x4x4xf32> loc("narrow")
  %6 = sg.convolution(%x, %w) {kernel = array<i64: 1, 1>, num_filter = 32 : i64, no_bias = true} : (tensor<1x64x8x8xf32>, tensor<32x64x1x1xf32>) -> tensor<1x32x8x8xf32> loc("twice")
  %7 = sg.pooling(%6) {kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>, pool_type = "avg"} : (tensor<1x32x8x8xf32>) -> tensor<1x32x4x4xf32> loc("shared")
  %8 = sg.convolution(%x, %w, %b) {kernel = array<i64: 1, 1>, num_filter = 32 : i64} : (tensor<1x64x8x8xf32>, tensor<32x64x1x1xf32>, tensor<32xf32>) -> tensor<1x32x8x8xf32> loc("biased")
  %9 = sg.pooling(%8) {kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>, pad = array<i64: 1, 1>, pool_type = "avg"} : (tensor<1x32x8x8xf32>) -> tensor<1x32x5x5xf32> loc("counted")
  sg.heads %1, %3, %5, %6, %7, %9 : tensor<1x32x4x4xf32>, tensor<1x16x8x8xf32>, tensor<1x16x4x4xf32>, tensor<1x32x8x8xf32>, tensor<1x32x4x4xf32>, tensor<1x32x5x5xf32>
}

// -----

#wide = #sg.extents<()[s0] -> (1, 64, 8, s0)>
#half = #sg.extents<()[s0] -> (1, 32, 4, (s0 - 2) floordiv 2 + 1)>
// CHECK-DAG: [Missed] order {{.*}}"'mix' and 'down' keep their order: an extent is known only at run time"
sg.graph @main(%x: tensor<1x64x8x?xf32, #wide> {sg.name = "x"}, %w: tensor<32x64x1x1xf32> {sg.name = "w"}) -> (tensor<1x32x4x?xf32, #half>) attributes {dim_max = array<i64: 64>, dim_min = array<i64: 8>} {
  %0 = sg.convolution(%x, %w) {kernel = array<i64: 1, 1>, num_filter = 32 : i64, no_bias = true} : (tensor<1x64x8x?xf32, #wide>, tensor<32x64x1x1xf32>) -> tensor<1x32x8x?xf32, #sg.extents<()[s0] -> (1, 32, 8, s0)>> loc("mix")
  %1 = sg.pooling(%0) {kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>, pool_type = "avg"} : (tensor<1x32x8x?xf32, #sg.extents<()[s0] -> (1, 32, 8, s0)>>) -> tensor<1x32x4x?xf32, #half> loc("down")
  sg.heads %1 : tensor<1x32x4x?xf32, #half>
}

// -----

// CHECK-DAG: [Missed] order {{.*}}"'mix' and 'down' keep their order: they compute in another type than float32"
sg.graph @main(%x: tensor<1x64x8x8xf64> {sg.name = "x"}, %w: tensor<32x64x1x1xf64> {sg.name = "w"}) -> (tensor<1x32x4x4xf64>) {
  %0 = sg.convolution(%x, %w) {kernel = array<i64: 1, 1>, num_filter = 32 : i64, no_bias = true} : (tensor<1x64x8x8xf64>, tensor<32x64x1x1xf64>) -> tensor<1x32x8x8xf64> loc("mix")
  %1 = sg.pooling(%0) {kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>, pool_type = "avg"} : (tensor<1x32x8x8xf64>) -> tensor<1x32x4x4xf64> loc("down")
  sg.heads %1 : tensor<1x32x4x4xf64>
}

// -----

// CHECK-DAG: [Missed] order {{.*}}"'mix' and 'beside' keep their order: a window may hold no pixel, which the bias must not reach"
sg.graph @main(%x: tensor<1x64x9x9xf32> {sg.name = "x"}, %w: tensor<32x64x1x1xf32> {sg.name = "w"}, %b: tensor<32xf32> {sg.name = "b"}) -> (tensor<1x32x4x4xf32>) {
  %0 = sg.convolution(%x, %w, %b) {kernel = array<i64: 1, 1>, num_filter = 32 : i64} : (tensor<1x64x9x9xf32>, tensor<32x64x1x1xf32>, tensor<32xf32>) -> tensor<1x32x9x9xf32> loc("mix")
  %1 = sg.pooling(%0) {kernel = array<i64: 2, 2>, stride = array<i64: 3, 3>, pooling_convention = "full", pool_type = "avg"} : (tensor<1x32x9x9xf32>) -> tensor<1x32x4x4xf32> loc("beside")
  sg.heads %1 : tensor<1x32x4x4xf32>
}
