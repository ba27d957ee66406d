// Steps of one element a thread: how a nest is walked, what its body becomes, and how elements of
// each type are read and written.
// RUN: symc-opt %s -kernel-plan-arena -kernel-print-cuda -split-input-file -o /dev/null | FileCheck %s

// Dense views are one row, and the grid covers it: 315 elements in 2 blocks of 256.
// CHECK: // loops
// CHECK-NEXT: extern "C" __global__ void __launch_bounds__(256) k0(float *x0, float *y0) {
// CHECK-NEXT: follow();
// CHECK-NEXT: for (int [[AT:.*]] = blockIdx.x * 256 + threadIdx.x; [[AT]] < 315; [[AT]] += gridDim.x * 256) {
// CHECK-NEXT: const float [[E:.*]] = x0{{\[}}[[AT]]];
// CHECK-NEXT: const float [[V:.*]] = [[E]] * [[E]];
// CHECK-NEXT: const bool [[C:.*]] = [[V]] > 0.5f;
// CHECK-NEXT: const float [[X:.*]] = expf([[E]]);
// CHECK-NEXT: const float [[R:.*]] = [[C]] ? [[V]] : [[X]];
// CHECK-NEXT: const float [[N:.*]] = -(-2.0f);
// CHECK-NEXT: const float [[S:.*]] = [[R]] + [[N]];
// CHECK-NEXT: y0{{\[}}[[AT]]] = [[S]];
kernel.program @dense attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%in: memref<3x5x7x3xf32>, %out: memref<3x5x7x3xf32>):
  kernel.loops ins(%in : memref<3x5x7x3xf32>) outs(%out : memref<3x5x7x3xf32>) body {
  ^bb0(%x: f32):
    %y = arith.mulf %x, %x : f32
    %half = arith.constant 0.5 : f32
    %above = arith.cmpf ogt, %y, %half : f32
    %e = math.exp %x : f32
    %z = arith.select %above, %y, %e : f32
    %minus = arith.constant -2.0 : f32
    %two = arith.negf %minus : f32
    %sum = arith.addf %z, %two : f32
    kernel.yield %sum : f32
  }
  kernel.end
}

// -----

// A range: the grid is that of the largest size, the walk that of the run. Half floats are computed
// as float and rounded after each operation; i1 takes a byte.
// CHECK: static __device__ __forceinline__ float from_half(unsigned short bits)
// CHECK: // loops
// CHECK-NEXT: extern "C" __global__ void __launch_bounds__(256) k0(unsigned short *x0, unsigned short *y0, bool *y1, long long s0) {
// CHECK: at0 < s0 * 10;
// CHECK: const float [[E:.*]] = from_half(x0[at0]);
// CHECK: const float [[V:.*]] = from_half(to_half([[E]] + [[E]]));
// CHECK: y0[at0] = to_half([[V]]);
kernel.program @half attributes {num_inputs = 1, num_outputs = 2, dim_min = array<i64: 1>, dim_max = array<i64: 9>} {
^bb0(%in: memref<?x10xf16>, %out: memref<?x10xf16>, %bits: memref<?x10xi1>, %n: index):
  %x = memref.reinterpret_cast %in to offset: [0], sizes: [%n, 10], strides: [10, 1] : memref<?x10xf16> to memref<?x10xf16, strided<[10, 1]>>
  %y = memref.reinterpret_cast %out to offset: [0], sizes: [%n, 10], strides: [10, 1] : memref<?x10xf16> to memref<?x10xf16, strided<[10, 1]>>
  %z = memref.reinterpret_cast %bits to offset: [0], sizes: [%n, 10], strides: [10, 1] : memref<?x10xi1> to memref<?x10xi1, strided<[10, 1]>>
  kernel.loops ins(%x : memref<?x10xf16, strided<[10, 1]>>) outs(%y, %z : memref<?x10xf16, strided<[10, 1]>>, memref<?x10xi1, strided<[10, 1]>>) body {
  ^bb0(%e: f16):
    %sum = arith.addf %e, %e : f16
    %same = arith.cmpf ueq, %e, %sum : f16
    kernel.yield %sum, %same : f16, i1
  }
  kernel.end
}
