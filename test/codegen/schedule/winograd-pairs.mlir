// If this fails, a layer by Winograd's algorithm multiplies float32 under --precision bf16 though the instruction set
// multiplies pairs of 16 bits, reads weights that are not rounded or not paired, or a file for an
// instruction set without such products does.
// RUN: symc-opt --kernel-choose-layouts --kernel-schedule "--kernel-choose-algorithms=target=x86-64-v4+bf16 precision=bf16" %s | FileCheck %s
// RUN: symc-opt --kernel-choose-layouts --kernel-schedule "--kernel-choose-algorithms=target=x86-64-v4 precision=bf16" %s | FileCheck %s --check-prefix=NONE
// RUN: symc-opt --kernel-choose-layouts --kernel-schedule "--kernel-choose-algorithms=target=x86-64-v4+bf16 math=strict precision=bf16" %s | FileCheck %s --check-prefix=NONE
// RUN: symc-opt --kernel-choose-layouts --kernel-schedule "--kernel-choose-algorithms=target=x86-64-v4 precision=bf16 force-kernel=winograd-f2-pairs" %s | FileCheck %s --check-prefix=REASON

// CHECK-LABEL: kernel.program @main_program
// CHECK: kernel.winograd data(%{{.*}} : memref<1x16x16x16x16xf32{{.*}}>) weights(%{{.*}} : memref<16x16x16x16x16xbf16>)
// CHECK-SAME: scratch(%{{.*}} : memref<{{[0-9x]+}}xf32>
// CHECK-SAME: kernel.narrow
// CHECK-SAME: output_tile = 2
// CHECK: kernel.prepared @w.v.winograd_pairs.m2.r3 at 0 : memref<16x16x16x16x16xbf16>
// CHECK-LABEL: kernel.program @prepare_program
// CHECK: %[[EXACT:.*]] = kernel.buffer() : memref<16x16x16x16x16xf32>
// CHECK: kernel.pack_winograd %{{.*}} to %[[EXACT]]
// CHECK: kernel.loops ins(%{{.*}} : memref<32768x16x2xf32, strided<[32, 1, 16]>>) outs(%{{.*}} : memref<32768x16x2xbf16, strided<[32, 2, 1]>>)
// CHECK: arith.truncf
// NONE-NOT: winograd_pairs
// REASON: reason = "its direct product is not one of 16 bits"
sg.weight @v : tensor<256x256x3x3xf32>
sg.graph @main(%x: tensor<1x256x14x14xf32> {sg.name = "x"}) -> (tensor<1x256x14x14xf32>) {
  %v = sg.parameter @v : tensor<256x256x3x3xf32>
  %0 = sg.convolution(%x, %v) {kernel = array<i64: 3, 3>, pad = array<i64: 1, 1>, num_filter = 256 : i64, no_bias = true} : (tensor<1x256x14x14xf32>, tensor<256x256x3x3xf32>) -> tensor<1x256x14x14xf32>
  sg.heads %0 : tensor<1x256x14x14xf32>
}
