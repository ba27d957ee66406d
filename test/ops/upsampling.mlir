// Sizes and channels of both kinds.
// RUN: symc-opt --sg-infer-shapes %s | symc-opt | FileCheck %s

// CHECK-LABEL: @concat(
// CHECK: sg.upsampling({{.*}}) {{.*}}: (tensor<1x2x4x4xf32>, tensor<1x3x2x2xf32>) -> tensor<1x5x8x8xf32>
sg.graph @concat(%a: tensor<1x2x4x4xf32> {sg.name = "a"}, %b: tensor<1x3x2x2xf32> {sg.name = "b"}) -> (tensor<*xf32>) {
  %0 = sg.upsampling(%a, %b) {scale = 2 : i64, sample_type = "nearest", num_args = 2 : i64} : (tensor<1x2x4x4xf32>, tensor<1x3x2x2xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: @sum(
// CHECK: sg.upsampling({{.*}}) {{.*}}: (tensor<1x2x4x4xf32>, tensor<1x2x2x2xf32>) -> tensor<1x2x8x8xf32>
sg.graph @sum(%a: tensor<1x2x4x4xf32> {sg.name = "a"}, %b: tensor<1x?x2x2xf32> {sg.name = "b"}) -> (tensor<*xf32>) {
  %0 = sg.upsampling(%a, %b) {scale = 2 : i64, sample_type = "nearest", num_args = 2 : i64, multi_input_mode = "sum"} : (tensor<1x2x4x4xf32>, tensor<1x?x2x2xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: @upsampling_c4(
// CHECK: sg.upsampling({{.*}}) {{.*}}: (tensor<1x3x4x4xf32>, tensor<3x1x4x4xf32>) -> tensor<1x3x8x8xf32>
sg.graph @upsampling_c4(%data: tensor<1x3x4x4xf32> {sg.name = "data"}, %weight: tensor<*xf32> {sg.name = "weight"}) -> (tensor<*xf32>) {
  %0 = sg.upsampling(%data, %weight) {scale = 2 : i64, sample_type = "bilinear", num_filter = 3 : i64, num_args = 2 : i64} : (tensor<1x3x4x4xf32>, tensor<*xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}
