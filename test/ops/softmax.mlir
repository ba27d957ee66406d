// Length has data's shape without the axis; the result data's.
// RUN: symc-opt --sg-infer-shapes %s | symc-opt | FileCheck %s

// CHECK-LABEL: @softmax_c2(
// CHECK: sg.softmax({{.*}}) {{.*}}: (tensor<2x4x5xf32>, tensor<2x5xi32>) -> tensor<2x4x5xf32>
sg.graph @softmax_c2(%data: tensor<2x4x5xf32> {sg.name = "data"}, %length: tensor<*xi32> {sg.name = "length"}) -> (tensor<*xf32>) {
  %0 = sg.softmax(%data, %length) {kind = "softmax", axis = 1 : i64, use_length = true} : (tensor<2x4x5xf32>, tensor<*xi32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: @data_from_result(
// CHECK: sg.softmax({{.*}}) {{.*}}: (tensor<2x3xf32>) -> tensor<2x3xf32>
sg.graph @data_from_result(%data: tensor<*xf32> {sg.name = "data"}) -> (tensor<2x3xf32>) {
  %0 = sg.softmax(%data) {kind = "log_softmax"} : (tensor<*xf32>) -> tensor<2x3xf32> loc("n")
  sg.heads %0 : tensor<2x3xf32>
}
