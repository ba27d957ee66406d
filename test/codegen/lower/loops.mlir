// Elementwise steps: what is walked as one dimension, in vectors of which length,
// and how rows end.
// RUN: symc-opt %s -kernel-plan-arena -kernel-choose-tiles=target=x86-64-v3 -kernel-outline -canonicalize -cse -split-input-file | FileCheck %s
// RUN: symc-opt %s -kernel-plan-arena -kernel-choose-tiles=target=x86-64-v2 -kernel-outline=target=x86-64-v2 -canonicalize -cse -split-input-file | FileCheck %s --check-prefix=V2

// Dense views of any rank are one row; its last three elements go under a mask,
// or one by one where the target has no masked moves.
// CHECK-LABEL: func.func private @dense_k0_loops
// CHECK: scf.for
// CHECK: llvm.load %{{.*}} -> vector<8xf32>
// CHECK: arith.mulf %{{.*}} : vector<8xf32>
// CHECK: llvm.store %{{.*}} : vector<8xf32>
// CHECK-NOT: scf.for
// CHECK: llvm.intr.masked.load
// CHECK: llvm.intr.masked.store
// V2-LABEL: func.func private @dense_k0_loops
// V2: arith.mulf %{{.*}} : vector<4xf32>
// V2: scf.for
// V2: arith.mulf %{{.*}} : f32
kernel.program @dense attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%in: memref<3x5x7x3xf32>, %out: memref<3x5x7x3xf32>):
  kernel.loops ins(%in : memref<3x5x7x3xf32>) outs(%out : memref<3x5x7x3xf32>) body {
  ^bb0(%x: f32):
    %y = arith.mulf %x, %x : f32
    kernel.yield %y : f32
  }
  kernel.end
}

// -----

// What a row shares is read once, before the row.
// CHECK-LABEL: func.func private @broadcast_k0_loops
// CHECK: scf.for
// CHECK: %[[SCALAR:.*]] = llvm.load %{{.*}} -> f32
// CHECK: scf.for
// CHECK: vector.broadcast %[[SCALAR]]
kernel.program @broadcast attributes {num_inputs = 2, num_outputs = 1} {
^bb0(%in: memref<8x64xf32>, %c: memref<8xf32>, %out: memref<8x64xf32>):
  %v = memref.reinterpret_cast %c to offset: [0], sizes: [8, 64], strides: [1, 0] : memref<8xf32> to memref<8x64xf32, strided<[1, 0]>>
  kernel.loops ins(%in, %v : memref<8x64xf32>, memref<8x64xf32, strided<[1, 0]>>) outs(%out : memref<8x64xf32>) body {
  ^bb0(%x: f32, %y: f32):
    %z = arith.addf %x, %y : f32
    kernel.yield %z : f32
  }
  kernel.end
}

// -----

// The widest type of the chain sets the length; a division of integers is never
// done in vectors, whose dead lanes could trap.
// CHECK-LABEL: func.func private @types_k0_loops
// CHECK: llvm.load %{{.*}} -> vector<4xi8>
// CHECK: arith.sitofp %{{.*}} : vector<4xi8> to vector<4xf64>
// CHECK-LABEL: func.func private @types_k1_loops
// CHECK-NOT: vector<
// CHECK: arith.divsi %{{.*}} : i32
// CHECK-NOT: vector<
kernel.program @types attributes {num_inputs = 2, num_outputs = 2} {
^bb0(%in: memref<64xi8>, %i: memref<64xi32>, %out: memref<64xf64>, %q: memref<64xi32>):
  kernel.loops ins(%in : memref<64xi8>) outs(%out : memref<64xf64>) body {
  ^bb0(%x: i8):
    %y = arith.sitofp %x : i8 to f64
    kernel.yield %y : f64
  }
  kernel.loops ins(%i : memref<64xi32>) outs(%q : memref<64xi32>) body {
  ^bb0(%x: i32):
    %y = arith.divsi %x, %x : i32
    kernel.yield %y : i32
  }
  kernel.end
}

// -----

// Bytes that are made of floats are packed and stored four vectors at a time, then one, then single.
// CHECK-LABEL: func.func private @bytes_k0_loops
// CHECK: scf.for
// CHECK: llvm.load %{{.*}} -> vector<32xf32>
// CHECK: llvm.store %{{.*}} : vector<32xi8>
// CHECK: scf.for
// CHECK: llvm.load %{{.*}} -> vector<8xf32>
// CHECK: llvm.store %{{.*}} : vector<8xi8>
// CHECK: scf.for
// CHECK: llvm.store %{{.*}} : i8
// V2-LABEL: func.func private @bytes_k0_loops
// V2: llvm.store %{{.*}} : vector<16xi8>
kernel.program @bytes attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%in: memref<115xf32>, %out: memref<115xi8>):
  kernel.loops ins(%in : memref<115xf32>) outs(%out : memref<115xi8>) body {
  ^bb0(%x: f32):
    %i = arith.fptosi %x : f32 to i32
    %y = arith.trunci %i : i32 to i8
    kernel.yield %y : i8
  }
  kernel.end
}

// -----

// Dimensions whose coordinates count stay apart: along a row they are a vector, before it one number.
// CHECK-LABEL: func.func private @coordinates_k0_loops
// CHECK: scf.for %[[ROW:.*]] =
// CHECK: scf.for %[[PLACE:.*]] =
// CHECK: arith.index_cast %[[ROW]] : index to i32
// CHECK: %[[FIRST:.*]] = arith.index_cast %[[PLACE]] : index to i32
// CHECK: vector.broadcast %[[FIRST]] : i32 to vector<8xi32>
// CHECK: arith.addi {{.*}} : vector<8xi32>
// CHECK: arith.muli {{.*}} : vector<8xi32>
kernel.program @coordinates attributes {num_inputs = 0, num_outputs = 1} {
^bb0(%out: memref<8x64xi32>):
  kernel.loops ins() outs(%out : memref<8x64xi32>) {coordinates = array<i64: 0, 1>} body {
  ^bb0(%i: i32, %j: i32):
    %z = arith.muli %i, %j : i32
    kernel.yield %z : i32
  }
  kernel.end
}
