// If this fails, weights get values from other steps than @prepare's, or their
// bits depend on the machine that compiles.
// RUN: symc-opt --kernel-choose-layouts --kernel-schedule %s | FileCheck %s

sg.weight @w : tensor<16x16x1x1xf32>
sg.weight @s : tensor<16x1x1x1xf32>

// CHECK-LABEL: kernel.program @main_program
// CHECK: kernel.weight @w.prepared0.panels
// CHECK: kernel.conv
// CHECK: kernel.prepared @w.prepared0.panels at 0

// Plain loops compute the product, then it is packed where @main reads it.
// CHECK-LABEL: kernel.program @prepare_program
// CHECK: ^bb0(%[[W:.*]]: memref<16x16x1x1xf32>, %[[S:.*]]: memref<16x1x1x1xf32>):
// CHECK: %[[PRODUCT:.*]] = kernel.buffer() : memref<16x16x1x1xf32>
// CHECK: memref.reinterpret_cast %[[S]] {{.*}} strides: [1, 0, {{.*}}]
// CHECK: kernel.loops
// CHECK: arith.mulf
// CHECK: %[[TARGET:.*]] = kernel.weight @w.prepared0.panels
// CHECK: kernel.pack_panels %{{.*}} to %[[TARGET]]
sg.graph @prepare() -> (tensor<16x16x1x1xf32>) {
  %w = sg.parameter @w : tensor<16x16x1x1xf32>
  %s = sg.parameter @s : tensor<16x1x1x1xf32>
  %0 = sg.binary(%w, %s) {fn = "mul", broadcast = true} : (tensor<16x16x1x1xf32>, tensor<16x1x1x1xf32>) -> tensor<16x16x1x1xf32>
  sg.heads %0 : tensor<16x16x1x1xf32>
}
sg.graph @main(%x: tensor<1x16x4x4xf32> {sg.name = "x"}) -> (tensor<1x16x4x4xf32>) {
  %p = sg.prepared 0 : tensor<16x16x1x1xf32>
  %0 = sg.convolution(%x, %p) {kernel = array<i64: 1, 1>, num_filter = 16 : i64, no_bias = true} : (tensor<1x16x4x4xf32>, tensor<16x16x1x1xf32>) -> tensor<1x16x4x4xf32>
  sg.heads %0 : tensor<1x16x4x4xf32>
}
