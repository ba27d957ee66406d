// If this fails, a cast or a choice by a condition of another type calls its reference kernel, or
// the nodes behind it cost a walk over memory of their own.
// RUN: symc-opt --split-input-file --sg-fuse-elementwise --kernel-choose-layouts --kernel-schedule %s | FileCheck %s

// Bytes, unsigned, become floats in the step that scales them.
// CHECK-LABEL: kernel.program @main_program
// CHECK: ^bb0(%[[X:.*]]: i8):
// CHECK-NEXT: %[[F:.*]] = arith.uitofp %[[X]] : i8 to f32
// CHECK: arith.mulf %[[F]]
// CHECK-NOT: kernel.call
sg.graph @main(%x: tensor<2x3x4x5xui8> {sg.name = "x"}) -> (tensor<2x3x4x5xf32>) {
  %0 = sg.cast(%x) {dtype = "float32"} : (tensor<2x3x4x5xui8>) -> tensor<2x3x4x5xf32>
  %1 = sg.scalar(%0) {fn = "mul", scalar = 0.5 : f64} : (tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32>
  sg.heads %1 : tensor<2x3x4x5xf32>
}

// -----

// Floats are cut off by way of 32 bits; what does not fit gives the least integer. A condition along
// the first axis is read once a row.
// CHECK-LABEL: kernel.program @main_program
// CHECK: arith.cmpf oge
// CHECK: arith.cmpf olt
// CHECK: %[[I:.*]] = arith.fptosi %{{.*}} : f32 to i32
// CHECK: arith.trunci %[[I]] : i32 to i8
// CHECK: memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [2, 7], strides: [1, 0] : memref<2xi32>
// CHECK: ^bb0(%[[C:.*]]: i32, %{{.*}}: f32, %{{.*}}: f32):
// CHECK: arith.cmpi ne, %[[C]]
// CHECK: arith.select
// CHECK-NOT: kernel.call
sg.graph @main(%c: tensor<2xi32> {sg.name = "c"}, %x: tensor<2x7xf32> {sg.name = "x"}, %y: tensor<2x7xf32> {sg.name = "y"}) -> (tensor<2x7xi8>, tensor<2x7xf32>) {
  %0 = sg.cast(%x) {dtype = "int8"} : (tensor<2x7xf32>) -> tensor<2x7xi8>
  %1 = sg.where(%c, %x, %y) : (tensor<2xi32>, tensor<2x7xf32>, tensor<2x7xf32>) -> tensor<2x7xf32>
  sg.heads %0, %1 : tensor<2x7xi8>, tensor<2x7xf32>
}

// -----

// A sum reads what is cast where it needs it.
// CHECK-LABEL: kernel.program @main_program
// CHECK-NOT: kernel.loops
// CHECK: kernel.reduce
// CHECK: arith.sitofp %{{.*}} : i32 to f32
sg.graph @main(%x: tensor<6x40xi32> {sg.name = "x"}) -> (tensor<6xf32>) {
  %0 = sg.cast(%x) {dtype = "float32"} : (tensor<6x40xi32>) -> tensor<6x40xf32>
  %1 = sg.reduce(%0) {kind = "sum", axis = array<i64: 1>} : (tensor<6x40xf32>) -> tensor<6xf32>
  sg.heads %1 : tensor<6xf32>
}

// -----

// A double to half a float is rounded once: to a float whose last bit tells what was cut off, then
// to 16 bits. Nearest miss: behind a layer, whose step holds one type, a cast is a step of its own.
// CHECK-LABEL: kernel.program @main_program
// CHECK: kernel.loops
// CHECK: arith.ori %{{.*}} : i32
// CHECK: arith.truncf %{{.*}} : f32 to f16
// CHECK: kernel.conv
// CHECK: kernel.loops
// CHECK: arith.fptosi
sg.weight @w : tensor<16x16x1x1xf32>
sg.graph @main(%x: tensor<6x40xf64> {sg.name = "x"}, %i: tensor<1x16x4x4xf32> {sg.name = "i"}) -> (tensor<6x40xf16>, tensor<1x16x4x4xi32>) {
  %w = sg.parameter @w : tensor<16x16x1x1xf32>
  %0 = sg.cast(%x) {dtype = "float16"} : (tensor<6x40xf64>) -> tensor<6x40xf16>
  %1 = sg.convolution(%i, %w) {kernel = array<i64: 1, 1>, num_filter = 16 : i64, no_bias = true} : (tensor<1x16x4x4xf32>, tensor<16x16x1x1xf32>) -> tensor<1x16x4x4xf32>
  %2 = sg.cast(%1) {dtype = "int32"} : (tensor<1x16x4x4xf32>) -> tensor<1x16x4x4xi32>
  sg.heads %0, %2 : tensor<6x40xf16>, tensor<1x16x4x4xi32>
}
