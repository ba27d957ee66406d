// If this fails, a graph whose weights are only read by data's nodes gets an
// empty @prepare, a call of LAPACK is made before a context has opened the library, or a
// prepared weight has an extent that only a run tells, its own or one along which it is repeated.
// RUN: symc-opt --sg-hoist-prepare %s | FileCheck %s
// CHECK-NOT: @prepare
// CHECK: sg.graph @main
// CHECK-NOT: sg.prepared
sg.weight @w : tensor<4xf32>
sg.weight @m : tensor<2x2xf32>
sg.weight @r : tensor<1x2xf32>
sg.graph @main(%x: tensor<4xf32> {sg.name = "x"}) -> (tensor<4xf32>, tensor<2x2xf32>, tensor<?xf32, #sg.extents<()[s0] -> (s0)>>, tensor<?x2xf32, #sg.extents<()[s0] -> (s0, 2)>>) attributes {dim_max = array<i64: 4>, dim_min = array<i64: 0>, dim_names = ["rows"]} {
  %w = sg.parameter @w : tensor<4xf32>
  %m = sg.parameter @m : tensor<2x2xf32>
  %0 = sg.binary(%x, %w) {fn = "add"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = sg.linalg_potrf(%m) : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %2 = sg.boolean_mask(%w, %w) {size = 0 : i64} : (tensor<4xf32>, tensor<4xf32>) -> tensor<?xf32, #sg.extents<()[s0] -> (s0)>>
  %r = sg.parameter @r : tensor<1x2xf32>
  %3 = sg.broadcast_to(%r) {shape = array<i64: 0, 2>} : (tensor<1x2xf32>) -> tensor<?x2xf32, #sg.extents<()[s0] -> (s0, 2)>>
  sg.heads %0, %1, %2, %3 : tensor<4xf32>, tensor<2x2xf32>, tensor<?xf32, #sg.extents<()[s0] -> (s0)>>, tensor<?x2xf32, #sg.extents<()[s0] -> (s0, 2)>>
}
