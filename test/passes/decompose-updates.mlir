// If this fails, a step of an optimizer in a graph is a loop of the runtime, or rounds elsewhere than
// MXNet's operator does.
// RUN: symc-opt --split-input-file --sg-decompose %s | FileCheck %s
// RUN: symc-opt --split-input-file --sg-decompose --sg-decompose %s | FileCheck %s
// RUN: symc-opt --split-input-file --sg-widen-halves --sg-decompose %s | FileCheck %s --check-prefix=WIDE

// The step is one of float32 on weight32; the weight is that of 16 bits.
// WIDE-LABEL: @mixed(
// WIDE-SAME: %[[W:[a-z0-9]+]]: tensor<4xf16> {{.*}}, %[[G:[a-z0-9]+]]: tensor<4xf16> {{.*}}, %[[S:[a-z0-9]+]]: tensor<4xf32>
// WIDE-DAG: %[[GG:.*]] = sg.cast(%[[G]]) {dtype = "float32"}
// WIDE-DAG: %[[KEPT:.*]] = sg.scalar(%[[S]]) {fn = "mul", reverse = true, scalar = 7.500000e-01 : f64}
// WIDE-DAG: %[[STEP:.*]] = sg.scalar(%[[GG]]) {fn = "mul", reverse = true, scalar = 5.000000e-01 : f64}
// WIDE: %[[MOVED:.*]] = sg.binary(%[[KEPT]], %[[STEP]]) {fn = "sub"} : {{.*}} -> tensor<4xf32>
// WIDE: %[[HALF:.*]] = sg.cast(%[[MOVED]]) {dtype = "float16"}
// WIDE: sg.heads %[[HALF]], %[[MOVED]]
sg.graph @mixed(%w: tensor<4xf16> {sg.name = "w"}, %g: tensor<4xf16> {sg.name = "g"}, %s: tensor<4xf32> {sg.name = "s"}) -> (tensor<4xf16>, tensor<4xf32>) {
  %0:2 = sg.mp_sgd_update(%w, %g, %s) {lr = 0.5 : f64, wd = 0.5 : f64} : (tensor<4xf16>, tensor<4xf16>, tensor<4xf32>) -> (tensor<4xf16>, tensor<4xf32>)
  sg.heads %0#0, %0#1 : tensor<4xf16>, tensor<4xf32>
}

// -----

// Numbers are those of float32: 0.1 is 0.10000000149011612. A bound clips the scaled gradient.
// CHECK-LABEL: @clipped(
// CHECK-SAME: %[[W:[a-z0-9]+]]: tensor<4xf32> {{.*}}, %[[G:[a-z0-9]+]]: tensor<4xf32>
// CHECK-DAG: %[[SCALED:.*]] = sg.scalar(%[[G]]) {fn = "mul", reverse = true, scalar = 2.000000e+00 : f64}
// CHECK: %[[MOST:.*]] = sg.scalar(%[[SCALED]]) {fn = "minimum", scalar = 1.000000e+00 : f64}
// CHECK: %[[HELD:.*]] = sg.scalar(%[[MOST]]) {fn = "maximum", scalar = -1.000000e+00 : f64}
// CHECK: sg.scalar(%[[HELD]]) {fn = "mul", reverse = true, scalar = 0.10000000149011612 : f64}
// CHECK-NOT: sgd_update
sg.graph @clipped(%w: tensor<4xf32> {sg.name = "w"}, %g: tensor<4xf32> {sg.name = "g"}) -> (tensor<4xf32>) {
  %0 = sg.sgd_update(%w, %g) {lr = 0.1 : f64, rescale_grad = 2.0 : f64, clip_gradient = 1.0 : f64} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  sg.heads %0 : tensor<4xf32>
}

// -----

// Squares of 16 bits are rounded, their sum is not.
// CHECK-LABEL: @sums(
// CHECK: %[[X:.*]] = sg.cast({{.*}}) {dtype = "float32"}
// CHECK: %[[SQUARE:.*]] = sg.binary(%[[X]], %[[X]]) {fn = "mul"}
// CHECK: %[[ROUNDED:.*]] = sg.unary(%[[SQUARE]]) {fn = "round_float16"}
// CHECK: sg.reduce({{.*}}) {{.*}}kind = "sum"{{.*}} -> tensor<1xf32>
// CHECK: sg.concat({{.*}} -> tensor<2xf32>
// WIDE-LABEL: @sums(
// WIDE: sg.unary({{.*}}) {fn = "round_float16"}
sg.graph @sums(%x: tensor<3x2xf16> {sg.name = "x"}, %y: tensor<5xf16> {sg.name = "y"}) -> (tensor<2xf32>) {
  %0 = sg.multi_sum_sq(%x, %y) {num_arrays = 2} : (tensor<3x2xf16>, tensor<5xf16>) -> tensor<2xf32>
  sg.heads %0 : tensor<2xf32>
}

// -----

// CHECK-LABEL: @finite(
// CHECK: sg.scalar({{.*}}) {fn = "lesser_equal", scalar = 3.4028234663852886E+38 : f64}
// CHECK: sg.reduce({{.*}}) {{.*}}kind = "min"
// CHECK-NOT: all_finite
sg.graph @finite(%x: tensor<3x2xf32> {sg.name = "x"}) -> (tensor<1xf32>) {
  %0 = sg.all_finite(%x) {num_arrays = 1} : (tensor<3x2xf32>) -> tensor<1xf32>
  sg.heads %0 : tensor<1xf32>
}

// -----

// Without elements there is nothing to reduce; the runtime's loop gives what MXNet does.
// CHECK-LABEL: @empty(
// CHECK: sg.all_finite
sg.graph @empty(%x: tensor<0x2xf32> {sg.name = "x"}) -> (tensor<1xf32>) {
  %0 = sg.all_finite(%x) {num_arrays = 1} : (tensor<0x2xf32>) -> tensor<1xf32>
  sg.heads %0 : tensor<1xf32>
}
