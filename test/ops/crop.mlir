// The window's size from a parameter or another image.
// RUN: symc-opt --sg-infer-shapes %s | symc-opt | FileCheck %s

// CHECK-LABEL: @given(
// CHECK: sg.crop({{.*}}) {{.*}}: (tensor<1x2x8x9xf32>) -> tensor<1x2x3x4xf32>
sg.graph @given(%data: tensor<1x2x8x9xf32> {sg.name = "data"}) -> (tensor<*xf32>) {
  %0 = sg.crop(%data) {num_args = 1 : i64, h_w = array<i64: 3, 4>, offset = array<i64: 1, 2>} : (tensor<1x2x8x9xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: @like(
// CHECK: sg.crop({{.*}}) {{.*}}: (tensor<1x2x8x9xf32>, tensor<5x7x6x5xf32>) -> tensor<1x2x6x5xf32>
sg.graph @like(%data: tensor<1x2x8x9xf32> {sg.name = "data"}, %crop_like: tensor<5x7x6x5xf32> {sg.name = "crop_like"}) -> (tensor<*xf32>) {
  %0 = sg.crop(%data, %crop_like) {num_args = 2 : i64} : (tensor<1x2x8x9xf32>, tensor<5x7x6x5xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}
