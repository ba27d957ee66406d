// Labels of each kind.
// RUN: symc-opt --sg-infer-shapes %s | symc-opt | FileCheck %s

// CHECK-LABEL: @softmax_output_c1(
// CHECK: sg.softmax_output({{.*}}) {{.*}}: (tensor<2x4xf32>, tensor<2xf32>) -> tensor<2x4xf32>
sg.graph @softmax_output_c1(%data: tensor<2x4xf32> {sg.name = "data"}, %label: tensor<*xf32> {sg.name = "label"}) -> (tensor<*xf32>) {
  %0 = sg.softmax_output(%data, %label) : (tensor<2x4xf32>, tensor<*xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: @probabilities(
// CHECK: sg.softmax_output({{.*}}) {{.*}}: (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
sg.graph @probabilities(%data: tensor<2x4xf32> {sg.name = "data"}, %label: tensor<2x4xf32> {sg.name = "label"}) -> (tensor<*xf32>) {
  %0 = sg.softmax_output(%data, %label) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: @multi_output(
// CHECK: sg.softmax_output({{.*}}) {{.*}}: (tensor<2x4x3x3xf32>, tensor<2x9xf32>) -> tensor<2x4x3x3xf32>
sg.graph @multi_output(%data: tensor<2x4x3x3xf32> {sg.name = "data"}, %label: tensor<*xf32> {sg.name = "label"}) -> (tensor<*xf32>) {
  %0 = sg.softmax_output(%data, %label) {multi_output = true} : (tensor<2x4x3x3xf32>, tensor<*xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}
