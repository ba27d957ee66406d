// RUN: symc-opt --sg-infer-shapes --sg-infer-types %s | FileCheck %s
// RUN: symc-opt --sg-infer-shapes --sg-infer-types %s | symc-opt --sg-infer-shapes | FileCheck %s
// Values decide a size: inference adds it to the graph, once for a mask, and later nodes see it.

// CHECK-LABEL: sg.graph @mask(
// CHECK-SAME: tensor<?x3xf32, #sg.extents<()[s0] -> (s0, 3)>>
// CHECK-SAME: dim_max = array<i64: 4>, dim_min = array<i64: 0>, dim_names = ["[0]"]
// CHECK: sg.boolean_mask(%{{.*}}, %{{.*}}) {size = 0 : i64}
sg.graph @mask(%data: tensor<4x3xf32>, %index: tensor<?xi32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.boolean_mask(%data, %index) : (tensor<4x3xf32>, tensor<?xi32>) -> tensor<*x!sg.unknown>
  %1 = sg.unary(%0) {fn = "exp"} : (tensor<*x!sg.unknown>) -> tensor<*x!sg.unknown>
  sg.heads %1 : tensor<*x!sg.unknown>
}

// Two tensors under one mask meet.
// CHECK-LABEL: sg.graph @shared(
// CHECK-SAME: dim_max = array<i64: 4>
// CHECK: sg.binary
// CHECK-SAME: -> tensor<?xf32, #sg.extents<()[s0] -> (s0)>>
sg.graph @shared(%a: tensor<4xf32>, %b: tensor<4xf32>, %index: tensor<4xf32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.boolean_mask(%a, %index) : (tensor<4xf32>, tensor<4xf32>) -> tensor<*x!sg.unknown>
  %1 = sg.boolean_mask(%b, %index) : (tensor<4xf32>, tensor<4xf32>) -> tensor<*x!sg.unknown>
  %2 = sg.binary(%0, %1) {fn = "add"} : (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) -> tensor<*x!sg.unknown>
  sg.heads %2 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @nonzero(
// CHECK-SAME: tensor<?x2xi64, #sg.extents<()[s0] -> (s0, 2)>>
// CHECK-SAME: dim_max = array<i64: 12>
sg.graph @nonzero(%data: tensor<4x3xf32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.nonzero(%data) : (tensor<4x3xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// The number of each element's value is known, however many values there are.
// CHECK-LABEL: sg.graph @unique(
// CHECK: sg.unique
// CHECK-SAME: -> (tensor<?xf16, #sg.extents<()[s0] -> (s0)>>, tensor<12xi64>, tensor<?xi64, #sg.extents<()[s0] -> (s0)>>)
sg.graph @unique(%data: tensor<4x3xf16>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  %0:3 = sg.unique(%data) {return_inverse = true, return_counts = true} :
      (tensor<4x3xf16>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>)
  sg.heads %0#0, %0#1, %0#2 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}

// Along an axis slices are counted.
// CHECK-LABEL: sg.graph @unique_slices(
// CHECK-SAME: dim_max = array<i64: 3>, dim_min = array<i64: 0>, dim_names = ["[1]"]
// CHECK: -> (tensor<4x?xi8, #sg.extents<()[s0] -> (4, s0)>>, tensor<?xi64, #sg.extents<()[s0] -> (s0)>>, tensor<3xi64>)
sg.graph @unique_slices(%data: tensor<4x3xi8>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  %0:3 = sg.unique(%data) {axis = -1 : i64, return_index = true, return_inverse = true} :
      (tensor<4x3xi8>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>)
  sg.heads %0#0, %0#1, %0#2 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}

// A size that comes of another counts at most as that one does.
// CHECK-LABEL: sg.graph @chained(
// CHECK-SAME: dim_max = array<i64: 4, 12>
sg.graph @chained(%data: tensor<4x3xf32>, %index: tensor<4xf32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.boolean_mask(%data, %index) : (tensor<4x3xf32>, tensor<4xf32>) -> tensor<*x!sg.unknown>
  %1 = sg.nonzero(%0) : (tensor<*x!sg.unknown>) -> tensor<*x!sg.unknown>
  sg.heads %1 : tensor<*x!sg.unknown>
}
