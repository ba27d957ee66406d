// If this fails, a reference kernel fills constants, such as gradients that are zero by definition.
// RUN: symc-opt --split-input-file --kernel-choose-layouts --kernel-schedule %s | FileCheck %s

// CHECK-LABEL: kernel.program @main_program
// CHECK: kernel.fill %{{.*}} with 5.000000e-01 : f32 : memref<16xf32
// CHECK: kernel.call "symc_ref_full_f64"
sg.graph @main() -> (tensor<16xf32>, tensor<2xf64>) attributes {training} {
  %0 = sg.full() {shape = array<i64: 16>, value = 5.0e-01 : f64} : () -> tensor<16xf32>
  %1 = sg.full() {shape = array<i64: 2>, value = 1.0 : f64, dtype = "float64"} : () -> tensor<2xf64>
  sg.heads %0, %1 : tensor<16xf32>, tensor<2xf64>
}

// -----

// CHECK-LABEL: kernel.program @main_program
// CHECK: kernel.fill %{{.*}} with 0.000000e+00 : f32 : memref<16xf32
sg.graph @main() -> (tensor<16xf32>) {
  %0 = sg.full() {shape = array<i64: 16>, value = 0.0 : f64} : () -> tensor<16xf32>
  sg.heads %0 : tensor<16xf32>
}
