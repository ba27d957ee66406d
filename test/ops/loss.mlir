// Data and result have one shape.
// RUN: symc-opt --sg-infer-shapes %s | symc-opt | FileCheck %s

// CHECK-LABEL: @loss_c1(
// CHECK: sg.loss({{.*}}) {{.*}}: (tensor<2x3xf32>) -> tensor<2x3xf32>
sg.graph @loss_c1(%data: tensor<*xf32> {sg.name = "data"}) -> (tensor<2x3xf32>) {
  %0 = sg.loss(%data) : (tensor<*xf32>) -> tensor<2x3xf32> loc("n")
  sg.heads %0 : tensor<2x3xf32>
}
