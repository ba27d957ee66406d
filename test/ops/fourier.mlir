// RUN: symc-opt --sg-infer-shapes --sg-infer-types %s | FileCheck %s
// RUN: symc-opt %s | symc-opt | symc-opt --sg-infer-shapes --sg-infer-types | FileCheck %s
// Fourier transforms along the axis before the last.

// CHECK-LABEL: sg.graph @dft(
// CHECK: sg.dft({{.*}} -> tensor<3x12x2xf32>
sg.graph @dft(%a: tensor<3x10x1xf32>, %w: tensor<12x2xf32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.dft(%a, %w) : (tensor<3x10x1xf32>, tensor<12x2xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @dft_onesided(
// CHECK: sg.dft({{.*}} -> tensor<3x8x2xf64>
sg.graph @dft_onesided(%a: tensor<3x15x1xf64>, %w: tensor<15x2xf64>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.dft(%a, %w) {onesided = true} : (tensor<3x15x1xf64>, tensor<15x2xf64>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @dft_to_real(
// CHECK: sg.dft({{.*}} -> tensor<16x1xf32>
sg.graph @dft_to_real(%a: tensor<9x2xf32>, %w: tensor<16x2xf32>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.dft(%a, %w) {inverse = true, onesided = true} : (tensor<9x2xf32>, tensor<16x2xf32>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}
