// If this fails, masks, one-hot rows and ranges call their reference kernels, in one thread.
// RUN: symc-opt --split-input-file --kernel-choose-layouts --kernel-schedule %s | FileCheck %s

// The time is a coordinate, a length is read once a row; float lengths are cut off.
// CHECK-LABEL: kernel.program @main_program
// CHECK: kernel.loops ins({{.*}} : memref<7x2x20xf32, {{.*}}>, memref<7x2x20xf32, strided<[0, 1, 0]>>) outs({{.*}}) {coordinates = array<i64: 0>} body {
// CHECK-NEXT: ^bb0(%[[T:.*]]: i32, %[[X:.*]]: f32, %[[N:.*]]: f32):
// CHECK: math.trunc %[[N]]
// CHECK: arith.select %{{.*}}, %[[X]]
// CHECK: kernel.loops ins({{.*}} : memref<2x7xi8, {{.*}}>, memref<2x7xi64, strided<[1, 0]>>) outs({{.*}}) {coordinates = array<i64: 1>} body {
// CHECK: arith.extsi %{{.*}} : i32 to i64
// CHECK-NOT: kernel.call
sg.graph @main(%x: tensor<7x2x4x5xf32> {sg.name = "x"}, %n: tensor<2xf32> {sg.name = "n"}, %y: tensor<2x7xi8> {sg.name = "y"}, %m: tensor<2xi64> {sg.name = "m"}) -> (tensor<7x2x4x5xf32>, tensor<2x7xi8>) {
  %0 = sg.sequence_mask(%x, %n) {use_sequence_length = true, value = -1.0 : f64} : (tensor<7x2x4x5xf32>, tensor<2xf32>) -> tensor<7x2x4x5xf32>
  %1 = sg.sequence_mask(%y, %m) {use_sequence_length = true, axis = 1 : i64} : (tensor<2x7xi8>, tensor<2xi64>) -> tensor<2x7xi8>
  sg.heads %0, %1 : tensor<7x2x4x5xf32>, tensor<2x7xi8>
}

// -----

// Columns beside an index; numbers from the first on, in float16's sum of float32.
// CHECK-LABEL: kernel.program @main_program
// CHECK: kernel.loops ins({{.*}} : memref<6x9xf32, strided<[1, 0]>>) outs({{.*}} : memref<6x9xf32, {{.*}}>) {coordinates = array<i64: 1>} body {
// CHECK: arith.cmpi eq
// CHECK: kernel.loops ins() outs({{.*}} : memref<12xf16, {{.*}}>) {coordinates = array<i64: 0>} body {
// CHECK: arith.addf {{.*}} : f32
// CHECK: arith.truncf {{.*}} : f32 to f16
// CHECK-NOT: kernel.call
sg.graph @main(%i: tensor<2x3xf32> {sg.name = "i"}) -> (tensor<2x3x9xf32>, tensor<12xf16>) {
  %0 = sg.one_hot(%i) {depth = 9 : i64} : (tensor<2x3xf32>) -> tensor<2x3x9xf32>
  %1 = sg.arange() {start = 0.5 : f64, stop = 24.5 : f64, step = 2.0 : f64, dtype = "float16"} : () -> tensor<12xf16>
  sg.heads %0, %1 : tensor<2x3x9xf32>, tensor<12xf16>
}

// -----

// Nearest misses: values that repeat, a fraction among integers, extents that floats do not count.
// CHECK-LABEL: kernel.program @main_program
// CHECK: kernel.call "symc_ref_arange_f32"
// CHECK: kernel.call "symc_ref_arange_i32"
// CHECK: kernel.call "symc_ref_sequence_mask_f32"
sg.graph @main(%x: tensor<20000000x2xf32> {sg.name = "x"}, %n: tensor<2xf32> {sg.name = "n"}) -> (tensor<6xf32>, tensor<3xi32>, tensor<20000000x2xf32>) {
  %0 = sg.arange() {start = 0.0 : f64, stop = 3.0 : f64, repeat = 2 : i64} : () -> tensor<6xf32>
  %1 = sg.arange() {start = 0.5 : f64, stop = 3.5 : f64, dtype = "int32"} : () -> tensor<3xi32>
  %2 = sg.sequence_mask(%x, %n) {use_sequence_length = true} : (tensor<20000000x2xf32>, tensor<2xf32>) -> tensor<20000000x2xf32>
  sg.heads %0, %1, %2 : tensor<6xf32>, tensor<3xi32>, tensor<20000000x2xf32>
}
