// Products of 8 keys by 2 vectors of rows in registers over the width of a head, 64 keys at once;
// exponentials in vectors; 4 rows by 4 vectors of values. No call, no memory but the task's stack.
// RUN: symc-opt %s -kernel-plan-arena -kernel-choose-tiles=target=x86-64-v4 -kernel-outline=target=x86-64-v4 -canonicalize -cse | FileCheck %s

// CHECK-LABEL: func.func private @heads_k0_attention
// CHECK-COUNT-4: llvm.alloca
// CHECK: scf.for
// CHECK: scf.for %{{.*}} iter_args({{.*}}) -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>)
// CHECK: scf.for
// CHECK: scf.for
// CHECK-COUNT-16: vector.fma %{{.*}} : vector<16xf32>
// CHECK-NOT: vector.fma
// CHECK: arith.shli %{{.*}} : vector<16xi32>
// CHECK: scf.for
// CHECK: arith.shli %{{.*}} : vector<16xi32>
// CHECK: scf.for
// CHECK-COUNT-16: vector.fma %{{.*}} : vector<16xf32>
// CHECK-NOT: vector.fma
// CHECK: arith.divf %{{.*}} : vector<16xf32>
kernel.program @heads attributes {num_inputs = 3, num_outputs = 1} {
^bb0(%q: memref<1x12x128x64xf32>, %k: memref<1x12x128x64xf32>, %v: memref<1x12x128x64xf32>, %out: memref<1x12x128x64xf32>):
  kernel.attention queries(%q : memref<1x12x128x64xf32>) keys(%k : memref<1x12x128x64xf32>) values(%v : memref<1x12x128x64xf32>) extras() out(%out : memref<1x12x128x64xf32>) scores {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  } weights {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  }
  kernel.end
}
