// Labels follow data; one column may be left out.
// RUN: symc-opt --sg-infer-shapes %s | symc-opt | FileCheck %s

// CHECK-LABEL: @regression_output_c1(
// CHECK: sg.regression_output({{.*}}) {{.*}}: (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
sg.graph @regression_output_c1(%data: tensor<*xf32> {sg.name = "data"}, %label: tensor<*xf32> {sg.name = "label"}) -> (tensor<2x3xf32>) {
  %0 = sg.regression_output(%data, %label) {kind = "linear"} : (tensor<*xf32>, tensor<*xf32>) -> tensor<2x3xf32> loc("n")
  sg.heads %0 : tensor<2x3xf32>
}

// CHECK-LABEL: @regression_output_c2(
// CHECK: sg.regression_output({{.*}}) {{.*}}: (tensor<2x1xf32>, tensor<2xf32>) -> tensor<2x1xf32>
sg.graph @regression_output_c2(%data: tensor<2x1xf32> {sg.name = "data"}, %label: tensor<*xf32> {sg.name = "label"}) -> (tensor<*xf32>) {
  %0 = sg.regression_output(%data, %label) {kind = "mae"} : (tensor<2x1xf32>, tensor<*xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}
