// If this fails, what repeats along an axis is written out before it is read, or is read as it lies
// where its elements do not lie side by side.
// RUN: symc-opt --kernel-choose-layouts --kernel-schedule %s | FileCheck %s
// RUN: symc-opt --kernel-choose-layouts=reference=true "--kernel-schedule=reference=true" %s | FileCheck %s --check-prefix=ONLY

// An addition reads rows of the narrow tensor; a result is copied.
// CHECK-LABEL: kernel.program @main_program
// CHECK: %[[ROW:.*]] = memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [4, 3, 5], strides: [0, 5, 1]
// CHECK: kernel.loops ins(%[[ROW]], %{{.*}} : memref<4x3x5xf32, strided<[0, 5, 1]>>, memref<4x3x5xf32, strided<[15, 5, 1]>>)
// CHECK: %[[MIDDLE:.*]] = memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [4, 3, 5], strides: [5, 0, 1]
// CHECK: kernel.copy %[[MIDDLE]]
// Along the last axis it is copied at once: nobody reads rows of one element.
// CHECK: kernel.copy {{.*}} : memref<4x3x5xf32, strided<[3, 1, 0]>> to memref<4x3x5xf32
// CHECK-NOT: kernel.call
// ONLY-COUNT-3: kernel.call "symc_ref_broadcast
sg.graph @main(%r: tensor<1x3x5xf32> {sg.name = "r"}, %m: tensor<4x1x5xf32> {sg.name = "m"}, %l: tensor<4x3x1xf32> {sg.name = "l"}, %x: tensor<4x3x5xf32> {sg.name = "x"})
    -> (tensor<4x3x5xf32>, tensor<4x3x5xf32>, tensor<4x3x5xf32>) {
  %0 = sg.broadcast_to(%r) {shape = array<i64: 4, 0, 0>} : (tensor<1x3x5xf32>) -> tensor<4x3x5xf32>
  %1 = sg.binary(%0, %x) {fn = "add"} : (tensor<4x3x5xf32>, tensor<4x3x5xf32>) -> tensor<4x3x5xf32>
  %2 = sg.broadcast_axis(%m) {axis = array<i64: 1>, size = array<i64: 3>} : (tensor<4x1x5xf32>) -> tensor<4x3x5xf32>
  %3 = sg.broadcast_to(%l) {shape = array<i64: 4, 3, 5>} : (tensor<4x3x1xf32>) -> tensor<4x3x5xf32>
  sg.heads %1, %2, %3 : tensor<4x3x5xf32>, tensor<4x3x5xf32>, tensor<4x3x5xf32>
}
