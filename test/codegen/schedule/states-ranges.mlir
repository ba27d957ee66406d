// If this fails, a program with a range of sizes writes extents of its states behind the memory that a context has for
// those of its outputs.
// RUN: symc-opt --symc-schedule=targets=x86-64-v3 %s | FileCheck %s

// CHECK: #[[OUTPUT:.*]] = affine_map<()[s0] -> (s0, 4)>
// CHECK: #[[NONE:.*]] = affine_map<()[s0] -> ()>
// CHECK: output_shapes = [#[[OUTPUT]], #[[NONE]]]
sg.weight @mean : tensor<4xf32>
sg.graph @main(%x: tensor<?x4xf32, #sg.extents<()[s0] -> (s0, 4)>> {sg.name = "x"}, %mean: tensor<4xf32> {sg.name = "mean", sg.state = "mean"}) -> (tensor<?x4xf32, #sg.extents<()[s0] -> (s0, 4)>>, tensor<4xf32> {sg.name = "mean", sg.state = "mean"}) attributes {dim_names = ["n"], dim_min = array<i64: 1>, dim_max = array<i64: 8>} {
  %0 = sg.unary(%x) {fn = "exp"} : (tensor<?x4xf32, #sg.extents<()[s0] -> (s0, 4)>>) -> tensor<?x4xf32, #sg.extents<()[s0] -> (s0, 4)>>
  %1 = sg.unary(%mean) {fn = "exp"} : (tensor<4xf32>) -> tensor<4xf32>
  sg.heads %0, %1 : tensor<?x4xf32, #sg.extents<()[s0] -> (s0, 4)>>, tensor<4xf32>
}
