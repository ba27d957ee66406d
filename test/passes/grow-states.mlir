// If this fails, an input that grows (--grow) does not become a state whose new value is the
// concatenation behind it, stays an output, or the room that it has is no condition.
// RUN: symc-opt --sg-grow-states --split-input-file %s | FileCheck %s
// RUN: symc-opt --sg-grow-states --sg-grow-states --split-input-file %s | FileCheck %s

// The state is the last argument and the last result; the concatenation was an output, twice, by
// nodes that are equal.
// CHECK: affine_set<()[s0, s1] : (-(s0 + s1) + 12 >= 0)>
// CHECK-LABEL: sg.graph @main(
// CHECK-SAME: %[[NEW:[a-z0-9]+]]: tensor<2x?x8xf32, #sg.extents<()[s0, s1] -> (2, s1, 8)>> {sg.name = "new"}
// CHECK-SAME: %[[PAST:[a-z0-9]+]]: tensor<2x?x8xf32, #sg.extents<()[s0, s1] -> (2, s0, 8)>> {sg.grows = array<i64: 1, 12>, sg.name = "past", sg.state = "past"}
// CHECK-SAME: -> (tensor<2x?x8xf32, {{.*}}> {sg.name = "y"}, tensor<2x?x8xf32, {{.*}}> {sg.grows = array<i64: 1, 12>, sg.name = "past", sg.state = "past"})
// CHECK-SAME: conditions = [#set]
// CHECK-SAME: sentences = ["state 'past' would grow to s0 + s1, and it has room for 12"]
// CHECK: %[[ALL:.*]] = sg.concat(%[[PAST]], %[[NEW]]) {num_args = 2 : i64, sg.grows = array<i64: 1, 12>}
// CHECK-NOT: sg.concat
// CHECK: %[[Y:.*]] = sg.unary(%[[ALL]])
// CHECK: sg.heads %[[Y]], %[[ALL]] :
#past = #sg.extents<()[s0, s1] -> (2, s0, 8)>
#new = #sg.extents<()[s0, s1] -> (2, s1, 8)>
#all = #sg.extents<()[s0, s1] -> (2, s0 + s1, 8)>
sg.graph @main(%past: tensor<2x?x8xf32, #past> {sg.grows = array<i64: 1, 12>, sg.name = "past"}, %new: tensor<2x?x8xf32, #new> {sg.name = "new"}) -> (tensor<2x?x8xf32, #all> {sg.name = "all"}, tensor<2x?x8xf32, #all> {sg.name = "y"}, tensor<2x?x8xf32, #all> {sg.name = "again"}) attributes {dim_max = array<i64: 11, 4>, dim_min = array<i64: 0, 1>} {
  %0 = sg.concat(%past, %new) {dim = 1 : i64, num_args = 2 : i64} : (tensor<2x?x8xf32, #past>, tensor<2x?x8xf32, #new>) -> tensor<2x?x8xf32, #all>
  %1 = sg.concat(%past, %new) {dim = 1 : i64, num_args = 2 : i64} : (tensor<2x?x8xf32, #past>, tensor<2x?x8xf32, #new>) -> tensor<2x?x8xf32, #all>
  %2 = sg.unary(%1) {fn = "exp"} : (tensor<2x?x8xf32, #all>) -> tensor<2x?x8xf32, #all>
  sg.heads %0, %2, %1 : tensor<2x?x8xf32, #all>, tensor<2x?x8xf32, #all>, tensor<2x?x8xf32, #all>
}

// -----

// Where new rows have a fixed number the condition is there as well: a state may be set to all that
// it has room for.
// CHECK: affine_set<()[s0] : (-s0 + 11 >= 0)>
// CHECK-LABEL: sg.graph @main(
// CHECK-SAME: conditions = [#set]
// CHECK-SAME: sentences = ["state 'past' would grow to s0 + 1, and it has room for 12"]
#past = #sg.extents<()[s0] -> (s0, 8)>
#all = #sg.extents<()[s0] -> (s0 + 1, 8)>
sg.graph @main(%past: tensor<?x8xf32, #past> {sg.grows = array<i64: 0, 12>, sg.name = "past"}, %new: tensor<1x8xf32> {sg.name = "new"}) -> (tensor<?x8xf32, #all> {sg.name = "all"}) attributes {dim_max = array<i64: 11>, dim_min = array<i64: 0>} {
  %0 = sg.concat(%past, %new) {dim = 0 : i64, num_args = 2 : i64} : (tensor<?x8xf32, #past>, tensor<1x8xf32>) -> tensor<?x8xf32, #all>
  sg.heads %0 : tensor<?x8xf32, #all>
}
