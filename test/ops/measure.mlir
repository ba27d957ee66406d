// RUN: symc-opt --sg-infer-shapes --sg-infer-types %s | FileCheck %s
// RUN: symc-opt %s | symc-opt | symc-opt --sg-infer-shapes --sg-infer-types | FileCheck %s
// Whole tensors measured: one number, and what the second operand has to be.

// CHECK-LABEL: sg.graph @allclose(
// CHECK: sg.allclose({{.*}} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<ui8>
sg.graph @allclose(%a: tensor<2x3xf32>, %b: tensor<*x!sg.unknown>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.allclose(%a, %b) : (tensor<2x3xf32>, tensor<*x!sg.unknown>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @calibrate_entropy(
// CHECK: (tensor<9xf32>, tensor<10xf32>) -> (tensor<1xf32>, tensor<1xf32>)
sg.graph @calibrate_entropy(%a: tensor<9x!sg.unknown>, %b: tensor<*x!sg.unknown>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  %0:2 = sg.calibrate_entropy(%a, %b) {num_quantized_bins = 5 : i64} :
      (tensor<9x!sg.unknown>, tensor<*x!sg.unknown>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>)
  sg.heads %0#0, %0#1 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}
