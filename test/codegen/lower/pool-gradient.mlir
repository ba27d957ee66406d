// If this fails, gradients of poolings compare element by element, or clear what every window writes: whole windows are
// unrolled, of each tap a vector is compared, and what the window has to give is carried on.
// RUN: symc-opt %s -kernel-plan-arena -kernel-choose-tiles=target=x86-64-v3 -kernel-outline=target=x86-64-v3 -canonicalize -cse | FileCheck %s

// Windows side by side store, each half of a block by itself.
// CHECK-LABEL: func.func private @main_k0_pool_gradient
// CHECK-COUNT-8: arith.cmpf oeq, %{{.*}} : vector<8xf32>
// CHECK-NOT: arith.cmpf
// Those that overlap begin with zeros and add.
// CHECK-LABEL: func.func private @main_k1_pool_gradient
// CHECK: llvm.store %cst
// CHECK: arith.divf
// CHECK: %[[BEFORE:.*]] = llvm.load %[[PLACE:.*]] {{.*}} -> vector<8xf32>
// CHECK: %[[SUM:.*]] = arith.addf %[[BEFORE]]
// CHECK: llvm.store %[[SUM]], %[[PLACE]]
// Of all maxima nothing is taken from a window: there is one choice for each comparison.
// CHECK-LABEL: func.func private @main_k2_pool_gradient
// CHECK: arith.cmpf oeq
// CHECK-NEXT: arith.select
// CHECK-NOT: arith.select
// CHECK: llvm.store
kernel.program @main attributes {num_inputs = 3, num_outputs = 3} {
^bb0(%x: memref<2x1x4x4x16xf32>, %r: memref<2x1x2x2x16xf32>, %g: memref<2x1x2x2x16xf32>, %y: memref<2x1x4x4x16xf32>, %z: memref<2x1x4x4x16xf32>, %u: memref<2x1x4x4x16xf32>):
  kernel.pool_gradient "max" slope(%g : memref<2x1x2x2x16xf32>) ins(%x, %r : memref<2x1x4x4x16xf32>, memref<2x1x2x2x16xf32>) out(%y : memref<2x1x4x4x16xf32>) {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, count_include_pad = true}
  kernel.pool_gradient "avg" slope(%g : memref<2x1x2x2x16xf32>) ins() out(%z : memref<2x1x4x4x16xf32>) {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, count_include_pad = true}
  kernel.pool_gradient "maxima" slope(%g : memref<2x1x2x2x16xf32>) ins(%x, %r : memref<2x1x4x4x16xf32>, memref<2x1x2x2x16xf32>) out(%u : memref<2x1x4x4x16xf32>) {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, count_include_pad = true}
  kernel.end
}
