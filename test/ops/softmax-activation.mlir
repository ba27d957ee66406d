// Data and result have one shape.
// RUN: symc-opt --sg-infer-shapes %s | symc-opt | FileCheck %s

// CHECK-LABEL: @softmax_activation_c1(
// CHECK: sg.softmax_activation({{.*}}) {{.*}}: (tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
sg.graph @softmax_activation_c1(%data: tensor<2x4x5xf32> {sg.name = "data"}) -> (tensor<*xf32>) {
  %0 = sg.softmax_activation(%data) {mode = "channel"} : (tensor<2x4x5xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}
