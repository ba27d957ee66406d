// If this fails, pooling or concatenation leaves the blocked layout and pays for
// copies, or mixes channels of different parts.
// RUN: symc-opt --kernel-choose-layouts --kernel-schedule %s | FileCheck %s

sg.weight @w : tensor<16x32x1x1xf32>

// CHECK-LABEL: kernel.program @main_program
// The pool reads the blocked image without its padding.
// CHECK: kernel.pool "max" data(%{{.*}} : memref<1x2x8x8x16xf32{{.*}}out(%{{.*}} : memref<1x2x4x4x16xf32
// CHECK-SAME: kernel = array<i64: 2, 2>, strides
// What is joined is written where it ends up: two blocks behind the first one by
// the pool, the first by the layer.
// CHECK: %[[CAT:.*]] = kernel.buffer() : memref<1x3x4x4x16xf32>
// CHECK: %[[REST:.*]] = memref.reinterpret_cast %[[CAT]] to offset: [256], sizes: [1, 2, 4, 4, 16]
// CHECK: kernel.pool "avg" {{.*}}out(%[[REST]]
// CHECK: %[[FIRST:.*]] = memref.reinterpret_cast %[[CAT]] to offset: [0], sizes: [1, 1, 4, 4, 16]
// CHECK: kernel.conv {{.*}}out(%[[FIRST]]
// One copy is left: to the rows of the result.
// CHECK: kernel.copy
// CHECK-NOT: kernel.copy
// CHECK: kernel.prepared
sg.graph @main(%x: tensor<1x32x8x8xf32> {sg.name = "x"}) -> (tensor<1x48x4x4xf32>) {
  %w = sg.parameter @w : tensor<16x32x1x1xf32>
  %0 = sg.pooling(%x) {kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>} : (tensor<1x32x8x8xf32>) -> tensor<1x32x4x4xf32>
  %1 = sg.pooling(%x) {kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>, pool_type = "avg"} : (tensor<1x32x8x8xf32>) -> tensor<1x32x4x4xf32>
  %2 = sg.convolution(%0, %w) {kernel = array<i64: 1, 1>, num_filter = 16 : i64, no_bias = true} : (tensor<1x32x4x4xf32>, tensor<16x32x1x1xf32>) -> tensor<1x16x4x4xf32>
  %3 = sg.concat(%2, %1) {dim = 1 : i64, num_args = 2 : i64} : (tensor<1x16x4x4xf32>, tensor<1x32x4x4xf32>) -> tensor<1x48x4x4xf32>
  sg.heads %3 : tensor<1x48x4x4xf32>
}
