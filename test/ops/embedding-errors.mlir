// A table that does not fit.
// RUN: not symc-opt --split-input-file --sg-infer-shapes %s 2>&1 | FileCheck %s

// CHECK: error:{{.*}} node 'n': weight has shape [4, 10] but needs [10, 4] with input_dim = 10
sg.graph @embedding_c1(%data: tensor<2x3xf32> {sg.name = "data"}, %weight: tensor<4x10xf32> {sg.name = "weight"}) -> (tensor<*xf32>) {
  %0 = sg.embedding(%data, %weight) {input_dim = 10 : i64, output_dim = 4 : i64} : (tensor<2x3xf32>, tensor<4x10xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}
