// If this fails, an image with channels behind the pixels is transposed in a pass over
// memory of its own before or after it is laid out in blocks.
// RUN: symc-opt --kernel-choose-layouts --kernel-schedule %s | FileCheck %s

// One copy in, from rows to blocks, one out.
// CHECK-LABEL: kernel.program @main_program
// CHECK: ^bb0(%[[X:.*]]: memref<1x4x6x16xf32>, %[[Y:.*]]: memref<1x4x6x16xf32>):
// CHECK: %[[IN:.*]] = memref.reinterpret_cast %[[X]] to offset: [0], sizes: [1, 1, 4, 6, 16], strides: [384, 16, 96, 16, 1]
// CHECK: kernel.copy %[[IN]] to
// CHECK-NOT: kernel.copy
// CHECK: kernel.conv
// CHECK: %[[OUT:.*]] = memref.reinterpret_cast %[[Y]] to offset: [0], sizes: [1, 1, 4, 6, 16], strides: [384, 16, 96, 16, 1]
// CHECK: kernel.copy %{{.*}} to %[[OUT]]
// CHECK-NOT: kernel.copy
// CHECK: kernel.prepared
sg.weight @w : tensor<16x16x1x1xf32>
sg.graph @main(%x: tensor<1x4x6x16xf32> {sg.name = "x"}) -> (tensor<1x4x6x16xf32>) {
  %w = sg.parameter @w : tensor<16x16x1x1xf32>
  %0 = sg.transpose(%x) {axes = array<i64: 0, 3, 1, 2>} : (tensor<1x4x6x16xf32>) -> tensor<1x16x4x6xf32>
  %1 = sg.convolution(%0, %w) {kernel = array<i64: 1, 1>, num_filter = 16 : i64, no_bias = true} : (tensor<1x16x4x6xf32>, tensor<16x16x1x1xf32>) -> tensor<1x16x4x6xf32>
  %2 = sg.transpose(%1) {axes = array<i64: 0, 2, 3, 1>} : (tensor<1x16x4x6xf32>) -> tensor<1x4x6x16xf32>
  sg.heads %2 : tensor<1x4x6x16xf32>
}
