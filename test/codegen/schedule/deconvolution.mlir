// If this fails, a deconvolution that doubles a graph's images reads other taps, or calls its reference kernel.
// RUN: symc-opt --kernel-choose-layouts --kernel-schedule %s | FileCheck %s

// Rows 2 i and 2 i + 1 take rows i - t and i + 1 - t, by the taps whose places odd pads exchange;
// columns, without pad, take i - t both. The bias comes first.
// CHECK-LABEL: kernel.program @main_program
// CHECK: ^bb0(%[[X:.*]]: memref<2x3x5x6xf32>, %[[W:.*]]: memref<3x1x4x2xf32>, %[[B:.*]]: memref<3xf32>, %[[Y:.*]]: memref<2x3x10x12xf32>):
// CHECK: %[[DATA:.*]] = kernel.buffer() : memref<2x3x7x8xf32>
// CHECK: kernel.fill
// CHECK: kernel.copy %{{.*}} : memref<2x3x5x6xf32, strided<[90, 30, 6, 1]>> to memref<2x3x5x6xf32, strided<[168, 56, 8, 1], offset: 8>>
// CHECK: %[[WEIGHT:.*]] = kernel.buffer() : memref<3x1x4x2xf32>
// CHECK: memref.reinterpret_cast %[[W]] to offset: [2], sizes: [3, 1, 2, 1], strides: [8, 8, 4, 2]
// CHECK: memref.reinterpret_cast %[[WEIGHT]] to offset: [0], sizes: [3, 1, 2, 1], strides: [8, 8, 4, 2]
// CHECK-COUNT-4: kernel.copy
// CHECK: memref.reinterpret_cast %[[DATA]] to offset: [8], sizes: [2, 3, 5, 2, 6, 2], strides: [168, 56, 8, 8, 1, 0]
// CHECK: memref.reinterpret_cast %[[WEIGHT]] to offset: [0], sizes: [2, 3, 5, 2, 6, 2], strides: [0, 8, 0, 2, 0, 1]
// CHECK: memref.reinterpret_cast %[[DATA]] to offset: [0], sizes: [2, 3, 5, 2, 6, 2], strides: [168, 56, 8, 8, 1, 0]
// CHECK: memref.reinterpret_cast %[[WEIGHT]] to offset: [4], sizes: [2, 3, 5, 2, 6, 2], strides: [0, 8, 0, 2, 0, 1]
// CHECK: memref.reinterpret_cast %[[B]] to offset: [0], sizes: [2, 3, 5, 2, 6, 2], strides: [0, 1, 0, 0, 0, 0]
// CHECK: memref.reinterpret_cast %[[Y]] to offset: [0], sizes: [2, 3, 5, 2, 6, 2], strides: [360, 120, 24, 12, 2, 1]
// CHECK: kernel.loops
// CHECK: ^bb0(%[[X0:.*]]: f32, %[[W0:.*]]: f32, %[[X1:.*]]: f32, %[[W1:.*]]: f32, %[[BIAS:.*]]: f32):
// CHECK: %[[FIRST:.*]] = math.fma %[[X0]], %[[W0]], %[[BIAS]] : f32
// CHECK: %[[BOTH:.*]] = math.fma %[[X1]], %[[W1]], %[[FIRST]] : f32
// CHECK: kernel.yield %[[BOTH]]
sg.graph @main(%x: tensor<2x3x5x6xf32> {sg.name = "x"}, %w: tensor<3x1x4x2xf32> {sg.name = "w"}, %b: tensor<3xf32> {sg.name = "b"}) -> (tensor<2x3x10x12xf32>) {
  %0 = sg.deconvolution(%x, %w, %b) {kernel = array<i64: 4, 2>, stride = array<i64: 2, 2>, pad = array<i64: 1, 0>, num_filter = 3 : i64, num_group = 3 : i64, no_bias = false} : (tensor<2x3x5x6xf32>, tensor<3x1x4x2xf32>, tensor<3xf32>) -> tensor<2x3x10x12xf32>
  sg.heads %0 : tensor<2x3x10x12xf32>
}
