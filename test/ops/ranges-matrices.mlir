// RUN: symc-opt --sg-infer-shapes -split-input-file %s | FileCheck %s
// Matrices whose extents are known only at run time: what is needed of them becomes a condition
// of the graph, with the sentence of the constraint.

// CHECK: #set{{.*}} = affine_set<()[s0] : (-s0 + 9 >= 0)>
// CHECK-LABEL: sg.graph @linalg_gelqf_c1_range
// CHECK-SAME: sentences = ["node '': A has shape [s0, 9], needs matrices with no more rows than columns"]}
sg.graph @linalg_gelqf_c1_range(%a: tensor<?x9xf32, #sg.extents<()[s0] -> (s0, 9)>>)
    -> (tensor<*xf32>, tensor<*xf32>)
    attributes {dim_min = array<i64: 1>, dim_max = array<i64: 64>} {
  %0:2 = sg.linalg_gelqf(%a) :
      (tensor<?x9xf32, #sg.extents<()[s0] -> (s0, 9)>>) -> (tensor<*xf32>, tensor<*xf32>)
  sg.heads %0#0, %0#1 : tensor<*xf32>, tensor<*xf32>
}

// -----

// CHECK: #set{{.*}} = affine_set<()[s0] : (-s0 + 9 >= 0)>
// CHECK-LABEL: sg.graph @numpy_svd_c1_range
// CHECK-SAME: sentences = ["node '': A has shape [s0, 9], needs matrices with no more rows than columns"]}
sg.graph @numpy_svd_c1_range(%a: tensor<?x9xf32, #sg.extents<()[s0] -> (s0, 9)>>)
    -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>)
    attributes {dim_min = array<i64: 1>, dim_max = array<i64: 64>} {
  %0:3 = sg.numpy_svd(%a) :
      (tensor<?x9xf32, #sg.extents<()[s0] -> (s0, 9)>>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>)
  sg.heads %0#0, %0#1, %0#2 : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>
}

// -----

// CHECK: #set{{.*}} = affine_set<()[s0] : (s0 - 4 >= 0)>
// CHECK-LABEL: sg.graph @linalg_extractdiag_c2_range
// CHECK-SAME: sentences = ["node '': offset 3 lies outside the matrices of A's shape [s0, s0]"]}
sg.graph @linalg_extractdiag_c2_range(%a: tensor<?x?xf32, #sg.extents<()[s0] -> (s0, s0)>>)
    -> (tensor<*xf32>)
    attributes {dim_min = array<i64: 1>, dim_max = array<i64: 64>} {
  %0 = sg.linalg_extractdiag(%a) {offset = 3} :
      (tensor<?x?xf32, #sg.extents<()[s0] -> (s0, s0)>>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}
