// If this fails, sums over pixels go through memory, or results are written element by element: pixels are loops around
// sums in registers, a load for each vector and a broadcast for each row; sums of slots are added in pairs of
// neighbours and transposed.
// RUN: symc-opt %s -kernel-plan-arena -kernel-choose-tiles=target=x86-64-v3 -kernel-outline=target=x86-64-v3 -canonicalize -cse | FileCheck %s

// Sums begin with zero: the chunk is one strip. 20 channels are a block of tiles of six and five rows and one of four.
// CHECK-LABEL: func.func private @main_k0_conv_weights
// CHECK: scf.for
// CHECK-COUNT-2: llvm.load %{{.*}} -> vector<8xf32>
// CHECK: %[[X:.*]] = vector.broadcast %{{.*}} : f32 to vector<8xf32>
// CHECK-COUNT-2: vector.fma %[[X]]
// CHECK-COUNT-10: vector.fma
// CHECK: scf.yield
// CHECK-COUNT-12: llvm.store %{{.*}} : vector<8xf32>
// CHECK-COUNT-10: vector.fma
// CHECK: scf.yield
// CHECK-LABEL: func.func private @main_k1_join_sums
// CHECK: scf.for
// CHECK-COUNT-2: llvm.load %{{.*}} -> vector<8xf32>
// CHECK: %[[LEFT:.*]] = arith.addf
// CHECK: llvm.load %{{.*}} -> vector<8xf32>
// CHECK: arith.addf %[[LEFT]]
// CHECK: llvm.store %{{.*}} : vector<8xf32>
// CHECK: vector.shuffle
// CHECK: llvm.intr.masked.store
kernel.program @main attributes {num_inputs = 3, num_outputs = 2} {
^bb0(%x: memref<2x2x6x6x16xf32>, %g: memref<2x1x4x4x16xf32>, %p: memref<3x1x180x16xf32>, %s: memref<1x1x1x20x3x3x16xf32>, %o: memref<10x180xf32>):
  kernel.conv_weights data(%x : memref<2x2x6x6x16xf32>) slope(%g : memref<2x1x4x4x16xf32>) sums(%s : memref<1x1x1x20x3x3x16xf32>) {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, in_channels = 20 : i64, out_channels = 10 : i64, per_slot = 1 : i64}
  kernel.join_sums %p to %o : memref<3x1x180x16xf32> to memref<10x180xf32>
  kernel.end
}
