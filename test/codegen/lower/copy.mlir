// Copies: rows, squares transposed in registers, gathered rows, and rows of one element.
// RUN: symc-opt %s -kernel-plan-arena -kernel-choose-tiles=target=x86-64-v3 -kernel-outline -canonicalize -cse | FileCheck %s
// RUN: symc-opt %s -kernel-plan-arena -kernel-choose-tiles=target=x86-64-v4 -kernel-outline=target=x86-64-v4 -canonicalize -cse | FileCheck %s --check-prefix=WIDE

kernel.program @main attributes {num_inputs = 1, num_outputs = 3} {
^bb0(%in: memref<1x32x8x8xf32>, %same: memref<1x32x8x8xf32>, %out: memref<1x2x8x8x16xf32>, %odd: memref<1x32x8x8xf32>):
  // CHECK-LABEL: func.func private @main_k0_copy
  // CHECK: llvm.load %{{.*}} -> vector<8xf32>
  // CHECK-NEXT: llvm.getelementptr
  // CHECK-NEXT: llvm.store %{{.*}} : vector<8xf32>
  kernel.copy %in to %same : memref<1x32x8x8xf32> to memref<1x32x8x8xf32>

  // Planar to blocks of 16 channels: 8 loads, 24 shuffles, 8 stores a square.
  // CHECK-LABEL: func.func private @main_k1_copy
  // CHECK-COUNT-8: llvm.load %{{.*}} -> vector<8xf32>
  // CHECK-COUNT-24: vector.shuffle
  // CHECK-NOT: vector.shuffle
  // CHECK-COUNT-8: llvm.store %{{.*}} : vector<8xf32>
  // With 32 registers a square has lines of 64 bytes.
  // WIDE-LABEL: func.func private @main_k1_copy
  // WIDE-COUNT-16: llvm.load %{{.*}} -> vector<16xf32>
  %p = memref.reinterpret_cast %in to offset: [0], sizes: [1, 2, 8, 8, 16], strides: [2048, 1024, 8, 1, 64] : memref<1x32x8x8xf32> to memref<1x2x8x8x16xf32, strided<[2048, 1024, 8, 1, 64]>>
  kernel.copy %p to %out : memref<1x2x8x8x16xf32, strided<[2048, 1024, 8, 1, 64]>> to memref<1x2x8x8x16xf32>

  // Every second element: vectors are gathered.
  // CHECK-LABEL: func.func private @main_k2_copy
  // CHECK-COUNT-8: llvm.load %{{.*}} -> f32
  // CHECK: vector.from_elements
  %s = memref.reinterpret_cast %in to offset: [0], sizes: [1024], strides: [2] : memref<1x32x8x8xf32> to memref<1024xf32, strided<[2]>>
  %t = memref.reinterpret_cast %odd to offset: [0], sizes: [1024], strides: [1] : memref<1x32x8x8xf32> to memref<1024xf32, strided<[1]>>
  kernel.copy %s to %t : memref<1024xf32, strided<[2]>> to memref<1024xf32, strided<[1]>>

  // WIDE-LABEL: func.func private @main_k3_copy
  // WIDE-COUNT-16: llvm.load %{{.*}} -> vector<16xf32>
  // WIDE-COUNT-64: vector.shuffle
  // WIDE-NOT: vector.shuffle
  // WIDE-COUNT-16: llvm.store %{{.*}} : vector<16xf32>
  %u = memref.reinterpret_cast %in to offset: [0], sizes: [64, 32], strides: [1, 64] : memref<1x32x8x8xf32> to memref<64x32xf32, strided<[1, 64]>>
  %v = memref.reinterpret_cast %out to offset: [0], sizes: [64, 32], strides: [32, 1] : memref<1x2x8x8x16xf32> to memref<64x32xf32, strided<[32, 1]>>
  kernel.copy %u to %v : memref<64x32xf32, strided<[1, 64]>> to memref<64x32xf32, strided<[32, 1]>>

  // One element for each row fills it: nothing is transposed.
  // CHECK-LABEL: func.func private @main_k4_copy
  // CHECK-NOT: vector.shuffle
  // CHECK: scf.for
  // CHECK: scf.for
  // CHECK: %[[ROW:.*]] = vector.broadcast %{{.*}} : f32 to vector<8xf32>
  // CHECK: llvm.store %[[ROW]], %{{.*}} : vector<8xf32>
  %r = memref.reinterpret_cast %in to offset: [0], sizes: [64, 32], strides: [1, 0] : memref<1x32x8x8xf32> to memref<64x32xf32, strided<[1, 0]>>
  kernel.copy %r to %v : memref<64x32xf32, strided<[1, 0]>> to memref<64x32xf32, strided<[32, 1]>>

  // Rows that are columns, the last one first, are transposed.
  // CHECK-LABEL: func.func private @main_k5_copy
  // CHECK-COUNT-24: vector.shuffle
  %b = memref.reinterpret_cast %in to offset: [1984], sizes: [64, 32], strides: [1, -64] : memref<1x32x8x8xf32> to memref<64x32xf32, strided<[1, -64], offset: 1984>>
  kernel.copy %b to %v : memref<64x32xf32, strided<[1, -64], offset: 1984>> to memref<64x32xf32, strided<[32, 1]>>
  kernel.end
}
