// If this fails, nobody is told which shuffles are read where they lie, and which are copies.
// RUN: symc-opt --sg-fold-shuffles=any-groups --remarks-filter=sg-fold-shuffles --remark-format=emitRemark %s 2>&1 | FileCheck %s

// CHECK-DAG: [Passed] shuffle {{.*}}Function=main {{.*}}"'layer' reads the channels of 'shuffled' where they lie"
// CHECK-DAG: [Missed] shuffle {{.*}}"'kept' moves 12 channels: what reads them is no convolution alone"
sg.weight @w : tensor<6x12x1x1xf32>
sg.graph @main(%x: tensor<1x12x8x8xf32> {sg.name = "x"}) -> (tensor<1x6x8x8xf32>, tensor<1x12x8x8xf32>) {
  %w = sg.parameter @w : tensor<6x12x1x1xf32>
  %0 = sg.reshape(%x) {shape = array<i64: 1, 3, 4, 8, 8>} : (tensor<1x12x8x8xf32>) -> tensor<1x3x4x8x8xf32>
  %1 = sg.transpose(%0) {axes = array<i64: 0, 2, 1, 3, 4>} : (tensor<1x3x4x8x8xf32>) -> tensor<1x4x3x8x8xf32>
  %2 = sg.reshape(%1) {shape = array<i64: 1, 12, 8, 8>} : (tensor<1x4x3x8x8xf32>) -> tensor<1x12x8x8xf32> loc("shuffled")
  %3 = sg.convolution(%2, %w) {kernel = array<i64: 1, 1>, num_filter = 6, no_bias = true} : (tensor<1x12x8x8xf32>, tensor<6x12x1x1xf32>) -> tensor<1x6x8x8xf32> loc("layer")
  %4 = sg.reshape(%x) {shape = array<i64: 1, 2, 6, 8, 8>} : (tensor<1x12x8x8xf32>) -> tensor<1x2x6x8x8xf32>
  %5 = sg.transpose(%4) {axes = array<i64: 0, 2, 1, 3, 4>} : (tensor<1x2x6x8x8xf32>) -> tensor<1x6x2x8x8xf32>
  %6 = sg.reshape(%5) {shape = array<i64: 1, 12, 8, 8>} : (tensor<1x6x2x8x8xf32>) -> tensor<1x12x8x8xf32> loc("kept")
  sg.heads %3, %6 : tensor<1x6x8x8xf32>, tensor<1x12x8x8xf32>
}
