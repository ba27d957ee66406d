// Data and result have one shape.
// RUN: symc-opt --sg-infer-shapes %s | symc-opt | FileCheck %s

// CHECK-LABEL: @l2_normalization_c1(
// CHECK: sg.l2_normalization({{.*}}) {{.*}}: (tensor<2x4xf32>) -> tensor<2x4xf32>
sg.graph @l2_normalization_c1(%data: tensor<2x4xf32> {sg.name = "data"}) -> (tensor<*xf32>) {
  %0 = sg.l2_normalization(%data) {mode = "instance"} : (tensor<2x4xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}
