// If this fails, the IR between passes does not show where values lie, or a second run decides
// something else.
// RUN: symc-opt --kernel-choose-layouts %s > %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: symc-opt --kernel-choose-layouts %t.mlir | diff %t.mlir -
// RUN: symc-opt --kernel-choose-layouts=reference=true %s | FileCheck %s --check-prefix=ONLY
// RUN: symc-opt --kernel-choose-layouts --remarks-filter=kernel-layout --remark-format=emitRemark %s -o %t.again 2>&1 | FileCheck %s --check-prefix=TOLD
// TOLD: [Passed] place {{.*}}"the operands of '{{.*}}' are written between each other"

// The argument is read in rows; both parts of the join are written where it lies, with the halo of
// the 3x3 convolution that reads it.
// CHECK: sg.graph @main
// CHECK-SAME: kernel.layouts = [#kernel.layout<plain>]
// CHECK: sg.pooling
// CHECK-SAME: kernel.layouts = [#kernel.layout<blocked, halo_rows = 1, halo_columns = 1>]
// CHECK: sg.convolution
// CHECK-SAME: kernel.layouts = [#kernel.layout<blocked>]
// CHECK: sg.concat
// CHECK-SAME: kernel.layouts = [#kernel.layout<blocked, halo_rows = 1, halo_columns = 1>]
// CHECK-SAME: kernel.places = array<i64: 0, 32>
// CHECK: sg.convolution
// CHECK-SAME: kernel.layouts = [#kernel.layout<blocked>]
// ONLY-NOT: blocked
// ONLY-NOT: kernel.places
sg.weight @w0 : tensor<16x32x3x3xf32>
sg.weight @w1 : tensor<16x48x3x3xf32>
sg.graph @main(%x: tensor<2x32x8x8xf32> {sg.name = "x"}) -> (tensor<2x16x4x4xf32>) {
  %w0 = sg.parameter @w0 : tensor<16x32x3x3xf32>
  %w1 = sg.parameter @w1 : tensor<16x48x3x3xf32>
  %0 = sg.pooling(%x) {kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>} : (tensor<2x32x8x8xf32>) -> tensor<2x32x4x4xf32>
  %1 = sg.convolution(%0, %w0) {kernel = array<i64: 3, 3>, pad = array<i64: 1, 1>, num_filter = 16 : i64, no_bias = true} : (tensor<2x32x4x4xf32>, tensor<16x32x3x3xf32>) -> tensor<2x16x4x4xf32>
  %2 = sg.concat(%0, %1) {dim = 1 : i64, num_args = 2 : i64} : (tensor<2x32x4x4xf32>, tensor<2x16x4x4xf32>) -> tensor<2x48x4x4xf32>
  %3 = sg.convolution(%2, %w1) {kernel = array<i64: 3, 3>, pad = array<i64: 1, 1>, num_filter = 16 : i64, no_bias = true} : (tensor<2x48x4x4xf32>, tensor<16x48x3x3xf32>) -> tensor<2x16x4x4xf32>
  sg.heads %3 : tensor<2x16x4x4xf32>
}

// What a depth_to_space puts between each other is written there, and the join of it nowhere.
// CHECK: sg.graph @spread
// CHECK: sg.concat
// CHECK-NOT: kernel.places
// CHECK-SAME: -> tensor<2x64x4x4xf32>
// CHECK: sg.depth_to_space
// CHECK-SAME: kernel.layouts = [#kernel.layout<blocked, halo_rows = 1, halo_columns = 1>]
// CHECK-SAME: kernel.places = array<i64: 0>
sg.weight @w2 : tensor<16x16x3x3xf32>
sg.graph @spread(%x: tensor<2x16x8x8xf32> {sg.name = "x"}) -> (tensor<2x16x8x8xf32>) {
  %w2 = sg.parameter @w2 : tensor<16x16x3x3xf32>
  %0 = sg.pooling(%x) {kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>} : (tensor<2x16x8x8xf32>) -> tensor<2x16x4x4xf32>
  %1 = sg.pooling(%x) {kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>, pool_type = "avg"} : (tensor<2x16x8x8xf32>) -> tensor<2x16x4x4xf32>
  %2 = sg.convolution(%0, %w2) {kernel = array<i64: 3, 3>, pad = array<i64: 1, 1>, num_filter = 16 : i64, no_bias = true} : (tensor<2x16x4x4xf32>, tensor<16x16x3x3xf32>) -> tensor<2x16x4x4xf32>
  %3 = sg.convolution(%1, %w2) {kernel = array<i64: 3, 3>, pad = array<i64: 1, 1>, num_filter = 16 : i64, no_bias = true} : (tensor<2x16x4x4xf32>, tensor<16x16x3x3xf32>) -> tensor<2x16x4x4xf32>
  %4 = sg.concat(%0, %1, %2, %3) {dim = 1 : i64, num_args = 4 : i64} : (tensor<2x16x4x4xf32>, tensor<2x16x4x4xf32>, tensor<2x16x4x4xf32>, tensor<2x16x4x4xf32>) -> tensor<2x64x4x4xf32>
  %5 = sg.depth_to_space(%4) {block_size = 2 : i64} : (tensor<2x64x4x4xf32>) -> tensor<2x16x8x8xf32>
  %6 = sg.convolution(%5, %w2) {kernel = array<i64: 3, 3>, pad = array<i64: 1, 1>, num_filter = 16 : i64, no_bias = true} : (tensor<2x16x8x8xf32>, tensor<16x16x3x3xf32>) -> tensor<2x16x8x8xf32>
  sg.heads %6 : tensor<2x16x8x8xf32>
}

// Nearest miss of kernel-choose-layouts: a value that comes twice is written where it ends up first, and copied from there.
// CHECK: sg.graph @twice
// CHECK: sg.concat
// CHECK-SAME: kernel.places = array<i64: 0, 32, -1>
// TOLD: [Missed] place {{.*}}is copied into '{{.*}}': it lies in another place already"
sg.graph @twice(%x: tensor<2x32x8x8xf32> {sg.name = "x"}) -> (tensor<2x16x4x4xf32>) {
  %w = sg.parameter @w3 : tensor<16x96x3x3xf32>
  %0 = sg.pooling(%x) {kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>} : (tensor<2x32x8x8xf32>) -> tensor<2x32x4x4xf32>
  %1 = sg.pooling(%x) {kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>, pool_type = "avg"} : (tensor<2x32x8x8xf32>) -> tensor<2x32x4x4xf32>
  %2 = sg.concat(%0, %1, %0) {dim = 1 : i64, num_args = 3 : i64} : (tensor<2x32x4x4xf32>, tensor<2x32x4x4xf32>, tensor<2x32x4x4xf32>) -> tensor<2x96x4x4xf32>
  %3 = sg.convolution(%2, %w) {kernel = array<i64: 3, 3>, pad = array<i64: 1, 1>, num_filter = 16 : i64, no_bias = true} : (tensor<2x96x4x4xf32>, tensor<16x96x3x3xf32>) -> tensor<2x16x4x4xf32>
  sg.heads %3 : tensor<2x16x4x4xf32>
}
sg.weight @w3 : tensor<16x96x3x3xf32>
