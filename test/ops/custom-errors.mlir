// RUN: %llvm_bin/clang -shared -fPIC -I%build/share/symc/include %S/Inputs/odd_operators.c -o %t.so
// RUN: symc-opt --custom-op=%t.so --sg-infer-shapes --sg-infer-types -split-input-file -verify-diagnostics=only-expected %s
// Operators that nobody loaded, and answers of a library's functions that make no graph.

sg.graph @custom_c1(%a0: tensor<4xf32>) -> tensor<*xf32> {
  // expected-error @+1 {{no operator 'even' is loaded; --custom-op loads a library of operators}}
  %0 = sg.custom(%a0) {op_type = "even", params = {}} : (tensor<4xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @custom_c1_inputs(%a0: tensor<4xf32>) -> tensor<*xf32> {
  // expected-error @+1 {{has 2 inputs, 'odd' has 1}}
  %0 = sg.custom(%a0, %a0) {op_type = "odd", params = {}} : (tensor<4xf32>, tensor<4xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @custom_c1_params(%a0: tensor<4xf32>) -> tensor<*xf32> {
  // expected-error @+1 {{'odd' has no parameter 'how' of that kind}}
  %0 = sg.custom(%a0) {op_type = "odd", params = {how = 3}} : (tensor<4xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @custom_c1_value(%a0: tensor<4xf32>) -> tensor<*xf32> {
  // expected-error @+1 {{parameter 'count' must be between 0 and 9, found 10}}
  %0 = sg.custom(%a0) {op_type = "odd", params = {count = 10}} : (tensor<4xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @custom_c2(%a0: tensor<5xf32>) -> tensor<*xf32> {
  // expected-error @+1 {{data is too plain}}
  %0 = sg.custom(%a0) {op_type = "odd", params = {how = "refused"}} : (tensor<5xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @custom_c2_silent(%a0: tensor<5xf32>) -> tensor<*xf32> {
  // expected-error @+1 {{the shape function of 'odd' failed with status 7}}
  %0 = sg.custom(%a0) {op_type = "odd", params = {how = "silent"}} : (tensor<5xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @custom_c2_negative(%a0: tensor<5xf32>) -> tensor<*xf32> {
  // expected-error @+1 {{output would have the extent -3 along axis 0, needs at least 0}}
  %0 = sg.custom(%a0) {op_type = "odd", params = {how = "negative"}} : (tensor<5xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @custom_c2_wide(%a0: tensor<5xf32>) -> tensor<*xf32> {
  // expected-error @+1 {{output would have shape [over 2^63], more than 2^48 elements}}
  %0 = sg.custom(%a0) {op_type = "odd", params = {how = "wide"}} : (tensor<5xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @custom_c2_deep(%a0: tensor<5xf32>) -> tensor<*xf32> {
  // expected-error @+1 {{the shape function of 'odd' gives a shape of rank 9, ranks are 0 to 8}}
  %0 = sg.custom(%a0) {op_type = "odd", params = {how = "deep"}} : (tensor<5xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @custom_c2_unset(%a0: tensor<5xf32>) -> tensor<*xf32> {
  // expected-error @+1 {{the shape function of 'odd' left output 'output' unknown}}
  %0 = sg.custom(%a0) {op_type = "odd", params = {how = "unset"}} : (tensor<5xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @custom_c2_changed(%a0: tensor<5xf32>) -> tensor<*xf32> {
  // expected-error @+1 {{input 'data' has shape [5] but needs [4]}}
  %0 = sg.custom(%a0) {op_type = "odd", params = {how = "changed"}} : (tensor<5xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @custom_c2_rank(%a0: tensor<1x1x1x1x1x1x1x1x1xf32>) -> tensor<*xf32> {
  // expected-error @+1 {{input 'data' has rank 9, needs at most 8}}
  %0 = sg.custom(%a0) {op_type = "odd", params = {}} : (tensor<1x1x1x1x1x1x1x1x1xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @custom_c3(%a0: tensor<?xf32, #sg.extents<()[s0] -> (s0)>>) -> tensor<*xf32>
    attributes {dim_min = array<i64: 2>, dim_max = array<i64: 5>} {
  // expected-error @+1 {{the shape function of 'odd' gives output 'output' the shape [1] at sizes [2] and [2] at [4], which is no sum of multiples of the sizes; give numbers instead of ranges}}
  %0 = sg.custom(%a0) {op_type = "odd", params = {how = "half"}} : (tensor<?xf32, #sg.extents<()[s0] -> (s0)>>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @custom_c3_many(%a0: tensor<?xf32, #sg.extents<()[s0] -> (s0)>>) -> tensor<*xf32>
    attributes {dim_min = array<i64: 1>, dim_max = array<i64: 100000>} {
  // expected-error @+1 {{the shape function of 'odd' would be called for more than 65536 sizes; give smaller ranges}}
  %0 = sg.custom(%a0) {op_type = "odd", params = {}} : (tensor<?xf32, #sg.extents<()[s0] -> (s0)>>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @custom_c4(%a0: tensor<5xf32>) -> tensor<5x!sg.unknown> {
  // expected-error @+1 {{data is of a type that nobody likes}}
  %0 = sg.custom(%a0) {op_type = "odd", params = {how = "no_type"}} : (tensor<5xf32>) -> tensor<5x!sg.unknown>
  sg.heads %0 : tensor<5x!sg.unknown>
}

// -----

sg.graph @custom_c4_odd(%a0: tensor<5xf32>) -> tensor<5x!sg.unknown> {
  // expected-error @+1 {{the type function of 'odd' gives 'output' the element type 99, which is none}}
  %0 = sg.custom(%a0) {op_type = "odd", params = {how = "odd_type"}} : (tensor<5xf32>) -> tensor<5x!sg.unknown>
  sg.heads %0 : tensor<5x!sg.unknown>
}
