// If this fails, auxiliary states that gradients in loops and choices change have another value.
// RUN: symc-opt %s -split-input-file -sg-gradient="arguments=x" | FileCheck %s

// Moving statistics go from iteration to iteration, from the last one to the first.
// CHECK-LABEL: sg.graph @body_gradient(
// CHECK:      sg.heads %{{.+}}, %{{.+}}, %{{.+}} : tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>
// CHECK-LABEL: sg.graph @main(
// CHECK-SAME: tensor<4xf32> {sg.backward, sg.name = "m", sg.state = "m"}, tensor<4xf32> {sg.backward, sg.name = "v", sg.state = "v"})
// CHECK:      %[[M:.+]] = sg.parameter @m
// CHECK:      %[[V:.+]] = sg.parameter @v
// CHECK:      %[[BACK:.+]]:3 = sg.foreach({{.*}}, %[[M]], %[[V]]) {backwards = true
// CHECK:      sg.heads %{{.+}}, %[[BACK]]#0, %[[BACK]]#1, %[[BACK]]#2
sg.weight @g : tensor<4xf32>
sg.weight @b : tensor<4xf32>
sg.weight @m : tensor<4xf32>
sg.weight @v : tensor<4xf32>
sg.graph @body(%x: tensor<2x4xf32>, %g: tensor<4xf32>, %b: tensor<4xf32>, %m: tensor<4xf32>, %v: tensor<4xf32>) -> (tensor<2x4xf32>) attributes {training} {
  %y = sg.batch_norm(%x, %g, %b, %m, %v) {} : (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<2x4xf32>)
  sg.heads %y : tensor<2x4xf32>
}
sg.graph @main(%x: tensor<3x2x4xf32> {sg.name = "x"}) -> (tensor<3x2x4xf32> {sg.name = "y"}) attributes {training} {
  %g = sg.parameter @g : tensor<4xf32>
  %b = sg.parameter @b : tensor<4xf32>
  %m = sg.parameter @m : tensor<4xf32>
  %v = sg.parameter @v : tensor<4xf32>
  %0 = sg.foreach(%x, %g, %b, %m, %v) {num_args = 6, num_outputs = 1, num_out_data = 1, in_data_locs = array<i64: 0>, in_state_locs = array<i64>, remain_locs = array<i64: 1, 2, 3, 4>, bodies = [@body]} :
      (tensor<3x2x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<3x2x4xf32>
  sg.heads %0 : tensor<3x2x4xf32>
}

// -----

// The branch without the normalisation leaves them as they are.
// CHECK-LABEL: sg.graph @else_gradient(
// CHECK-SAME: %[[DY:[a-z0-9]+]]: tensor<2x4xf32>, %[[MEAN:[a-z0-9]+]]: tensor<4xf32>, %[[VAR:[a-z0-9]+]]: tensor<4xf32>)
// CHECK:      sg.heads %{{.+}}, %[[MEAN]], %[[VAR]]
// CHECK-LABEL: sg.graph @main(
// CHECK:      %[[BACK:.+]]:3 = sg.cond({{.*}}bodies = [@if, @then_gradient, @else_gradient]
// CHECK:      sg.heads %{{.+}}, %[[BACK]]#0, %[[BACK]]#1, %[[BACK]]#2
sg.weight @g : tensor<4xf32>
sg.weight @b : tensor<4xf32>
sg.weight @m : tensor<4xf32>
sg.weight @v : tensor<4xf32>
sg.graph @if(%i: tensor<1xf32>) -> (tensor<1xf32>) attributes {training} {
  sg.heads %i : tensor<1xf32>
}
sg.graph @then(%x: tensor<2x4xf32>, %g: tensor<4xf32>, %b: tensor<4xf32>, %m: tensor<4xf32>, %v: tensor<4xf32>) -> (tensor<2x4xf32>) attributes {training} {
  %y = sg.batch_norm(%x, %g, %b, %m, %v) {} : (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<2x4xf32>)
  sg.heads %y : tensor<2x4xf32>
}
sg.graph @else(%x: tensor<2x4xf32>) -> (tensor<2x4xf32>) attributes {training} {
  %y = sg.scalar(%x) {fn = "mul", scalar = 2.0} : (tensor<2x4xf32>) -> tensor<2x4xf32>
  sg.heads %y : tensor<2x4xf32>
}
sg.graph @main(%i: tensor<1xf32> {sg.name = "i"}, %x: tensor<2x4xf32> {sg.name = "x"}) -> (tensor<2x4xf32> {sg.name = "y"}) attributes {training} {
  %g = sg.parameter @g : tensor<4xf32>
  %b = sg.parameter @b : tensor<4xf32>
  %m = sg.parameter @m : tensor<4xf32>
  %v = sg.parameter @v : tensor<4xf32>
  %0 = sg.cond(%i, %x, %g, %b, %m, %v) {num_args = 9, num_outputs = 1, cond_input_locs = array<i64: 0>, then_input_locs = array<i64: 1, 2, 3, 4, 5>, else_input_locs = array<i64: 1>, bodies = [@if, @then, @else]} :
      (tensor<1xf32>, tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  sg.heads %0 : tensor<2x4xf32>
}

// -----

// One state of two nodes: what the later one makes of it is what the earlier one changes.
// CHECK-LABEL: sg.graph @main(
// CHECK:      %[[M:.+]] = sg.parameter @m
// CHECK:      %[[ONE:.+]] = sg.scalar(%[[M]]) {fn = "mul"
// CHECK:      %[[LATER:.+]] = sg.binary(%[[ONE]], %{{.+}}) {fn = "add"}
// CHECK:      %[[TWO:.+]] = sg.scalar(%[[LATER]]) {fn = "mul"
// CHECK:      %[[NEW:.+]] = sg.binary(%[[TWO]], %{{.+}}) {fn = "add"}
// CHECK:      sg.heads %{{.+}}, %{{.+}}, %[[NEW]], %{{.+}} :
sg.weight @g : tensor<4xf32>
sg.weight @b : tensor<4xf32>
sg.weight @m : tensor<4xf32> {aux}
sg.weight @v : tensor<4xf32> {aux}
sg.graph @main(%x: tensor<2x4xf32> {sg.name = "x"}) -> (tensor<2x4xf32> {sg.name = "y"}) attributes {training} {
  %g = sg.parameter @g : tensor<4xf32>
  %b = sg.parameter @b : tensor<4xf32>
  %m = sg.parameter @m : tensor<4xf32>
  %v = sg.parameter @v : tensor<4xf32>
  %0 = sg.batch_norm(%x, %g, %b, %m, %v) {} : (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<2x4xf32>)
  %1 = sg.batch_norm(%0, %g, %b, %m, %v) {} : (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<2x4xf32>)
  sg.heads %1 : tensor<2x4xf32>
}
