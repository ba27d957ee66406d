// RUN: symc-opt --sg-infer-shapes %s | FileCheck %s
// RUN: symc-opt --sg-infer-shapes --mlir-print-debuginfo %s | symc-opt --sg-infer-shapes | FileCheck %s
// What a graph needs of its sizes: nothing where the range proves it, once what two sweeps find,
// and what its bodies need.

// CHECK-DAG: #[[$SIX:.*]] = affine_set<()[s0] : (s0 - 6 >= 0)>
// CHECK-DAG: #[[$THREE:.*]] = affine_set<()[s0] : (s0 - 3 >= 0)>
// CHECK-DAG: #[[$TWO:.*]] = affine_set<()[s0] : (s0 - 2 >= 0)>

// The first window fits all images, the second those of the windows of the first that are three rows.
// CHECK-LABEL: sg.graph @proved(
// CHECK-NOT: conditions
sg.graph @proved(%data: tensor<1x3x?x9xf32, #sg.extents<()[s0] -> (1, 3, s0, 9)>>) -> (tensor<*xf32>)
    attributes {dim_min = array<i64: 8>, dim_max = array<i64: 64>} {
  %0 = sg.pooling(%data) {kernel = array<i64: 3, 3>, stride = array<i64: 2, 2>} :
      (tensor<1x3x?x9xf32, #sg.extents<()[s0] -> (1, 3, s0, 9)>>) -> tensor<*xf32>
  %1 = sg.pooling(%0) {kernel = array<i64: 3, 3>} : (tensor<*xf32>) -> tensor<*xf32>
  sg.heads %1 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @open(
// CHECK-SAME: conditions = [#[[$SIX]]]
// CHECK-SAME: sentences = ["node 'part': k is 6 but data has shape [s0] with only s0 elements to choose from"]
sg.graph @open(%data: tensor<?xf32, #sg.extents<()[s0] -> (s0)>>) -> (tensor<*xf32>, tensor<*xf32>)
    attributes {dim_min = array<i64: 1>, dim_max = array<i64: 64>} {
  %0 = sg.topk(%data) {k = 6, axis = 0} : (tensor<?xf32, #sg.extents<()[s0] -> (s0)>>) -> tensor<*xf32> loc("part")
  %1 = sg.topk(%data) {k = 1, axis = 0} : (tensor<?xf32, #sg.extents<()[s0] -> (s0)>>) -> tensor<*xf32> loc("one")
  sg.heads %0, %1 : tensor<*xf32>, tensor<*xf32>
}

// CHECK-LABEL: sg.graph @body(
// CHECK-NOT: conditions
sg.graph @body(%row: tensor<*xf32>) -> (tensor<*xf32>) {
  %0 = sg.topk(%row) {k = 2, axis = 0} : (tensor<*xf32>) -> tensor<*xf32> loc("inner")
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @calls(
// CHECK-SAME: conditions = [#[[$TWO]]]
// CHECK-SAME: sentences = ["node 'inner': k is 2
sg.graph @calls(%rows: tensor<3x?xf32, #sg.extents<()[s0] -> (3, s0)>>) -> (tensor<*xf32>)
    attributes {dim_min = array<i64: 1>, dim_max = array<i64: 64>} {
  %0 = sg.foreach(%rows) {bodies = [@body], num_args = 2, num_outputs = 1, num_out_data = 1,
      in_state_locs = array<i64>, in_data_locs = array<i64: 0>, remain_locs = array<i64>} :
      (tensor<3x?xf32, #sg.extents<()[s0] -> (3, s0)>>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// An extent of the type of a filled tensor: sizes at which it is negative are refused.
// CHECK-LABEL: sg.graph @full_c1_range(
// CHECK-SAME: conditions = [#[[$THREE]]]
// CHECK-SAME: sentences = ["node '': output has the extent s0 - 3 along axis 0 but needs at least 0"]
sg.graph @full_c1_range(%data: tensor<?xf32, #sg.extents<()[s0] -> (s0)>>) -> (tensor<?xf32, #sg.extents<()[s0] -> (s0 - 3)>>)
    attributes {dim_min = array<i64: 1>, dim_max = array<i64: 64>} {
  %0 = sg.full() {shape = array<i64: -1>, value = 1.0} : () -> tensor<?xf32, #sg.extents<()[s0] -> (s0 - 3)>>
  sg.heads %0 : tensor<?xf32, #sg.extents<()[s0] -> (s0 - 3)>>
}
