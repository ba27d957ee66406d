// If this fails, two nodes that draw share their numbers, or one whose numbers nobody reads runs.
// RUN: symc-opt --cse --canonicalize %s | FileCheck %s

// CHECK-LABEL: @two_draw(
// CHECK-COUNT-2: sg.random()
// CHECK-NEXT: sg.heads
sg.graph @two_draw() -> (tensor<2xf32>, tensor<2xf32>) {
  %0 = sg.random() {kind = "normal", shape = array<i64: 2>} : () -> tensor<2xf32>
  %1 = sg.random() {kind = "normal", shape = array<i64: 2>} : () -> tensor<2xf32>
  sg.heads %0, %1 : tensor<2xf32>, tensor<2xf32>
}

// CHECK-LABEL: @two_draw_of_data(
// CHECK-COUNT-2: sg.numpy_draw(
// CHECK-COUNT-2: sg.image_random_flip(
// CHECK-NEXT: sg.heads
sg.graph @two_draw_of_data(%a: tensor<2xf32>, %image: tensor<4x4x3xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<4x4x3xf32>, tensor<4x4x3xf32>) {
  %0 = sg.numpy_draw(%a) {kind = "uniform", high = 9.0 : f64} : (tensor<2xf32>) -> tensor<2xf32>
  %1 = sg.numpy_draw(%a) {kind = "uniform", high = 9.0 : f64} : (tensor<2xf32>) -> tensor<2xf32>
  %2 = sg.image_random_flip(%image) {axis = -2 : i64} : (tensor<4x4x3xf32>) -> tensor<4x4x3xf32>
  %3 = sg.image_random_flip(%image) {axis = -2 : i64} : (tensor<4x4x3xf32>) -> tensor<4x4x3xf32>
  sg.heads %0, %1, %2, %3 : tensor<2xf32>, tensor<2xf32>, tensor<4x4x3xf32>, tensor<4x4x3xf32>
}

// CHECK-LABEL: @unread(
// CHECK-NEXT: sg.heads
sg.graph @unread(%a: tensor<2xf32>) -> (tensor<2xf32>) {
  %0 = sg.random() {kind = "normal", shape = array<i64: 2>} : () -> tensor<2xf32>
  sg.heads %a : tensor<2xf32>
}

// A dropout draws where its mode says so; others are as pure as any node.
// CHECK-LABEL: @dropout(
// CHECK-COUNT-2: mode = "always"
// CHECK-NEXT: %[[SHARED:.*]] = sg.dropout(%{{.*}}) :
// CHECK-NEXT: sg.heads %{{.*}}, %{{.*}}, %[[SHARED]], %[[SHARED]] :
sg.graph @dropout(%a: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %0 = sg.dropout(%a) {mode = "always"} : (tensor<2xf32>) -> tensor<2xf32>
  %1 = sg.dropout(%a) {mode = "always"} : (tensor<2xf32>) -> tensor<2xf32>
  %2 = sg.dropout(%a) : (tensor<2xf32>) -> tensor<2xf32>
  %3 = sg.dropout(%a) : (tensor<2xf32>) -> tensor<2xf32>
  sg.heads %0, %1, %2, %3 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}
