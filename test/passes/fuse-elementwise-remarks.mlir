// If this fails, nobody is told why a node costs a pass over memory of its own.
// RUN: symc-opt --sg-fuse-elementwise --remarks-filter=sg-fuse-elementwise --remark-format=emitRemark %s 2>&1 | FileCheck %s

// CHECK-DAG: [Missed] group {{.*}} Function=main {{.*}}"'relu' is not fused: its operand 'exp' has other readers"
// CHECK-DAG: [Missed] group {{.*}}"'sum' is not fused: its operand 'row' has another shape than the node's result"
// CHECK-DAG: [Passed] group {{.*}}"one kernel for 'sum', 'tanh'"
sg.graph @main(%x: tensor<2x3xf32> {sg.name = "x"}, %v: tensor<1x3xf32> {sg.name = "v"}) -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) {
  %0 = sg.unary(%x) {fn = "exp"} : (tensor<2x3xf32>) -> tensor<2x3xf32> loc("exp")
  %1 = sg.unary(%0) {fn = "relu"} : (tensor<2x3xf32>) -> tensor<2x3xf32> loc("relu")
  %2 = sg.unary(%v) {fn = "exp"} : (tensor<1x3xf32>) -> tensor<1x3xf32> loc("row")
  %3 = sg.binary(%x, %2) {fn = "add", broadcast = true} : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32> loc("sum")
  %4 = sg.unary(%3) {fn = "tanh"} : (tensor<2x3xf32>) -> tensor<2x3xf32> loc("tanh")
  sg.heads %0, %1, %4 : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>
}
