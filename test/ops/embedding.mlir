// The table's shape from parameters, the result's from data, data's from the result.
// RUN: symc-opt --sg-infer-shapes %s | symc-opt | FileCheck %s

// CHECK-LABEL: @embedding_c1(
// CHECK: sg.embedding({{.*}}) {{.*}}: (tensor<2x3xi32>, tensor<10x4xf32>) -> tensor<2x3x4xf32>
sg.graph @embedding_c1(%data: tensor<2x3xi32> {sg.name = "data"}, %weight: tensor<*xf32> {sg.name = "weight"}) -> (tensor<*xf32>) {
  %0 = sg.embedding(%data, %weight) {input_dim = 10 : i64, output_dim = 4 : i64} : (tensor<2x3xi32>, tensor<*xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: @data_from_result(
// CHECK: sg.embedding({{.*}}) {{.*}}: (tensor<7xf32>, tensor<10x4xf32>) -> tensor<7x4xf32>
sg.graph @data_from_result(%data: tensor<*xf32> {sg.name = "data"}, %weight: tensor<*xf32> {sg.name = "weight"}) -> (tensor<7x4xf32>) {
  %0 = sg.embedding(%data, %weight) {input_dim = 10 : i64, output_dim = 4 : i64} : (tensor<*xf32>, tensor<*xf32>) -> tensor<7x4xf32> loc("n")
  sg.heads %0 : tensor<7x4xf32>
}
