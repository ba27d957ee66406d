// If this fails, pairs of elements that lie side by side are computed one pair at a time.
// RUN: symc-opt %s -kernel-plan-arena -kernel-choose-tiles=target=x86-64-v3 -kernel-outline -canonicalize -cse -split-input-file | FileCheck %s

// Eight pairs at once, then four, two and one: each half in a vector, what all of a row shares
// read before it, and one store of both.
// CHECK-LABEL: func.func private @pairs_k0_loops
// CHECK: %[[FIRST:.*]] = llvm.load %{{.*}} -> f32
// CHECK: %[[SECOND:.*]] = llvm.load %{{.*}} -> f32
// CHECK: scf.for
// CHECK: %[[A:.*]] = arith.mulf %{{.*}} : vector<8xf32>
// CHECK: %[[B:.*]] = arith.mulf %{{.*}} : vector<8xf32>
// CHECK: %[[BOTH:.*]] = vector.interleave %[[A]], %[[B]] : vector<8xf32> -> vector<16xf32>
// CHECK: llvm.store %[[BOTH]], {{.*}} : vector<16xf32>
// CHECK: vector.interleave {{.*}} : vector<4xf32> -> vector<8xf32>
// CHECK: vector.interleave {{.*}} : vector<2xf32> -> vector<4xf32>
// CHECK-NEXT: llvm.store {{.*}} : vector<4xf32>
// CHECK-NOT: vector<
// CHECK: arith.mulf %{{.*}} : f32
// CHECK: arith.mulf %{{.*}} : f32
kernel.program @pairs attributes {num_inputs = 2, num_outputs = 1} {
^bb0(%x: memref<6x24xf32>, %w: memref<6x2xf32>, %y: memref<6x46xf32>):
  %data = memref.reinterpret_cast %x to offset: [0], sizes: [6, 23, 2], strides: [24, 1, 1] : memref<6x24xf32> to memref<6x23x2xf32, strided<[24, 1, 1]>>
  %weight = memref.reinterpret_cast %w to offset: [0], sizes: [6, 23, 2], strides: [2, 0, 1] : memref<6x2xf32> to memref<6x23x2xf32, strided<[2, 0, 1]>>
  %out = memref.reinterpret_cast %y to offset: [0], sizes: [6, 23, 2], strides: [46, 2, 1] : memref<6x46xf32> to memref<6x23x2xf32, strided<[46, 2, 1]>>
  kernel.loops ins(%data, %weight : memref<6x23x2xf32, strided<[24, 1, 1]>>, memref<6x23x2xf32, strided<[2, 0, 1]>>) outs(%out : memref<6x23x2xf32, strided<[46, 2, 1]>>) body {
  ^bb0(%a: f32, %b: f32):
    %p = arith.mulf %a, %b : f32
    kernel.yield %p : f32
  }
  kernel.end
}

// -----

// Elements that lie further apart stay in their order.
// CHECK-LABEL: func.func private @apart_k0_loops
// CHECK-NOT: vector.interleave
// CHECK: return
kernel.program @apart attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%x: memref<6x64xf32>, %y: memref<6x46xf32>):
  %data = memref.reinterpret_cast %x to offset: [0], sizes: [6, 23, 2], strides: [64, 2, 5] : memref<6x64xf32> to memref<6x23x2xf32, strided<[64, 2, 5]>>
  %out = memref.reinterpret_cast %y to offset: [0], sizes: [6, 23, 2], strides: [46, 2, 1] : memref<6x46xf32> to memref<6x23x2xf32, strided<[46, 2, 1]>>
  kernel.loops ins(%data : memref<6x23x2xf32, strided<[64, 2, 5]>>) outs(%out : memref<6x23x2xf32, strided<[46, 2, 1]>>) body {
  ^bb0(%a: f32):
    %p = arith.addf %a, %a : f32
    kernel.yield %p : f32
  }
  kernel.end
}

// -----

// Two rows of pairs are one body, so that what they share with the rows behind is read before all of them.
// CHECK-LABEL: func.func private @rows_k0_loops
// CHECK: scf.for
// CHECK: vector.interleave {{.*}} : vector<8xf32> -> vector<16xf32>
// CHECK: vector.interleave {{.*}} : vector<8xf32> -> vector<16xf32>
kernel.program @rows attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%x: memref<8x24xf32>, %y: memref<12x16xf32>):
  %data = memref.reinterpret_cast %x to offset: [0], sizes: [6, 2, 8, 2], strides: [24, 24, 1, 1] : memref<8x24xf32> to memref<6x2x8x2xf32, strided<[24, 24, 1, 1]>>
  %out = memref.reinterpret_cast %y to offset: [0], sizes: [6, 2, 8, 2], strides: [32, 16, 2, 1] : memref<12x16xf32> to memref<6x2x8x2xf32, strided<[32, 16, 2, 1]>>
  kernel.loops ins(%data : memref<6x2x8x2xf32, strided<[24, 24, 1, 1]>>) outs(%out : memref<6x2x8x2xf32, strided<[32, 16, 2, 1]>>) body {
  ^bb0(%a: f32):
    %p = arith.addf %a, %a : f32
    kernel.yield %p : f32
  }
  kernel.end
}
