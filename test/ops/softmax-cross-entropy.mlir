// One number from data and label.
// RUN: symc-opt --sg-infer-shapes %s | symc-opt | FileCheck %s

// CHECK-LABEL: @softmax_cross_entropy_c2(
// CHECK: sg.softmax_cross_entropy({{.*}}) {{.*}}: (tensor<2x3xf32>, tensor<2xf32>) -> tensor<1xf32>
sg.graph @softmax_cross_entropy_c2(%data: tensor<2x3xf32> {sg.name = "data"}, %label: tensor<*xf32> {sg.name = "label"}) -> (tensor<*xf32>) {
  %0 = sg.softmax_cross_entropy(%data, %label) : (tensor<2x3xf32>, tensor<*xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}
