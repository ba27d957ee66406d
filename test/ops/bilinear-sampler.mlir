// The result has the grid's size.
// RUN: symc-opt --sg-infer-shapes %s | symc-opt | FileCheck %s

// CHECK-LABEL: @bilinear_sampler_c1(
// CHECK: sg.bilinear_sampler({{.*}}) {{.*}}: (tensor<2x3x8x8xf32>, tensor<2x2x4x5xf32>) -> tensor<2x3x4x5xf32>
sg.graph @bilinear_sampler_c1(%data: tensor<2x3x8x8xf32> {sg.name = "data"}, %grid: tensor<?x?x4x5xf32> {sg.name = "grid"}) -> (tensor<*xf32>) {
  %0 = sg.bilinear_sampler(%data, %grid) : (tensor<2x3x8x8xf32>, tensor<?x?x4x5xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}
