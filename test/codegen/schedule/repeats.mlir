// If this fails, what repeats elements or puts a border around images runs element by element in a
// reference kernel, or leaves blocks for rows and back.
// RUN: symc-opt --split-input-file --kernel-choose-layouts --kernel-schedule %s | FileCheck %s
// RUN: symc-opt --split-input-file --kernel-choose-layouts=reference=true "--kernel-schedule=reference=true" %s | FileCheck %s --check-prefix=ONLY

// In blocks: each pixel to two rows and two columns, then the outermost ones to the border.
// CHECK-LABEL: kernel.program @main_program
// CHECK: kernel.conv
// CHECK: %[[UP:.*]] = kernel.buffer() : memref<1x2x12x12x16xf32>
// CHECK: %[[FROM:.*]] = memref.reinterpret_cast {{.*}} sizes: [1, 2, 6, 2, 6, 2, 16], strides: [1152, 576, 96, 0, 16, 0, 1]
// CHECK: %[[TO:.*]] = memref.reinterpret_cast %[[UP]] {{.*}} sizes: [1, 2, 6, 2, 6, 2, 16], strides: [4608, 2304, 384, 192, 32, 16, 1]
// CHECK: kernel.copy %[[FROM]] to %[[TO]]
// CHECK: %[[WIDE:.*]] = kernel.buffer() : memref<1x2x14x14x16xf32>
// CHECK: kernel.copy {{.*}} : memref<1x2x12x12x16xf32, strided<[4608, 2304, 192, 16, 1]>> to memref<1x2x12x12x16xf32, strided<[6272, 3136, 224, 16, 1], offset: 256>>
// CHECK: kernel.copy {{.*}} : memref<1x2x12x2x16xf32, strided<[4608, 2304, 192, 0, 1]>> to memref<1x2x12x2x16xf32, strided<[6272, 3136, 224, 16, 1], offset: 224>>
// CHECK: kernel.copy {{.*}} : memref<1x2x1x12x16xf32, strided<[4608, 2304, 0, 16, 1]>> to memref<1x2x1x12x16xf32, strided<[6272, 3136, 224, 16, 1], offset: 32>>
// CHECK: kernel.copy {{.*}} : memref<1x2x1x2x16xf32, strided<[4608, 2304, 0, 0, 1]>> to memref<1x2x1x2x16xf32, strided<[6272, 3136, 224, 16, 1]>>
// CHECK: kernel.copy {{.*}} : memref<1x2x1x12x16xf32, strided<[4608, 2304, 0, 16, 1], offset: 2112>> to memref<1x2x1x12x16xf32, strided<[6272, 3136, 224, 16, 1], offset: 2944>>
// CHECK: kernel.copy {{.*}} : memref<1x2x1x2x16xf32, strided<[4608, 2304, 0, 0, 1], offset: 2112>> to memref<1x2x1x2x16xf32
// CHECK-NOT: kernel.copy
// CHECK: kernel.pool
// ONLY: kernel.call "symc_ref_upsampling_f32"
// ONLY: kernel.call "symc_ref_pad_f32"
sg.weight @w : tensor<32x3x1x1xf32>
sg.graph @main(%x: tensor<1x3x6x6xf32> {sg.name = "x"}) -> (tensor<1x32x12x12xf32>) {
  %w = sg.parameter @w : tensor<32x3x1x1xf32>
  %0 = sg.convolution(%x, %w) {kernel = array<i64: 1, 1>, num_filter = 32, no_bias = true} : (tensor<1x3x6x6xf32>, tensor<32x3x1x1xf32>) -> tensor<1x32x6x6xf32>
  %1 = sg.upsampling(%0) {scale = 2, sample_type = "nearest", num_args = 1} : (tensor<1x32x6x6xf32>) -> tensor<1x32x12x12xf32>
  %2 = sg.pad(%1) {mode = "edge", pad_width = array<i64: 0, 0, 0, 0, 1, 1, 2, 0>} : (tensor<1x32x12x12xf32>) -> tensor<1x32x14x14xf32>
  %3 = sg.pooling(%2) {kernel = array<i64: 3, 3>} : (tensor<1x32x14x14xf32>) -> tensor<1x32x12x12xf32>
  sg.heads %3 : tensor<1x32x12x12xf32>
}

// -----

// In rows: a mirror image is read backwards, a constant is filled in.
// CHECK-LABEL: kernel.program @main_program
// CHECK: kernel.copy {{.*}} : memref<2x4x3xf32, strided<[3, 0, 1]>> to memref<2x4x3xf32, strided<[12, 3, 1]>>
// CHECK: kernel.copy {{.*}} : memref<6x2xf32, strided<[1, 0]>> to memref<6x2xf32, strided<[2, 1]>>
// CHECK: kernel.copy {{.*}} : memref<1x1x3x2xf32, strided<[6, 6, 2, 1]>> to memref<1x1x3x2xf32, strided<[20, 20, 4, 1], offset: 5>>
// CHECK: kernel.copy {{.*}} : memref<1x1x3x1xf32, strided<[6, 6, 2, -1], offset: 1>> to memref<1x1x3x1xf32, strided<[20, 20, 4, 1], offset: 4>>
// CHECK: kernel.copy {{.*}} : memref<1x1x3x1xf32, strided<[6, 6, 2, -1]>> to memref<1x1x3x1xf32, strided<[20, 20, 4, 1], offset: 7>>
// CHECK: kernel.copy {{.*}} : memref<1x1x1x2xf32, strided<[6, 6, -2, 1], offset: 2>> to memref<1x1x1x2xf32, strided<[20, 20, 4, 1], offset: 1>>
// CHECK-COUNT-5: kernel.copy
// CHECK-NOT: kernel.copy
// CHECK: kernel.fill {{.*}} with 1.500000e+00 : f32 : memref<1x1x1x2xf32, strided<[8, 8, 2, 1]>>
// CHECK: kernel.copy {{.*}} to memref<1x1x3x2xf32, strided<[8, 8, 2, 1], offset: 2>>
// CHECK-NOT: kernel.call
sg.graph @main(%x: tensor<2x3xf32> {sg.name = "x"}, %y: tensor<1x1x3x2xf32> {sg.name = "y"}) -> (tensor<2x12xf32>, tensor<12xf32>, tensor<1x1x5x4xf32>, tensor<1x1x4x2xf32>) {
  %0 = sg.tile(%x) {reps = array<i64: 1, 4>} : (tensor<2x3xf32>) -> tensor<2x12xf32>
  %1 = sg.repeat(%x) {repeats = 2} : (tensor<2x3xf32>) -> tensor<12xf32>
  %2 = sg.pad(%y) {mode = "reflect", pad_width = array<i64: 0, 0, 0, 0, 1, 1, 1, 1>} : (tensor<1x1x3x2xf32>) -> tensor<1x1x5x4xf32>
  %3 = sg.pad(%y) {mode = "constant", constant_value = 1.5, pad_width = array<i64: 0, 0, 0, 0, 1, 0, 0, 0>} : (tensor<1x1x3x2xf32>) -> tensor<1x1x4x2xf32>
  sg.heads %0, %1, %2, %3 : tensor<2x12xf32>, tensor<12xf32>, tensor<1x1x5x4xf32>, tensor<1x1x4x2xf32>
}

// -----

// Nearest misses: two images, put behind each other; a border of integers that is not zero.
// CHECK-LABEL: kernel.program @main_program
// CHECK: kernel.call "symc_ref_upsampling_f32"
// CHECK: kernel.call "symc_ref_pad_i32"
sg.graph @main(%x: tensor<1x1x20x2xf32> {sg.name = "x"}, %y: tensor<1x1x20x2xi32> {sg.name = "y"}) -> (tensor<1x2x40x4xf32>, tensor<1x1x21x2xi32>) {
  %0 = sg.upsampling(%x, %x) {scale = 2, sample_type = "nearest", num_args = 2} : (tensor<1x1x20x2xf32>, tensor<1x1x20x2xf32>) -> tensor<1x2x40x4xf32>
  %1 = sg.pad(%y) {mode = "constant", constant_value = 1.0, pad_width = array<i64: 0, 0, 0, 0, 1, 0, 0, 0>} : (tensor<1x1x20x2xi32>) -> tensor<1x1x21x2xi32>
  sg.heads %0, %1 : tensor<1x2x40x4xf32>, tensor<1x1x21x2xi32>
}
