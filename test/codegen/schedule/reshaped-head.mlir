// If this fails, what a graph gives under another shape is computed elsewhere and copied, or two outputs share one's memory.
// RUN: symc-opt --kernel-choose-layouts --kernel-schedule %s | FileCheck %s

// A reshape of a reshape is the same bytes still; a head that has its own memory is copied.
// CHECK-LABEL: kernel.program @main_program
// CHECK: ^bb0(%{{.*}}: memref<2x8xf32>, %[[A:.*]]: memref<4x4xf32>, %[[B:.*]]: memref<2x8xf32>, %[[C:.*]]: memref<16xf32>):
// CHECK: %[[FIRST:.*]] = memref.reinterpret_cast %[[A]] to offset: [0], sizes: [2, 8]
// CHECK-NEXT: kernel.loops {{.*}}outs(%[[FIRST]] :
// CHECK-NOT: kernel.copy
// CHECK: %[[SECOND:.*]] = memref.reinterpret_cast %[[B]] to offset: [0], sizes: [2, 8]
// CHECK-NEXT: kernel.loops {{.*}}outs(%[[SECOND]] :
// CHECK: %[[THIRD:.*]] = memref.reinterpret_cast %[[C]] to offset: [0], sizes: [16]
// CHECK-NEXT: kernel.copy %{{.*}} to %[[THIRD]] :
sg.graph @main(%x: tensor<2x8xf32> {sg.name = "x"}) -> (tensor<4x4xf32>, tensor<2x8xf32>, tensor<16xf32>) {
  %0 = sg.unary(%x) {fn = "relu"} : (tensor<2x8xf32>) -> tensor<2x8xf32>
  %1 = sg.reshape(%0) {shape = array<i64: 16>} : (tensor<2x8xf32>) -> tensor<16xf32>
  %2 = sg.reshape(%1) {shape = array<i64: 4, 4>} : (tensor<16xf32>) -> tensor<4x4xf32>
  %3 = sg.unary(%x) {fn = "exp"} : (tensor<2x8xf32>) -> tensor<2x8xf32>
  %4 = sg.reshape(%3) {shape = array<i64: 16>} : (tensor<2x8xf32>) -> tensor<16xf32>
  sg.heads %2, %3, %4 : tensor<4x4xf32>, tensor<2x8xf32>, tensor<16xf32>
}
