// If this fails, --precision f16 keeps what layers of a network read and write as float32, or rounds what
// no layer touches: inputs, outputs, what a reference kernel reads.
// RUN: symc-opt --kernel-choose-layouts --kernel-schedule --kernel-make-variants=targets=x86-64-v3 --kernel-narrow-storage %s | FileCheck %s
// RUN: symc-opt --kernel-choose-layouts --kernel-schedule --kernel-make-variants=targets=x86-64-v3 --kernel-narrow-storage=type=bf16 %s | FileCheck %s --check-prefix=BF16
// RUN: not symc-opt --kernel-narrow-storage=type=f8 %s 2>&1 | FileCheck %s --check-prefix=TYPE
// TYPE: error: kernel-narrow-storage: type is 'f8', needs f16 or bf16
// RUN: symc-opt --symc-cuda=storage=f16 %s | FileCheck %s --check-prefix=PLANNED

// Weights of half the bytes, but those of a layer that reads an input, which stays float32.
// CHECK: kernel.prepared @w.first.panels.planar3 at 0 : memref<1x1x3x3x3x16xf32>
// CHECK-NEXT: kernel.prepared @w.second.panels at 1728 : memref<1x1x3x3x16x16xf16>
// CHECK-NEXT: kernel.prepared @w.third.panels at 6336 : memref<1x1x3x3x16x16xf16>
// CHECK: kernel.program @prepare_program
// CHECK: [[EXACT:%.*]] = kernel.buffer() : memref<1x1x3x3x16x16xf32>
// CHECK: kernel.pack_panels {{.*}} to [[EXACT]]
// CHECK: [[PLACE:%.*]] = kernel.weight @w.second.panels : memref<1x1x3x3x16x16xf16>
// CHECK-NEXT: kernel.loops ins([[EXACT]] : {{.*}}) outs([[PLACE]] : {{.*}}) body {
// CHECK: arith.truncf {{.*}} : f32 to f16
// BF16: arith.truncf {{.*}} : f32 to bf16

// What the first layer writes, the pooling reads and writes, and the second reads; bodies compute with f32. What is
// only moved to an output is float32.
// CHECK: kernel.variant @model_run_0
// CHECK: kernel.conv data({{.*}}xf32{{.*}}) weights({{.*}}xf32{{.*}}) extras() out({{.*}}xf16{{.*}}kernel.narrow
// CHECK-NEXT: ^bb0(%{{.*}}: f32):
// CHECK: kernel.pool "max" data({{.*}}xf16{{.*}}) extras() out({{.*}}xf16{{.*}}kernel.narrow
// CHECK: kernel.conv data({{.*}}xf16{{.*}}) weights({{.*}} : memref<1x1x3x3x16x16xf16>) extras() out({{.*}}xf32{{.*}}kernel.narrow
// Nearest miss of kernel-narrow-storage: what a reference kernel reads or writes is float32, and moved from and to what layers have.
// CHECK: kernel.call "symc_ref_topk_f32" "topk" ins({{.*}}xf32>) outs({{.*}}xf32>)
// CHECK: kernel.copy {{.*}} {kernel.narrow} : memref<{{.*}}xf32{{.*}}> to memref<{{.*}}xf16
// CHECK: kernel.conv data({{.*}}xf16{{.*}}) weights({{.*}}xf16>) extras() out({{.*}}xf16{{.*}}kernel.narrow
// CHECK: kernel.copy {{.*}} {kernel.narrow} : memref<{{.*}}xf16{{.*}}> to memref<{{.*}}xf32
// CHECK: kernel.call "symc_ref_topk_f32" "topk" ins({{.*}}xf32>)
// CHECK: kernel.copy {{[^{]*}} : memref<{{.*}}xf32{{.*}}> to memref<{{.*}}xf32

// PLANNED: kernel.buffer() at {{[0-9]+}} : memref<{{.*}}xf16>

sg.weight @first : tensor<16x3x3x3xf32>
sg.weight @second : tensor<16x16x3x3xf32>
sg.weight @third : tensor<16x16x3x3xf32>
sg.graph @main(%x: tensor<2x3x18x18xf32> {sg.name = "x"}, %y: tensor<2x16x8x8xf32> {sg.name = "y"}) -> (tensor<2x16x6x6xf32>, tensor<2x16x6x1xf32>) {
  %w1 = sg.parameter @first : tensor<16x3x3x3xf32>
  %w2 = sg.parameter @second : tensor<16x16x3x3xf32>
  %w3 = sg.parameter @third : tensor<16x16x3x3xf32>
  %0 = sg.convolution(%x, %w1) {kernel = array<i64: 3, 3>, num_filter = 16 : i64, no_bias = true} : (tensor<2x3x18x18xf32>, tensor<16x3x3x3xf32>) -> tensor<2x16x16x16xf32>
  %1 = sg.pooling(%0) {kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>} : (tensor<2x16x16x16xf32>) -> tensor<2x16x8x8xf32>
  %2 = sg.convolution(%1, %w2) {kernel = array<i64: 3, 3>, num_filter = 16 : i64, no_bias = true} : (tensor<2x16x8x8xf32>, tensor<16x16x3x3xf32>) -> tensor<2x16x6x6xf32>
  %s = sg.topk(%y) {axis = -1 : i64, k = 8 : i64, ret_typ = "value"} : (tensor<2x16x8x8xf32>) -> tensor<2x16x8x8xf32>
  %3 = sg.convolution(%s, %w3) {kernel = array<i64: 3, 3>, num_filter = 16 : i64, no_bias = true} : (tensor<2x16x8x8xf32>, tensor<16x16x3x3xf32>) -> tensor<2x16x6x6xf32>
  %4 = sg.topk(%3) {axis = -1 : i64, ret_typ = "value"} : (tensor<2x16x6x6xf32>) -> tensor<2x16x6x1xf32>
  sg.heads %2, %4 : tensor<2x16x6x6xf32>, tensor<2x16x6x1xf32>
}
