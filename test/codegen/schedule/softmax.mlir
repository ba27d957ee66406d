// If this fails, a softmax goes through its reference kernel, or along the wrong axis.
// RUN: symc-opt --split-input-file --kernel-choose-layouts --kernel-schedule %s | FileCheck %s
// RUN: symc-opt --split-input-file --kernel-choose-layouts --kernel-schedule --remarks-filter='kernel-schedule' --remark-format=emitRemark %s 2>&1 >%t | FileCheck %s --check-prefix=REMARK
// RUN: symc-opt --split-input-file --kernel-choose-layouts=reference=true "--kernel-schedule=reference=true" %s | FileCheck %s --check-prefix=ONLY

// Extents before and after the axis are one each; a temperature multiplies, and softmin's is
// negative. Exponentials are kept in the result, a logarithm keeps what it takes off.
// REMARK-DAG: [Passed] reduce {{.*}}"'middle' is generated, in vectors along its columns"
// REMARK-DAG: [Passed] reduce {{.*}}"'last' is generated, in vectors along its rows"
// CHECK-LABEL: kernel.program @main_program
// CHECK: %[[A:.*]] = memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [2, 20, 3], strides: [60, 1, 20]
// CHECK: kernel.reduce ins(%[[A]] : {{.*}} {combiners = ["maxnum", "sum"], kept = 2 : i64, partials = 16 : i64, saves = 1 : i64}
// CHECK-NOT: arith.mulf
// CHECK: %[[B:.*]] = memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [24, 5], strides: [5, 1]
// CHECK: kernel.reduce ins(%[[B]] : {{.*}}kept = 1 : i64
// CHECK: arith.constant -5.000000e-01 : f32
// CHECK: arith.divf
// CHECK: kernel.reduce {{.*}}kept = 1 : i64, partials = 16 : i64}
// CHECK: math.log
// CHECK-NOT: arith.divf
// ONLY-NOT: kernel.reduce
// ONLY: kernel.call "symc_ref_softmax_f32"
sg.graph @main(%x: tensor<2x3x4x5xf32> {sg.name = "x"}) -> (tensor<2x3x4x5xf32>, tensor<2x3x4x5xf32>, tensor<2x3x4x5xf32>) {
  %0 = sg.softmax(%x) {axis = 1 : i64} : (tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32> loc("middle")
  %1 = sg.softmax(%x) {kind = "softmin", temperature = 2.0 : f64} : (tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32> loc("last")
  %2 = sg.softmax(%x) {kind = "log_softmax", axis = 0 : i64} : (tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32> loc("first")
  sg.heads %0, %1, %2 : tensor<2x3x4x5xf32>, tensor<2x3x4x5xf32>, tensor<2x3x4x5xf32>
}

// -----

// A result of another type than is computed in keeps no exponentials; a wider one is the
// reference kernel's.
// CHECK-LABEL: kernel.program @main_program
// CHECK: kernel.reduce {{.*}}kept = 1 : i64, partials = 16 : i64}
// CHECK: arith.truncf {{.*}} : f32 to f16
// CHECK: kernel.call "symc_ref_softmax_f32"
sg.graph @main(%x: tensor<2x3xf32> {sg.name = "x"}) -> (tensor<2x3xf16>, tensor<2x3xf64>) {
  %0 = sg.softmax(%x) {dtype = "float16"} : (tensor<2x3xf32>) -> tensor<2x3xf16>
  %1 = sg.softmax(%x) {dtype = "float64"} : (tensor<2x3xf32>) -> tensor<2x3xf64>
  sg.heads %0, %1 : tensor<2x3xf16>, tensor<2x3xf64>
}
