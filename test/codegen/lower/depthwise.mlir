// Depthwise convolutions: weights stay in registers, pixels side by side.
// RUN: symc-opt %s -kernel-plan-arena -kernel-choose-tiles=target=x86-64-v4 -kernel-outline=target=x86-64-v4 -canonicalize -cse -split-input-file | FileCheck %s
// RUN: symc-opt %s -kernel-plan-arena -kernel-choose-tiles=target=x86-64-v3 -kernel-outline=target=x86-64-v3 -canonicalize -cse -split-input-file | FileCheck %s --check-prefix=V3

// 3x3 with 32 registers: nine weights before the rows, 6 pixels at once.
// CHECK-LABEL: func.func private @three_k0_depthwise
// CHECK-COUNT-9: llvm.load %{{.*}} -> vector<16xf32>
// CHECK: scf.for
// CHECK-COUNT-54: vector.fma
// CHECK-NOT: vector.fma
// CHECK-COUNT-6: llvm.store %{{.*}} : vector<16xf32>
// With 16 registers a kernel row's weights at a time, in a loop; half panels.
// V3-LABEL: func.func private @three_k0_depthwise
// V3: scf.for
// V3: scf.for
// V3: scf.for
// V3-COUNT-3: llvm.load %{{.*}} -> vector<8xf32>
// V3-COUNT-18: vector.fma %{{.*}} : vector<8xf32>
kernel.program @three attributes {num_inputs = 2, num_outputs = 1} {
^bb0(%x: memref<1x2x8x8x16xf32>, %w: memref<2x3x3x16xf32>, %out: memref<1x2x6x6x16xf32>):
  kernel.depthwise data(%x : memref<1x2x8x8x16xf32>) weights(%w : memref<2x3x3x16xf32>) extras() out(%out : memref<1x2x6x6x16xf32>) {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>} body {
  ^bb0(%acc: f32):
    kernel.yield %acc : f32
  }
  kernel.end
}

// -----

// Groups of four: each of a vector's channels goes to its group, by a shuffle for each pixel that
// the taps of a row read: eight for six outputs.
// CHECK-LABEL: func.func private @fours_k0_depthwise
// CHECK-COUNT-8: vector.shuffle %{{.*}} [0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12] : vector<16xf32>
// CHECK: vector.shuffle %{{.*}} [1, 1, 1, 1, 5, 5, 5, 5, 9, 9, 9, 9, 13, 13, 13, 13] : vector<16xf32>
// V3-LABEL: func.func private @fours_k0_depthwise
// V3: vector.shuffle %{{.*}} [3, 3, 3, 3, 7, 7, 7, 7] : vector<8xf32>
kernel.program @fours attributes {num_inputs = 2, num_outputs = 1} {
^bb0(%x: memref<1x2x8x8x16xf32>, %w: memref<2x3x3x4x16xf32>, %out: memref<1x2x6x6x16xf32>):
  kernel.depthwise data(%x : memref<1x2x8x8x16xf32>) weights(%w : memref<2x3x3x4x16xf32>) extras() out(%out : memref<1x2x6x6x16xf32>) {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>} body {
  ^bb0(%acc: f32):
    kernel.yield %acc : f32
  }
  kernel.end
}

// -----

// Groups of eight fill a vector of eight: each channel is read for all lanes at once. Of a vector of
// two groups it is chosen by its number, in one instruction.
// CHECK-LABEL: func.func private @eights_k0_depthwise
// CHECK: scf.for %[[CHANNEL:.*]] = %{{.*}} to %c8 
// CHECK: %[[NUMBER:.*]] = arith.index_cast %[[CHANNEL]]
// CHECK: vector.broadcast %{{.*}} : i32 to vector<16xi32>
// CHECK-COUNT-8: llvm.call_intrinsic "llvm.x86.avx512.permvar.sf.512"
// CHECK-NOT: llvm.call_intrinsic
// V3-LABEL: func.func private @eights_k0_depthwise
// V3-NOT: vector.shuffle
// V3: vector.broadcast %{{.*}} : f32 to vector<8xf32>
// V3-NOT: vector.shuffle
kernel.program @eights attributes {num_inputs = 2, num_outputs = 1} {
^bb0(%x: memref<1x2x8x8x16xf32>, %w: memref<2x3x3x8x16xf32>, %out: memref<1x2x6x6x16xf32>):
  kernel.depthwise data(%x : memref<1x2x8x8x16xf32>) weights(%w : memref<2x3x3x8x16xf32>) extras() out(%out : memref<1x2x6x6x16xf32>) {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>} body {
  ^bb0(%acc: f32):
    kernel.yield %acc : f32
  }
  kernel.end
}
