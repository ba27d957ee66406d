// A drawn weight that needs no extents for the results to have theirs, and has none.
// RUN: not symc-opt --sg-infer-shapes %s 2>&1 | FileCheck %s

// CHECK: error:{{.*}} the shape of a weight is unknown
// CHECK: note:{{.*}} it starts at weight 'b', whose shape is unknown; give the file that holds it, or its __shape__; pass --shape b=... where it is an input
sg.weight @b : tensor<*xf32> {random = 1 : i64}
sg.graph @main(%a: tensor<4x3xf32> {sg.name = "a"}, %w: tensor<3x6xf32> {sg.name = "w"}) -> (tensor<*xf32>) {
  %0 = sg.parameter @b : tensor<*xf32>
  %1 = sg.fully_connected(%0, %w) {no_bias = true, num_hidden = 3 : i64} : (tensor<*xf32>, tensor<3x6xf32>) -> tensor<*xf32>
  %2 = sg.add_n(%a, %1) {num_args = 2 : i64} : (tensor<4x3xf32>, tensor<*xf32>) -> tensor<*xf32>
  sg.heads %2 : tensor<*xf32>
}
