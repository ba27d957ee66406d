// If this fails, a reference kernel gets parameters, types or tensors in another
// order than its C struct has them.
// RUN: symc-opt --kernel-choose-layouts --kernel-schedule %s | FileCheck %s
// RUN: symc-opt --kernel-choose-layouts=reference=true "--kernel-schedule=reference=true" %s | FileCheck %s --check-prefix=ONLY

// The slots of symc_softmax_params: fn, axis, has_temperature, temperature,
// has_dtype, dtype, use_length.
// CHECK-LABEL: kernel.program @main_program
// CHECK: ^bb0(%[[IN:.*]]: memref<2x3xf64>, %[[OUT:.*]]: memref<3x2xf64>):
// CHECK: kernel.call "symc_ref_softmax_f64" "softmax" ins(%[[IN]] {{.*}} params = [0, 1, 0, 0.000000e+00, 0, 0, 0]
// A transpose is a copy with strides, the elementwise node a loop.
// CHECK: memref.reinterpret_cast {{.*}} sizes: [3, 2], strides: [1, 3]
// CHECK: kernel.copy
// CHECK: kernel.loops

// With reference=true every node that computes is a call; moves stay copies.
// ONLY: kernel.call "symc_ref_softmax_f64"
// ONLY: kernel.copy
// ONLY: kernel.call "symc_ref_unary_f64" "unary" {{.*}} outs(%arg1
// ONLY-NOT: kernel.loops
sg.graph @main(%x: tensor<2x3xf64> {sg.name = "x"}) -> (tensor<3x2xf64>) {
  %0 = sg.softmax(%x) {axis = 1 : i64} : (tensor<2x3xf64>) -> tensor<2x3xf64>
  %1 = sg.transpose(%0) : (tensor<2x3xf64>) -> tensor<3x2xf64>
  %2 = sg.unary(%1) {fn = "relu"} : (tensor<3x2xf64>) -> tensor<3x2xf64>
  sg.heads %2 : tensor<3x2xf64>
}
