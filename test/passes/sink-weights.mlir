// RUN: symc-opt --sg-sink-weights %s | FileCheck %s
// RUN: symc-opt --sg-sink-weights --sg-sink-weights %s | FileCheck %s
// A weight that a loop hands to its body as it is is read in the body; an element of a
// weight and a state that begins as a weight are not.

sg.weight @w : tensor<3xf32> {random = 1 : i64}
sg.weight @rows : tensor<5x3xf32> {random = 2 : i64}

// CHECK-LABEL: sg.graph @body(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<3xf32>, %[[S:[a-z0-9]+]]: tensor<3xf32>, %{{[a-z0-9]+}}: tensor<3xf32>
// CHECK: %[[W:.*]] = sg.parameter @w
// CHECK-NOT: sg.parameter
// CHECK: sg.binary(%[[X]], %[[S]])
// CHECK: sg.binary(%{{.*}}, %[[W]])
sg.graph @body(%x: tensor<3xf32>, %s: tensor<3xf32>, %v: tensor<3xf32>) -> (tensor<3xf32>) {
  %0 = sg.binary(%x, %s) {fn = "add"} : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %1 = sg.binary(%0, %v) {fn = "mul"} : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  sg.heads %1 : tensor<3xf32>
}

sg.graph @main() -> (tensor<3xf32>) {
  %r = sg.parameter @rows : tensor<5x3xf32>
  %w = sg.parameter @w : tensor<3xf32>
  %0 = sg.foreach(%r, %w, %w) {num_args = 4, num_outputs = 1, num_out_data = 0, in_data_locs = array<i64: 0>,
                               in_state_locs = array<i64: 1>, remain_locs = array<i64: 2>, bodies = [@body]} :
      (tensor<5x3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  sg.heads %0 : tensor<3xf32>
}
