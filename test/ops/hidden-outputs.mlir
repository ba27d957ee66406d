// The shapes and types of outputs that MXNet hides, where an operation has them.
// RUN: symc-opt --sg-infer-shapes --sg-infer-types %s | symc-opt | FileCheck %s

// CHECK-LABEL: @statistics(
// CHECK: sg.instance_norm({{.*}}) {show_hidden = true} : {{.*}} -> (tensor<2x4x5xf32>, tensor<2x4xf32>, tensor<2x4xf32>)
// CHECK: sg.l2_normalization({{.*}}) {show_hidden = true} : {{.*}} -> (tensor<2x4x5xf32>, tensor<2xf32>)
// CHECK: sg.l2_normalization({{.*}}) {mode = "channel", {{.*}}} : {{.*}} -> (tensor<2x4x5xf32>, tensor<2x1x5xf32>)
// CHECK: sg.l2_normalization({{.*}}) {mode = "spatial", {{.*}}} : {{.*}} -> (tensor<2x4x5xf32>, tensor<2x4xf32>)
sg.graph @statistics(%data: tensor<2x4x5xf32> {sg.name = "data"}, %gamma: tensor<4xf32> {sg.name = "gamma"}) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  %0:3 = sg.instance_norm(%data, %gamma, %gamma) {show_hidden = true} : (tensor<2x4x5xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) loc("i")
  %1:2 = sg.l2_normalization(%data) {show_hidden = true} : (tensor<2x4x5xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) loc("a")
  %2:2 = sg.l2_normalization(%data) {mode = "channel", show_hidden = true} : (tensor<2x4x5xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) loc("b")
  %3:2 = sg.l2_normalization(%data) {mode = "spatial", show_hidden = true} : (tensor<2x4x5xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) loc("c")
  sg.heads %0#2, %1#1, %2#1, %3#1 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}

// CHECK-LABEL: @lrn_and_sort(
// CHECK: sg.lrn({{.*}}) {{.*}} -> (tensor<1x4x2x2xf32>, tensor<1x4x2x2xf32>)
// CHECK: sg.sort({{.*}}) {axis = {{.*}}, show_hidden = true} : {{.*}} -> (tensor<16xf32>, tensor<16xi32>)
sg.graph @lrn_and_sort(%data: tensor<1x4x2x2xf32> {sg.name = "data"}) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  %0:2 = sg.lrn(%data) {nsize = 3 : i64, show_hidden = true} : (tensor<1x4x2x2xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) loc("l")
  %1:2 = sg.sort(%0#1) {axis = -9223372036854775808 : i64, show_hidden = true} : (tensor<*x!sg.unknown>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) loc("s")
  sg.heads %0#0, %1#1 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}
