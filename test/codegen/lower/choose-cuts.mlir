// If this fails, the tasks of a step that has no register tile are not what its extents and the
// target say, are chosen again, or a lowering makes others of them.
// RUN: symc-opt %s -kernel-plan-arena -kernel-choose-tiles=target=x86-64-v4 > %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: symc-opt %t.mlir -kernel-choose-tiles=target=x86-64-v2 | diff %t.mlir -
// RUN: symc-opt %t.mlir -kernel-outline=target=x86-64-v4 | FileCheck %s --check-prefix=TASKS

// Of dense views the normal form has one axis.
// CHECK-LABEL: @dense
// CHECK: kernel.copy {{.*}} {cut = #kernel.cut<axis = 0, indices = 12500>} : memref<1000x100xf32>
// TASKS-LABEL: llvm.func @dense
// TASKS: llvm.mlir.constant(8 : i64)
kernel.program @dense attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%in: memref<1000x100xf32>, %out: memref<1000x100xf32>):
  kernel.copy %in to %out : memref<1000x100xf32> to memref<1000x100xf32>
  kernel.end
}

// An extent behind the axis is known at run time only: as many rows as hold so many elements.
// CHECK-LABEL: @sizes
// CHECK: kernel.copy {{.*}} {cut = #kernel.cut<axis = 1, grain = 16384, work = 1>}
// TASKS-LABEL: llvm.func @sizes
kernel.program @sizes attributes {num_inputs = 1, num_outputs = 1, dim_min = array<i64: 1>, dim_max = array<i64: 4096>} {
^bb0(%in: memref<4x?x100x?xf32>, %out: memref<4x?x100x?xf32>, %n: index):
  %a = memref.reinterpret_cast %in to offset: [0], sizes: [4, 600, 100, %n], strides: [7000000, 10000, 100, 1] : memref<4x?x100x?xf32> to memref<4x600x100x?xf32, strided<[7000000, 10000, 100, 1]>>
  %b = memref.reinterpret_cast %out to offset: [0], sizes: [4, 600, 100, %n], strides: [7000000, 10000, 100, 1] : memref<4x?x100x?xf32> to memref<4x600x100x?xf32, strided<[7000000, 10000, 100, 1]>>
  kernel.copy %a to %b : memref<4x600x100x?xf32, strided<[7000000, 10000, 100, 1]>> to memref<4x600x100x?xf32, strided<[7000000, 10000, 100, 1]>>
  kernel.end
}

// A transpose is not cut along the target's rows.
// CHECK-LABEL: @transpose
// CHECK: kernel.copy {{.*}} {cut = #kernel.cut<axis = 0, indices = 32>}
kernel.program @transpose attributes {num_inputs = 1, num_outputs = 1} {
^bb0(%in: memref<512x64xf32>, %out: memref<64x512xf32>):
  %t = memref.reinterpret_cast %in to offset: [0], sizes: [64, 512], strides: [1, 64] : memref<512x64xf32> to memref<64x512xf32, strided<[1, 64]>>
  kernel.copy %t to %out : memref<64x512xf32, strided<[1, 64]>> to memref<64x512xf32>
  kernel.end
}

// Few planes are cut by rows, many stay whole, and of a number known at run time so many join a
// task that at most 32 are left.
// CHECK-LABEL: @depthwise
// CHECK: kernel.depthwise
// CHECK-SAME: cut = #kernel.depthwise_tasks<planes = 1, rows = {{[1-9][0-9]*}}>
// CHECK: kernel.depthwise
// CHECK-SAME: cut = #kernel.depthwise_tasks<planes = {{[0-9]+}}, plane_chunks = 32>
kernel.program @depthwise attributes {num_inputs = 3, num_outputs = 2, dim_min = array<i64: 1>, dim_max = array<i64: 8>} {
^bb0(%x: memref<1x2x114x114x16xf32>, %w: memref<2x3x3x16xf32>, %d: memref<?x2x16x16x16xf32>, %y: memref<1x2x112x112x16xf32>, %z: memref<?x2x14x14x16xf32>, %n: index):
  kernel.depthwise data(%x : memref<1x2x114x114x16xf32>) weights(%w : memref<2x3x3x16xf32>) extras() out(%y : memref<1x2x112x112x16xf32>) {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>} body {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  %from = memref.reinterpret_cast %d to offset: [0], sizes: [%n, 2, 16, 16, 16], strides: [8192, 4096, 256, 16, 1] : memref<?x2x16x16x16xf32> to memref<?x2x16x16x16xf32, strided<[8192, 4096, 256, 16, 1]>>
  %to = memref.reinterpret_cast %z to offset: [0], sizes: [%n, 2, 14, 14, 16], strides: [6272, 3136, 224, 16, 1] : memref<?x2x14x14x16xf32> to memref<?x2x14x14x16xf32, strided<[6272, 3136, 224, 16, 1]>>
  kernel.depthwise data(%from : memref<?x2x16x16x16xf32, strided<[8192, 4096, 256, 16, 1]>>) weights(%w : memref<2x3x3x16xf32>) extras() out(%to : memref<?x2x14x14x16xf32, strided<[6272, 3136, 224, 16, 1]>>) {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>} body {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  kernel.end
}
