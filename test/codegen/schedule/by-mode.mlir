// If this fails, a value of training and what prediction has in its place take two buffers, or are copied in training; or a value
// that something else reads is overwritten in prediction.
// RUN: symc-opt %s -split-input-file -kernel-choose-layouts=target=x86-64-v3 -kernel-schedule=target=x86-64-v3 | FileCheck %s

// The mean lies where moments write it, in rows.
// CHECK: kernel.program @main_program
// CHECK: %[[MEAN:.+]] = kernel.buffer
// CHECK: kernel.reduce
// CHECK: %[[MOVING:.+]] = memref.reinterpret_cast %arg1
// CHECK: %[[PLACE:.+]] = memref.reinterpret_cast %[[MEAN]]
// CHECK-NEXT: kernel.copy %[[MOVING]] to %[[PLACE]] {kernel.predicting}
// CHECK-NOT: kernel.copy
// CHECK: kernel.loops
sg.graph @main(%x: tensor<2x16x8x8xf32> {sg.name = "x"}, %m: tensor<16xf32> {sg.name = "m"}) -> (tensor<2x16x8x8xf32> {sg.name = "y"}) attributes {training, sg.one_part} {
  %0:2 = sg.moments(%x) {axes = array<i64: 0, 2, 3>, keepdims = true} : (tensor<2x16x8x8xf32>) -> (tensor<1x16x1x1xf32>, tensor<1x16x1x1xf32>)
  %1 = sg.reshape(%m) {shape = array<i64: 1, 16, 1, 1>} : (tensor<16xf32>) -> tensor<1x16x1x1xf32>
  %2 = sg.by_mode(%0#0, %1) : (tensor<1x16x1x1xf32>, tensor<1x16x1x1xf32>) -> tensor<1x16x1x1xf32>
  %3 = sg.binary(%x, %2) {broadcast = true, fn = "sub"} : (tensor<2x16x8x8xf32>, tensor<1x16x1x1xf32>) -> tensor<2x16x8x8xf32>
  sg.heads %3 : tensor<2x16x8x8xf32>
}

// -----

// In blocks, of 17 channels a copy of 16 and one of the last.
// CHECK: kernel.program @main_program
// CHECK: kernel.buffer() {symc.channels = 17 : i64} : memref<1x2x1x1x16xf32>
// CHECK: kernel.reduce
// CHECK-NOT: kernel.buffer
// CHECK: kernel.copy {{.*}} {kernel.predicting} : memref<1x1x1x1x16xf32, {{.*}} to memref<1x1x1x1x16xf32
// CHECK: kernel.copy {{.*}} {kernel.predicting} : memref<1x1x1x1x1xf32, {{.*}} to memref<1x1x1x1x1xf32
sg.graph @main(%x: tensor<2x3x8x8xf32> {sg.name = "x"}, %w: tensor<17x3x3x3xf32> {sg.name = "w"}, %v: tensor<17x17x3x3xf32> {sg.name = "v"}, %m: tensor<17xf32> {sg.name = "m"}) -> (tensor<2x17x4x4xf32> {sg.name = "y"}) attributes {training, sg.one_part} {
  %c = sg.convolution(%x, %w) {kernel = array<i64: 3, 3>, no_bias = true, num_filter = 17 : i64, stride = array<i64: 1, 1>} : (tensor<2x3x8x8xf32>, tensor<17x3x3x3xf32>) -> tensor<2x17x6x6xf32>
  %0:2 = sg.moments(%c) {axes = array<i64: 0, 2, 3>, keepdims = true} : (tensor<2x17x6x6xf32>) -> (tensor<1x17x1x1xf32>, tensor<1x17x1x1xf32>)
  %1 = sg.reshape(%m) {shape = array<i64: 1, 17, 1, 1>} : (tensor<17xf32>) -> tensor<1x17x1x1xf32>
  %2 = sg.by_mode(%0#0, %1) : (tensor<1x17x1x1xf32>, tensor<1x17x1x1xf32>) -> tensor<1x17x1x1xf32>
  %3 = sg.binary(%c, %2) {broadcast = true, fn = "sub"} : (tensor<2x17x6x6xf32>, tensor<1x17x1x1xf32>) -> tensor<2x17x6x6xf32>
  %4 = sg.convolution(%3, %v) {kernel = array<i64: 3, 3>, no_bias = true, num_filter = 17 : i64, stride = array<i64: 1, 1>} : (tensor<2x17x6x6xf32>, tensor<17x17x3x3xf32>) -> tensor<2x17x4x4xf32>
  sg.heads %4 : tensor<2x17x4x4xf32>
}

// -----

// A value with two readers keeps its memory, and each has a copy of its own.
// CHECK: kernel.program @main_program
// CHECK: %[[X:.+]] = kernel.buffer
// CHECK: kernel.loops
// CHECK: %[[A:.+]] = kernel.buffer
// CHECK: kernel.copy {{.*}} : memref<
// CHECK: kernel.copy {{.*}} {kernel.predicting}
// CHECK: %[[B:.+]] = kernel.buffer
// CHECK: kernel.copy {{.*}} : memref<
// CHECK: kernel.copy {{.*}} {kernel.predicting}
sg.graph @main(%x: tensor<4x4xf32> {sg.name = "x"}, %m: tensor<4x4xf32> {sg.name = "m"}, %n: tensor<4x4xf32> {sg.name = "n"}) -> (tensor<4x4xf32> {sg.name = "y"}, tensor<4x4xf32> {sg.name = "z"}) attributes {training, sg.one_part} {
  %0 = sg.unary(%x) {fn = "exp"} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = sg.by_mode(%0, %m) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = sg.by_mode(%0, %n) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %3 = sg.unary(%1) {fn = "exp"} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %4 = sg.unary(%2) {fn = "exp"} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  sg.heads %3, %4 : tensor<4x4xf32>, tensor<4x4xf32>
}
