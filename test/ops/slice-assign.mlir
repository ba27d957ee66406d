// RUN: symc-opt --sg-infer-shapes --sg-infer-types %s | FileCheck %s
// RUN: symc-opt %s | symc-opt | symc-opt --sg-infer-shapes --sg-infer-types | FileCheck %s
// Parts assigned to: the shape of the whole stays.

// CHECK-LABEL: sg.graph @slice_assign(
// CHECK: sg.slice_assign({{.*}} -> tensor<4x5xf32>
sg.graph @slice_assign(%a: tensor<4x5xf32>, %b: tensor<*x!sg.unknown>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.slice_assign(%a, %b) {begin = array<i64: 1, 1>, end = array<i64: 3, 4>} :
      (tensor<4x5xf32>, tensor<*x!sg.unknown>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @slice_assign_scalar(
// CHECK: sg.slice_assign_scalar({{.*}} -> tensor<4x5xi32>
sg.graph @slice_assign_scalar(%a: tensor<4x5xi32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.slice_assign_scalar(%a) {begin = array<i64: 1>, end = array<i64: 3>} :
      (tensor<4x5xi32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}
