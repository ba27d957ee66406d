// If this fails, a part of a tensor, or a transposed one under another shape, is copied before somebody reads it who
// can read with strides.
// RUN: symc-opt --kernel-choose-layouts --kernel-schedule --split-input-file %s | FileCheck %s

// Both ends are read where they lie, though one does not begin at a vector.
// CHECK-LABEL: kernel.program @main_program
// CHECK-NOT: kernel.copy
// CHECK: %[[LATE:.*]] = memref.reinterpret_cast %[[X:.*]] to offset: [1], sizes: [63], strides: [1]
// CHECK: %[[EARLY:.*]] = memref.reinterpret_cast %[[X]] to offset: [0], sizes: [63], strides: [1]
// CHECK: kernel.loops ins(%[[LATE]], %[[EARLY]] :
sg.graph @main(%x: tensor<64xf32> {sg.name = "x"}) -> (tensor<63xf32>) {
  %0 = sg.slice_axis(%x) {axis = 0 : i64, begin = 1 : i64} : (tensor<64xf32>) -> tensor<63xf32>
  %1 = sg.slice_axis(%x) {axis = 0 : i64, begin = 0 : i64, end = -1 : i64} : (tensor<64xf32>) -> tensor<63xf32>
  %2 = sg.binary(%0, %1) {fn = "sub"} : (tensor<63xf32>, tensor<63xf32>) -> tensor<63xf32>
  sg.heads %2 : tensor<63xf32>
}

// -----

// Two transposed axes that lie behind each other become one: one copy, from the argument to the result.
// CHECK-LABEL: kernel.program @main_program
// CHECK: memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [6, 4, 8], strides: [8, 48, 1]
// CHECK: kernel.copy
// CHECK-NOT: kernel.copy
sg.graph @main(%x: tensor<4x2x3x8xf32> {sg.name = "x"}) -> (tensor<4x6x8xf32>) {
  %0 = sg.transpose(%x) {axes = array<i64: 1, 2, 0, 3>} : (tensor<4x2x3x8xf32>) -> tensor<2x3x4x8xf32>
  %1 = sg.reshape(%0) {shape = array<i64: 6, 4, 8>} : (tensor<2x3x4x8xf32>) -> tensor<6x4x8xf32>
  %2 = sg.transpose(%1) {axes = array<i64: 1, 0, 2>} : (tensor<6x4x8xf32>) -> tensor<4x6x8xf32>
  sg.heads %2 : tensor<4x6x8xf32>
}

// -----

// Axes that others lie between have no stride together: the transposed tensor is copied first.
// CHECK-LABEL: kernel.program @main_program
// CHECK: kernel.copy
// CHECK: memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [6, 32], strides: [32, 1]
// CHECK: kernel.loops
sg.graph @main(%x: tensor<2x32x3xf32> {sg.name = "x"}) -> (tensor<6x32xf32>) {
  %0 = sg.transpose(%x) {axes = array<i64: 0, 2, 1>} : (tensor<2x32x3xf32>) -> tensor<2x3x32xf32>
  %1 = sg.reshape(%0) {shape = array<i64: 6, 32>} : (tensor<2x3x32xf32>) -> tensor<6x32xf32>
  %2 = sg.unary(%1) {fn = "exp"} : (tensor<6x32xf32>) -> tensor<6x32xf32>
  sg.heads %2 : tensor<6x32xf32>
}

// -----

// Parts without the axis that they are cut along are views; those of four columns fill no vector.
// CHECK-LABEL: kernel.program @main_program
// CHECK: kernel.copy {{.*}} to memref<2x4xf32
// CHECK: kernel.copy {{.*}} to memref<2x4xf32
// CHECK-NOT: kernel.copy
// CHECK: %[[SECOND:.*]] = memref.reinterpret_cast %{{.*}} to offset: [32], sizes: [2, 32], strides: [64, 1]
// CHECK: kernel.loops ins(%[[SECOND]] :
sg.graph @main(%x: tensor<2x2x32xf32> {sg.name = "x"}, %y: tensor<2x8xf32> {sg.name = "y"}) -> (tensor<2x32xf32>, tensor<2x4xf32>) {
  %0:2 = sg.slice_channel(%x) {axis = 1 : i64, num_outputs = 2 : i64, squeeze_axis = true} : (tensor<2x2x32xf32>) -> (tensor<2x32xf32>, tensor<2x32xf32>)
  %1:2 = sg.slice_channel(%y) {axis = 1 : i64, num_outputs = 2 : i64} : (tensor<2x8xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>)
  %2 = sg.unary(%0#1) {fn = "exp"} : (tensor<2x32xf32>) -> tensor<2x32xf32>
  %3 = sg.binary(%1#0, %1#1) {fn = "add"} : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  sg.heads %2, %3 : tensor<2x32xf32>, tensor<2x4xf32>
}
