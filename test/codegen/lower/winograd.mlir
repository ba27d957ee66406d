// Winograd's convolution: a task takes a free row of scratch, transforms its tiles,
// sums one product a position by the register tile, transforms back through the
// step's body, and gives the row back. Portable arithmetic rounds twice everywhere.
// RUN: symc-opt %s -kernel-plan-arena -kernel-choose-tiles=target=x86-64-v4 -kernel-outline=target=x86-64-v4 -canonicalize -cse | FileCheck %s
// RUN: symc-opt %s -kernel-plan-arena -kernel-choose-tiles=target=x86-64-v4 "-kernel-outline=target=x86-64-v4 math=portable" -canonicalize -cse | FileCheck %s --check-prefix=PORTABLE

// CHECK-LABEL: func.func private @main_k0_winograd
// CHECK: scf.while
// CHECK: llvm.atomicrmw xchg %{{.*}} acquire
// Inputs: 4 loads, B' twice, 16 positions.
// CHECK: llvm.load %{{.*}} -> vector<16xf32>
// CHECK: arith.subf %{{.*}} : vector<16xf32>
// The product of 2 vectors by 4 tiles, then its plain stores.
// CHECK: vector.broadcast %{{.*}} : f32 to vector<16xf32>
// CHECK-COUNT-8: vector.fma
// CHECK-NOT: vector.fma
// CHECK-COUNT-8: llvm.store %{{.*}} : vector<16xf32>
// The step's body, on the pixels of a row.
// CHECK: math.absf %{{.*}} : vector<16xf32>
// CHECK: llvm.store
// CHECK: math.absf %{{.*}} : vector<16xf32>
// CHECK: llvm.store
// CHECK-NOT: math.absf
// CHECK: llvm.store %{{.*}} atomic release
// PORTABLE-LABEL: func.func private @main_k0_winograd
// PORTABLE-NOT: vector.fma
// PORTABLE: arith.mulf %{{.*}} : vector<16xf32>
kernel.program @main attributes {num_inputs = 2, num_outputs = 3} {
^bb0(%x: memref<1x1x10x6x16xf32>, %w: memref<16x2x1x16x16xf32>, %out: memref<1x2x8x4x16xf32>, %s: memref<2x3840xf32>, %n: memref<2x16xi32>):
  kernel.winograd data(%x : memref<1x1x10x6x16xf32>) weights(%w : memref<16x2x1x16x16xf32>) extras() out(%out : memref<1x2x8x4x16xf32>) scratch(%s : memref<2x3840xf32>, %n : memref<2x16xi32>) {output_tile = 2, in_channels = 16, out_channels = 32, block = array<i64: 4, 2>, per_task = array<i64: 1, 2>, tile = array<i64: 2, 1, 4>} body {
  ^bb0(%a: f32):
    %y = math.absf %a : f32
    kernel.yield %y : f32
  }
  kernel.end
}

// Weights that the step transforms itself: one row of positions at a time, nine
// multiply-adds of 1 tile times 6 columns and of the transform among them; nothing of
// the transformed weights is stored, and of the six sums the four of their transform.
// CHECK-LABEL: func.func private @on_the_fly_k0_winograd
// CHECK: scf.for %{{.*}} iter_args
// CHECK: llvm.intr.prefetch
// CHECK: arith.addf %{{.*}} : vector<16xf32>
// CHECK: arith.mulf %{{.*}} : vector<16xf32>
// CHECK: vector.broadcast %{{.*}} : f32 to vector<16xf32>
// CHECK-NOT: llvm.store
// CHECK-COUNT-9: vector.fma
// CHECK: scf.yield
// CHECK: vector.fma
// CHECK-COUNT-4: llvm.store %{{.*}} : vector<16xf32>
// CHECK-NOT: llvm.store
// CHECK: scf.for
kernel.program @on_the_fly attributes {num_inputs = 2, num_outputs = 3} {
^bb0(%x: memref<1x1x6x6x16xf32>, %w: memref<1x1x16x9x16xf32>, %out: memref<1x1x4x4x16xf32>, %s: memref<1x1728xf32>, %n: memref<1x16xi32>):
  kernel.winograd data(%x : memref<1x1x6x6x16xf32>) weights(%w : memref<1x1x16x9x16xf32>) extras() out(%out : memref<1x1x4x4x16xf32>) scratch(%s : memref<1x1728xf32>, %n : memref<1x16xi32>) {output_tile = 4, in_channels = 16, out_channels = 16, block = array<i64: 1, 1>, per_task = array<i64: 1, 1>} body {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  kernel.end
}

// 7x7 pixels are tiles of 4 and 3, of which short ones lack the last row or column of
// positions: 6 + 5 each way make 121 products of a channel and pixel, not 144.
// CHECK-LABEL: func.func private @short_k0_winograd
// CHECK-COUNT-121: vector.broadcast %{{.*}} : f32 to vector<16xf32>
// CHECK-NOT: vector.broadcast %{{.*}} : f32
// CHECK: return
kernel.program @short attributes {num_inputs = 2, num_outputs = 3} {
^bb0(%x: memref<1x1x9x9x16xf32>, %w: memref<1x1x16x9x16xf32>, %out: memref<1x1x7x7x16xf32>, %s: memref<1x6336xf32>, %n: memref<1x16xi32>):
  kernel.winograd data(%x : memref<1x1x9x9x16xf32>) weights(%w : memref<1x1x16x9x16xf32>) extras() out(%out : memref<1x1x7x7x16xf32>) scratch(%s : memref<1x6336xf32>, %n : memref<1x16xi32>) {output_tile = 4, in_channels = 16, out_channels = 16, block = array<i64: 4, 1>, per_task = array<i64: 1, 1>} body {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  kernel.end
}

// The same for targets of few registers: a row of positions is transformed and stored, one of
// six ways, then summed by products that read it as panels.
// CHECK-LABEL: func.func private @expanded_k0_winograd
// CHECK: llvm.intr.prefetch
// CHECK-NOT: vector.broadcast %{{.*}} : f32
// CHECK-COUNT-36: llvm.store %{{.*}} : vector<16xf32>
// CHECK-NOT: llvm.intr.prefetch
// CHECK: vector.broadcast %{{.*}} : f32 to vector<16xf32>
// CHECK-NEXT: vector.fma
kernel.program @expanded attributes {num_inputs = 2, num_outputs = 3} {
^bb0(%x: memref<1x1x6x6x16xf32>, %w: memref<1x1x16x9x16xf32>, %out: memref<1x1x4x4x16xf32>, %s: memref<1x3360xf32>, %n: memref<1x16xi32>):
  kernel.winograd data(%x : memref<1x1x6x6x16xf32>) weights(%w : memref<1x1x16x9x16xf32>) extras() out(%out : memref<1x1x4x4x16xf32>) scratch(%s : memref<1x3360xf32>, %n : memref<1x16xi32>) {output_tile = 4, in_channels = 16, out_channels = 16, block = array<i64: 1, 1>, per_task = array<i64: 1, 1>, expand} body {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  kernel.end
}
