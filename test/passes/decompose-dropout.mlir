// Dropout that drops all is 0 / 0, as MXNet has it; others of training act always, and in prediction it is left.
// RUN: symc-opt %s -split-input-file -sg-decompose | FileCheck %s
// RUN: symc-opt %s -split-input-file -sg-decompose -sg-decompose | FileCheck %s

// CHECK-LABEL: sg.graph @main(
// CHECK:       sg.scalar(%{{.*}}) {fn = "mul"{{.*}}scalar = 0x7FF8000000000000 : f64
// CHECK:       sg.dropout(%{{.*}}) {{.*}}mode = "always"
sg.graph @main(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) attributes {training} {
  %0 = sg.dropout(%x) {p = 1.0 : f64} : (tensor<3xf32>) -> tensor<3xf32>
  %1 = sg.dropout(%x) {p = 0.25 : f64} : (tensor<3xf32>) -> tensor<3xf32>
  sg.heads %0, %1 : tensor<3xf32>, tensor<3xf32>
}

// -----

// CHECK-LABEL: sg.graph @main(
// CHECK-NOT:   sg.scalar
sg.graph @main(%x: tensor<3xf32>) -> (tensor<3xf32>) {
  %0 = sg.dropout(%x) {p = 1.0 : f64} : (tensor<3xf32>) -> tensor<3xf32>
  sg.heads %0 : tensor<3xf32>
}
