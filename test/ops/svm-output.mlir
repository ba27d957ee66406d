// The label has one number an item.
// RUN: symc-opt --sg-infer-shapes %s | symc-opt | FileCheck %s

// CHECK-LABEL: @svm_output_c2(
// CHECK: sg.svm_output({{.*}}) {{.*}}: (tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x3xf32>
sg.graph @svm_output_c2(%data: tensor<2x3xf32> {sg.name = "data"}, %label: tensor<*xf32> {sg.name = "label"}) -> (tensor<*xf32>) {
  %0 = sg.svm_output(%data, %label) : (tensor<2x3xf32>, tensor<*xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}
