// If this fails, the gamma function or its logarithm calls libm, element by element, where a
// chain of elements has operations for it; functions of doubles keep their reference kernel.
// RUN: symc-opt --kernel-choose-layouts --kernel-schedule %s | FileCheck %s

// CHECK-LABEL: kernel.program @main_program
// CHECK-NOT: kernel.call
// CHECK: kernel.loops {{.*}}memref<4xf32
// CHECK: math.powf
// CHECK: math.exp
// CHECK: kernel.loops {{.*}}memref<4xf32
// CHECK-NOT: math.exp
// CHECK: math.log
// CHECK: kernel.call "symc_ref_unary_f64"
// CHECK-NOT: kernel.loops
sg.graph @main(%x: tensor<4xf32> {sg.name = "x"}, %y: tensor<4xf64> {sg.name = "y"}) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf64>) {
  %0 = sg.unary(%x) {fn = "gamma"} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = sg.unary(%x) {fn = "gammaln"} : (tensor<4xf32>) -> tensor<4xf32>
  %2 = sg.unary(%y) {fn = "gammaln"} : (tensor<4xf64>) -> tensor<4xf64>
  sg.heads %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf64>
}
