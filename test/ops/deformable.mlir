// RUN: symc-opt --sg-infer-shapes --sg-infer-types %s | FileCheck %s
// RUN: symc-opt %s | symc-opt | symc-opt --sg-infer-shapes --sg-infer-types | FileCheck %s
// Deformable convolutions get the extents of a convolution, correlation those of its displacements.

// CHECK-LABEL: sg.graph @deformable_convolution(
// CHECK: sg.deformable_convolution({{.*}}: (tensor<2x4x9x8xf32>, tensor<2x36x5x4xf32>, tensor<6x2x3x3xf32>, tensor<6xf32>) -> tensor<2x6x5x4xf32>
sg.graph @deformable_convolution(%a: tensor<2x4x9x8xf32> {sg.name = "a"}, %b: tensor<*xf32> {sg.name = "b"}, %c: tensor<*xf32> {sg.name = "c"}, %d: tensor<*xf32> {sg.name = "d"}) -> (tensor<*xf32>) {
  %0 = sg.deformable_convolution(%a, %b, %c, %d) {kernel = array<i64: 3, 3>, num_deformable_group = 2 : i64, num_filter = 6 : i64, num_group = 2 : i64, pad = array<i64: 1, 1>, stride = array<i64: 2, 2>} : (tensor<2x4x9x8xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @modulated_deformable_convolution(
// CHECK: sg.modulated_deformable_convolution({{.*}}: (tensor<2x4x9x8xf32>, tensor<2x18x7x6xf32>, tensor<2x9x7x6xf32>, tensor<6x4x3x3xf32>) -> tensor<2x6x7x6xf32>
sg.graph @modulated_deformable_convolution(%a: tensor<2x4x9x8xf32> {sg.name = "a"}, %b: tensor<*xf32> {sg.name = "b"}, %c: tensor<*xf32> {sg.name = "c"}, %d: tensor<*xf32> {sg.name = "d"}) -> (tensor<*xf32>) {
  %0 = sg.modulated_deformable_convolution(%a, %b, %c, %d) {kernel = array<i64: 3, 3>, no_bias = true, num_filter = 6 : i64} : (tensor<2x4x9x8xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @deformable_columns(
// CHECK: sg.deformable_columns({{.*}}: (tensor<2x4x9x8xf32>, tensor<2x18x7x6xf32>) -> tensor<2x36x7x6xf32>
sg.graph @deformable_columns(%a: tensor<2x4x9x8xf32> {sg.name = "a"}, %b: tensor<2x18x7x6xf32> {sg.name = "b"}) -> (tensor<*xf32>) {
  %0 = sg.deformable_columns(%a, %b) {kernel = array<i64: 3, 3>} : (tensor<2x4x9x8xf32>, tensor<2x18x7x6xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: sg.graph @correlation(
// CHECK: sg.correlation({{.*}}: (tensor<2x4x9x8xf32>, tensor<2x4x9x8xf32>) -> tensor<2x25x5x4xf32>
sg.graph @correlation(%a: tensor<2x4x9x8xf32> {sg.name = "a"}, %b: tensor<*xf32> {sg.name = "b"}) -> (tensor<*xf32>) {
  %0 = sg.correlation(%a, %b) {kernel_size = 3 : i64, max_displacement = 2 : i64, pad_size = 3 : i64, stride1 = 2 : i64} : (tensor<2x4x9x8xf32>, tensor<*xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}
