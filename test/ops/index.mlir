// RUN: symc-opt --sg-infer-shapes --sg-infer-types %s | FileCheck %s
// RUN: symc-opt %s | symc-opt | symc-opt --sg-infer-shapes --sg-infer-types | FileCheck %s
// Choice by index: indices give shape, data gives the element type.

// CHECK-LABEL: sg.graph @take(
// CHECK: -> tensor<3x6x2x4xf32>
sg.graph @take(%a: tensor<3x5x4xf32>, %b: tensor<6x2xi32>) -> (tensor<*xf32>) {
  %0 = sg.take(%a, %b) {axis = 1} : (tensor<3x5x4xf32>, tensor<6x2xi32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @batch_take(
// CHECK: (tensor<6x4xf32>, tensor<6xi32>) -> tensor<6xf32>
sg.graph @batch_take(%a: tensor<6x4xf32>, %b: tensor<*xi32>) -> (tensor<*xf32>) {
  %0 = sg.batch_take(%a, %b) : (tensor<6x4xf32>, tensor<*xi32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @pick(
// CHECK: (tensor<4x5x3xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
sg.graph @pick(%a: tensor<4x5x3xf32>, %b: tensor<*xf32>) -> (tensor<*xf32>) {
  %0 = sg.pick(%a, %b) {axis = 1} : (tensor<4x5x3xf32>, tensor<*xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @pick_keepdims(
// CHECK: -> tensor<4x1x3xf32>
sg.graph @pick_keepdims(%a: tensor<4x5x3xf32>, %b: tensor<4x1x3xf32>) -> (tensor<*xf32>) {
  %0 = sg.pick(%a, %b) {axis = 1, keepdims = true} :
      (tensor<4x5x3xf32>, tensor<4x1x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @pick_flat(
// CHECK: (tensor<4x5xf32>, tensor<1xf32>) -> tensor<1xf32>
sg.graph @pick_flat(%a: tensor<4x5xf32>, %b: tensor<*xf32>) -> (tensor<*xf32>) {
  %0 = sg.pick(%a, %b) {axis = -9223372036854775808} :
      (tensor<4x5xf32>, tensor<*xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @one_hot(
// CHECK: -> tensor<5x2x6xi32>
sg.graph @one_hot(%a: tensor<5x2xf32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.one_hot(%a) {depth = 6, dtype = "int32"} : (tensor<5x2xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @gather_nd(
// CHECK: -> tensor<3x6xf32>
sg.graph @gather_nd(%a: tensor<4x5x6xf32>, %b: tensor<2x3xi32>) -> (tensor<*xf32>) {
  %0 = sg.gather_nd(%a, %b) : (tensor<4x5x6xf32>, tensor<2x3xi32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @scatter_nd(
// CHECK: (tensor<4x3xf32>, tensor<1x4xi32>) -> tensor<6x3xf32>
sg.graph @scatter_nd(%a: tensor<*xf32>, %b: tensor<1x4xi32>) -> (tensor<*xf32>) {
  %0 = sg.scatter_nd(%a, %b) {shape = array<i64: 6, 3>} :
      (tensor<*xf32>, tensor<1x4xi32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @topk(
// CHECK: -> (tensor<2x3xf32>, tensor<2x3xi32>)
sg.graph @topk(%a: tensor<2x5xf32>) -> (tensor<*xf32>, tensor<*x!sg.unknown>) {
  %0:2 = sg.topk(%a) {k = 3, ret_typ = "both", dtype = "int32"} :
      (tensor<2x5xf32>) -> (tensor<*xf32>, tensor<*x!sg.unknown>)
  sg.heads %0#0, %0#1 : tensor<*xf32>, tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @topk_mask(
// CHECK: -> tensor<2x5xf32>
sg.graph @topk_mask(%a: tensor<2x5xf32>) -> (tensor<*xf32>) {
  %0 = sg.topk(%a) {k = 3, ret_typ = "mask"} : (tensor<2x5xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @topk_flat(
// CHECK: -> tensor<3xf32>
sg.graph @topk_flat(%a: tensor<2x5xf32>) -> (tensor<*xf32>) {
  %0 = sg.topk(%a) {k = 3, axis = -9223372036854775808} : (tensor<2x5xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @sort(
// CHECK: -> tensor<2x5xf32>
sg.graph @sort(%a: tensor<2x5xf32>) -> (tensor<*xf32>) {
  %0 = sg.sort(%a) : (tensor<2x5xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @argsort(
// CHECK: -> tensor<2x5xi32>
sg.graph @argsort(%a: tensor<2x5xf32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.argsort(%a) {dtype = "int32"} : (tensor<2x5xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @ravel_multi_index(
// CHECK: -> tensor<7xf32>
sg.graph @ravel_multi_index(%a: tensor<3x7xf32>) -> (tensor<*xf32>) {
  %0 = sg.ravel_multi_index(%a) {shape = array<i64: 3, 3, 4>} : (tensor<3x7xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}
