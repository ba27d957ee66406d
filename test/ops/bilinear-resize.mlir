// Every way to tell the size.
// RUN: symc-opt --sg-infer-shapes %s | symc-opt | FileCheck %s

// CHECK-LABEL: @size(
// CHECK: sg.bilinear_resize({{.*}}) {{.*}}: (tensor<1x2x5x8xf32>) -> tensor<1x2x7x3xf32>
sg.graph @size(%data: tensor<1x2x5x8xf32> {sg.name = "data"}) -> (tensor<*xf32>) {
  %0 = sg.bilinear_resize(%data) {height = 7 : i64, width = 3 : i64} : (tensor<1x2x5x8xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: @scale(
// CHECK: sg.bilinear_resize({{.*}}) {{.*}}: (tensor<1x2x5x8xf32>) -> tensor<1x2x7x16xf32>
sg.graph @scale(%data: tensor<1x2x5x8xf32> {sg.name = "data"}) -> (tensor<*xf32>) {
  %0 = sg.bilinear_resize(%data) {scale_height = 1.5 : f64, scale_width = 2.0 : f64} : (tensor<1x2x5x8xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: @odd_scale(
// CHECK: sg.bilinear_resize({{.*}}) {{.*}}: (tensor<1x2x5x8xf32>) -> tensor<1x2x9x16xf32>
sg.graph @odd_scale(%data: tensor<1x2x5x8xf32> {sg.name = "data"}) -> (tensor<*xf32>) {
  %0 = sg.bilinear_resize(%data) {mode = "odd_scale", scale_height = 2.0 : f64, scale_width = 2.0 : f64} : (tensor<1x2x5x8xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: @to_even_down(
// CHECK: sg.bilinear_resize({{.*}}) {{.*}}: (tensor<1x2x5x8xf32>) -> tensor<1x2x4x8xf32>
sg.graph @to_even_down(%data: tensor<1x2x5x8xf32> {sg.name = "data"}) -> (tensor<*xf32>) {
  %0 = sg.bilinear_resize(%data) {mode = "to_even_down"} : (tensor<1x2x5x8xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: @to_even_up(
// CHECK: sg.bilinear_resize({{.*}}) {{.*}}: (tensor<1x2x5x8xf32>) -> tensor<1x2x6x8xf32>
sg.graph @to_even_up(%data: tensor<1x2x5x8xf32> {sg.name = "data"}) -> (tensor<*xf32>) {
  %0 = sg.bilinear_resize(%data) {mode = "to_even_up"} : (tensor<1x2x5x8xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: @to_odd_down(
// CHECK: sg.bilinear_resize({{.*}}) {{.*}}: (tensor<1x2x5x8xf32>) -> tensor<1x2x5x7xf32>
sg.graph @to_odd_down(%data: tensor<1x2x5x8xf32> {sg.name = "data"}) -> (tensor<*xf32>) {
  %0 = sg.bilinear_resize(%data) {mode = "to_odd_down"} : (tensor<1x2x5x8xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: @to_odd_up(
// CHECK: sg.bilinear_resize({{.*}}) {{.*}}: (tensor<1x2x5x8xf32>) -> tensor<1x2x5x9xf32>
sg.graph @to_odd_up(%data: tensor<1x2x5x8xf32> {sg.name = "data"}) -> (tensor<*xf32>) {
  %0 = sg.bilinear_resize(%data) {mode = "to_odd_up"} : (tensor<1x2x5x8xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}

// CHECK-LABEL: @like(
// CHECK: sg.bilinear_resize({{.*}}) {{.*}}: (tensor<1x2x5x8xf32>, tensor<1x1x3x4xf32>) -> tensor<1x2x3x4xf32>
sg.graph @like(%data: tensor<1x2x5x8xf32> {sg.name = "data"}, %like: tensor<1x1x3x4xf32> {sg.name = "like"}) -> (tensor<*xf32>) {
  %0 = sg.bilinear_resize(%data, %like) {mode = "like"} : (tensor<1x2x5x8xf32>, tensor<1x1x3x4xf32>) -> tensor<*xf32> loc("n")
  sg.heads %0 : tensor<*xf32>
}
