// If this fails, nobody is told which nodes are slow.
// RUN: symc-opt --kernel-choose-layouts --kernel-schedule --remarks-filter='kernel-schedule' --remark-format=emitRemark %s 2>&1 | FileCheck %s

// CHECK: [Missed] call {{.*}}"'prob' calls its reference kernel symc_ref_softmax_f64"
// CHECK-NOT: calls its reference kernel
sg.graph @main(%x: tensor<2x3xf64> {sg.name = "x"}) -> (tensor<3x2xf64>) {
  %0 = sg.softmax(%x) {axis = 1 : i64} : (tensor<2x3xf64>) -> tensor<2x3xf64> loc("prob")
  %1 = sg.transpose(%0) : (tensor<2x3xf64>) -> tensor<3x2xf64>
  %2 = sg.unary(%1) {fn = "relu"} : (tensor<3x2xf64>) -> tensor<3x2xf64>
  sg.heads %2 : tensor<3x2xf64>
}
