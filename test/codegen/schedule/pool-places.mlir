// If this fails, images live until the gradients of their poolings, which read a window where a byte suffices, or images
// that others read later are kept beside places.
// RUN: symc-opt -split-input-file -kernel-pool-places %s | FileCheck %s
// RUN: symc-opt -split-input-file -kernel-pool-places -kernel-pool-places -kernel-plan-arena -kernel-check-plan %s | FileCheck %s

// CHECK-LABEL: kernel.program @last
// CHECK: kernel.pool "max"
// CHECK: %[[PLACES:.*]] = kernel.buffer{{.*}} : memref<1x1x2x2x16xi8>
// CHECK: kernel.pool_places data(%{{.*}}) result(%{{.*}}) places(%[[PLACES]] {{.*}}kernel = array<i64: 2, 2>
// CHECK: kernel.forward_end
// CHECK: kernel.pool_gradient "max" slope(%{{.*}}) ins(%[[PLACES]] : memref<1x1x2x2x16xi8>)
kernel.program @last attributes {num_inputs = 2, num_outputs = 2, parts = ["forward", "backward", "forward", "backward"]} {
^bb0(%x: memref<1x1x4x4x16xf32>, %g: memref<1x1x2x2x16xf32>, %y: memref<1x1x2x2x16xf32>, %z: memref<1x1x4x4x16xf32>):
  %image = kernel.buffer() : memref<1x1x4x4x16xf32>
  %pooled = kernel.buffer() : memref<1x1x2x2x16xf32>
  kernel.copy %x to %image : memref<1x1x4x4x16xf32> to memref<1x1x4x4x16xf32>
  kernel.pool "max" data(%image : memref<1x1x4x4x16xf32>) extras() out(%pooled : memref<1x1x2x2x16xf32>) {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, count_include_pad = true} body {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  kernel.copy %pooled to %y : memref<1x1x2x2x16xf32> to memref<1x1x2x2x16xf32>
  kernel.forward_end
  kernel.pool_gradient "max" slope(%g : memref<1x1x2x2x16xf32>) ins(%image, %pooled : memref<1x1x4x4x16xf32>, memref<1x1x2x2x16xf32>) out(%z : memref<1x1x4x4x16xf32>) {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, count_include_pad = true}
  kernel.end
}

// -----

// Nearest miss of kernel-pool-places: a step behind the gradient reads the image, too.
// CHECK-LABEL: kernel.program @read
// CHECK-NOT: kernel.pool_places
kernel.program @read attributes {num_inputs = 2, num_outputs = 2} {
^bb0(%x: memref<1x1x4x4x16xf32>, %g: memref<1x1x2x2x16xf32>, %y: memref<1x1x4x4x16xf32>, %z: memref<1x1x4x4x16xf32>):
  %image = kernel.buffer() : memref<1x1x4x4x16xf32>
  %pooled = kernel.buffer() : memref<1x1x2x2x16xf32>
  kernel.copy %x to %image : memref<1x1x4x4x16xf32> to memref<1x1x4x4x16xf32>
  kernel.pool "max" data(%image : memref<1x1x4x4x16xf32>) extras() out(%pooled : memref<1x1x2x2x16xf32>) {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, count_include_pad = true} body {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  kernel.pool_gradient "max" slope(%g : memref<1x1x2x2x16xf32>) ins(%image, %pooled : memref<1x1x4x4x16xf32>, memref<1x1x2x2x16xf32>) out(%z : memref<1x1x4x4x16xf32>) {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, count_include_pad = true}
  kernel.copy %image to %y : memref<1x1x4x4x16xf32> to memref<1x1x4x4x16xf32>
  kernel.end
}

// -----

// The image is the caller's, and another window is another pooling.
// CHECK-LABEL: kernel.program @argument
// CHECK-NOT: kernel.pool_places
kernel.program @argument attributes {num_inputs = 2, num_outputs = 1} {
^bb0(%x: memref<1x1x4x4x16xf32>, %g: memref<1x1x2x2x16xf32>, %z: memref<1x1x4x4x16xf32>):
  %pooled = kernel.buffer() : memref<1x1x2x2x16xf32>
  kernel.pool "max" data(%x : memref<1x1x4x4x16xf32>) extras() out(%pooled : memref<1x1x2x2x16xf32>) {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, count_include_pad = true} body {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  kernel.pool_gradient "max" slope(%g : memref<1x1x2x2x16xf32>) ins(%x, %pooled : memref<1x1x4x4x16xf32>, memref<1x1x2x2x16xf32>) out(%z : memref<1x1x4x4x16xf32>) {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, count_include_pad = true}
  kernel.end
}
