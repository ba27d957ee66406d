// If this fails, a fully connected layer reads or writes other rows than its own.
// RUN: symc-opt --kernel-choose-layouts --kernel-schedule %s | FileCheck %s

sg.weight @w : tensor<10x40xf32>
sg.weight @b : tensor<10xf32>

// Rows are pixels of one line: 40 inputs are three blocks, the last of which
// stops at in_channels; ten outputs go straight to the program's output.
// CHECK-LABEL: kernel.program @main_program
// CHECK: ^bb0(%[[IN:.*]]: memref<3x40xf32>, %[[OUT:.*]]: memref<3x10xf32>):
// CHECK: memref.reinterpret_cast %[[IN]] to offset: [0], sizes: [1, 3, 1, 3, 16], strides: [0, 16, 0, 40, 1]
// CHECK: memref.reinterpret_cast %[[OUT]] to offset: [0], sizes: [1, 1, 1, 3, 16], strides: [0, 16, 0, 10, 1]
// CHECK: kernel.conv
// CHECK-SAME: in_channels = 40 : i64{{.*}} out_channels = 10 : i64
// CHECK-NOT: kernel.copy
// CHECK: kernel.prepared
sg.graph @main(%x: tensor<3x40xf32> {sg.name = "x"}) -> (tensor<3x10xf32>) {
  %w = sg.parameter @w : tensor<10x40xf32>
  %b = sg.parameter @b : tensor<10xf32>
  %0 = sg.fully_connected(%x, %w, %b) {num_hidden = 10 : i64} : (tensor<3x40xf32>, tensor<10x40xf32>, tensor<10xf32>) -> tensor<3x10xf32>
  sg.heads %0 : tensor<3x10xf32>
}
