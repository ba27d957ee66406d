// Data and result have one shape.
// RUN: symc-opt --sg-infer-shapes %s | symc-opt | FileCheck %s

// CHECK-LABEL: @lrn_c2(
// CHECK: sg.lrn({{.*}}) {{.*}}: (tensor<2x4x5x5xf32>) -> tensor<2x4x5x5xf32>
sg.graph @lrn_c2(%data: tensor<2x4x5x5xf32> {sg.name = "data"}) -> (tensor<*xf32>) {
  %0 = sg.lrn(%data) {nsize = 3 : i64} : (tensor<2x4x5x5xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}
