// If this fails, a graph whose weights are only read by data's nodes gets an
// empty @prepare, or a call of LAPACK is made before a context has opened the library.
// RUN: symc-opt --sg-hoist-prepare %s | FileCheck %s
// CHECK-NOT: @prepare
// CHECK: sg.graph @main
// CHECK-NOT: sg.prepared
sg.weight @w : tensor<4xf32>
sg.weight @m : tensor<2x2xf32>
sg.graph @main(%x: tensor<4xf32> {sg.name = "x"}) -> (tensor<4xf32>, tensor<2x2xf32>) {
  %w = sg.parameter @w : tensor<4xf32>
  %m = sg.parameter @m : tensor<2x2xf32>
  %0 = sg.binary(%x, %w) {fn = "add"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = sg.linalg_potrf(%m) : (tensor<2x2xf32>) -> tensor<2x2xf32>
  sg.heads %0, %1 : tensor<4xf32>, tensor<2x2xf32>
}
