// If this fails, nobody is told which layers compute fewer pixels and why others
// do not.
// RUN: symc-opt --split-input-file --sg-hoist-strides --remarks-filter=sg-hoist-strides --remark-format=emitRemark %s 2>&1 | FileCheck %s

// CHECK-DAG: [Passed] stride {{.*}} Function=main {{.*}}"'wide' computes every 2x2 pixel only: its readers need no other"
// CHECK-DAG: [Missed] stride {{.*}}"stride 2x2 of 'wide' stays: its input is an argument"
// CHECK-DAG: [Missed] stride {{.*}}"stride 2x2 of 'second' stays: 'sum' needs every pixel of its input"
// CHECK-DAG: [Missed] stride {{.*}}"stride 2x2 of 'third' stays: its input comes from 'transposed', a node without a stride"
sg.graph @main(%x: tensor<1x16x8x8xf32> {sg.name = "x"}, %v: tensor<16x16x1x1xf32> {sg.name = "v"}) -> (tensor<1x16x2x2xf32>, tensor<1x16x4x4xf32>, tensor<1x16x4x4xf32>) {
  %0 = sg.convolution(%x, %v) {kernel = array<i64: 1, 1>, num_filter = 16 : i64, no_bias = true} : (tensor<1x16x8x8xf32>, tensor<16x16x1x1xf32>) -> tensor<1x16x8x8xf32> loc("wide")
  %1 = sg.convolution(%0, %v) {kernel = array<i64: 1, 1>, stride = array<i64: 2, 2>, num_filter = 16 : i64, no_bias = true} : (tensor<1x16x8x8xf32>, tensor<16x16x1x1xf32>) -> tensor<1x16x4x4xf32> loc("first")
  %2 = sg.convolution(%1, %v) {kernel = array<i64: 1, 1>, stride = array<i64: 2, 2>, num_filter = 16 : i64, no_bias = true} : (tensor<1x16x4x4xf32>, tensor<16x16x1x1xf32>) -> tensor<1x16x2x2xf32> loc("second")
  %3 = sg.unary(%1) {fn = "relu"} : (tensor<1x16x4x4xf32>) -> tensor<1x16x4x4xf32> loc("sum")
  %4 = sg.transpose(%x) {axes = array<i64: 0, 1, 3, 2>} : (tensor<1x16x8x8xf32>) -> tensor<1x16x8x8xf32> loc("transposed")
  %5 = sg.convolution(%4, %v) {kernel = array<i64: 1, 1>, stride = array<i64: 2, 2>, num_filter = 16 : i64, no_bias = true} : (tensor<1x16x8x8xf32>, tensor<16x16x1x1xf32>) -> tensor<1x16x4x4xf32> loc("third")
  sg.heads %2, %3, %5 : tensor<1x16x2x2xf32>, tensor<1x16x4x4xf32>, tensor<1x16x4x4xf32>
}

// -----

// CHECK-DAG: [Missed] stride {{.*}}"stride 2x2 of 'head' stays: its input is an output"
sg.graph @main(%x: tensor<1x16x8x8xf32> {sg.name = "x"}, %v: tensor<16x16x1x1xf32> {sg.name = "v"}) -> (tensor<1x16x4x4xf32>, tensor<1x16x8x8xf32>) {
  %1 = sg.unary(%x) {fn = "relu"} : (tensor<1x16x8x8xf32>) -> tensor<1x16x8x8xf32> loc("sum")
  %9 = sg.convolution(%1, %v) {kernel = array<i64: 1, 1>, stride = array<i64: 2, 2>, num_filter = 16 : i64, no_bias = true} : (tensor<1x16x8x8xf32>, tensor<16x16x1x1xf32>) -> tensor<1x16x4x4xf32> loc("head")
  sg.heads %9, %1 : tensor<1x16x4x4xf32>, tensor<1x16x8x8xf32>
}

// -----

// CHECK-DAG: [Missed] stride {{.*}}"stride 2x2 of 'last' stays: its input comes from 'pool', a pooling whose windows do not follow a stride"
sg.graph @main(%x: tensor<1x16x15x15xf32> {sg.name = "x"}, %v: tensor<16x16x1x1xf32> {sg.name = "v"}) -> (tensor<1x16x4x4xf32>) {
  %1 = sg.pooling(%x) {kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>, pooling_convention = "full"} : (tensor<1x16x15x15xf32>) -> tensor<1x16x8x8xf32> loc("pool")
  %9 = sg.convolution(%1, %v) {kernel = array<i64: 1, 1>, stride = array<i64: 2, 2>, num_filter = 16 : i64, no_bias = true} : (tensor<1x16x8x8xf32>, tensor<16x16x1x1xf32>) -> tensor<1x16x4x4xf32> loc("last")
  sg.heads %9 : tensor<1x16x4x4xf32>
}

// -----

// CHECK-DAG: [Missed] stride {{.*}}"stride 2x2 of 'map' stays: its input comes from 'sum', an operand that is a weight with pixels"
sg.weight @w : tensor<1x16x8x8xf32>
sg.graph @main(%x: tensor<1x16x8x8xf32> {sg.name = "x"}, %v: tensor<16x16x1x1xf32> {sg.name = "v"}) -> (tensor<1x16x4x4xf32>) {
  %w = sg.parameter @w : tensor<1x16x8x8xf32>
  %1 = sg.binary(%x, %w) {fn = "add"} : (tensor<1x16x8x8xf32>, tensor<1x16x8x8xf32>) -> tensor<1x16x8x8xf32> loc("sum")
  %9 = sg.convolution(%1, %v) {kernel = array<i64: 1, 1>, stride = array<i64: 2, 2>, num_filter = 16 : i64, no_bias = true} : (tensor<1x16x8x8xf32>, tensor<16x16x1x1xf32>) -> tensor<1x16x4x4xf32> loc("map")
  sg.heads %9 : tensor<1x16x4x4xf32>
}

// -----

#wide = #sg.extents<()[s0] -> (1, 16, 8, s0)>
#half = #sg.extents<()[s0] -> (1, 16, 4, (s0 - 1) floordiv 2 + 1)>
// CHECK-DAG: [Missed] stride {{.*}}"stride 2x2 of 'free' stays: its input comes from 'sum', an extent that is known only at run time"
sg.graph @main(%x: tensor<1x16x8x?xf32, #wide> {sg.name = "x"}, %v: tensor<16x16x1x1xf32> {sg.name = "v"}) -> (tensor<1x16x4x?xf32, #half>) attributes {dim_max = array<i64: 64>, dim_min = array<i64: 8>} {
  %1 = sg.unary(%x) {fn = "relu"} : (tensor<1x16x8x?xf32, #wide>) -> tensor<1x16x8x?xf32, #wide> loc("sum")
  %9 = sg.convolution(%1, %v) {kernel = array<i64: 1, 1>, stride = array<i64: 2, 2>, num_filter = 16 : i64, no_bias = true} : (tensor<1x16x8x?xf32, #wide>, tensor<16x16x1x1xf32>) -> tensor<1x16x4x?xf32, #half> loc("free")
  sg.heads %9 : tensor<1x16x4x?xf32, #half>
}

// -----

// A layer with channels behind the pixels keeps them all.
// CHECK-DAG: [Missed] stride {{.*}}"stride 2 of 'after' stays: its input comes from 'behind', channels behind the pixels"
sg.graph @main(%x: tensor<1x8x16xf32> {sg.name = "x"}, %v: tensor<16x1x16xf32> {sg.name = "v"}, %w: tensor<16x8x1xf32> {sg.name = "w"}) -> (tensor<1x16x8xf32>) {
  %0 = sg.convolution(%x, %v) {kernel = array<i64: 1>, num_filter = 16 : i64, no_bias = true, layout = "NWC"} : (tensor<1x8x16xf32>, tensor<16x1x16xf32>) -> tensor<1x8x16xf32> loc("behind")
  %1 = sg.convolution(%0, %w) {kernel = array<i64: 1>, stride = array<i64: 2>, num_filter = 16 : i64, no_bias = true} : (tensor<1x8x16xf32>, tensor<16x8x1xf32>) -> tensor<1x16x8xf32> loc("after")
  sg.heads %1 : tensor<1x16x8xf32>
}
