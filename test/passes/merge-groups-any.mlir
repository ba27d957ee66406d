// If this fails, groups are merged or split on a target that reads them where they lie, or 3x3
// layers lose their transforms for a few products.
// RUN: symc-opt --sg-merge-groups='block-width=16 any-groups' --remarks-filter=sg-merge-groups --remark-format=emitRemark %s 2>&1 | FileCheck %s
// RUN: symc-opt --sg-merge-groups='block-width=16 any-groups' --sg-merge-groups='block-width=16 any-groups' %s | FileCheck %s --check-prefix=NODES

// A layer of one tap takes less than copies around four layers do, many groups less than fewer of them would;
// nine taps over few more products and copies do not. Groups within blocks stay as they are.
// CHECK-DAG: [Passed] groups {{.*}}Function=main {{.*}}"'point' reads its 4 groups where they lie in blocks"
// CHECK-DAG: [Passed] groups {{.*}}"'strided' computes its 4 groups as layers of their own"
// CHECK-DAG: [Passed] groups {{.*}}"'window' computes its 2 groups as layers of their own"
// CHECK-DAG: [Passed] groups {{.*}}"'few' reads its 12 groups where they lie in blocks"
// NODES: sg.convolution({{.*}}num_group = 4 : i64{{.*}}shuffle = array<i64: 1>
// NODES-COUNT-4: sg.convolution({{.*}}num_filter = 28
// NODES: sg.convolution({{.*}}num_filter = 56
// NODES: sg.convolution({{.*}}num_filter = 56
// NODES: sg.convolution({{.*}}num_group = 12 : i64{{.*}}shuffle = array<i64: 1>
// NODES: sg.convolution({{.*}}num_group = 112 : i64
// NODES-NOT: shuffle
sg.weight @p : tensor<112x28x1x1xf32>
sg.weight @s : tensor<112x28x3x3xf32>
sg.weight @v : tensor<112x56x3x3xf32>
sg.weight @f : tensor<84x9x3x3xf32>
sg.weight @d : tensor<112x1x3x3xf32>
sg.graph @main(%x: tensor<1x112x8x8xf32> {sg.name = "x"}, %y: tensor<1x108x8x8xf32> {sg.name = "y"}) -> (tensor<1x112x8x8xf32>, tensor<1x112x3x3xf32>, tensor<1x112x6x6xf32>, tensor<1x84x6x6xf32>, tensor<1x112x6x6xf32>) {
  %p = sg.parameter @p : tensor<112x28x1x1xf32>
  %s = sg.parameter @s : tensor<112x28x3x3xf32>
  %v = sg.parameter @v : tensor<112x56x3x3xf32>
  %f = sg.parameter @f : tensor<84x9x3x3xf32>
  %d = sg.parameter @d : tensor<112x1x3x3xf32>
  %0 = sg.convolution(%x, %p) {kernel = array<i64: 1, 1>, num_filter = 112, num_group = 4, no_bias = true} : (tensor<1x112x8x8xf32>, tensor<112x28x1x1xf32>) -> tensor<1x112x8x8xf32> loc("point")
  %1 = sg.convolution(%x, %s) {kernel = array<i64: 3, 3>, stride = array<i64: 2, 2>, num_filter = 112, num_group = 4, no_bias = true} : (tensor<1x112x8x8xf32>, tensor<112x28x3x3xf32>) -> tensor<1x112x3x3xf32> loc("strided")
  %2 = sg.convolution(%x, %v) {kernel = array<i64: 3, 3>, num_filter = 112, num_group = 2, no_bias = true} : (tensor<1x112x8x8xf32>, tensor<112x56x3x3xf32>) -> tensor<1x112x6x6xf32> loc("window")
  %3 = sg.convolution(%y, %f) {kernel = array<i64: 3, 3>, num_filter = 84, num_group = 12, no_bias = true} : (tensor<1x108x8x8xf32>, tensor<84x9x3x3xf32>) -> tensor<1x84x6x6xf32> loc("few")
  %4 = sg.convolution(%x, %d) {kernel = array<i64: 3, 3>, num_filter = 112, num_group = 112, no_bias = true} : (tensor<1x112x8x8xf32>, tensor<112x1x3x3xf32>) -> tensor<1x112x6x6xf32> loc("deep")
  sg.heads %0, %1, %2, %3, %4 : tensor<1x112x8x8xf32>, tensor<1x112x3x3xf32>, tensor<1x112x6x6xf32>, tensor<1x84x6x6xf32>, tensor<1x112x6x6xf32>
}
