// If this fails, a weight that is stored in another type than the graph computes in is
// read as if it were of the graph's, or is cast at each run.
// RUN: symc-opt --sg-lift-states --sg-hoist-prepare %s | FileCheck %s --check-prefixes=CHECK,ALL
// RUN: symc-opt --sg-lift-states --sg-hoist-prepare --sg-hoist-prepare %s | FileCheck %s --check-prefixes=CHECK,ALL
// RUN: symc-opt --sg-lift-states --sg-hoist-prepare=casts-only %s | FileCheck %s --check-prefixes=CHECK,CASTS

// CHECK: sg.weight @half : tensor<4xf16>
// CHECK-NOT: stored
// CHECK: sg.weight @count : tensor<4xi32>
// CHECK-NOT: stored
sg.weight @half : tensor<4xf32> {stored = f16}
sg.weight @count : tensor<4xf32> {aux, stored = i32}

// The casts stand in @prepare, and with all nodes what depends on a weight alone; not what
// depends on a state, whose later values the runs make: @prepare makes the first.
// CHECK: sg.graph @prepare() -> (tensor<4xf32>, tensor<4xf32> {sg.state = "count"})
// CHECK: %[[P:.*]] = sg.parameter @half : tensor<4xf16>
// CHECK: %[[W:.*]] = sg.cast(%[[P]]) {dtype = "float32"} : (tensor<4xf16>) -> tensor<4xf32>
// ALL: %[[E:.*]] = sg.unary(%[[W]]) {fn = "exp"}
// CHECK: %[[Q:.*]] = sg.parameter @count : tensor<4xi32>
// CHECK: %[[C:.*]] = sg.cast(%[[Q]]) {dtype = "float32"} : (tensor<4xi32>) -> tensor<4xf32>
// ALL: sg.heads %[[E]], %[[C]]
// CASTS: sg.heads %[[W]], %[[C]]
// CHECK-LABEL: sg.graph @main(
// CHECK-SAME: %[[STATE:[a-z0-9]+]]: tensor<4xf32> {sg.name = "count", sg.state = "count"}
// CHECK-NOT: sg.cast
// CASTS: sg.unary({{.*}}) {fn = "exp"}
// CHECK: sg.unary(%[[STATE]]) {fn = "sqrt"}
// CHECK-NOT: sg.cast
sg.graph @main(%x: tensor<4xf32> {sg.name = "x"}) -> (tensor<4xf32> {sg.name = "out"}, tensor<4xf32> {sg.name = "count", sg.state = "count"}) {
  %w = sg.parameter @half : tensor<4xf32>
  %c = sg.parameter @count : tensor<4xf32>
  %0 = sg.unary(%w) {fn = "exp"} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = sg.binary(%x, %0) {fn = "add"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %2 = sg.unary(%c) {fn = "sqrt"} : (tensor<4xf32>) -> tensor<4xf32>
  sg.heads %1, %2 : tensor<4xf32>, tensor<4xf32>
}
