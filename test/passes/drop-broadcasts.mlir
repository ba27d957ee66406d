// If this fails, a tensor is repeated in memory before a function that could repeat it, or a result loses an extent.
// RUN: symc-opt --split-input-file --sg-drop-broadcasts --remarks-filter=sg-drop-broadcasts --remark-format=emitRemark %s 2>&1 | FileCheck %s
// RUN: symc-opt --split-input-file --sg-drop-broadcasts --sg-drop-broadcasts %s | FileCheck %s --check-prefix=TWICE

// CHECK: [Passed] broadcast {{.*}}Function=normalize {{.*}}"'quotient' repeats its operand itself"
// CHECK-LABEL: @normalize(
// CHECK-NOT: sg.broadcast
// CHECK: sg.binary(%{{.*}}, %{{.*}}) {broadcast = true, fn = "div"} : (tensor<24x32xf32>, tensor<24x1xf32>) -> tensor<24x32xf32>
// TWICE-LABEL: @normalize(
// TWICE: sg.binary({{.*}}) {broadcast = true, fn = "div"}
sg.graph @normalize(%x: tensor<24x32xf32> {sg.name = "x"}, %n: tensor<24x1xf32> {sg.name = "n"}) -> (tensor<24x32xf32>) {
  %0 = sg.broadcast_to(%n) {shape = array<i64: 24, 32>} : (tensor<24x1xf32>) -> tensor<24x32xf32> loc("grown")
  %1 = sg.binary(%x, %0) {fn = "div"} : (tensor<24x32xf32>, tensor<24x32xf32>) -> tensor<24x32xf32> loc("quotient")
  sg.heads %1 : tensor<24x32xf32>
}

// -----

// Both are repeated: a row meets a column, and nothing else has their extents.
// CHECK-LABEL: @table(
// CHECK-NOT: sg.broadcast_
// CHECK: sg.binary({{.*}}) {broadcast = true, fn = "add"} : (tensor<1x4xf32>, tensor<3x1xf32>) -> tensor<3x4xf32>
sg.graph @table(%x: tensor<1x4xf32> {sg.name = "x"}, %y: tensor<3x1xf32> {sg.name = "y"}) -> (tensor<3x4xf32>) {
  %0 = sg.broadcast_axis(%x) {axis = array<i64: 0>, size = array<i64: 3>} : (tensor<1x4xf32>) -> tensor<3x4xf32>
  %1 = sg.broadcast_to(%y) {shape = array<i64: 3, 4>} : (tensor<3x1xf32>) -> tensor<3x4xf32>
  %2 = sg.binary(%0, %1) {fn = "add"} : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  sg.heads %2 : tensor<3x4xf32>
}

// -----

// One of two equal ones has to stay, or the result had one row.
// CHECK-LABEL: @rows(
// CHECK: %[[ROWS:.*]] = sg.broadcast_to
// CHECK: sg.binary({{.*}}, %[[ROWS]]) {broadcast = true, fn = "mul"} : (tensor<1x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
sg.graph @rows(%x: tensor<1x4xf32> {sg.name = "x"}, %y: tensor<1x4xf32> {sg.name = "y"}) -> (tensor<3x4xf32>) {
  %0 = sg.broadcast_to(%x) {shape = array<i64: 3, 4>} : (tensor<1x4xf32>) -> tensor<3x4xf32>
  %1 = sg.broadcast_to(%y) {shape = array<i64: 3, 4>} : (tensor<1x4xf32>) -> tensor<3x4xf32>
  %2 = sg.binary(%0, %1) {fn = "mul"} : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  sg.heads %2 : tensor<3x4xf32>
}

// -----

// Another reader needs the repeated tensor; the binary node needs it no more.
// CHECK-LABEL: @shared(
// CHECK: %[[ALL:.*]] = sg.broadcast_to
// CHECK: %[[SUM:.*]] = sg.binary(%{{.*}}, %{{.*}}) {broadcast = true, fn = "sub"} : (tensor<3x4xf32>, tensor<3x1xf32>)
// CHECK: sg.heads %[[SUM]], %[[ALL]]
sg.graph @shared(%x: tensor<3x4xf32> {sg.name = "x"}, %y: tensor<3x1xf32> {sg.name = "y"}) -> (tensor<3x4xf32>, tensor<3x4xf32>) {
  %0 = sg.broadcast_to(%y) {shape = array<i64: 3, 4>} : (tensor<3x1xf32>) -> tensor<3x4xf32>
  %1 = sg.binary(%x, %0) {fn = "sub"} : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  sg.heads %1, %0 : tensor<3x4xf32>, tensor<3x4xf32>
}
