// If this fails, images get another size in a reference kernel, leave blocks for it, or are
// interpolated along the axis first that makes more.
// RUN: symc-opt --split-input-file --kernel-choose-layouts --kernel-schedule %s | FileCheck %s
// RUN: symc-opt --split-input-file --kernel-choose-layouts=reference=true "--kernel-schedule=reference=true" %s | FileCheck %s --check-prefix=ONLY

// Between layers in blocks, columns first: 6 x 12 between them.
// CHECK-LABEL: kernel.program @main_program
// CHECK: kernel.conv
// CHECK: kernel.interpolate %{{.*}} along 3 {corners} : memref<1x2x6x6x16xf32{{.*}}> to memref<1x2x6x12x16xf32
// CHECK: kernel.interpolate %{{.*}} along 2 {corners} : memref<1x2x6x12x16xf32{{.*}}> to memref<1x2x12x12x16xf32
// CHECK-NOT: kernel.copy
// CHECK: kernel.pool
// ONLY: kernel.call "symc_ref_bilinear_resize_f32"
sg.weight @w : tensor<32x3x1x1xf32>
sg.graph @main(%x: tensor<1x3x6x6xf32> {sg.name = "x"}) -> (tensor<1x32x10x10xf32>) {
  %w = sg.parameter @w : tensor<32x3x1x1xf32>
  %0 = sg.convolution(%x, %w) {kernel = array<i64: 1, 1>, num_filter = 32, no_bias = true} : (tensor<1x3x6x6xf32>, tensor<32x3x1x1xf32>) -> tensor<1x32x6x6xf32>
  %1 = sg.bilinear_resize(%0) {height = 12, width = 12} : (tensor<1x32x6x6xf32>) -> tensor<1x32x12x12xf32>
  %2 = sg.pooling(%1) {kernel = array<i64: 3, 3>} : (tensor<1x32x12x12xf32>) -> tensor<1x32x10x10xf32>
  sg.heads %2 : tensor<1x32x10x10xf32>
}

// -----

// A smaller image, as it lies: rows first.
// CHECK-LABEL: kernel.program @main_program
// CHECK: kernel.interpolate %{{.*}} along 2 : memref<?x3x8x6xf32{{.*}}> to memref<?x3x4x6xf32
// CHECK: kernel.interpolate %{{.*}} along 3 : memref<?x3x4x6xf32
// CHECK-NOT: kernel.call
#small = #sg.extents<()[s0] -> (s0, 3, 4, 4)>
#large = #sg.extents<()[s0] -> (s0, 3, 8, 6)>
sg.graph @main(%x: tensor<?x3x8x6xf32, #large> {sg.name = "x"}) -> (tensor<?x3x4x4xf32, #small>)
    attributes {dim_min = array<i64: 1>, dim_max = array<i64: 4>} {
  %0 = sg.bilinear_resize(%x) {height = 4, width = 4, align_corners = false} : (tensor<?x3x8x6xf32, #large>) -> tensor<?x3x4x4xf32, #small>
  sg.heads %0 : tensor<?x3x4x4xf32, #small>
}

// -----

// Nearest misses: half floats, which would round between the axes; an image of the same size; rows
// that are chosen at run time.
// CHECK-LABEL: kernel.program @main_program
// CHECK: kernel.call "symc_ref_bilinear_resize_f16"
// CHECK: kernel.call "symc_ref_bilinear_resize_f32"
// CHECK: kernel.call "symc_ref_bilinear_resize_f32"
// CHECK: kernel.program @prepare_program
#open = #sg.extents<()[s0] -> (1, 3, s0, 6)>
sg.graph @main(%h: tensor<1x3x8x6xf16> {sg.name = "h"}, %x: tensor<1x3x8x6xf32> {sg.name = "x"}, %y: tensor<1x3x?x6xf32, #open> {sg.name = "y"}) -> (tensor<1x3x4x3xf16>, tensor<1x3x8x6xf32>, tensor<1x3x4x3xf32>)
    attributes {dim_min = array<i64: 1>, dim_max = array<i64: 8>} {
  %0 = sg.bilinear_resize(%h) {height = 4, width = 3} : (tensor<1x3x8x6xf16>) -> tensor<1x3x4x3xf16>
  %1 = sg.bilinear_resize(%x) {height = 8, width = 6} : (tensor<1x3x8x6xf32>) -> tensor<1x3x8x6xf32>
  %2 = sg.bilinear_resize(%y) {height = 4, width = 3} : (tensor<1x3x?x6xf32, #open>) -> tensor<1x3x4x3xf32>
  sg.heads %0, %1, %2 : tensor<1x3x4x3xf16>, tensor<1x3x8x6xf32>, tensor<1x3x4x3xf32>
}
