// If this fails, nobody is told which layers were transposed and where an image still is.
// RUN: symc-opt --sg-channels-first --remarks-filter=sg-channels-first --remark-format=emitRemark %s 2>&1 | FileCheck %s

// CHECK-DAG: [Passed] layout {{.*}} Function=main {{.*}}"'pool' is computed with channels before pixels"
// CHECK-DAG: [Missed] layout {{.*}}"a transpose stays between 'pool' and 'soft'"
sg.graph @main(%x: tensor<1x4x4x8xf32> {sg.name = "x"}) -> (tensor<1x2x2x8xf32>) {
  %0 = sg.pooling(%x) {kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>, layout = "NHWC"} : (tensor<1x4x4x8xf32>) -> tensor<1x2x2x8xf32> loc("pool")
  %1 = sg.softmax(%0) {axis = 3 : i64} : (tensor<1x2x2x8xf32>) -> tensor<1x2x2x8xf32> loc("soft")
  sg.heads %1 : tensor<1x2x2x8xf32>
}
