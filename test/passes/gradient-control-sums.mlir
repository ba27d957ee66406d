// If this fails, sums over the iterations of a loop are not those of MXNet's one array.
// RUN: symc-opt %s -split-input-file -sg-gradient="arguments=all" | FileCheck %s

// The gradient of a head goes on to %w as it is: each iteration overwrites the sum. %x is an element
// of data, whose gradient is no sum.
// CHECK-LABEL: sg.graph @body_gradient(
// CHECK-SAME: %[[SUM:[a-z0-9]+]]: tensor<3xf32>, %[[DY:[a-z0-9]+]]: tensor<3xf32>)
// CHECK:      %[[DX:.+]] = sg.slope(%{{.+}}, %[[DY]])
// CHECK:      sg.heads %[[DX]], %[[DY]] :
sg.graph @body(%x: tensor<3xf32>, %w: tensor<3xf32>) -> (tensor<3xf32>) attributes {training} {
  %0 = sg.scalar(%x) {fn = "mul", scalar = 2.0} : (tensor<3xf32>) -> tensor<3xf32>
  %1 = sg.binary(%0, %w) {fn = "add"} : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  sg.heads %1 : tensor<3xf32>
}
sg.graph @main(%x: tensor<5x3xf32> {sg.name = "x"}, %w: tensor<3xf32> {sg.name = "w"}) -> (tensor<5x3xf32> {sg.name = "y"}) attributes {training} {
  %0 = sg.foreach(%x, %w) {num_args = 3, num_outputs = 1, num_out_data = 1, in_data_locs = array<i64: 0>, in_state_locs = array<i64>, remain_locs = array<i64: 1>, bodies = [@body]} :
      (tensor<5x3xf32>, tensor<3xf32>) -> tensor<5x3xf32>
  sg.heads %0 : tensor<5x3xf32>
}

// -----

// That of the tanh does, too: the gradient of %x is made of the sum.
// CHECK-LABEL: sg.graph @body_gradient(
// CHECK-SAME: %[[SUM:[a-z0-9]+]]: tensor<3xf32>, %{{[a-z0-9]+}}: tensor<3xf32>)
// CHECK:      %[[D:.+]] = sg.slope({{.*}}fn = "sin"
// CHECK-NEXT: %[[NEXT:.+]] = sg.binary(%[[SUM]], %[[D]]) {fn = "add"}
// CHECK-NEXT: %[[DX:.+]] = sg.slope(%{{.+}}, %[[NEXT]])
// CHECK-NEXT: sg.heads %[[DX]], %[[NEXT]] :
sg.graph @body(%x: tensor<3xf32>, %w: tensor<3xf32>) -> (tensor<3xf32>) attributes {training} {
  %0 = sg.scalar(%x) {fn = "mul", scalar = 2.0} : (tensor<3xf32>) -> tensor<3xf32>
  %1 = sg.binary(%0, %w) {fn = "add"} : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %2 = sg.unary(%1) {fn = "sin"} : (tensor<3xf32>) -> tensor<3xf32>
  sg.heads %2 : tensor<3xf32>
}
sg.graph @main(%x: tensor<5x3xf32> {sg.name = "x"}, %w: tensor<3xf32> {sg.name = "w"}) -> (tensor<5x3xf32> {sg.name = "y"}) attributes {training} {
  %0 = sg.foreach(%x, %w) {num_args = 3, num_outputs = 1, num_out_data = 1, in_data_locs = array<i64: 0>, in_state_locs = array<i64>, remain_locs = array<i64: 1>, bodies = [@body]} :
      (tensor<5x3xf32>, tensor<3xf32>) -> tensor<5x3xf32>
  sg.heads %0 : tensor<5x3xf32>
}

// -----

// Where an element of data is the first to get it, %w gets a copy, and sums are right.
// CHECK-LABEL: sg.graph @body_gradient(
// CHECK-SAME: %[[SUM:[a-z0-9]+]]: tensor<3xf32>, %{{[a-z0-9]+}}: tensor<3xf32>)
// CHECK:      %[[D:.+]] = sg.slope({{.*}}fn = "sin"
// CHECK-NEXT: %[[NEXT:.+]] = sg.binary(%[[SUM]], %[[D]]) {fn = "add"}
// CHECK-NEXT: sg.heads %[[D]], %[[NEXT]] :
sg.graph @body(%x: tensor<3xf32>, %w: tensor<3xf32>) -> (tensor<3xf32>) attributes {training} {
  %1 = sg.binary(%w, %x) {fn = "add"} : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %2 = sg.unary(%1) {fn = "sin"} : (tensor<3xf32>) -> tensor<3xf32>
  sg.heads %2 : tensor<3xf32>
}
sg.graph @main(%x: tensor<5x3xf32> {sg.name = "x"}, %w: tensor<3xf32> {sg.name = "w"}) -> (tensor<5x3xf32> {sg.name = "y"}) attributes {training} {
  %0 = sg.foreach(%x, %w) {num_args = 3, num_outputs = 1, num_out_data = 1, in_data_locs = array<i64: 0>, in_state_locs = array<i64>, remain_locs = array<i64: 1>, bodies = [@body]} :
      (tensor<5x3xf32>, tensor<3xf32>) -> tensor<5x3xf32>
  sg.heads %0 : tensor<5x3xf32>
}

// -----

// broadcast_add's gradient has an array of its own: what else its result's gradient goes to reads no
// sum, and a use whose gradient is blocked does not count.
// CHECK-LABEL: sg.graph @body_gradient(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<3xf32>, %[[W:[a-z0-9]+]]: tensor<3xf32>, %[[SUM:[a-z0-9]+]]: tensor<3xf32>, %[[DY:[a-z0-9]+]]: tensor<3xf32>)
// CHECK-NOT:  sg.copy
// CHECK:      %[[D:.+]] = sg.slope({{.*}}fn = "sin"
// CHECK-NEXT: sg.slope(%[[X]], %[[D]]) {by = 0 : i64, fn = "sin"
// CHECK-NEXT: %[[NEXT:.+]] = sg.binary(%[[SUM]], %[[D]]) {fn = "add"}
// CHECK-NEXT: sg.slope(%[[X]], %[[NEXT]]) {by = 0 : i64, fn = "mul"
// CHECK:      sg.heads %{{.+}}, %[[NEXT]] :
sg.graph @body(%x: tensor<3xf32>, %w: tensor<3xf32>) -> (tensor<3xf32>) attributes {training} {
  %0 = sg.scalar(%x) {fn = "mul", scalar = 2.0} : (tensor<3xf32>) -> tensor<3xf32>
  %1 = sg.binary(%0, %w) {fn = "add"} : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %2 = sg.unary(%x) {fn = "sin"} : (tensor<3xf32>) -> tensor<3xf32>
  %3 = sg.binary(%2, %1) {fn = "add", broadcast = true} : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %4 = sg.unary(%3) {fn = "sin"} : (tensor<3xf32>) -> tensor<3xf32>
  %5 = sg.binary(%w, %x) {fn = "mul"} : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %6 = sg.block_grad(%5) : (tensor<3xf32>) -> tensor<3xf32>
  %7 = sg.binary(%4, %6) {fn = "sub"} : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  sg.heads %7 : tensor<3xf32>
}
sg.graph @main(%x: tensor<5x3xf32> {sg.name = "x"}, %w: tensor<3xf32> {sg.name = "w"}) -> (tensor<5x3xf32> {sg.name = "y"}) attributes {training} {
  %0 = sg.foreach(%x, %w) {num_args = 3, num_outputs = 1, num_out_data = 1, in_data_locs = array<i64: 0>, in_state_locs = array<i64>, remain_locs = array<i64: 1>, bodies = [@body]} :
      (tensor<5x3xf32>, tensor<3xf32>) -> tensor<5x3xf32>
  sg.heads %0 : tensor<5x3xf32>
}

// -----

// A sum goes through a loop in the loop, whose gradient begins with it and gives the next one.
// CHECK-LABEL: sg.graph @row_gradient(
// CHECK-SAME: %[[SUM:[a-z0-9]+]]: tensor<3xf32>, %{{[a-z0-9]+}}: tensor<2x3xf32>)
// CHECK-NOT:  sg.full
// CHECK:      %[[BACK:.+]]:2 = sg.foreach({{.*}}, %[[SUM]], {{.*}}{backwards = true
// CHECK-NEXT: sg.heads %[[BACK]]#0, %[[BACK]]#1 :
sg.graph @body(%x: tensor<3xf32>, %w: tensor<3xf32>) -> (tensor<3xf32>) attributes {training} {
  %0 = sg.binary(%x, %w) {fn = "mul"} : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  sg.heads %0 : tensor<3xf32>
}
sg.graph @row(%x: tensor<2x3xf32>, %w: tensor<3xf32>) -> (tensor<2x3xf32>) attributes {training} {
  %0 = sg.foreach(%x, %w) {num_args = 3, num_outputs = 1, num_out_data = 1, in_data_locs = array<i64: 0>, in_state_locs = array<i64>, remain_locs = array<i64: 1>, bodies = [@body]} :
      (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  sg.heads %0 : tensor<2x3xf32>
}
sg.graph @main(%x: tensor<5x2x3xf32> {sg.name = "x"}, %w: tensor<3xf32> {sg.name = "w"}) -> (tensor<5x2x3xf32> {sg.name = "y"}) attributes {training} {
  %0 = sg.foreach(%x, %w) {num_args = 3, num_outputs = 1, num_out_data = 1, in_data_locs = array<i64: 0>, in_state_locs = array<i64>, remain_locs = array<i64: 1>, bodies = [@row]} :
      (tensor<5x2x3xf32>, tensor<3xf32>) -> tensor<5x2x3xf32>
  sg.heads %0 : tensor<5x2x3xf32>
}
