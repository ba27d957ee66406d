// If this fails, a layer over planes of a picture multiplies float32 under --precision though the
// instruction set multiplies pairs of 16 bits, multiplies a column by the weight of another one, or
// hands on what is no number beyond its windows with strict mathematics.
// RUN: symc-opt --kernel-choose-layouts --kernel-schedule "--kernel-choose-algorithms=target=x86-64-v4+bf16 precision=bf16" --remarks-filter=kernel-choose-algorithms --remark-format=emitRemark %s 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks
// RUN: symc-opt --kernel-choose-layouts --kernel-schedule "--kernel-choose-algorithms=target=x86-64-v4+bf16 precision=bf16 math=strict" %s | FileCheck %s --check-prefix=STRICT
// RUN: symc-opt --kernel-choose-layouts --kernel-schedule "--kernel-choose-algorithms=target=x86-64-v4 precision=bf16" %s | FileCheck %s --check-prefix=NONE
// RUN: symc-opt --kernel-choose-layouts --kernel-schedule "--kernel-choose-algorithms=target=x86-64-v4+bf16 precision=f16" %s | FileCheck %s --check-prefix=NONE
// RUN: symc-opt --kernel-choose-layouts --kernel-schedule "--kernel-choose-algorithms=target=x86-64-v4+bf16" %s | FileCheck %s --check-prefix=NONE

// The first layer has windows of 3 columns, two pairs of which the second one ends with a weight of
// zero and one more column of zeros; the second layer has windows of 4. 20 outputs: a block and a rest.
// CHECK-LABEL: kernel.program @main_program
// CHECK: kernel.buffer() : memref<1x3x14x15xbf16>
// CHECK-COUNT-4: kernel.fill
// CHECK: kernel.loops ins(%{{.*}} : memref<1x3x12x12xf32, {{.*}}>) outs(%{{.*}} : memref<1x3x12x12xbf16, strided<[630, 210, 15, 1], offset: 16>>) {kernel.narrow}
// CHECK: kernel.conv data(%{{.*}} : memref<1x3x14x14x2xbf16, strided<[630, 210, 15, 1, 1]>>) weights(%{{.*}} : memref<2x3x3x2x2x16xbf16>)
// CHECK-SAME: dilations = array<i64: 1, 2>, in_channels = 6
// CHECK-SAME: kernel = array<i64: 3, 2>
// CHECK-SAME: strides = array<i64: 2, 2>
// CHECK-SAME: zeros = #kernel.padding<top = 1, bottom = 1, right = 1>
// CHECK: kernel.buffer() : memref<1x3x12x12xbf16>
// CHECK: kernel.loops ins(%{{.*}} : memref<1x3x12x12xf32, {{.*}}>) outs(%{{.*}} : memref<1x3x12x12xbf16, strided<[432, 144, 12, 1]>>) {kernel.narrow}
// CHECK: kernel.conv data(%{{.*}} : memref<1x3x12x11x2xbf16, strided<[432, 144, 12, 1, 1]>>) weights(%{{.*}} : memref<1x3x1x2x2x16xbf16>)
// CHECK-NOT: zeros =
// CHECK: kernel.yield
// CHECK: kernel.prepared @w.u.column_pairs at 0 : memref<2x3x3x2x2x16xbf16> {form = #kernel.form<column_pairs>}
// CHECK-LABEL: kernel.program @prepare_program
// CHECK: %[[PAIRS:.*]] = kernel.weight @w.u.column_pairs : memref<2x3x3x2x2x16xbf16>
// CHECK: kernel.fill %[[PAIRS]] with 0.000000e+00 : bf16
// Even columns of 16 outputs, then of 4; then odd ones.
// CHECK: kernel.loops ins(%{{.*}} : memref<1x3x3x2x16xf32, strided<[432, 9, 3, 2, 27]>>) outs(%{{.*}} : memref<1x3x3x2x16xbf16, strided<[576, 192, 64, 32, 2]>>)
// CHECK: arith.truncf
// CHECK: ins(%{{.*}} : memref<1x3x3x2x4xf32, strided<[432, 9, 3, 2, 27], offset: 432>>) outs(%{{.*}} : memref<1x3x3x2x4xbf16, strided<[576, 192, 64, 32, 2], offset: 576>>)
// CHECK: ins(%{{.*}} : memref<1x3x3x1x16xf32, strided<[432, 9, 3, 2, 27], offset: 1>>) outs(%{{.*}} : memref<1x3x3x1x16xbf16, strided<[576, 192, 64, 32, 2], offset: 1>>)
// CHECK-NOT: kernel.pack_panels
// REMARK: pairs of columns of weights and data, rounded to 16 bits

// STRICT: kernel.conv data(%{{.*}}xf32
// STRICT: kernel.conv data(%{{.*}} : memref<1x3x12x11x2xbf16
// NONE-NOT: bf16
// NONE: kernel.conv
sg.weight @u : tensor<20x3x3x3xf32>
sg.weight @v : tensor<16x3x1x4xf32>
sg.graph @main(%x: tensor<1x3x12x12xf32> {sg.name = "x"}) -> (tensor<1x20x6x6xf32>, tensor<1x16x12x9xf32>) {
  %u = sg.parameter @u : tensor<20x3x3x3xf32>
  %v = sg.parameter @v : tensor<16x3x1x4xf32>
  %0 = sg.convolution(%x, %u) {kernel = array<i64: 3, 3>, pad = array<i64: 1, 1>, stride = array<i64: 2, 2>, num_filter = 20 : i64, no_bias = true} : (tensor<1x3x12x12xf32>, tensor<20x3x3x3xf32>) -> tensor<1x20x6x6xf32>
  %1 = sg.convolution(%x, %v) {kernel = array<i64: 1, 4>, num_filter = 16 : i64, no_bias = true} : (tensor<1x3x12x12xf32>, tensor<16x3x1x4xf32>) -> tensor<1x16x12x9xf32>
  sg.heads %0, %1 : tensor<1x20x6x6xf32>, tensor<1x16x12x9xf32>
}
