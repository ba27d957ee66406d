// Steps that give a thread four neighbours: what is one access of 128 or 64 bits, and what keeps a
// step at one element a thread.
// RUN: symc-opt %s -kernel-plan-arena -kernel-print-cuda -split-input-file -o /dev/null | FileCheck %s

// Inputs and outputs of the program lie anywhere: of the three steps only the one in the middle has
// vectors; the copies are one kernel. A row for each of 64 rows is a vector too, one number for a row is none.
// CHECK: static __device__ __forceinline__ void load4(T (&x)[4], const T *place) {
// CHECK: // copy
// CHECK-NOT: load4
// CHECK: // loops
// CHECK-NEXT: extern "C" __global__ void __launch_bounds__(256) k1(float *x0, float *x1, float *x2, float *y0) {
// CHECK-NEXT: follow();
// CHECK-NEXT: for (int [[AT:.*]] = (blockIdx.x * 256 + threadIdx.x) * 4; [[AT]] < 262144; [[AT]] += gridDim.x * 256 * 4) {
// CHECK-NEXT: const int [[C:.*]] = [[AT]] % 4096, [[R:.*]] = [[AT]] / 4096;
// CHECK-NEXT: float [[X:.*]][4];
// CHECK-NEXT: load4([[X]], &x0{{\[}}[[R]] * 4096 + [[C]]]);
// CHECK-NEXT: float [[Y:.*]][4];
// CHECK-NEXT: load4([[Y]], &x1{{\[}}[[C]]]);
// CHECK-NEXT: const float [[Z:.*]] = x2{{\[}}[[R]]];
// CHECK-NEXT: float [[OUT:.*]][4];
// CHECK-NEXT: #pragma unroll
// CHECK-NEXT: for (int lane = 0; lane < 4; ++lane) {
// CHECK-NEXT: const float [[A:.*]] = [[X]][lane];
// CHECK-NEXT: const float [[B:.*]] = [[Y]][lane];
// CHECK-NEXT: const float [[D:.*]] = [[Z]];
// CHECK-NEXT: const float [[P:.*]] = [[A]] * [[B]];
// CHECK-NEXT: const float [[S:.*]] = [[P]] + [[D]];
// CHECK-NEXT: [[OUT]][lane] = [[S]];
// CHECK-NEXT: }
// CHECK-NEXT: store4(&y0{{\[}}[[R]] * 4096 + [[C]]], [[OUT]]);
// CHECK-NEXT: }
// CHECK-NEXT: }
kernel.program @dense attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%in: memref<64x4096xf32>, %out: memref<64x4096xf32>):
  %a = kernel.buffer() : memref<64x4096xf32>
  %b = kernel.buffer() : memref<64x4096xf32>
  kernel.copy %in to %a : memref<64x4096xf32> to memref<64x4096xf32>
  %row = memref.reinterpret_cast %a to offset: [0], sizes: [64, 4096], strides: [0, 1] : memref<64x4096xf32> to memref<64x4096xf32, strided<[0, 1]>>
  %column = memref.reinterpret_cast %a to offset: [0], sizes: [64, 4096], strides: [1, 0] : memref<64x4096xf32> to memref<64x4096xf32, strided<[1, 0]>>
  kernel.loops ins(%a, %row, %column : memref<64x4096xf32>, memref<64x4096xf32, strided<[0, 1]>>, memref<64x4096xf32, strided<[1, 0]>>) outs(%b : memref<64x4096xf32>) body {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %p, %z : f32
    kernel.yield %s : f32
  }
  kernel.copy %b to %out : memref<64x4096xf32> to memref<64x4096xf32>
  kernel.end
}

// -----

// Half floats: 64 bits, converted lane by lane. A fill and a copy move no values.
// CHECK-LABEL: // fill
// CHECK: unsigned short [[R:.*]][4];
// CHECK-NEXT: #pragma unroll
// CHECK-NEXT: for (int lane = 0; lane < 4; ++lane) {
// CHECK-NEXT: [[R]][lane] = to_half(1.5f);
// CHECK-NEXT: }
// CHECK-NEXT: store4(&y0[at0], [[R]]);
// CHECK-LABEL: // loops
// CHECK: unsigned short [[X:.*]][4];
// CHECK-NEXT: load4([[X]], &x0[at0]);
// CHECK: const float [[V:.*]] = from_half([[X]][lane]);
// CHECK-NEXT: const float [[S:.*]] = from_half(to_half([[V]] + [[V]]));
// CHECK-NEXT: {{r[0-9]+}}[lane] = to_half([[S]]);
// CHECK-LABEL: // copy
// CHECK: load4([[X:.*]], &x0[at0]);
// CHECK: {{^ *}}[[Y:.*]][lane] = [[X]][lane];
// CHECK: store4(&y0[at0], [[Y]]);
kernel.program @half attributes {num_inputs = 0, num_outputs = 1} {
^bb0(%out: memref<200000xf16>):
  %a = kernel.buffer() : memref<200000xf16>
  %b = kernel.buffer() : memref<200000xf16>
  %c = kernel.buffer() : memref<200000xf16>
  kernel.fill %a with 1.5 : f16 : memref<200000xf16>
  kernel.loops ins(%a : memref<200000xf16>) outs(%b : memref<200000xf16>) body {
  ^bb0(%x: f16):
    %s = arith.addf %x, %x : f16
    kernel.yield %s : f16
  }
  kernel.copy %b to %c : memref<200000xf16> to memref<200000xf16>
  kernel.copy %c to %out : memref<200000xf16> to memref<200000xf16>
  kernel.end
}

// -----

// Nearest misses of vectors in kernel-print-cuda, one element a thread: a view that begins between vectors, rows that do, rows of another extent,
// elements that lie apart, elements of 64 bits, and fewer than fill a device.
// CHECK-LABEL: k0(
// CHECK-NOT: {{load|store}}4
// CHECK: k6(
// CHECK-NOT: {{load|store}}4
// CHECK-LABEL: // Four neighbours
kernel.program @scalar attributes {num_inputs = 0, num_outputs = 1} {
^bb0(%out: memref<1024x1024xf32>):
  %a = kernel.buffer() : memref<1024x1024xf32>
  %b = kernel.buffer() : memref<1024x1024xf32>
  %d = kernel.buffer() : memref<512x1024xf64>
  %shifted = memref.reinterpret_cast %a to offset: [2], sizes: [1000, 1000], strides: [1024, 1] : memref<1024x1024xf32> to memref<1000x1000xf32, strided<[1024, 1], offset: 2>>
  %odd = memref.reinterpret_cast %a to offset: [0], sizes: [1000, 1000], strides: [1021, 1] : memref<1024x1024xf32> to memref<1000x1000xf32, strided<[1021, 1]>>
  %to = memref.reinterpret_cast %b to offset: [0], sizes: [1000, 1000], strides: [1024, 1] : memref<1024x1024xf32> to memref<1000x1000xf32, strided<[1024, 1]>>
  %short = memref.reinterpret_cast %b to offset: [0], sizes: [1000, 1002], strides: [1024, 1] : memref<1024x1024xf32> to memref<1000x1002xf32, strided<[1024, 1]>>
  %across = memref.reinterpret_cast %a to offset: [0], sizes: [1000, 1000], strides: [1, 1024] : memref<1024x1024xf32> to memref<1000x1000xf32, strided<[1, 1024]>>
  %few = memref.reinterpret_cast %b to offset: [0], sizes: [131, 1024], strides: [1024, 1] : memref<1024x1024xf32> to memref<131x1024xf32, strided<[1024, 1]>>
  kernel.copy %shifted to %to : memref<1000x1000xf32, strided<[1024, 1], offset: 2>> to memref<1000x1000xf32, strided<[1024, 1]>>
  kernel.copy %odd to %to : memref<1000x1000xf32, strided<[1021, 1]>> to memref<1000x1000xf32, strided<[1024, 1]>>
  kernel.copy %across to %to : memref<1000x1000xf32, strided<[1, 1024]>> to memref<1000x1000xf32, strided<[1024, 1]>>
  kernel.fill %short with 1.0 : f32 : memref<1000x1002xf32, strided<[1024, 1]>>
  kernel.fill %d with 1.0 : f64 : memref<512x1024xf64>
  kernel.fill %few with 1.0 : f32 : memref<131x1024xf32, strided<[1024, 1]>>
  kernel.copy %b to %out : memref<1024x1024xf32> to memref<1024x1024xf32>
  kernel.end
}

// -----

// Four channels of a pixel: of a window each tap is one access, and so is what a filter multiplies
// it with. Each channel adds in the order of a kernel of one.
// CHECK-LABEL: // pool
// CHECK: float sums[4] = {0, 0, 0, 0};
// CHECK: load4([[TAP:.*]], &data
// CHECK-NEXT: #pragma unroll
// CHECK-NEXT: for (int lane = 0; lane < 4; ++lane) {
// CHECK-NEXT: const float tap = [[TAP]][lane];
// CHECK-NEXT: sums[lane] = sums[lane] + tap;
// CHECK: sums[lane] = sums[lane] / (float)(row_share * column_share);
// CHECK: store4(&out
// CHECK: // depthwise
// CHECK: float sums[4] = {0.0f, 0.0f, 0.0f, 0.0f};
// CHECK: load4([[X:.*]], &data
// CHECK: load4([[W:.*]], &filter
// CHECK: const float [[A:.*]] = [[X]][lane];
// CHECK-NEXT: const float [[B:.*]] = [[W]][lane];
// CHECK-NEXT: sums[lane] = fmaf([[A]], [[B]], sums[lane]);
// CHECK: store4(&out
// CHECK: // interpolate
// CHECK: load4([[LOW:.*]], &data
// CHECK: load4([[HIGH:.*]], &data
// CHECK: [[LOW]][lane];
// CHECK: [[HIGH]][lane];
// CHECK: store4(&out
kernel.program @windows attributes {num_inputs = 0, num_outputs = 1} {
^bb0(%out: memref<1x4x224x112x16xf32>):
  %x = kernel.buffer() : memref<1x4x114x114x16xf32>
  %w = kernel.buffer() : memref<4x3x3x16xf32>
  %y = kernel.buffer() : memref<1x4x114x114x16xf32>
  %z = kernel.buffer() : memref<1x4x112x112x16xf32>
  %up = kernel.buffer() : memref<1x4x224x112x16xf32>
  kernel.fill %x with 1.0 : f32 : memref<1x4x114x114x16xf32>
  kernel.fill %w with 1.0 : f32 : memref<4x3x3x16xf32>
  kernel.pool "avg" data(%x : memref<1x4x114x114x16xf32>) extras() out(%y : memref<1x4x114x114x16xf32>) {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, pad = #kernel.padding<top = 1, bottom = 1, left = 1, right = 1>, count_include_pad = false} body {
  ^bb0(%sum: f32):
    kernel.yield %sum : f32
  }
  kernel.depthwise data(%y : memref<1x4x114x114x16xf32>) weights(%w : memref<4x3x3x16xf32>) extras() out(%z : memref<1x4x112x112x16xf32>) {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>} body {
  ^bb0(%sum: f32):
    kernel.yield %sum : f32
  }
  kernel.interpolate %z to %up along 2 : memref<1x4x112x112x16xf32> to memref<1x4x224x112x16xf32>
  kernel.copy %up to %out : memref<1x4x224x112x16xf32> to memref<1x4x224x112x16xf32>
  kernel.end
}

// -----

// Groups of two channels: four lanes share the channels of both of their groups.
// CHECK-LABEL: k2(float *data, float *filter, float *out) {
// CHECK: load4([[X:.*]], &data
// CHECK-NEXT: #pragma unroll
// CHECK-NEXT: for (int i = 0; i < 2; ++i) {
// CHECK-NEXT: float [[W:.*]][4];
// CHECK-NEXT: load4([[W]], &filter{{.*}} i * 16
// CHECK: const float [[A:.*]] = [[W]][lane];
// CHECK-NEXT: sums[lane] = fmaf([[X]][lane / 2 * 2 + i], [[A]], sums[lane]);
kernel.program @groups attributes {num_inputs = 0, num_outputs = 1} {
^bb0(%out: memref<1x4x62x62x16xf32>):
  %x = kernel.buffer() : memref<1x4x64x64x16xf32>
  %w = kernel.buffer() : memref<4x3x3x2x16xf32>
  %y = kernel.buffer() : memref<1x4x62x62x16xf32>
  kernel.fill %x with 1.0 : f32 : memref<1x4x64x64x16xf32>
  kernel.fill %w with 1.0 : f32 : memref<4x3x3x2x16xf32>
  kernel.depthwise data(%x : memref<1x4x64x64x16xf32>) weights(%w : memref<4x3x3x2x16xf32>) extras() out(%y : memref<1x4x62x62x16xf32>) {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>} body {
  ^bb0(%sum: f32):
    kernel.yield %sum : f32
  }
  kernel.copy %y to %out : memref<1x4x62x62x16xf32> to memref<1x4x62x62x16xf32>
  kernel.end
}
