// If this fails, a weight that a run changes counts as a constant: later runs read its first
// value, or @prepare computes what depends on it.
// RUN: symc-opt --sg-lift-states %s | FileCheck %s
// RUN: symc-opt --sg-lift-states --sg-lift-states --sg-hoist-prepare %s | FileCheck %s --check-prefixes=CHECK,HOIST

sg.weight @w : tensor<4xf32>
sg.weight @mom : tensor<4xf32>

// Only what a result names as a state moves; what reads it stays in @main.
// HOIST: sg.graph @prepare
// HOIST-NOT: @mom
// CHECK-LABEL: sg.graph @main(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xf32> {sg.name = "x"}
// CHECK-SAME: %[[MOM:[a-z0-9]+]]: tensor<4xf32> {sg.name = "mom", sg.state = "mom"}
// CHECK-NOT: sg.parameter @mom
// CHECK: sg.unary(%[[MOM]]) {fn = "exp"}
// CHECK: sg.binary(%{{.*}}, %[[X]]) {fn = "add"}
sg.graph @main(%x: tensor<4xf32> {sg.name = "x"}) -> (tensor<4xf32> {sg.name = "y"}, tensor<4xf32> {sg.name = "mom", sg.state = "mom"}) {
  %w = sg.parameter @w : tensor<4xf32>
  %mom = sg.parameter @mom : tensor<4xf32>
  %0 = sg.unary(%mom) {fn = "exp"} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = sg.binary(%0, %x) {fn = "add"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %2 = sg.unary(%w) {fn = "exp"} : (tensor<4xf32>) -> tensor<4xf32>
  %3 = sg.binary(%1, %2) {fn = "mul"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  sg.heads %3, %1 : tensor<4xf32>, tensor<4xf32>
}
