// If this fails, what a reference kernel costs is taken from memory that is not its operands'.
// RUN: symc-opt --kernel-choose-layouts --kernel-schedule %s | FileCheck %s

// The sum is over the last axis of the first operand, or over its rows' axis, counted from the end.
// CHECK: kernel.call "symc_ref_linalg_gemm2_f32"
// CHECK-SAME: work = 60 : i64
// CHECK: kernel.call "symc_ref_linalg_gemm2_f32"
// CHECK-SAME: work = 60 : i64
sg.graph @main(%a: tensor<3x4xf32> {sg.name = "a"}, %t: tensor<4x3xf32> {sg.name = "t"}, %b: tensor<4x5xf32> {sg.name = "b"}) -> (tensor<3x5xf32>, tensor<3x5xf32>) {
  %0 = sg.linalg_gemm2(%a, %b) {axis = -2 : i64} : (tensor<3x4xf32>, tensor<4x5xf32>) -> tensor<3x5xf32>
  %1 = sg.linalg_gemm2(%t, %b) {axis = -2 : i64, transpose_a = true} : (tensor<4x3xf32>, tensor<4x5xf32>) -> tensor<3x5xf32>
  sg.heads %0, %1 : tensor<3x5xf32>, tensor<3x5xf32>
}
