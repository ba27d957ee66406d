// Rows of a reduction: by a warp or a block, in vectors or not, and what memory is read how often.
// RUN: symc-opt %s -kernel-plan-arena -kernel-print-cuda -split-input-file -o /dev/null | FileCheck %s

// A softmax over 64 elements of a warp: two a lane, read once and kept with their exponentials; four
// rows a block, which never meet.
// CHECK-LABEL: __launch_bounds__(128) k0(float *x0, float *y0) {
// CHECK-NOT: __shared__
// CHECK-NOT: __syncthreads
// CHECK: const int thread = threadIdx.x % 32;
// CHECK-NEXT: for (int row = blockIdx.x * 4 + threadIdx.x / 32; row < 1000; row += gridDim.x * 4) {
// CHECK-NEXT: float x0_row[2];
// CHECK-NEXT: float saved[2];
// CHECK-NEXT: #pragma unroll
// CHECK-NEXT: for (int k = 0; k < 2; ++k) {
// CHECK-NEXT: if (const int e = (thread + k * 32); e < 64) {
// CHECK-NEXT: x0_row[k] = x0[row * 64 + e];
// CHECK: float result0 = __int_as_float(0xFF800000);
// CHECK-NOT: x0[
// CHECK: const float [[X:.*]] = x0_row[k];
// CHECK: #pragma unroll
// CHECK-NEXT: for (int by = 16; by >= 1; by /= 2) {
// CHECK-NEXT: const float other = __shfl_down_sync(0xffffffffu, result0, by);
// CHECK-NEXT: result0 = other > result0 ? other : result0;
// CHECK-NEXT: }
// CHECK-NEXT: result0 = __shfl_sync(0xffffffffu, result0, 0);
// CHECK-NOT: x0[
// CHECK: result1 = result1 + [[E:.*]];
// CHECK-NEXT: saved[k] = [[E]];
// CHECK-NOT: x0[
// CHECK: const float [[S:.*]] = saved[k];
// CHECK-NEXT: const float [[Q:.*]] = [[S]] / result1;
// CHECK-NEXT: y0[row * 64 + e] = [[Q]];
kernel.program @softmax attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%in: memref<1000x64xf32>, %out: memref<1000x64xf32>):
  kernel.reduce ins(%in : memref<1000x64xf32>) outs(%out : memref<1000x64xf32>) {combiners = ["maxnum", "sum"], kept = 1 : i64, saves = 1 : i64} passes {
  ^bb0(%position: i32, %count: i32, %x: f32):
    kernel.yield %x : f32
  }, {
  ^bb0(%position: i32, %count: i32, %x: f32, %most: f32):
    %d = arith.subf %x, %most : f32
    %e = math.exp %d : f32
    kernel.yield %e, %e : f32, f32
  } rows {
  ^bb0(%position: i32, %count: i32, %x: f32, %most: f32, %sum: f32):
    kernel.yield
  } elements {
  ^bb0(%position: i32, %count: i32, %x: f32, %e: f32, %most: f32, %sum: f32):
    %q = arith.divf %e, %sum : f32
    kernel.yield %q : f32
  }
  kernel.end
}

// -----

// 768 elements of a block in vectors: each is read once, and two lines of shared memory join the
// warps, of which each needs the sum. A row's result is written by one thread.
// CHECK-LABEL: __launch_bounds__(256) k1(
// CHECK: __shared__ float result0_warps[8];
// CHECK: float x0_row[4];
// CHECK-NEXT: if (const int first = thread * 4; first < 768) {
// CHECK-NEXT: load4(x0_row, &x0[row * 768 + first]);
// CHECK: for (int lane = 0; lane < 4; ++lane) {
// CHECK-NEXT: const int e = first + lane;
// CHECK-NEXT: const float [[X:.*]] = x0_row[lane];
// CHECK-NEXT: result0 = result0 + [[X]];
// CHECK: for (int by = 16; by >= 1; by /= 2) {
// CHECK: if (threadIdx.x % 32 == 0) {
// CHECK-NEXT: result0_warps[threadIdx.x / 32] = result0;
// CHECK-NEXT: }
// CHECK-NEXT: __syncthreads();
// CHECK-NEXT: result0 = result0_warps[thread % 8];
// CHECK-NEXT: #pragma unroll
// CHECK-NEXT: for (int by = 4; by >= 1; by /= 2) {
// CHECK: result0 = __shfl_sync(0xffffffffu, result0, 0);
// CHECK-NEXT: if (thread == 0) {
// CHECK-NEXT: row0[row] = result0;
// CHECK: load4([[G:.*]], &x1[first]);
// CHECK: store4(&y0[row * 768 + first], {{.*}});
// CHECK-NOT: __syncthreads
kernel.program @block attributes {num_inputs = 1, num_outputs = 2} {
^bb0(%in: memref<100x768xf32>, %out: memref<100x768xf32>, %sums: memref<100xf32>):
  %x = kernel.buffer() : memref<100x768xf32>
  %y = kernel.buffer() : memref<100x768xf32>
  kernel.copy %in to %x : memref<100x768xf32> to memref<100x768xf32>
  %gamma = memref.reinterpret_cast %x to offset: [0], sizes: [100, 768], strides: [0, 1] : memref<100x768xf32> to memref<100x768xf32, strided<[0, 1]>>
  kernel.reduce ins(%x, %gamma : memref<100x768xf32>, memref<100x768xf32, strided<[0, 1]>>) row_outs(%sums : memref<100xf32>) outs(%y : memref<100x768xf32>) {combiners = ["sum"], kept = 1 : i64} passes {
  ^bb0(%position: i32, %count: i32, %e: f32, %g: f32):
    kernel.yield %e : f32
  } rows {
  ^bb0(%position: i32, %count: i32, %e: f32, %g: f32, %sum: f32):
    kernel.yield %sum : f32
  } elements {
  ^bb0(%position: i32, %count: i32, %e: f32, %g: f32, %sum: f32):
    %d = arith.divf %e, %sum : f32
    %p = arith.mulf %d, %g : f32
    kernel.yield %p : f32
  }
  kernel.copy %y to %out : memref<100x768xf32> to memref<100x768xf32>
  kernel.end
}

// -----

// More than 8192 elements: each pass reads memory, and the next row of a block, where there can be
// one, waits for the values of this one's warps. Places of the first of equals, of a byte each, are
// moved as ints.
// CHECK-LABEL: __launch_bounds__(1024) k0(
// CHECK: __shared__ signed char result0_warps[32];
// CHECK-NEXT: __shared__ int result0_places[32];
// CHECK: for (int first = thread * 4; first < 10000; first += 4096) {
// CHECK: const signed char other = (signed char)__shfl_down_sync(0xffffffffu, (int)result0, by);
// CHECK-NEXT: const int other_place = __shfl_down_sync(0xffffffffu, result0_place, by);
// CHECK: for (int by = 16; by >= 1; by /= 2) {
// CHECK-NOT: __shfl_sync
// CHECK: if (thread == 0) {
// CHECK-NEXT: row0[row] = result0_place;
// CHECK-NEXT: }
// CHECK-NEXT: __syncthreads();
kernel.program @long attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%in: memref<70000x10000xi8>, %out: memref<70000xi32>):
  kernel.reduce ins(%in : memref<70000x10000xi8>) row_outs(%out : memref<70000xi32>) {combiners = ["argmax"], kept = 1 : i64} passes {
  ^bb0(%position: i32, %count: i32, %x: i8):
    kernel.yield %x, %position : i8, i32
  } rows {
  ^bb0(%position: i32, %count: i32, %x: i8, %best: i8, %place: i32):
    kernel.yield %place : i32
  } elements {
  ^bb0(%position: i32, %count: i32, %x: i8, %best: i8, %place: i32):
    kernel.yield
  }
  kernel.end
}

// -----

// Rows side by side, few and long: eight of them have a block, whose warps read 32 bytes of four
// elements at once.
// CHECK-LABEL: __launch_bounds__(1024) k0(float *x0, float *row0) {
// CHECK-NEXT: follow();
// CHECK-NEXT: const int thread = threadIdx.x / 8;
// CHECK-NEXT: __shared__ float result0_warps[32][8];
// CHECK-NEXT: for (int row = blockIdx.x * 8 + threadIdx.x % 8; row < 64; row += gridDim.x * 8) {
// CHECK: for (int e = thread; e < 4096; e += 128) {
// CHECK: result0 = result0 + [[E:.*]];
// CHECK: for (int by = 16; by >= 8; by /= 2) {
// CHECK: if (threadIdx.x % 32 < 8) {
// CHECK-NEXT: result0_warps[threadIdx.x / 32][threadIdx.x % 8] = result0;
// CHECK-NEXT: }
// CHECK-NEXT: __syncthreads();
// CHECK-NEXT: result0 = result0_warps[0][threadIdx.x % 8];
// CHECK-NEXT: for (int warp = 1; warp < 32; ++warp) {
// CHECK-NEXT: const float other = result0_warps[warp][threadIdx.x % 8];
// CHECK-NEXT: result0 = result0 + other;
// CHECK-NEXT: }
// CHECK-NEXT: if (thread == 0) {
// CHECK-NEXT: row0[row] = result0;
kernel.program @columns attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%in: memref<64x4096xf32>, %out: memref<64xf32>):
  %x = memref.reinterpret_cast %in to offset: [0], sizes: [64, 4096], strides: [1, 64] : memref<64x4096xf32> to memref<64x4096xf32, strided<[1, 64]>>
  kernel.reduce ins(%x : memref<64x4096xf32, strided<[1, 64]>>) row_outs(%out : memref<64xf32>) {combiners = ["sum"], kept = 1 : i64} passes {
  ^bb0(%position: i32, %count: i32, %e: f32):
    kernel.yield %e : f32
  } rows {
  ^bb0(%position: i32, %count: i32, %e: f32, %sum: f32):
    kernel.yield %sum : f32
  } elements {
  ^bb0(%position: i32, %count: i32, %e: f32, %sum: f32):
    kernel.yield
  }
  kernel.end
}

// -----

// Rows of more elements than 32 bits count, and places of a view that far from its first.
// CHECK-LABEL: k0(float *x0, long long *row0)
// CHECK: for (long long first = thread * 4; first < 2500000000ll; first += 4096) {
// CHECK-NEXT: const long long [[I:.*]] = first % 50000, [[R:.*]] = first / 50000;
// CHECK: const long long e = first + lane;
// CHECK-NEXT: = x0[(long long)([[R]]) * 50000 + (long long)(([[I]] + lane))];
// CHECK: result0_place = e;
kernel.program @far attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%in: memref<1x50000x50000xf32>, %out: memref<1xi64>):
  kernel.reduce ins(%in : memref<1x50000x50000xf32>) row_outs(%out : memref<1xi64>) {combiners = ["argmax"], kept = 1 : i64} passes {
  ^bb0(%position: i64, %count: i64, %x: f32):
    kernel.yield %x, %position : f32, i64
  } rows {
  ^bb0(%position: i64, %count: i64, %x: f32, %most: f32, %place: i64):
    kernel.yield %place : i64
  } elements {
  ^bb0(%position: i64, %count: i64, %x: f32, %most: f32, %place: i64):
    kernel.yield
  }
  kernel.end
}
