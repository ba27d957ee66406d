// RUN: symc-opt --sg-infer-shapes --sg-infer-types %s | FileCheck %s
// RUN: symc-opt %s | symc-opt | symc-opt --sg-infer-shapes --sg-infer-types | FileCheck %s
// Places as values.

// CHECK-LABEL: sg.graph @unravel_index(
// CHECK: sg.unravel_index({{.*}} -> tensor<2x5xi64>
sg.graph @unravel_index(%a: tensor<5xi64>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.unravel_index(%a) {shape = array<i64: 3, 4>} :
      (tensor<5xi64>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @index_array(
// CHECK: sg.index_array({{.*}} -> tensor<5x3x2xi64>
sg.graph @index_array(%a: tensor<5x3xf32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.index_array(%a) :
      (tensor<5x3xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @index_array_axes(
// CHECK: sg.index_array({{.*}} -> tensor<5x3x1xi64>
sg.graph @index_array_axes(%a: tensor<5x3xf32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.index_array(%a) {axes = array<i64: -1>} :
      (tensor<5x3xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @index_copy(
// CHECK: sg.index_copy({{.*}} -> tensor<5x3xf32>
sg.graph @index_copy(%a: tensor<5x3xf32>, %b: tensor<2xi64>, %c: tensor<*x!sg.unknown>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.index_copy(%a, %b, %c) :
      (tensor<5x3xf32>, tensor<2xi64>, tensor<*x!sg.unknown>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @index_copy_combine(
// CHECK: sg.index_copy({{.*}}combine = "max"{{.*}} -> tensor<5x3xf32>
sg.graph @index_copy_combine(%a: tensor<5x3xf32>, %b: tensor<2xi64>, %c: tensor<2x3xf32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.index_copy(%a, %b, %c) {combine = "max"} :
      (tensor<5x3xf32>, tensor<2xi64>, tensor<2x3xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @histogram(
// CHECK: sg.histogram({{.*}} -> (tensor<6xi64>, tensor<7xf32>)
sg.graph @histogram(%a: tensor<39xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  %0:2 = sg.histogram(%a) {bin_cnt = 6 : i64, range = array<f64: -2.0, 2.0>} :
      (tensor<39xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>)
  sg.heads %0#0, %0#1 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @histogram_bins(
// CHECK: sg.histogram({{.*}} -> (tensor<4xi64>, tensor<5xf64>)
sg.graph @histogram_bins(%a: tensor<29xf64>, %b: tensor<5xf64>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  %0:2 = sg.histogram(%a, %b) :
      (tensor<29xf64>, tensor<5xf64>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>)
  sg.heads %0#0, %0#1 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @hawkesll(
// CHECK: sg.hawkesll({{.*}} -> (tensor<2xf32>, tensor<2x3xf32>)
sg.graph @hawkesll(%a: tensor<2x3xf32>, %b: tensor<*x!sg.unknown>, %c: tensor<*x!sg.unknown>, %d: tensor<*x!sg.unknown>, %e: tensor<2x7xf32>, %f: tensor<*x!sg.unknown>, %g: tensor<*x!sg.unknown>, %h: tensor<*x!sg.unknown>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  %0:2 = sg.hawkesll(%a, %b, %c, %d, %e, %f, %g, %h) :
      (tensor<2x3xf32>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<2x7xf32>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>)
  sg.heads %0#0, %0#1 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @hawkesll_gradient(
// CHECK: sg.hawkesll_gradient({{.*}}tensor<2xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
sg.graph @hawkesll_gradient(%a: tensor<2x3xf32>, %b: tensor<*x!sg.unknown>, %c: tensor<*x!sg.unknown>, %d: tensor<*x!sg.unknown>, %e: tensor<2x7xf32>, %f: tensor<*x!sg.unknown>, %g: tensor<*x!sg.unknown>, %h: tensor<*x!sg.unknown>, %i: tensor<*x!sg.unknown>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  %0:3 = sg.hawkesll_gradient(%a, %b, %c, %d, %e, %f, %g, %h, %i) :
      (tensor<2x3xf32>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<2x7xf32>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>)
  sg.heads %0#0, %0#1, %0#2 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}
