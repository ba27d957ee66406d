// If this fails, bytes that a concatenation leaves as they are take the way over floats, or others are copied.
// RUN: symc-opt %s -kernel-plan-arena -kernel-choose-tiles=target=x86-64-v3 -kernel-outline -canonicalize -cse | FileCheck %s

// Bytes times a number that the row shares, rounded within the limits of a byte: copied where it
// is 1. Limits that a byte may pass are no copy, and a byte without sign has others.
// CHECK-LABEL: func.func private @scaled_k0_loops
// CHECK: %[[ONE:.*]] = arith.cmpf oeq, %{{.*}}, %{{.*}} : f32
// CHECK: scf.if %[[ONE]] {
// CHECK: %[[BYTES:.*]] = llvm.load %{{.*}} -> vector<32xi8>
// CHECK-NEXT: {{.*}}llvm.getelementptr
// CHECK-NEXT: llvm.store %[[BYTES]]
// CHECK: } else {
// CHECK: math.roundeven %{{.*}} : vector<32xf32>
// CHECK-LABEL: func.func private @scaled_k1_loops
// CHECK-NOT: scf.if
// CHECK: return
// CHECK-LABEL: func.func private @scaled_k2_loops
// CHECK: scf.if
// CHECK-LABEL: func.func private @scaled_k3_loops
// CHECK-NOT: scf.if
// CHECK: return
kernel.program @scaled attributes {num_inputs = 2, num_outputs = 4} {
^bb0(%in: memref<67xi8>, %s: memref<1xf32>, %o0: memref<67xi8>, %o1: memref<67xi8>, %o2: memref<67xi8>, %o3: memref<67xi8>):
  %v = memref.reinterpret_cast %s to offset: [0], sizes: [67], strides: [0] : memref<1xf32> to memref<67xf32, strided<[0]>>
  kernel.loops ins(%in, %v : memref<67xi8>, memref<67xf32, strided<[0]>>) outs(%o0 : memref<67xi8>) body {
  ^bb0(%x: i8, %k: f32):
    %low = arith.constant -128.0 : f32
    %high = arith.constant 127.0 : f32
    %i = arith.extsi %x : i8 to i32
    %f = arith.sitofp %i : i32 to f32
    %p = arith.mulf %f, %k : f32
    %c = arith.cmpf ogt, %p, %low : f32
    %m = arith.select %c, %p, %low : f32
    %d = arith.cmpf olt, %m, %high : f32
    %n = arith.select %d, %m, %high : f32
    %r = math.roundeven %n : f32
    %j = arith.fptosi %r : f32 to i32
    %y = arith.trunci %j : i32 to i8
    kernel.yield %y : i8
  }
  kernel.loops ins(%in, %v : memref<67xi8>, memref<67xf32, strided<[0]>>) outs(%o1 : memref<67xi8>) body {
  ^bb0(%x: i8, %k: f32):
    %low = arith.constant -127.0 : f32
    %high = arith.constant 127.0 : f32
    %i = arith.extsi %x : i8 to i32
    %f = arith.sitofp %i : i32 to f32
    %p = arith.mulf %f, %k : f32
    %c = arith.cmpf ogt, %p, %low : f32
    %m = arith.select %c, %p, %low : f32
    %d = arith.cmpf olt, %m, %high : f32
    %n = arith.select %d, %m, %high : f32
    %r = math.roundeven %n : f32
    %j = arith.fptosi %r : f32 to i32
    %y = arith.trunci %j : i32 to i8
    kernel.yield %y : i8
  }
  kernel.loops ins(%in, %v : memref<67xi8>, memref<67xf32, strided<[0]>>) outs(%o2 : memref<67xi8>) body {
  ^bb0(%x: i8, %k: f32):
    %low = arith.constant 0.0 : f32
    %high = arith.constant 255.0 : f32
    %i = arith.extui %x : i8 to i32
    %f = arith.sitofp %i : i32 to f32
    %p = arith.mulf %f, %k : f32
    %c = arith.cmpf ogt, %p, %low : f32
    %m = arith.select %c, %p, %low : f32
    %d = arith.cmpf olt, %m, %high : f32
    %n = arith.select %d, %m, %high : f32
    %r = math.roundeven %n : f32
    %j = arith.fptosi %r : f32 to i32
    %y = arith.trunci %j : i32 to i8
    kernel.yield %y : i8
  }
  kernel.loops ins(%in, %v : memref<67xi8>, memref<67xf32, strided<[0]>>) outs(%o3 : memref<67xi8>) body {
  ^bb0(%x: i8, %k: f32):
    %low = arith.constant -128.0 : f32
    %high = arith.constant 127.0 : f32
    %i = arith.extui %x : i8 to i32
    %f = arith.sitofp %i : i32 to f32
    %p = arith.mulf %f, %k : f32
    %c = arith.cmpf ogt, %p, %low : f32
    %m = arith.select %c, %p, %low : f32
    %d = arith.cmpf olt, %m, %high : f32
    %n = arith.select %d, %m, %high : f32
    %r = math.roundeven %n : f32
    %j = arith.fptosi %r : f32 to i32
    %y = arith.trunci %j : i32 to i8
    kernel.yield %y : i8
  }
  kernel.end
}
