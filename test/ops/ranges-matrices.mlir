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

// -----

// CHECK-LABEL: sg.graph @linalg_gelqf_c3_range
// CHECK-SAME: sentences = ["node '': A has shape [1, s0], needs matrices of at most 2147483647 columns, which LAPACK counts in 32 bits"]
sg.graph @linalg_gelqf_c3_range(%a: tensor<1x?xf32, #sg.extents<()[s0] -> (1, s0)>>) -> (tensor<*xf32>, tensor<*xf32>)
    attributes {dim_min = array<i64: 1>, dim_max = array<i64: 3000000000>} {
  %0:2 = sg.linalg_gelqf(%a) {} : (tensor<1x?xf32, #sg.extents<()[s0] -> (1, s0)>>) -> (tensor<*xf32>, tensor<*xf32>)
  sg.heads %0#0, %0#1 : tensor<*xf32>, tensor<*xf32>
}

// -----

// CHECK-LABEL: sg.graph @linalg_syevd_c3_range
// CHECK-SAME: sentences = ["node '': A has shape [s0, s0], needs matrices of at most 32766 rows, which LAPACK counts in 32 bits"]
sg.graph @linalg_syevd_c3_range(%a: tensor<?x?xf32, #sg.extents<()[s0] -> (s0, s0)>>) -> (tensor<*xf32>, tensor<*xf32>)
    attributes {dim_min = array<i64: 1>, dim_max = array<i64: 40000>} {
  %0:2 = sg.linalg_syevd(%a) {} : (tensor<?x?xf32, #sg.extents<()[s0] -> (s0, s0)>>) -> (tensor<*xf32>, tensor<*xf32>)
  sg.heads %0#0, %0#1 : tensor<*xf32>, tensor<*xf32>
}

// -----

// CHECK-LABEL: sg.graph @numpy_svd_c3_range
// CHECK-SAME: sentences = ["node '': A has shape [2, s0], needs matrices of at most 268435455 rows and columns, which LAPACK counts in 32 bits"]
sg.graph @numpy_svd_c3_range(%a: tensor<2x?xf32, #sg.extents<()[s0] -> (2, s0)>>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>)
    attributes {dim_min = array<i64: 2>, dim_max = array<i64: 300000000>} {
  %0:3 = sg.numpy_svd(%a) {} : (tensor<2x?xf32, #sg.extents<()[s0] -> (2, s0)>>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>)
  sg.heads %0#0, %0#1, %0#2 : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>
}

// -----

// CHECK-LABEL: sg.graph @matrix_solve_c3_range
// CHECK-SAME: sentences = ["node '': B has shape [1, s0], needs at most 2147483647 columns, which LAPACK counts in 32 bits"]
sg.graph @matrix_solve_c3_range(%a: tensor<1x1xf32>, %b: tensor<1x?xf32, #sg.extents<()[s0] -> (1, s0)>>) -> (tensor<*xf32>)
    attributes {dim_min = array<i64: 1>, dim_max = array<i64: 3000000000>} {
  %0 = sg.matrix_solve(%a, %b) {} : (tensor<1x1xf32>, tensor<1x?xf32, #sg.extents<()[s0] -> (1, s0)>>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

// CHECK-LABEL: sg.graph @matrix_pinv_c3_range
// CHECK-SAME: sentences = ["node '': A has shape [40000, s0], needs matrices of at most 32766 rows or columns, which LAPACK counts in 32 bits"]
sg.graph @matrix_pinv_c3_range(%a: tensor<40000x?xf32, #sg.extents<()[s0] -> (40000, s0)>>, %b: tensor<1xf32>) -> (tensor<*xf32>)
    attributes {dim_min = array<i64: 1>, dim_max = array<i64: 50000>} {
  %0 = sg.matrix_pinv(%a, %b) {} : (tensor<40000x?xf32, #sg.extents<()[s0] -> (40000, s0)>>, tensor<1xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}
