// If this fails, a graph whose weights are only read by data's nodes gets an
// empty @prepare.
// RUN: symc-opt --sg-hoist-prepare %s | FileCheck %s
// CHECK-NOT: @prepare
// CHECK: sg.graph @main
// CHECK-NOT: sg.prepared
sg.weight @w : tensor<4xf32>
sg.graph @main(%x: tensor<4xf32> {sg.name = "x"}) -> (tensor<4xf32>) {
  %w = sg.parameter @w : tensor<4xf32>
  %0 = sg.binary(%x, %w) {fn = "add"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  sg.heads %0 : tensor<4xf32>
}
