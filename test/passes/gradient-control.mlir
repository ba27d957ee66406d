// If this fails, the gradient of a node that calls graphs misses a value, or goes through other iterations.
// RUN: symc-opt %s -split-input-file -sg-gradient="arguments=all" | FileCheck %s
// RUN: symc-opt %s -split-input-file -sg-gradient="arguments=all" | symc-opt -split-input-file | FileCheck %s

// The gradient of a loop goes backwards over data, states that are gathered and gradients; the
// gradient of what all iterations read is a carried sum. What no rule reads is not computed again.
// CHECK-LABEL: sg.graph @body_gradient(
// CHECK-SAME: %[[X:[a-z0-9]+]]: {{[^,]+}}, %[[S:[a-z0-9]+]]: {{[^,]+}}, %[[W:[a-z0-9]+]]: {{[^,]+}}, %[[SUM:[a-z0-9]+]]: {{[^,]+}}, %[[DY:[a-z0-9]+]]: {{[^,]+}}, %[[DL:[a-z0-9]+]]:
// CHECK-NOT:  sg.binary({{.*}}"mul"
// CHECK:      %[[DS1:.+]] = sg.slope(%[[S]], %[[W]], %[[DL]]) {by = 0
// CHECK:      %[[DW:.+]] = sg.slope(%[[S]], %[[W]], %[[DL]]) {by = 1
// CHECK:      %[[DX:.+]] = sg.slope(%[[X]], %[[S]], %[[DY]]) {by = 0
// CHECK:      %[[DS2:.+]] = sg.slope(%[[X]], %[[S]], %[[DY]]) {by = 1
// CHECK:      %[[DS:.+]] = sg.binary(%[[DS1]], %[[DS2]]) {fn = "add"}
// CHECK:      %[[NEXT:.+]] = sg.binary(%[[SUM]], %[[DW]]) {fn = "add"}
// CHECK:      sg.heads %[[DX]], %[[NEXT]], %[[DS]]
// CHECK-LABEL: sg.graph @body_states(
// CHECK:      sg.heads %{{.+}}, %arg1, %{{.+}} :
// CHECK-NOT:  sg.graph @body(
// CHECK-LABEL: sg.graph @main(
// CHECK:      %[[LOOP:.+]]:3 = sg.foreach({{.*}}bodies = [@body_states]
// CHECK:      %[[BACK:.+]]:3 = sg.foreach(%{{.+}}, %{{.+}}, %[[LOOP]]#1, {{.*}}backwards = true, bodies = [@body_gradient]
// CHECK:      sg.heads %[[LOOP]]#0, %[[LOOP]]#2, %[[BACK]]#0, %[[BACK]]#2, %[[BACK]]#1
sg.graph @body(%x: tensor<3xf32>, %s: tensor<3xf32>, %w: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) attributes {training} {
  %0 = sg.binary(%x, %s) {fn = "mul"} : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %1 = sg.binary(%s, %w) {fn = "mul"} : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  sg.heads %0, %1 : tensor<3xf32>, tensor<3xf32>
}
sg.graph @main(%x: tensor<5x3xf32> {sg.name = "x"}, %s: tensor<3xf32> {sg.name = "s"}, %w: tensor<3xf32> {sg.name = "w"})
    -> (tensor<5x3xf32> {sg.name = "y"}, tensor<3xf32> {sg.name = "last"}) attributes {training} {
  %0:2 = sg.foreach(%x, %s, %w) {num_args = 4, num_outputs = 2, num_out_data = 1, in_data_locs = array<i64: 0>, in_state_locs = array<i64: 1>, remain_locs = array<i64: 2>, bodies = [@body]} :
      (tensor<5x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<5x3xf32>, tensor<3xf32>)
  sg.heads %0#0, %0#1 : tensor<5x3xf32>, tensor<3xf32>
}

// -----

// No gradient of the output: only what leads from state to state is there, and data, which only
// counts the iterations, has none. A state of whole numbers has none either.
// CHECK-LABEL: sg.graph @body_gradient(
// CHECK-SAME: %{{.+}}: tensor<3xf32>, %[[DL:[a-z0-9]+]]: tensor<3xf32>) -> tensor<3xf32>
// CHECK-NEXT: %[[DS:.+]] = sg.reverse(%[[DL]])
// CHECK-NEXT: sg.heads %[[DS]] :
// CHECK-LABEL: sg.graph @main(
// CHECK:      sg.foreach({{.*}}bodies = [@body]
// CHECK:      %[[BACK:.+]] = sg.foreach(%arg0, %{{.+}}) {backwards = true, bodies = [@body_gradient]{{.*}}in_data_locs = array<i64: 0>, in_state_locs = array<i64: 1>
// CHECK:      %[[NONE:.+]] = sg.full()
// CHECK:      sg.heads %{{.+}}, %[[NONE]], %[[BACK]]
sg.graph @body(%x: tensor<3xf32>, %s: tensor<3xf32>, %n: tensor<1xi32>) -> (tensor<3xf32>, tensor<3xf32>, tensor<1xi32>) attributes {training} {
  %0 = sg.binary(%x, %s) {fn = "mul"} : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %1 = sg.reverse(%s) {axis = array<i64: 0>} : (tensor<3xf32>) -> tensor<3xf32>
  %2 = sg.scalar(%n) {fn = "add", scalar = 1.0} : (tensor<1xi32>) -> tensor<1xi32>
  sg.heads %0, %1, %2 : tensor<3xf32>, tensor<3xf32>, tensor<1xi32>
}
sg.graph @main(%x: tensor<5x3xf32> {sg.name = "x"}, %s: tensor<3xf32> {sg.name = "s"}, %n: tensor<1xi32> {sg.name = "n"})
    -> (tensor<3xf32> {sg.name = "last"}) attributes {training} {
  %0:3 = sg.foreach(%x, %s, %n) {num_args = 4, num_outputs = 3, num_out_data = 1, in_data_locs = array<i64: 0>, in_state_locs = array<i64: 1, 2>, remain_locs = array<i64>, bodies = [@body]} :
      (tensor<5x3xf32>, tensor<3xf32>, tensor<1xi32>) -> (tensor<5x3xf32>, tensor<3xf32>, tensor<1xi32>)
  sg.heads %0#1 : tensor<3xf32>
}

// -----

// A while_loop counts its iterations, and its gradient goes through as many.
// CHECK-LABEL: sg.graph @step_states(
// CHECK:      %[[DONE:.+]] = sg.scalar(%[[BEFORE:[a-z0-9]+]]) {fn = "add", scalar = 1.000000e+00 : f64} : (tensor<1xi64>)
// CHECK:      sg.heads %{{.+}}, %arg1, %{{.+}}, %{{.+}}, %[[DONE]]
// CHECK-LABEL: sg.graph @main(
// CHECK:      %[[LOOP:.+]]:5 = sg.while_loop(%{{.+}}, %{{.+}}, %{{.+}}) {bodies = [@less, @step_states]{{.*}}func_input_locs = array<i64: 0, 1, 2>, func_var_locs = array<i64: 0, 1, 2>, max_iterations = 4 : i64, num_args = 5 : i64
// CHECK:      sg.foreach({{.*}}, %[[LOOP]]#1, %{{.+}}, %[[LOOP]]#4) {backwards = true, bodies = [@step_gradient], counted = true
sg.graph @less(%i: tensor<1xf32>) -> (tensor<1xf32>) attributes {training} {
  %0 = sg.scalar(%i) {fn = "lesser", scalar = 3.0} : (tensor<1xf32>) -> tensor<1xf32>
  sg.heads %0 : tensor<1xf32>
}
sg.graph @step(%i: tensor<1xf32>, %x: tensor<2xf32>) -> (tensor<2xf32>, tensor<1xf32>, tensor<2xf32>) attributes {training} {
  %0 = sg.scalar(%i) {fn = "add", scalar = 1.0} : (tensor<1xf32>) -> tensor<1xf32>
  %1 = sg.unary(%x) {fn = "sin"} : (tensor<2xf32>) -> tensor<2xf32>
  sg.heads %1, %0, %1 : tensor<2xf32>, tensor<1xf32>, tensor<2xf32>
}
sg.graph @main(%i: tensor<1xf32> {sg.name = "i"}, %x: tensor<2xf32> {sg.name = "x"}) -> (tensor<4x2xf32> {sg.name = "y"}) attributes {training} {
  %0:3 = sg.while_loop(%i, %x) {num_args = 4, num_outputs = 3, num_out_data = 1, max_iterations = 4, cond_input_locs = array<i64: 0>, func_input_locs = array<i64: 0, 1>, func_var_locs = array<i64: 0, 1>, bodies = [@less, @step]} :
      (tensor<1xf32>, tensor<2xf32>) -> (tensor<4x2xf32>, tensor<1xf32>, tensor<2xf32>)
  sg.heads %0#0 : tensor<4x2xf32>
}

// -----

// A choice is made again, between the gradients of the branches; one that does not read a value
// gives zeros.
// CHECK-LABEL: sg.graph @then_gradient(
// CHECK:      %[[DA:.+]] = sg.slope(
// CHECK:      %[[ZERO:.+]] = sg.full()
// CHECK:      sg.heads %[[DA]], %[[ZERO]]
// CHECK-LABEL: sg.graph @else_gradient(
// CHECK-LABEL: sg.graph @main(
// CHECK:      sg.cond({{.*}}bodies = [@less, @then, @else]
// CHECK:      %[[BACK:.+]]:2 = sg.cond({{.*}}bodies = [@less, @then_gradient, @else_gradient]
// CHECK:      sg.heads %{{.+}}, %{{.+}}, %[[BACK]]#0, %[[BACK]]#1
sg.graph @less(%i: tensor<1xf32>) -> (tensor<1xf32>) attributes {training} {
  %0 = sg.scalar(%i) {fn = "lesser", scalar = 3.0} : (tensor<1xf32>) -> tensor<1xf32>
  sg.heads %0 : tensor<1xf32>
}
sg.graph @then(%a: tensor<2xf32>) -> (tensor<2xf32>) attributes {training} {
  %0 = sg.unary(%a) {fn = "sin"} : (tensor<2xf32>) -> tensor<2xf32>
  sg.heads %0 : tensor<2xf32>
}
sg.graph @else(%a: tensor<2xf32>, %b: tensor<2xf32>) -> (tensor<2xf32>) attributes {training} {
  %0 = sg.binary(%b, %a) {fn = "mul"} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  sg.heads %0 : tensor<2xf32>
}
sg.graph @main(%i: tensor<1xf32> {sg.name = "i"}, %a: tensor<2xf32> {sg.name = "a"}, %b: tensor<2xf32> {sg.name = "b"})
    -> (tensor<2xf32> {sg.name = "y"}) attributes {training} {
  %0 = sg.cond(%i, %a, %b) {num_args = 6, num_outputs = 1, cond_input_locs = array<i64: 0>, then_input_locs = array<i64: 1>, else_input_locs = array<i64: 1, 2>, bodies = [@less, @then, @else]} :
      (tensor<1xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  sg.heads %0 : tensor<2xf32>
}
