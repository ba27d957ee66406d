// If this fails, a gradient is missing, made twice, or not the one that its rule makes.
// RUN: symc-opt %s -split-input-file -sg-gradient="arguments=all" | FileCheck %s
// RUN: symc-opt %s -split-input-file -sg-gradient="arguments=all" | symc-opt -split-input-file | FileCheck %s

// A loss is where gradients begin; no gradient of it is an input. The label gets zeros.
// CHECK-LABEL: @main(
// CHECK-NOT:  head_grad
// CHECK-SAME: tensor<2x4xf32> {sg.gradient = "data", sg.name = "grad:data"}, tensor<2xf32> {sg.gradient = "label", sg.name = "grad:label"}, tensor<3x4xf32> {sg.gradient = "w", sg.name = "grad:w"}) attributes {training}
// CHECK:      %[[W:.+]] = sg.parameter @w
// CHECK:      %[[P:.+]] = sg.softmax_output
// CHECK-NOT:  sg.one_hot
// CHECK:      %[[E:.+]] = sg.binary(%{{.+}}, %{{.+}}) {broadcast = true, fn = "equal"} : (tensor<2x1xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: %[[DY:.+]] = sg.binary(%[[P]], %[[E]]) {fn = "sub"}
// CHECK:      %[[DX:.+]] = sg.dot(%[[DY]], %[[W]])
// CHECK-NEXT: %[[DW:.+]] = sg.dot(%[[DY]], %{{.+}}) {transpose_a = true}
// CHECK-NEXT: %[[DL:.+]] = sg.full()
// CHECK-NEXT: sg.heads %[[P]], %[[DX]], %[[DL]], %[[DW]]
sg.weight @w : tensor<3x4xf32>
sg.graph @main(%data: tensor<2x4xf32> {sg.name = "data"}, %label: tensor<2xf32> {sg.name = "label"})
    -> (tensor<2x3xf32> {sg.name = "softmax_output"}) attributes {training} {
  %w = sg.parameter @w : tensor<3x4xf32>
  %y = sg.fully_connected(%data, %w) {num_hidden = 3 : i64, no_bias = true} : (tensor<2x4xf32>, tensor<3x4xf32>) -> tensor<2x3xf32>
  %p = sg.softmax_output(%y, %label) : (tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x3xf32>
  sg.heads %p : tensor<2x3xf32>
}

// -----

// Another head has an input for its gradient. A value with two readers gets the sum, the later
// reader's first; a derivative of 1 needs no node; one that blocks gradients gives none.
// CHECK-LABEL: @main(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<3xf32> {sg.name = "x"}, %[[G:[a-z0-9]+]]: tensor<3xf32> {sg.head_gradient = 0 : i64, sg.name = "head_grad:y"})
// CHECK:      sg.block_grad
// CHECK-NOT:  sg.block_grad
// CHECK:      %[[D:.+]] = sg.slope(%[[X]], %[[G]]) {by = 0 : i64, fn = "sin", num_args = 2 : i64, numbers = array<f64: 0.000000e+00>, places = array<i64: 0>}
// CHECK-NEXT: %[[S:.+]] = sg.binary(%[[G]], %[[D]]) {fn = "add"}
// CHECK-NEXT: sg.heads %{{.+}}, %[[S]]
sg.graph @main(%x: tensor<3xf32> {sg.name = "x"}) -> (tensor<3xf32> {sg.name = "y"}) attributes {training} {
  %t = sg.unary(%x) {fn = "sin"} : (tensor<3xf32>) -> tensor<3xf32>
  %b = sg.block_grad(%x) : (tensor<3xf32>) -> tensor<3xf32>
  %u = sg.binary(%t, %b) {fn = "add"} : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %y = sg.binary(%u, %x) {fn = "add"} : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  sg.heads %y : tensor<3xf32>
}

// -----

// Derivatives that the result has are made of it, as MXNet makes them.
// CHECK-LABEL: @main(
// CHECK:      %[[S:.+]] = sg.unary(%{{.+}}) {fn = "sigmoid"}
// CHECK-NEXT: %[[R:.+]] = sg.unary(%[[S]]) {fn = "relu"}
// CHECK-NEXT: %[[DS:.+]] = sg.slope(%[[R]], %{{.+}}) {{.*}}fn = "relu"
// CHECK-NEXT: %[[Q:.+]] = sg.scalar(%[[S]]) {fn = "sub", reverse = true, scalar = 1.0
// CHECK-NEXT: %[[P:.+]] = sg.binary(%[[S]], %[[Q]]) {fn = "mul"}
// CHECK-NEXT: %[[DX:.+]] = sg.binary(%[[P]], %[[DS]]) {fn = "mul"}
// CHECK-NEXT: sg.heads %[[R]], %[[DX]]
sg.graph @main(%x: tensor<3xf32> {sg.name = "x"}) -> (tensor<3xf32> {sg.name = "y"}) attributes {training} {
  %s = sg.unary(%x) {fn = "sigmoid"} : (tensor<3xf32>) -> tensor<3xf32>
  %y = sg.unary(%s) {fn = "relu"} : (tensor<3xf32>) -> tensor<3xf32>
  sg.heads %y : tensor<3xf32>
}

// -----

// What repeats is summed; places, whole numbers and heads of them have no gradient.
// CHECK-LABEL: @main(
// CHECK-NOT:  head_grad:place
// CHECK:      %[[D:.+]] = sg.slope({{.*}} -> tensor<2x3xf32>
// CHECK:      sg.reduce(%{{.+}}) {axis = array<i64: 0>, keepdims = true, kind = "sum"} : (tensor<2x3xf32>) -> tensor<1x3xf32>
sg.graph @main(%a: tensor<2x3xf32> {sg.name = "a"}, %b: tensor<3xf32> {sg.name = "b"})
    -> (tensor<2x3xf32> {sg.name = "y"}, tensor<2xf32> {sg.name = "place"}) attributes {training} {
  %y = sg.binary(%a, %b) {fn = "mul", broadcast = true} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %i = sg.arg_reduce(%y) {kind = "argmax", axis = 1 : i64} : (tensor<2x3xf32>) -> tensor<2xf32>
  sg.heads %y, %i : tensor<2x3xf32>, tensor<2xf32>
}

// -----

// The moving statistics of a normalisation change in the backward part, whose sums are one node.
// CHECK-LABEL: @main(
// CHECK-SAME: tensor<4xf32> {sg.backward, sg.name = "m", sg.state = "m"}, tensor<4xf32> {sg.backward, sg.name = "v", sg.state = "v"})
// CHECK:      %[[M:.+]], %{{.+}} = sg.moments(%{{.+}}) {axes = array<i64: 0, 2>, keepdims = true} : (tensor<2x4x3xf32>) -> (tensor<1x4x1xf32>, tensor<1x4x1xf32>)
// CHECK:      sg.norm_sums(%{{.+}}, %{{.+}}, %[[M]], %{{.+}}) {axes = array<i64: 0, 2>}
// CHECK-NOT:  sg.broadcast_to
sg.weight @g : tensor<4xf32>
sg.weight @b : tensor<4xf32>
sg.weight @m : tensor<4xf32> {aux}
sg.weight @v : tensor<4xf32> {aux}
sg.graph @main(%x: tensor<2x4x3xf32> {sg.name = "x"}) -> (tensor<2x4x3xf32> {sg.name = "y"}) attributes {training} {
  %g = sg.parameter @g : tensor<4xf32>
  %b = sg.parameter @b : tensor<4xf32>
  %m = sg.parameter @m : tensor<4xf32> loc("m")
  %v = sg.parameter @v : tensor<4xf32> loc("v")
  %y:3 = sg.batch_norm(%x, %g, %b, %m, %v) {output_mean_var = true} : (tensor<2x4x3xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<2x4x3xf32>, tensor<4xf32>, tensor<4xf32>)
  sg.heads %y#0 : tensor<2x4x3xf32>
}

// -----

// The mask of a node is drawn again, by one of its name.
// CHECK-LABEL: @main(
// CHECK:      %[[Y:.+]] = sg.dropout(%{{.+}}) : (tensor<3xf32>) -> tensor<3xf32>
// CHECK-NEXT: %[[D:.+]] = sg.dropout(%{{.+}}) {mode = "always"}
// CHECK-NEXT: sg.heads %[[Y]], %[[D]]
sg.graph @main(%x: tensor<3xf32> {sg.name = "x"}) -> (tensor<3xf32> {sg.name = "y"}) attributes {training} {
  %y = sg.dropout(%x) : (tensor<3xf32>) -> tensor<3xf32>
  sg.heads %y : tensor<3xf32>
}

// -----

// Slopes of rrelu are drawn again, too; the sign is that of the result.
// CHECK-LABEL: @main(
// CHECK:      %[[Y:.+]]:2 = sg.leaky_relu(%{{.+}}) {act_type = "rrelu"}
// CHECK-DAG:  %[[S:.+]] = sg.random_like(%{{.+}}) {{.*}}high = 3.3{{.*}}low = 1.25
// CHECK-DAG:  %[[A:.+]] = sg.scalar(%[[Y]]#0) {fn = "greater", scalar = 0.000000e+00 : f64}
// CHECK-DAG:  %[[B:.+]] = sg.binary(%[[G:.+]], %[[S]]) {fn = "mul"}
// CHECK:      sg.where(%[[A]], %[[G]], %[[B]])
sg.graph @main(%x: tensor<3xf32> {sg.name = "x"}) -> (tensor<3xf32> {sg.name = "y"}) attributes {training} {
  %y:2 = sg.leaky_relu(%x) {act_type = "rrelu"} : (tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>)
  sg.heads %y#0 : tensor<3xf32>
}

// -----

// A gradient of a region's operator has its parameters; regions get zeros. No other gradient is made
// than those that are wanted.
// CHECK-LABEL: @main(
// CHECK:      %[[D:.+]] = sg.roi_align_gradient(%{{.+}}, %{{.+}}, %{{.+}}) {aligned = true, pooled_size = array<i64: 2, 2>, spatial_scale = 5.000000e-01 : f64}
// CHECK-NEXT: %[[R:.+]] = sg.full() {{.*}} tensor<4x5xf32>
// CHECK-NEXT: sg.heads %{{.+}}, %[[D]], %[[R]]
sg.graph @main(%x: tensor<2x3x8x8xf32> {sg.name = "x"}, %r: tensor<4x5xf32> {sg.name = "r"}) -> (tensor<4x3x2x2xf32> {sg.name = "y"}) attributes {training} {
  %y = sg.roi_align(%x, %r) {pooled_size = array<i64: 2, 2>, spatial_scale = 0.5 : f64, aligned = true} : (tensor<2x3x8x8xf32>, tensor<4x5xf32>) -> tensor<4x3x2x2xf32>
  sg.heads %y : tensor<4x3x2x2xf32>
}

// -----

// Places of topk pass nothing on.
// CHECK-LABEL: @main(
// CHECK:      %[[Z:.+]] = sg.full() {shape = array<i64: 2, 3>, value = 0.000000e+00
// CHECK-NEXT: sg.heads %{{.+}}, %[[Z]]
sg.graph @main(%x: tensor<2x3xf32> {sg.name = "x"}) -> (tensor<2x1xf32> {sg.name = "y"}) attributes {training} {
  %y = sg.topk(%x) : (tensor<2x3xf32>) -> tensor<2x1xf32>
  sg.heads %y : tensor<2x1xf32>
}

// -----

// A loss has its gradient where it stands in front of what passes none on.
// CHECK-LABEL: @main(
// CHECK-NOT:  head_grad
// CHECK:      sg.block_grad
// CHECK:      %[[D:.+]] = sg.fill_like({{.*}}) {value = 1.000000e+00
// CHECK:      sg.heads %{{.+}}, %[[D]]
sg.graph @main(%x: tensor<3xf32> {sg.name = "x"}) -> (tensor<3xf32> {sg.name = "y"}) attributes {training} {
  %l = sg.make_loss(%x) : (tensor<3xf32>) -> tensor<3xf32>
  %y = sg.block_grad(%l) : (tensor<3xf32>) -> tensor<3xf32>
  sg.heads %y : tensor<3xf32>
}

// -----

// The slope of what a max pooling alone reads is one of the pooled values.
// CHECK-LABEL: @main(
// CHECK-SAME: %[[G:[a-z0-9]+]]: tensor<1x1x2x2xf32> {sg.head_gradient = 0 : i64
// CHECK:      %[[T:.+]] = sg.unary(%{{.+}}) {fn = "tanh"}
// CHECK:      %[[P:.+]] = sg.pooling(%[[T]])
// CHECK:      sg.unary(%[[P]]) {fn = "square"}
// CHECK:      %[[S:.+]] = sg.binary(%{{.+}}, %[[G]]) {fn = "mul"} : (tensor<1x1x2x2xf32>
// CHECK:      %[[D:.+]] = sg.pooling_gradient(%[[T]], %[[P]], %[[S]])
// CHECK-NEXT: sg.heads %[[P]], %[[D]]
sg.graph @main(%x: tensor<1x1x4x4xf32> {sg.name = "x"}) -> (tensor<1x1x2x2xf32> {sg.name = "y"}) attributes {training} {
  %t = sg.unary(%x) {fn = "tanh"} : (tensor<1x1x4x4xf32>) -> tensor<1x1x4x4xf32>
  %p = sg.pooling(%t) {kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>} : (tensor<1x1x4x4xf32>) -> tensor<1x1x2x2xf32>
  sg.heads %p : tensor<1x1x2x2xf32>
}
