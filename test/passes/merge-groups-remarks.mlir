// If this fails, nobody is told which groups are computed together, and which run in reference code.
// RUN: symc-opt --sg-merge-groups=block-width=16 --remarks-filter=sg-merge-groups --remark-format=emitRemark %s 2>&1 | FileCheck %s

// CHECK-DAG: [Passed] groups {{.*}}Function=main {{.*}}"'few' computes 4 of its 8 groups as one"
// CHECK-DAG: [Passed] groups {{.*}}"'double' reads each of its 32 channels 2 times"
// CHECK-DAG: [Missed] groups {{.*}}"'many' keeps groups of 3 channels: 67 of them would be one"
// CHECK-DAG: [Passed] groups {{.*}}"'thirds' computes its 3 groups as layers of their own"
sg.weight @w : tensor<64x4x1x1xf32>
sg.weight @t : tensor<180x67x1x1xf32>
sg.weight @v : tensor<64x1x1x1xf32>
sg.weight @u : tensor<201x3x1x1xf32>
sg.graph @main(%x: tensor<1x32x8x8xf32> {sg.name = "x"}, %y: tensor<1x201x8x8xf32> {sg.name = "y"}) -> (tensor<1x64x8x8xf32>, tensor<1x64x8x8xf32>, tensor<1x201x8x8xf32>, tensor<1x180x8x8xf32>) {
  %w = sg.parameter @w : tensor<64x4x1x1xf32>
  %v = sg.parameter @v : tensor<64x1x1x1xf32>
  %u = sg.parameter @u : tensor<201x3x1x1xf32>
  %0 = sg.convolution(%x, %w) {kernel = array<i64: 1, 1>, num_filter = 64, num_group = 8, no_bias = true} : (tensor<1x32x8x8xf32>, tensor<64x4x1x1xf32>) -> tensor<1x64x8x8xf32> loc("few")
  %1 = sg.convolution(%x, %v) {kernel = array<i64: 1, 1>, num_filter = 64, num_group = 32, no_bias = true} : (tensor<1x32x8x8xf32>, tensor<64x1x1x1xf32>) -> tensor<1x64x8x8xf32> loc("double")
  %2 = sg.convolution(%y, %u) {kernel = array<i64: 1, 1>, num_filter = 201, num_group = 67, no_bias = true} : (tensor<1x201x8x8xf32>, tensor<201x3x1x1xf32>) -> tensor<1x201x8x8xf32> loc("many")
  %t = sg.parameter @t : tensor<180x67x1x1xf32>
  %3 = sg.convolution(%y, %t) {kernel = array<i64: 1, 1>, num_filter = 180, num_group = 3, no_bias = true} : (tensor<1x201x8x8xf32>, tensor<180x67x1x1xf32>) -> tensor<1x180x8x8xf32> loc("thirds")
  sg.heads %0, %1, %2, %3 : tensor<1x64x8x8xf32>, tensor<1x64x8x8xf32>, tensor<1x201x8x8xf32>, tensor<1x180x8x8xf32>
}
