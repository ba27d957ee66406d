// RUN: symc-opt --sg-infer-shapes --sg-infer-types %s | FileCheck %s
// RUN: symc-opt %s | symc-opt | symc-opt --sg-infer-shapes --sg-infer-types | FileCheck %s
// Shapes and element types go into the graphs that a node calls and come back from them.

// CHECK-LABEL: sg.graph @sum(%{{.*}}: tensor<3xf16>, %{{.*}}: tensor<3xf16>) -> (tensor<3xf16>, tensor<3xf16>)
sg.graph @sum(%x: tensor<*x!sg.unknown>, %s: tensor<*x!sg.unknown>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  %0 = sg.binary(%x, %s) {fn = "add"} : (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) -> tensor<*x!sg.unknown>
  sg.heads %0, %0 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}

// The state, of which nothing is told, gets its shape from the element that is added to it.
// CHECK-LABEL: sg.graph @foreach(%{{.*}}: tensor<5x3xf16>, %{{.*}}: tensor<3xf16>) -> (tensor<5x3xf16>, tensor<3xf16>)
sg.graph @foreach(%a: tensor<5x3xf16>, %b: tensor<*x!sg.unknown>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  %0:2 = sg.foreach(%a, %b) {num_args = 3, num_outputs = 2, num_out_data = 1, in_data_locs = array<i64: 0>,
                             in_state_locs = array<i64: 1>, remain_locs = array<i64>, bodies = [@sum]} :
      (tensor<5x3xf16>, tensor<*x!sg.unknown>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>)
  sg.heads %0#0, %0#1 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}

sg.graph @small(%i: tensor<*x!sg.unknown>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.scalar(%i) {fn = "lesser", scalar = 3.0 : f64} : (tensor<*x!sg.unknown>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}
sg.graph @next(%i: tensor<*x!sg.unknown>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  %0 = sg.scalar(%i) {fn = "add", scalar = 1.0 : f64} : (tensor<*x!sg.unknown>) -> tensor<*x!sg.unknown>
  sg.heads %0, %0 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}

// Gathered results have as many rows as there are iterations at most.
// CHECK-LABEL: sg.graph @while_loop(%{{.*}}: tensor<1xf32>) -> (tensor<7x1xf32>, tensor<1xf32>)
sg.graph @while_loop(%a: tensor<1xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) {
  %0:2 = sg.while_loop(%a) {num_args = 3, num_outputs = 2, num_out_data = 1, max_iterations = 7,
                            cond_input_locs = array<i64: 0>, func_input_locs = array<i64: 0>,
                            func_var_locs = array<i64: 0>, bodies = [@small, @next]} :
      (tensor<1xf32>) -> (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>)
  sg.heads %0#0, %0#1 : tensor<*x!sg.unknown>, tensor<*x!sg.unknown>
}

sg.graph @test(%p: tensor<*x!sg.unknown>) -> (tensor<*x!sg.unknown>) {
  sg.heads %p : tensor<*x!sg.unknown>
}
sg.graph @then(%x: tensor<*x!sg.unknown>) -> (tensor<*x!sg.unknown>) {
  sg.heads %x : tensor<*x!sg.unknown>
}
sg.graph @else(%x: tensor<*x!sg.unknown>) -> (tensor<*x!sg.unknown>) {
  sg.heads %x : tensor<*x!sg.unknown>
}

// CHECK-LABEL: sg.graph @cond(%{{.*}}: tensor<1xi32>, %{{.*}}: tensor<2x4xf64>, %{{.*}}: tensor<2x4xf64>) -> tensor<2x4xf64>
sg.graph @cond(%p: tensor<1xi32>, %a: tensor<2x4xf64>, %b: tensor<*x!sg.unknown>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.cond(%p, %a, %b) {num_args = 6, num_outputs = 1, cond_input_locs = array<i64: 0>,
                            then_input_locs = array<i64: 1>, else_input_locs = array<i64: 2>,
                            bodies = [@test, @then, @else]} :
      (tensor<1xi32>, tensor<2x4xf64>, tensor<*x!sg.unknown>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}

// A gradient's loop: the last operand counts iterations, and no data has to.
// CHECK-LABEL: sg.graph @foreach_counted(
// CHECK: backwards = true, {{.*}}counted = true
// CHECK-SAME: (tensor<3xf16>, tensor<3xf16>, tensor<1xi64>) -> tensor<3xf16>
sg.graph @one_sum(%x: tensor<*x!sg.unknown>, %s: tensor<*x!sg.unknown>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.binary(%x, %s) {fn = "add"} : (tensor<*x!sg.unknown>, tensor<*x!sg.unknown>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}
sg.graph @foreach_counted(%a: tensor<3xf16>, %b: tensor<3xf16>, %n: tensor<1xi64>) -> (tensor<*x!sg.unknown>) {
  %0 = sg.foreach(%a, %b, %n) {num_args = 4, num_outputs = 1, num_out_data = 0, in_data_locs = array<i64>, backwards = true, counted = true,
                               in_state_locs = array<i64: 1>, remain_locs = array<i64: 0>, bodies = [@one_sum]} :
      (tensor<3xf16>, tensor<3xf16>, tensor<1xi64>) -> tensor<*x!sg.unknown>
  sg.heads %0 : tensor<*x!sg.unknown>
}
