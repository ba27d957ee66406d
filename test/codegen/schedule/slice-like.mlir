// If this fails, rows up to a size that a run chooses are copied by the runtime, or too many of them are read.
// RUN: symc-opt --kernel-choose-layouts --kernel-schedule %s | FileCheck %s

// CHECK-LABEL: kernel.program @main_program
// CHECK: ^bb0(%[[X:.*]]: memref<8x32xf32>, %[[Y:.*]]: memref<?x1xf32>, %{{.*}}: memref<?x32xf32>, %[[N:.*]]: index):
// CHECK: %[[ROWS:.*]] = affine.apply #{{.*}}()[%[[N]]]
// CHECK-NOT: kernel.call
// CHECK: %[[PART:.*]] = memref.reinterpret_cast %[[X]] to offset: [0], sizes: [%[[ROWS]], 32], strides: [32, 1]
// CHECK: kernel.loops ins(%[[PART]]
sg.graph @main(%x: tensor<8x32xf32> {sg.name = "x"}, %y: tensor<?x1xf32, #sg.extents<()[s0] -> (s0, 1)>> {sg.name = "y"})
    -> (tensor<?x32xf32, #sg.extents<()[s0] -> (s0, 32)>>) attributes {dim_min = array<i64: 1>, dim_max = array<i64: 8>} {
  %0 = sg.slice_like(%x, %y) {axes = array<i64: 0>} : (tensor<8x32xf32>, tensor<?x1xf32, #sg.extents<()[s0] -> (s0, 1)>>) -> tensor<?x32xf32, #sg.extents<()[s0] -> (s0, 32)>>
  %1 = sg.unary(%0) {fn = "exp"} : (tensor<?x32xf32, #sg.extents<()[s0] -> (s0, 32)>>) -> tensor<?x32xf32, #sg.extents<()[s0] -> (s0, 32)>>
  sg.heads %1 : tensor<?x32xf32, #sg.extents<()[s0] -> (s0, 32)>>
}
