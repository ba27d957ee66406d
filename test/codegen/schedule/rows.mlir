// If this fails, rows of tables and the sums of their gradients are the reference kernel's in training, or generated where
// numbers mean something else.
// RUN: symc-opt -split-input-file -kernel-choose-layouts -kernel-schedule %s | FileCheck %s
// RUN: symc-opt -split-input-file -kernel-choose-layouts -kernel-schedule --remarks-filter='kernel-schedule' --remark-format=emitRemark %s 2>&1 >/dev/null | FileCheck %s --check-prefix=WHY

// CHECK-LABEL: kernel.program @main_program
// CHECK: kernel.take_rows %{{.*}} at %{{.*}} to %{{.*}} : memref<50x8xf32{{.*}} at memref<6xf32{{.*}} to memref<6x8xf32
// CHECK: kernel.take_rows %{{.*}} : memref<50x8xf32{{.*}} at memref<4xi32
// CHECK: kernel.add_rows %{{.*}} at %{{.*}} to %{{.*}} : memref<6x8xf32{{.*}} at memref<6xf32{{.*}} to memref<50x8xf32
// CHECK-NOT: kernel.call
sg.graph @main(%n: tensor<2x3xf32> {sg.name = "n"}, %i: tensor<4xi32> {sg.name = "i"}, %w: tensor<50x8xf32> {sg.name = "w"}) -> (tensor<4x8xf32>, tensor<50x8xf32>) attributes {training} {
  %0 = sg.embedding(%n, %w) {input_dim = 50 : i64, output_dim = 8 : i64} : (tensor<2x3xf32>, tensor<50x8xf32>) -> tensor<2x3x8xf32>
  %1 = sg.take(%w, %i) : (tensor<50x8xf32>, tensor<4xi32>) -> tensor<4x8xf32>
  %2 = sg.scatter_add(%0, %n) {axis = 0 : i64, extent = 50 : i64, mode = "clip"} : (tensor<2x3x8xf32>, tensor<2x3xf32>) -> tensor<50x8xf32>
  sg.heads %1, %2 : tensor<4x8xf32>, tensor<50x8xf32>
}

// -----

// A table of more axes than a list of extents holds in itself.
// CHECK-LABEL: kernel.program @main_program
// CHECK: kernel.take_rows %{{.*}} : memref<7x120xf32{{.*}} at memref<3xf32{{.*}} to memref<3x120xf32
sg.graph @main(%n: tensor<3xf32> {sg.name = "n"}, %w: tensor<7x2x3x4x5x1xf32> {sg.name = "w"}) -> (tensor<3x2x3x4x5x1xf32>) attributes {training} {
  %0 = sg.take(%w, %n) : (tensor<7x2x3x4x5x1xf32>, tensor<3xf32>) -> tensor<3x2x3x4x5x1xf32>
  sg.heads %0 : tensor<3x2x3x4x5x1xf32>
}

// -----

// Another axis, and numbers that wrap; prediction.
// CHECK-LABEL: kernel.program @main_program
// CHECK-COUNT-2: kernel.call
// WHY: its indices are not the nearest rows of axis 0
sg.graph @main(%n: tensor<3xf32> {sg.name = "n"}, %w: tensor<5x8xf32> {sg.name = "w"}) -> (tensor<5x3xf32>, tensor<3x8xf32>) attributes {training} {
  %0 = sg.take(%w, %n) {axis = 1 : i64} : (tensor<5x8xf32>, tensor<3xf32>) -> tensor<5x3xf32>
  %1 = sg.take(%w, %n) {mode = "wrap"} : (tensor<5x8xf32>, tensor<3xf32>) -> tensor<3x8xf32>
  sg.heads %0, %1 : tensor<5x3xf32>, tensor<3x8xf32>
}

// -----

// CHECK-LABEL: kernel.program @main_program
// CHECK: kernel.call "symc_ref_embedding_f32"
sg.graph @main(%n: tensor<3xf32> {sg.name = "n"}, %w: tensor<5x8xf32> {sg.name = "w"}) -> (tensor<3x8xf32>) {
  %0 = sg.embedding(%n, %w) {input_dim = 5 : i64, output_dim = 8 : i64} : (tensor<3xf32>, tensor<5x8xf32>) -> tensor<3x8xf32>
  sg.heads %0 : tensor<3x8xf32>
}

// -----

// A number of rows that a run chooses.
// CHECK-LABEL: kernel.program @main_program
// CHECK: kernel.call "symc_ref_take_f32"
// WHY: its table has no rows, too many or a number known only at run time
sg.graph @main(%n: tensor<3xf32> {sg.name = "n"}, %w: tensor<?x8xf32, #sg.extents<()[s0] -> (s0, 8)>> {sg.name = "w"}) -> (tensor<3x8xf32>) attributes {training, dim_max = array<i64: 5>, dim_min = array<i64: 1>} {
  %0 = sg.take(%w, %n) : (tensor<?x8xf32, #sg.extents<()[s0] -> (s0, 8)>>, tensor<3xf32>) -> tensor<3x8xf32>
  sg.heads %0 : tensor<3x8xf32>
}
