// If this fails, a softmax goes through its reference kernel, or along the wrong axis.
// RUN: symc-opt --split-input-file --kernel-schedule --remarks-filter='kernel-schedule' --remark-format=emitRemark %s 2>&1 | FileCheck %s
// RUN: symc-opt --split-input-file "--kernel-schedule=reference=true" %s | FileCheck %s --check-prefix=ONLY

// Extents before and after the axis are one each.
// CHECK-DAG: [Passed] softmax {{.*}}"'middle' is generated, in vectors along its pixels"
// CHECK-DAG: [Passed] softmax {{.*}}"'last' is generated, in vectors along its rows"
// CHECK-LABEL: kernel.program @main_program
// CHECK: %[[A:.*]] = memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [2, 3, 20], strides: [60, 20, 1]
// CHECK: kernel.softmax %[[A]] to %{{.*}} {factor = 1.000000e+00 : f64, log = false}
// CHECK: %[[B:.*]] = memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [24, 5, 1], strides: [5, 1, 1]
// CHECK: kernel.softmax %[[B]] to %{{.*}} {factor = -5.000000e-01 : f64, log = false}
// CHECK: kernel.softmax {{.*}}log = true
// ONLY-NOT: kernel.softmax
// ONLY: kernel.call "symc_ref_softmax_f32"
sg.graph @main(%x: tensor<2x3x4x5xf32> {sg.name = "x"}) -> (tensor<2x3x4x5xf32>, tensor<2x3x4x5xf32>, tensor<2x3x4x5xf32>) {
  %0 = sg.softmax(%x) {axis = 1 : i64} : (tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32> loc("middle")
  %1 = sg.softmax(%x) {kind = "softmin", temperature = 2.0 : f64} : (tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32> loc("last")
  %2 = sg.softmax(%x) {kind = "log_softmax", axis = 0 : i64} : (tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32> loc("first")
  sg.heads %0, %1, %2 : tensor<2x3x4x5xf32>, tensor<2x3x4x5xf32>, tensor<2x3x4x5xf32>
}

// -----

// Nearest misses: a length for each row, a result of another type.
// CHECK-LABEL: kernel.program @main_program
// CHECK-NOT: kernel.softmax
// CHECK-COUNT-2: kernel.call "symc_ref_softmax_f32"
sg.graph @main(%x: tensor<2x3xf32> {sg.name = "x"}, %n: tensor<2xi32> {sg.name = "n"}) -> (tensor<2x3xf32>, tensor<2x3xf64>) {
  %0 = sg.softmax(%x, %n) {use_length = true} : (tensor<2x3xf32>, tensor<2xi32>) -> tensor<2x3xf32>
  %1 = sg.softmax(%x) {dtype = "float64"} : (tensor<2x3xf32>) -> tensor<2x3xf64>
  sg.heads %0, %1 : tensor<2x3xf32>, tensor<2x3xf64>
}
