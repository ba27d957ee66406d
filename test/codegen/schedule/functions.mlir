// If this fails, powers and remainders run in scalar reference kernels, a body computes a function of the same values
// twice, or a square goes by way of logarithms.
// RUN: symc-opt --kernel-choose-layouts --kernel-schedule %s | FileCheck %s

// CHECK: kernel.loops
// CHECK: arith.remf
// CHECK-NOT: arith.remf
// CHECK: kernel.loops
// CHECK-NOT: math.powf
// CHECK: %[[SQUARE:.*]] = arith.mulf %[[X:.*]], %[[X]] : f32
// CHECK: arith.mulf %[[SQUARE]], %[[X]] : f32
// CHECK: kernel.loops
// CHECK: math.powf
// CHECK-NOT: kernel.call
// CHECK: kernel.program @prepare_program
sg.graph @main(%x: tensor<4x8xf32> {sg.name = "x"}, %y: tensor<8xf32> {sg.name = "y"}) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) {
  %0 = sg.binary(%x, %y) {fn = "mod", broadcast = true} : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  %1 = sg.scalar(%x) {fn = "power", scalar = 3.0 : f64} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = sg.scalar(%x) {fn = "power", scalar = 2.5 : f64} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  sg.heads %0, %1, %2 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
}
