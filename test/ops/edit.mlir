// RUN: symc-opt --sg-infer-shapes --sg-infer-types %s | FileCheck %s
// RUN: symc-opt --sg-infer-shapes --sg-infer-types %s | symc-opt --sg-infer-shapes | FileCheck %s
// If this fails, slices that are put in or taken out give other shapes or types than MXNet's.

// The first axis of values runs along the axis of one place.
// CHECK-LABEL: sg.graph @place(
// CHECK: sg.insert
// CHECK-SAME: -> tensor<2x4xf16>
// CHECK: sg.insert
// CHECK-SAME: -> tensor<4x3xf16>
// CHECK: sg.insert
// CHECK-SAME: -> tensor<7xf16>
sg.graph @place(%a: tensor<2x3xf16>, %b: tensor<2xf32>, %c: tensor<2x1xi32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  %0 = sg.insert(%a, %b) {kind = "index", int_ind = -1 : i64, axis = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0>} :
      (tensor<2x3xf16>, tensor<2xf32>) -> tensor<*x!sg.unknown>
  %1 = sg.insert(%a, %c) {kind = "index", axis = 0 : i64, operandSegmentSizes = array<i32: 1, 1, 0>} :
      (tensor<2x3xf16>, tensor<2x1xi32>) -> tensor<*x!sg.unknown>
  %2 = sg.insert(%a) {kind = "index", val = 3.0 : f64, operandSegmentSizes = array<i32: 1, 0, 0>} :
      (tensor<2x3xf16>) -> tensor<*x!sg.unknown>
  sg.heads %0, %1, %2 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}

// One place in a slice takes all of values, several take one each.
// CHECK-LABEL: sg.graph @slice(
// CHECK: sg.insert
// CHECK-SAME: -> tensor<2x5xf32>
// CHECK: sg.insert
// CHECK-SAME: -> tensor<2x6xf32>
// CHECK: sg.insert
// CHECK-SAME: -> tensor<2x4xf32>
sg.graph @slice(%a: tensor<2x4xf32>, %b: tensor<1x1xf32>, %c: tensor<2x1xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  %0 = sg.insert(%a, %b) {kind = "slice", start = 1 : i64, stop = 2 : i64, step = 1 : i64, axis = -1 : i64, operandSegmentSizes = array<i32: 1, 1, 0>} :
      (tensor<2x4xf32>, tensor<1x1xf32>) -> tensor<*x!sg.unknown>
  %1 = sg.insert(%a, %c) {kind = "slice", step = -2 : i64, axis = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0>} :
      (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<*x!sg.unknown>
  %2 = sg.insert(%a, %c) {kind = "slice", start = 3 : i64, stop = 2 : i64, step = 1 : i64, axis = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0>} :
      (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0, %1, %2 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}

// The type of arr follows from the result's, that of obj is int64.
// CHECK-LABEL: sg.graph @tensor(
// CHECK: sg.insert
// CHECK-SAME: (tensor<2x3xf64>, tensor<2xf32>, tensor<2xi64>) -> tensor<2x5xf64>
sg.graph @tensor(%a: tensor<2x3x!sg.unknown>, %b: tensor<2xf32>, %obj: tensor<2x!sg.unknown>) -> (tensor<2x5xf64>) {
  %0 = sg.insert(%a, %b, %obj) {kind = "tensor", axis = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 1>} :
      (tensor<2x3x!sg.unknown>, tensor<2xf32>, tensor<2x!sg.unknown>) -> tensor<2x5xf64>
  sg.heads %0 : tensor<2x5xf64>
}

// CHECK-LABEL: sg.graph @delete(
// CHECK: -> tensor<2x2xi8>
// CHECK: -> tensor<2x1xi8>
// CHECK: -> tensor<5xi8>
sg.graph @delete(%a: tensor<2x3xi8>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  %0 = sg.delete(%a) {int_ind = -3 : i64, axis = 1 : i64} : (tensor<2x3xi8>) -> tensor<*x!sg.unknown>
  %1 = sg.delete(%a) {step = 2 : i64, axis = 1 : i64} : (tensor<2x3xi8>) -> tensor<*x!sg.unknown>
  %2 = sg.delete(%a) {start = -2 : i64, stop = 5 : i64, step = 1 : i64} : (tensor<2x3xi8>) -> tensor<*x!sg.unknown>
  sg.heads %0, %1, %2 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}

// Values decide how many are left.
// CHECK-LABEL: sg.graph @decided(
// CHECK-SAME: dim_max = array<i64: 3>, dim_min = array<i64: 0>, dim_names = ["[1]"]
// CHECK: sg.delete
// CHECK-SAME: -> tensor<2x?xf32, #sg.extents<()[s0] -> (2, s0)>>
sg.graph @decided(%a: tensor<2x3xf32>, %obj: tensor<4xf32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.delete(%a, %obj) {axis = 1 : i64} : (tensor<2x3xf32>, tensor<4xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}
