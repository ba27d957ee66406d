// If this fails, a product holds all panels of a large matrix, or a transposed copy of one, at once.
// RUN: symc-opt -split-input-file -kernel-choose-layouts -kernel-schedule %s | FileCheck %s

// Of 1600 rows that are transposed two pieces, whose panels are packed once.
// CHECK-LABEL: kernel.program @main_program
// CHECK: kernel.copy {{.*}} : memref<1x800x2000xf32{{.*}} to memref<1x800x2000xf32
// CHECK: kernel.pack_panels
// CHECK: kernel.conv
// CHECK: reinterpret_cast {{.*}}to offset: [800], sizes: [1, 800, 2000], strides: [3200000, 1, 1600]
// CHECK: kernel.copy
// CHECK-NOT: kernel.pack_panels
// CHECK: to offset: [12800], sizes: [1, 1, 1, 800, 16]
// CHECK: kernel.conv
// CHECK-NOT: kernel.conv
sg.graph @main(%x: tensor<2000x1600xf32> {sg.name = "x"}, %y: tensor<2000x16xf32> {sg.name = "y"}) -> (tensor<1600x16xf32>) {
  %0 = sg.dot(%x, %y) {transpose_a = true} : (tensor<2000x1600xf32>, tensor<2000x16xf32>) -> tensor<1600x16xf32>
  sg.heads %0 : tensor<1600x16xf32>
}

// -----

// Of 1600 columns whole blocks, with the epilogue's operand at its place.
// CHECK-LABEL: kernel.program @main_program
// CHECK: kernel.pack_panels {{.*}} to memref<50x125x1x1x16x16xf32>
// CHECK: kernel.conv
// CHECK: to offset: [800], sizes: [800, 2000, 1, 1], strides: [1, 1600, 0, 0]
// CHECK: kernel.pack_panels
// CHECK: to offset: [800], sizes: [1, 50, 1, 16, 16]
// CHECK: kernel.conv
// CHECK-NOT: kernel.conv
sg.graph @main(%x: tensor<16x2000xf32> {sg.name = "x"}, %y: tensor<2000x1600xf32> {sg.name = "y"}, %r: tensor<1600xf32> {sg.name = "r"}) -> (tensor<16x1600xf32>) {
  %0 = sg.fused(%x, %y, %r) : (tensor<16x2000xf32>, tensor<2000x1600xf32>, tensor<1600xf32>) -> tensor<16x1600xf32> body {
  ^bb0(%a: tensor<16x2000xf32>, %b: tensor<2000x1600xf32>, %c: tensor<1600xf32>):
    %1 = sg.dot(%a, %b) : (tensor<16x2000xf32>, tensor<2000x1600xf32>) -> tensor<16x1600xf32>
    %2 = sg.binary(%1, %c) {fn = "add", broadcast = true} : (tensor<16x1600xf32>, tensor<1600xf32>) -> tensor<16x1600xf32>
    sg.yield %2 : tensor<16x1600xf32>
  }
  sg.heads %0 : tensor<16x1600xf32>
}
