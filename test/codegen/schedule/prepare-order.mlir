// If this fails, all that weights are computed by is in memory at once while a model is compiled.
// RUN: symc-opt --symc-schedule=targets=x86-64-v3 %s | FileCheck %s

sg.weight @w : tensor<64x64x1x1xf32>
sg.weight @v : tensor<64x64x1x1xf32>

// What the second weight needs lies where that of the first one did: 64 * 64 * 4 bytes. What no weight needs is not
// computed.
// CHECK: kernel.program @prepare_program attributes {arena_bytes = 16384 : i64
// CHECK-NOT: math.
// CHECK: kernel.pack_panels
// CHECK: kernel.loops
// CHECK: kernel.pack_panels
sg.graph @prepare() -> (tensor<64x64x1x1xf32>, tensor<64x64x1x1xf32>, tensor<64x64x1x1xf32>) {
  %w = sg.parameter @w : tensor<64x64x1x1xf32>
  %v = sg.parameter @v : tensor<64x64x1x1xf32>
  %0 = sg.scalar(%w) {fn = "mul", scalar = 2.0 : f64} : (tensor<64x64x1x1xf32>) -> tensor<64x64x1x1xf32>
  %1 = sg.scalar(%v) {fn = "mul", scalar = 3.0 : f64} : (tensor<64x64x1x1xf32>) -> tensor<64x64x1x1xf32>
  %2 = sg.unary(%v) {fn = "exp"} : (tensor<64x64x1x1xf32>) -> tensor<64x64x1x1xf32>
  sg.heads %0, %1, %2 : tensor<64x64x1x1xf32>, tensor<64x64x1x1xf32>, tensor<64x64x1x1xf32>
}
sg.graph @main(%x: tensor<1x64x4x4xf32> {sg.name = "x"}) -> (tensor<1x64x4x4xf32>) {
  %w = sg.prepared 0 : tensor<64x64x1x1xf32>
  %v = sg.prepared 1 : tensor<64x64x1x1xf32>
  %0 = sg.convolution(%x, %w) {kernel = array<i64: 1, 1>, num_filter = 64 : i64, no_bias = true} : (tensor<1x64x4x4xf32>, tensor<64x64x1x1xf32>) -> tensor<1x64x4x4xf32>
  %1 = sg.convolution(%0, %v) {kernel = array<i64: 1, 1>, num_filter = 64 : i64, no_bias = true} : (tensor<1x64x4x4xf32>, tensor<64x64x1x1xf32>) -> tensor<1x64x4x4xf32>
  sg.heads %1 : tensor<1x64x4x4xf32>
}
