// Along rows: two rows of data, each times a number. Along the last axis: elements gathered from places
// that are computed once.
// RUN: symc-opt %s -kernel-plan-arena -kernel-choose-tiles=target=x86-64-v3 -kernel-outline=target=x86-64-v3 -canonicalize -cse -split-input-file | FileCheck %s

// CHECK-LABEL: func.func private @rows_k0_interpolate
// CHECK: arith.fptosi %{{.*}} : f32 to i64
// CHECK-COUNT-2: llvm.load %{{.*}} -> vector<8xf32>
// CHECK-COUNT-2: arith.mulf %{{.*}} : vector<8xf32>
// CHECK: arith.addf %{{.*}} : vector<8xf32>
// CHECK: llvm.store %{{.*}} : vector<8xf32>
// CHECK: scf.for
// CHECK: llvm.store %{{.*}} : f32
kernel.program @rows attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%x: memref<3x8x10xf32>, %y: memref<3x20x10xf32>):
  kernel.interpolate %x to %y along 1 {corners} : memref<3x8x10xf32> to memref<3x20x10xf32>
  kernel.end
}

// -----

// CHECK-LABEL: func.func private @columns_k0_interpolate
// CHECK: llvm.alloca
// CHECK: arith.fptosi
// CHECK-NOT: arith.fptosi
// CHECK-COUNT-2: llvm.load %{{.*}} -> i64
// CHECK: llvm.store %{{.*}} : f32
kernel.program @columns attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%x: memref<3x8x10xf32>, %y: memref<3x8x700xf32>):
  kernel.interpolate %x to %y along 2 : memref<3x8x10xf32> to memref<3x8x700xf32>
  kernel.end
}
