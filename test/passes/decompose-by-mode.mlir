// If this fails, the steps of a trainer predict by the statistics of the batch that they get, or with zeros that Dropout draws; or
// other graphs of training have nodes that are of no use to them.
// RUN: symc-opt %s -sg-decompose | FileCheck %s
// RUN: sed 's/, sg.predicts//' %s | symc-opt -sg-decompose | FileCheck %s --check-prefix=OTHERS

// A second pass over the same graph leaves it.
// RUN: symc-opt %s -sg-decompose -sg-decompose | FileCheck %s --check-prefix=TWICE
// TWICE-COUNT-3: sg.by_mode
// TWICE-NOT: sg.by_mode

// CHECK-LABEL: sg.graph @main(
// CHECK:       %[[MEAN:.+]], %[[VARIANCE:.+]] = sg.moments(%[[X:.+]]) {axes = array<i64: 0, 2, 3>
// CHECK:       %[[MOVING:.+]] = sg.reshape(%[[M:.+]]) {{.*}} -> tensor<1x4x1x1xf32>
// CHECK:       %[[MEAN_BY_MODE:.+]] = sg.by_mode(%[[MEAN]], %[[MOVING]])
// CHECK:       %[[OTHER:.+]] = sg.reshape({{.*}} -> tensor<1x4x1x1xf32>
// CHECK:       %[[BY_MODE:.+]] = sg.by_mode(%[[VARIANCE]], %[[OTHER]])
// CHECK:       sg.scalar(%[[BY_MODE]]) {fn = "add"
// CHECK:       sg.binary(%[[X]], %[[MEAN_BY_MODE]]) {{.*}}fn = "sub"
// CHECK:       %[[DROPPED:.+]] = sg.dropout(%[[D:.+]]) {{.*}}mode = "always"
// CHECK:       %[[KEPT:.+]] = sg.by_mode(%[[DROPPED]], %[[D]])
// CHECK:       %[[ALWAYS:.+]] = sg.dropout(%[[KEPT]])
// CHECK:       sg.heads %[[ALWAYS]]
// OTHERS-NOT: sg.by_mode
sg.weight @m : tensor<4xf32> {file = "w", sg.aux}
sg.weight @v : tensor<4xf32> {file = "w", sg.aux}
sg.graph @main(%x: tensor<2x4x3x3xf32> {sg.name = "x"}, %g: tensor<4xf32> {sg.name = "g"}, %b: tensor<4xf32> {sg.name = "b"}) -> (tensor<2x4x3x3xf32>)
    attributes {training, sg.predicts} {
  %m = sg.parameter @m : tensor<4xf32>
  %v = sg.parameter @v : tensor<4xf32>
  %0 = sg.batch_norm(%x, %g, %b, %m, %v) {eps = 0.001 : f64, fix_gamma = false} : (tensor<2x4x3x3xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x4x3x3xf32>
  %1 = sg.dropout(%0) {p = 0.25 : f64} : (tensor<2x4x3x3xf32>) -> tensor<2x4x3x3xf32>
  %2 = sg.dropout(%1) {p = 0.25 : f64, mode = "always"} : (tensor<2x4x3x3xf32>) -> tensor<2x4x3x3xf32>
  sg.heads %2 : tensor<2x4x3x3xf32>
}
