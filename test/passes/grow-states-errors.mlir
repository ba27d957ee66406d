// If this fails, an input that cannot grow is not refused by its name.
// RUN: symc-opt --sg-grow-states --split-input-file --verify-diagnostics %s

#past = #sg.extents<()[s0] -> (2, s0)>
#all = #sg.extents<()[s0] -> (2, s0 + 1)>
// expected-error @+1 {{input 'past' cannot grow: it is the first operand of no concatenation along axis 1}}
sg.graph @main(%past: tensor<2x?xf32, #past> {sg.grows = array<i64: 1, 12>, sg.name = "past"}, %new: tensor<2x1xf32> {sg.name = "new"}) -> (tensor<2x?xf32, #all> {sg.name = "all"}) attributes {dim_max = array<i64: 11>, dim_min = array<i64: 0>} {
  %0 = sg.concat(%new, %past) {dim = 1 : i64, num_args = 2 : i64} : (tensor<2x1xf32>, tensor<2x?xf32, #past>) -> tensor<2x?xf32, #all>
  sg.heads %0 : tensor<2x?xf32, #all>
}

// -----

#past = #sg.extents<()[s0] -> (2, s0)>
#all = #sg.extents<()[s0] -> (2, s0 + 1)>
// expected-error @+1 {{input 'past' cannot grow: 'one' and 'other' both append to it along axis 1}}
sg.graph @main(%past: tensor<2x?xf32, #past> {sg.grows = array<i64: 1, 12>, sg.name = "past"}, %new: tensor<2x1xf32> {sg.name = "new"}, %more: tensor<2x1xf32> {sg.name = "more"}) -> (tensor<2x?xf32, #all> {sg.name = "all"}, tensor<2x?xf32, #all> {sg.name = "b"}) attributes {dim_max = array<i64: 11>, dim_min = array<i64: 0>} {
  %0 = sg.concat(%past, %new) {dim = 1 : i64, num_args = 2 : i64} : (tensor<2x?xf32, #past>, tensor<2x1xf32>) -> tensor<2x?xf32, #all> loc("one")
  %1 = sg.concat(%past, %more) {dim = 1 : i64, num_args = 2 : i64} : (tensor<2x?xf32, #past>, tensor<2x1xf32>) -> tensor<2x?xf32, #all> loc("other")
  sg.heads %0, %1 : tensor<2x?xf32, #all>, tensor<2x?xf32, #all>
}

// -----

#past = #sg.extents<()[s0] -> (2, s0)>
#all = #sg.extents<()[s0] -> (2, s0 * 2)>
// expected-error @+1 {{input 'past' cannot grow: 'twice' appends it to itself}}
sg.graph @main(%past: tensor<2x?xf32, #past> {sg.grows = array<i64: 1, 12>, sg.name = "past"}) -> (tensor<2x?xf32, #all> {sg.name = "all"}) attributes {dim_max = array<i64: 11>, dim_min = array<i64: 0>} {
  %0 = sg.concat(%past, %past) {dim = 1 : i64, num_args = 2 : i64} : (tensor<2x?xf32, #past>, tensor<2x?xf32, #past>) -> tensor<2x?xf32, #all> loc("twice")
  sg.heads %0 : tensor<2x?xf32, #all>
}

// -----

#past = #sg.extents<()[s0] -> (2, s0)>
#all = #sg.extents<()[s0] -> (2, s0 + 13)>
// expected-error @+1 {{input 'past' cannot grow: a run would make it s0 + 13 long, and it has room for 12}}
sg.graph @main(%past: tensor<2x?xf32, #past> {sg.grows = array<i64: 1, 12>, sg.name = "past"}, %new: tensor<2x13xf32> {sg.name = "new"}) -> (tensor<2x?xf32, #all> {sg.name = "all"}) attributes {dim_max = array<i64: 11>, dim_min = array<i64: 0>} {
  %0 = sg.concat(%past, %new) {dim = 1 : i64, num_args = 2 : i64} : (tensor<2x?xf32, #past>, tensor<2x13xf32>) -> tensor<2x?xf32, #all>
  sg.heads %0 : tensor<2x?xf32, #all>
}

// -----

#past = #sg.extents<()[s0, s1] -> (s1, s0)>
#new = #sg.extents<()[s0, s1] -> (s1, 1)>
#all = #sg.extents<()[s0, s1] -> (s1, s0 + 1)>
// expected-error @+1 {{input 'past' cannot grow: it has shape [s1, s0], and extents along other axes need to be fixed}}
sg.graph @main(%past: tensor<?x?xf32, #past> {sg.grows = array<i64: 1, 12>, sg.name = "past"}, %new: tensor<?x1xf32, #new> {sg.name = "new"}) -> (tensor<?x?xf32, #all> {sg.name = "all"}) attributes {dim_max = array<i64: 11, 4>, dim_min = array<i64: 0, 1>} {
  %0 = sg.concat(%past, %new) {dim = 1 : i64, num_args = 2 : i64} : (tensor<?x?xf32, #past>, tensor<?x1xf32, #new>) -> tensor<?x?xf32, #all>
  sg.heads %0 : tensor<?x?xf32, #all>
}

// -----

// expected-error @+1 {{input 'past' cannot grow: axis 2 is out of range for shape [2, 1]}}
sg.graph @main(%past: tensor<2x1xf32> {sg.grows = array<i64: 2, 12>, sg.name = "past"}) -> (tensor<2x1xf32> {sg.name = "all"}) {
  sg.heads %past : tensor<2x1xf32>
}
