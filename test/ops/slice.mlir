// RUN: symc-opt --sg-infer-shapes --sg-infer-types %s | FileCheck %s
// RUN: symc-opt %s | symc-opt | symc-opt --sg-infer-shapes --sg-infer-types | FileCheck %s
// Joints and parts: extents along the axis add up, all others are shared in both directions.

// CHECK-LABEL: sg.graph @concat(
// CHECK: (tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<2x7xf32>
sg.graph @concat(%a: tensor<2x3xf32>, %b: tensor<2x?xf32>) -> (tensor<?x7xf32>) {
  %0 = sg.concat(%a, %b) {num_args = 2} : (tensor<2x3xf32>, tensor<2x?xf32>) -> tensor<?x7xf32>
  sg.heads %0 : tensor<?x7xf32>
}

// CHECK-LABEL: sg.graph @concat_negative(
// CHECK: -> tensor<4x3xf32>
sg.graph @concat_negative(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>) -> (tensor<*xf32>) {
  %0 = sg.concat(%a, %b) {num_args = 2, dim = -2} :
      (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @stack(
// CHECK: (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3x2xf32>
sg.graph @stack(%a: tensor<2x3xf32>, %b: tensor<*xf32>) -> (tensor<*xf32>) {
  %0 = sg.stack(%a, %b) {num_args = 2, axis = -1} :
      (tensor<2x3xf32>, tensor<*xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @slice_channel(
// CHECK: -> (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>)
sg.graph @slice_channel(%a: tensor<2x6xf32>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) {
  %0:3 = sg.slice_channel(%a) {num_outputs = 3} :
      (tensor<2x6xf32>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>)
  sg.heads %0#0, %0#1, %0#2 : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>
}

// CHECK-LABEL: sg.graph @slice_channel_squeeze(
// CHECK: -> (tensor<3xf32>, tensor<3xf32>)
sg.graph @slice_channel_squeeze(%a: tensor<2x3xf32>) -> (tensor<*xf32>, tensor<*xf32>) {
  %0:2 = sg.slice_channel(%a) {num_outputs = 2, axis = 0, squeeze_axis = true} :
      (tensor<2x3xf32>) -> (tensor<*xf32>, tensor<*xf32>)
  sg.heads %0#0, %0#1 : tensor<*xf32>, tensor<*xf32>
}

// CHECK-LABEL: sg.graph @slice_channel_backward(
// CHECK: (tensor<4x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>)
sg.graph @slice_channel_backward(%a: tensor<*xf32>) -> (tensor<2x3xf32>, tensor<*xf32>) {
  %0:2 = sg.slice_channel(%a) {num_outputs = 2, axis = 0} :
      (tensor<*xf32>) -> (tensor<2x3xf32>, tensor<*xf32>)
  sg.heads %0#0, %0#1 : tensor<2x3xf32>, tensor<*xf32>
}

// CHECK-LABEL: sg.graph @split_v2(
// CHECK: -> (tensor<4x1xf32>, tensor<4x5xf32>)
sg.graph @split_v2(%a: tensor<4x6xf32>) -> (tensor<*xf32>, tensor<*xf32>) {
  %0:2 = sg.split_v2(%a) {indices = array<i64: 0, 1>, axis = 1} :
      (tensor<4x6xf32>) -> (tensor<*xf32>, tensor<*xf32>)
  sg.heads %0#0, %0#1 : tensor<*xf32>, tensor<*xf32>
}

// CHECK-LABEL: sg.graph @split_v2_sections(
// CHECK: -> (tensor<4x4xf32>, tensor<4x3xf32>)
sg.graph @split_v2_sections(%a: tensor<4x7xf32>) -> (tensor<*xf32>, tensor<*xf32>) {
  %0:2 = sg.split_v2(%a) {indices = array<i64>, sections = 2, axis = 1} :
      (tensor<4x7xf32>) -> (tensor<*xf32>, tensor<*xf32>)
  sg.heads %0#0, %0#1 : tensor<*xf32>, tensor<*xf32>
}

// CHECK-LABEL: sg.graph @slice(
// CHECK: -> tensor<2x4x3xf32>
sg.graph @slice(%a: tensor<5x6x3xf32>) -> (tensor<*xf32>) {
  %0 = sg.slice(%a) {begin = array<i64: 4, -5>, end = array<i64: 0, -1>, step = array<i64: -2, 1>} :
      (tensor<5x6x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @slice_axis(
// CHECK: -> tensor<3x2xf32>
sg.graph @slice_axis(%a: tensor<3x5xf32>) -> (tensor<*xf32>) {
  %0 = sg.slice_axis(%a) {axis = -1, begin = -3, end = -1} : (tensor<3x5xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @slice_axis_end(
// CHECK: -> tensor<3x4xf32>
sg.graph @slice_axis_end(%a: tensor<3x5xf32>) -> (tensor<*xf32>) {
  %0 = sg.slice_axis(%a) {axis = 1, begin = 1} : (tensor<3x5xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @slice_like(
// CHECK: -> tensor<5x3xf32>
sg.graph @slice_like(%a: tensor<5x6xf32>, %b: tensor<2x3xi32>) -> (tensor<*xf32>) {
  %0 = sg.slice_like(%a, %b) {axes = array<i64: -1>} :
      (tensor<5x6xf32>, tensor<2x3xi32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}
