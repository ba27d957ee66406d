// If this fails, functions of bits run in scalar reference kernels, a dozen times slower than they could.
// RUN: symc-opt --kernel-choose-layouts --kernel-schedule %s | FileCheck %s

// CHECK: kernel.loops
// CHECK: arith.andi
// CHECK: kernel.loops
// CHECK: arith.constant -1 : i32
// CHECK: arith.xori
// CHECK-NOT: kernel.call
// CHECK: kernel.program @prepare_program
sg.graph @main(%x: tensor<4x8xi32> {sg.name = "x"}, %y: tensor<8xi32> {sg.name = "y"}) -> (tensor<4x8xi32>, tensor<4x8xi32>) {
  %0 = sg.binary(%x, %y) {fn = "bit_and", broadcast = true} : (tensor<4x8xi32>, tensor<8xi32>) -> tensor<4x8xi32>
  %1 = sg.unary(%x) {fn = "bit_not"} : (tensor<4x8xi32>) -> tensor<4x8xi32>
  sg.heads %0, %1 : tensor<4x8xi32>, tensor<4x8xi32>
}
