// Borders add to the extents.
// RUN: symc-opt --sg-infer-shapes %s | symc-opt | FileCheck %s

// CHECK-LABEL: @pad_c2(
// CHECK: sg.pad({{.*}}) {{.*}}: (tensor<1x2x4x5xf32>) -> tensor<1x2x7x8xf32>
sg.graph @pad_c2(%data: tensor<1x2x4x5xf32> {sg.name = "data"}) -> (tensor<*xf32>) {
  %0 = sg.pad(%data) {mode = "edge", pad_width = array<i64: 0, 0, 0, 0, 1, 2, 3, 0>} : (tensor<1x2x4x5xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}
