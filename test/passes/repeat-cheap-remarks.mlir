// If this fails, nobody is told that a node of the forward part is computed more than once.
// RUN: symc-opt --sg-repeat-cheap --remarks-filter=sg-repeat-cheap --remark-format=emitRemark %s 2>&1 | FileCheck %s

// CHECK: [Passed] repeat {{.*}} Function=main {{.*}}"'relu' is computed again by 1 of its readers in the backward part"
sg.graph @main(%x: tensor<2x3xf32> {sg.name = "x"}, %w: tensor<3x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>) attributes {training} {
  %0 = sg.unary(%x) {fn = "relu"} : (tensor<2x3xf32>) -> tensor<2x3xf32> loc("relu")
  %1 = sg.dot(%0, %w) : (tensor<2x3xf32>, tensor<3x3xf32>) -> tensor<2x3xf32> loc("dot")
  %2 = sg.binary(%0, %x) {fn = "mul"} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32> loc("mul_backward")
  sg.heads %1, %2 : tensor<2x3xf32>, tensor<2x3xf32>
}
