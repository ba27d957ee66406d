// If this fails, a conversion of quantised integers calls its reference kernel, or loses a limit.
// RUN: symc-opt --kernel-choose-layouts --kernel-schedule %s | FileCheck %s

// Limits that are parameters are those of every run; the scale is one element.
// CHECK-LABEL: kernel.program @main_program
// CHECK: kernel.loops ins() outs({{.*}}memref<1xf32{{.*}}memref<1xf32{{.*}}memref<1xf32
// CHECK: kernel.loops ins({{.*}} : memref<4x6xf32, strided<[6, 1]>>, memref<4x6xf32, strided<[0, 0]>>) outs({{.*}} : memref<4x6xi8
// CHECK: math.roundeven
// CHECK-NEXT: arith.fptosi
// Limits that are operands are looked at in each run.
// CHECK: kernel.loops ins({{.*}} : memref<1xf32, strided<[1]>>, memref<1xf32, strided<[1]>>) outs({{.*}}memref<1xf32{{.*}}memref<1xf32{{.*}}memref<1xf32
// CHECK: kernel.loops ins({{.*}} : memref<4x6xi32{{.*}} outs({{.*}} : memref<4x6xi8
// CHECK: arith.sitofp %{{.*}} : i32 to f32
// Each operand of a concatenation has its scale and its place.
// CHECK: kernel.loops ins({{.*}}) outs({{.*}}memref<1xf32{{.*}}memref<1xf32{{.*}}memref<1xf32{{.*}}memref<1xf32
// CHECK: kernel.loops ins({{.*}} : memref<4x6xi8{{.*}} outs({{.*}} : memref<4x6xi8, strided<[12, 1]>>)
// CHECK: kernel.loops ins({{.*}} : memref<4x6xi8{{.*}} outs({{.*}} : memref<4x6xi8, strided<[12, 1], offset: 6>>)
// CHECK: kernel.loops ins({{.*}} : memref<4x12xi8{{.*}} outs({{.*}} : memref<4x12xf32
// CHECK-NOT: kernel.call
// The range of the data is found by the reference kernel.
// CHECK: kernel.call "symc_ref_quantize_v2_f32"
sg.graph @main(%x: tensor<4x6xf32> {sg.name = "x"}, %s: tensor<4x6xi32> {sg.name = "s"}, %lo: tensor<1xf32> {sg.name = "lo"}, %hi: tensor<1xf32> {sg.name = "hi"})
    -> (tensor<4x12xf32>, tensor<4x6xi8>) {
  %q:3 = sg.quantize_v2(%x) {min_calib_range = -1.0 : f64, max_calib_range = 2.0 : f64} : (tensor<4x6xf32>) -> (tensor<4x6xi8>, tensor<1xf32>, tensor<1xf32>)
  %r:3 = sg.requantize(%s, %lo, %hi) {min_calib_range = -3.0 : f64, max_calib_range = 2.0 : f64} : (tensor<4x6xi32>, tensor<1xf32>, tensor<1xf32>) -> (tensor<4x6xi8>, tensor<1xf32>, tensor<1xf32>)
  %c:3 = sg.quantized_concat(%q#0, %r#0, %q#1, %q#2, %r#1, %r#2) {num_args = 2 : i64} : (tensor<4x6xi8>, tensor<4x6xi8>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> (tensor<4x12xi8>, tensor<1xf32>, tensor<1xf32>)
  %y = sg.dequantize(%c#0, %c#1, %c#2) : (tensor<4x12xi8>, tensor<1xf32>, tensor<1xf32>) -> tensor<4x12xf32>
  %f:3 = sg.quantize_v2(%x) : (tensor<4x6xf32>) -> (tensor<4x6xi8>, tensor<1xf32>, tensor<1xf32>)
  sg.heads %y, %f#0 : tensor<4x12xf32>, tensor<4x6xi8>
}
