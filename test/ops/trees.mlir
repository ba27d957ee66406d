// RUN: symc-opt --sg-infer-shapes --sg-infer-types %s | FileCheck %s
// RUN: symc-opt %s | symc-opt | symc-opt --sg-infer-shapes --sg-infer-types | FileCheck %s
// The leaf of each tree for each row.

// CHECK-LABEL: sg.graph @tree_leaves(
// CHECK: sg.tree_leaves({{.*}}: (tensor<6x3xf32>, tensor<7xf32>, tensor<7x4xi64>, tensor<2xi64>) -> tensor<6x2xi64>
sg.graph @tree_leaves(%x: tensor<6x3xf32>, %s: tensor<7xf32>, %n: tensor<?x?x!sg.unknown>, %r: tensor<2xi64>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.tree_leaves(%x, %s, %n, %r) : (tensor<6x3xf32>, tensor<7xf32>, tensor<?x?x!sg.unknown>, tensor<2xi64>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}
