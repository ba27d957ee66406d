// A grid that does not fit.
// RUN: not symc-opt --split-input-file --sg-infer-shapes %s 2>&1 | FileCheck %s

// CHECK: error:{{.*}} node 'n': grid has shape [2, 3, 4, 5] but needs [2, 2, ?, ?]
sg.graph @bilinear_sampler_c1(%data: tensor<2x3x8x8xf32> {sg.name = "data"}, %grid: tensor<2x3x4x5xf32> {sg.name = "grid"}) -> (tensor<*xf32>) {
  %0 = sg.bilinear_sampler(%data, %grid) : (tensor<2x3x8x8xf32>, tensor<2x3x4x5xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}
