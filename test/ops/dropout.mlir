// Data and result have one shape.
// RUN: symc-opt --sg-infer-shapes %s | symc-opt | FileCheck %s

// CHECK-LABEL: @dropout_same(
// CHECK: sg.dropout({{.*}}) {{.*}}: (tensor<2x3xf32>) -> tensor<2x3xf32>
sg.graph @dropout_same(%data: tensor<*xf32> {sg.name = "data"}) -> (tensor<2x3xf32>) {
  %0 = sg.dropout(%data) {p = 0.3 : f64} : (tensor<*xf32>) -> tensor<2x3xf32> loc("n")
  sg.heads %0 : tensor<2x3xf32>
}
