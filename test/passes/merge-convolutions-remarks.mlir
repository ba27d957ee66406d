// If this fails, nobody is told which convolutions of one input became one and why others
// did not.
// RUN: symc-opt --split-input-file --sg-merge-convolutions=block-width=16 --remarks-filter=sg-merge-convolutions --remark-format=emitRemark %s 2>&1 | FileCheck %s

sg.weight @narrow : tensor<4x64x1x1xf32>
sg.weight @flat : tensor<8x4x1x1xf32>

// Parts of 4 channels are copied out of their block: with many inputs that pays.
// CHECK-DAG: [Passed] merge {{.*}} Function=main {{.*}}"'class', 'box' are one convolution: 69632 multiply-adds less"
// CHECK-DAG: [Missed] merge {{.*}}"'few', 'inputs' stay apart: their parts would be copied, which costs 8192 multiply-adds and saves 4608"
// CHECK-DAG: [Missed] merge {{.*}}"'own' is not merged with others of its input: its weights are known only at run time"
// CHECK-DAG: [Missed] merge {{.*}}"'straight' is not merged with others of its input: it is written straight into 'all'"
// CHECK-DAG: [Missed] merge {{.*}}"'summed' is not merged with others of its input: 'sum' is computed with it"
sg.graph @main(%x: tensor<1x64x8x8xf32> {sg.name = "x"}, %y: tensor<1x4x8x8xf32> {sg.name = "y"}, %u: tensor<4x64x1x1xf32> {sg.name = "u"}) -> (tensor<1x4x8x8xf32>, tensor<1x4x8x8xf32>, tensor<1x8x8x8xf32>, tensor<1x8x8x8xf32>, tensor<1x4x8x8xf32>, tensor<1x68x8x8xf32>, tensor<1x4x8x8xf32>) {
  %w = sg.parameter @narrow : tensor<4x64x1x1xf32>
  %f = sg.parameter @flat : tensor<8x4x1x1xf32>
  %0 = sg.convolution(%x, %w) {kernel = array<i64: 1, 1>, num_filter = 4 : i64, no_bias = true} : (tensor<1x64x8x8xf32>, tensor<4x64x1x1xf32>) -> tensor<1x4x8x8xf32> loc("class")
  %1 = sg.convolution(%x, %w) {kernel = array<i64: 1, 1>, num_filter = 4 : i64, no_bias = true} : (tensor<1x64x8x8xf32>, tensor<4x64x1x1xf32>) -> tensor<1x4x8x8xf32> loc("box")
  %2 = sg.convolution(%y, %f) {kernel = array<i64: 1, 1>, num_filter = 8 : i64, no_bias = true} : (tensor<1x4x8x8xf32>, tensor<8x4x1x1xf32>) -> tensor<1x8x8x8xf32> loc("few")
  %3 = sg.convolution(%y, %f) {kernel = array<i64: 1, 1>, num_filter = 8 : i64, no_bias = true} : (tensor<1x4x8x8xf32>, tensor<8x4x1x1xf32>) -> tensor<1x8x8x8xf32> loc("inputs")
  %4 = sg.convolution(%x, %u) {kernel = array<i64: 1, 1>, num_filter = 4 : i64, no_bias = true} : (tensor<1x64x8x8xf32>, tensor<4x64x1x1xf32>) -> tensor<1x4x8x8xf32> loc("own")
  %5 = sg.convolution(%x, %w) {kernel = array<i64: 1, 1>, num_filter = 4 : i64, no_bias = true} : (tensor<1x64x8x8xf32>, tensor<4x64x1x1xf32>) -> tensor<1x4x8x8xf32> loc("straight")
  %6 = sg.concat(%5, %x) {num_args = 2 : i64, dim = 1 : i64} : (tensor<1x4x8x8xf32>, tensor<1x64x8x8xf32>) -> tensor<1x68x8x8xf32> loc("all")
  %7 = sg.convolution(%x, %w) {kernel = array<i64: 1, 1>, num_filter = 4 : i64, no_bias = true} : (tensor<1x64x8x8xf32>, tensor<4x64x1x1xf32>) -> tensor<1x4x8x8xf32> loc("summed")
  %8 = sg.binary(%7, %y) {fn = "add"} : (tensor<1x4x8x8xf32>, tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32> loc("sum")
  sg.heads %0, %1, %2, %3, %4, %6, %8 : tensor<1x4x8x8xf32>, tensor<1x4x8x8xf32>, tensor<1x8x8x8xf32>, tensor<1x8x8x8xf32>, tensor<1x4x8x8xf32>, tensor<1x68x8x8xf32>, tensor<1x4x8x8xf32>
}
