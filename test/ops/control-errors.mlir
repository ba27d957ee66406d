// RUN: symc-opt --sg-infer-shapes -split-input-file -verify-diagnostics=only-expected %s
// Locations that fit neither operands nor subgraphs, and shapes that do not agree across a call.

sg.graph @body(%x: tensor<*xf32>, %s: tensor<*xf32>) -> (tensor<*xf32>, tensor<*xf32>) {
  %0 = sg.binary(%x, %s) {fn = "add"} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
  sg.heads %0, %0 : tensor<*xf32>, tensor<*xf32>
}

sg.graph @foreach_c1(%a0: tensor<5x3xf32>, %a1: tensor<3xf32>) -> (tensor<*xf32>, tensor<*xf32>) {
  // expected-error @+1 {{parameter 'num_out_data' is 3, needs at most num_outputs = 2}}
  %0:2 = sg.foreach(%a0, %a1) {num_args = 3, num_outputs = 2, num_out_data = 3, in_data_locs = array<i64: 0>, in_state_locs = array<i64: 1>, remain_locs = array<i64>, bodies = [@body]} :
      (tensor<5x3xf32>, tensor<3xf32>) -> (tensor<*xf32>, tensor<*xf32>)
  sg.heads %0#0, %0#1 : tensor<*xf32>, tensor<*xf32>
}

// -----

sg.graph @body(%x: tensor<*xf32>, %s: tensor<*xf32>) -> (tensor<*xf32>, tensor<*xf32>) {
  %0 = sg.binary(%x, %s) {fn = "add"} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
  sg.heads %0, %0 : tensor<*xf32>, tensor<*xf32>
}

sg.graph @foreach_c1_data(%a0: tensor<5x3xf32>, %a1: tensor<3xf32>) -> (tensor<*xf32>, tensor<*xf32>) {
  // expected-error @+1 {{parameter 'in_data_locs' is empty, needs data to go through}}
  %0:2 = sg.foreach(%a0, %a1) {num_args = 3, num_outputs = 2, num_out_data = 1, in_data_locs = array<i64>, in_state_locs = array<i64: 1>, remain_locs = array<i64>, bodies = [@body]} :
      (tensor<5x3xf32>, tensor<3xf32>) -> (tensor<*xf32>, tensor<*xf32>)
  sg.heads %0#0, %0#1 : tensor<*xf32>, tensor<*xf32>
}

// -----

sg.graph @body(%x: tensor<*xf32>, %s: tensor<*xf32>) -> (tensor<*xf32>, tensor<*xf32>) {
  %0 = sg.binary(%x, %s) {fn = "add"} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
  sg.heads %0, %0 : tensor<*xf32>, tensor<*xf32>
}

sg.graph @foreach_c1_states(%a0: tensor<5x3xf32>, %a1: tensor<3xf32>) -> (tensor<*xf32>, tensor<*xf32>) {
  // expected-error @+1 {{parameter 'in_state_locs' names 0 inputs, needs one for each of the 1 results that are not gathered}}
  %0:2 = sg.foreach(%a0, %a1) {num_args = 3, num_outputs = 2, num_out_data = 1, in_data_locs = array<i64: 0>, in_state_locs = array<i64>, remain_locs = array<i64>, bodies = [@body]} :
      (tensor<5x3xf32>, tensor<3xf32>) -> (tensor<*xf32>, tensor<*xf32>)
  sg.heads %0#0, %0#1 : tensor<*xf32>, tensor<*xf32>
}

// -----

sg.graph @body(%x: tensor<*xf32>, %s: tensor<*xf32>) -> (tensor<*xf32>, tensor<*xf32>) {
  %0 = sg.binary(%x, %s) {fn = "add"} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
  sg.heads %0, %0 : tensor<*xf32>, tensor<*xf32>
}

sg.graph @foreach_c2(%a0: tensor<5x3xf32>, %a1: tensor<3xf32>) -> (tensor<*xf32>, tensor<*xf32>) {
  // expected-error @+1 {{location 1 is named twice or is no input of the subgraph, which has 2}}
  %0:2 = sg.foreach(%a0, %a1) {num_args = 3, num_outputs = 2, num_out_data = 1, in_data_locs = array<i64: 1>, in_state_locs = array<i64: 1>, remain_locs = array<i64>, bodies = [@body]} :
      (tensor<5x3xf32>, tensor<3xf32>) -> (tensor<*xf32>, tensor<*xf32>)
  sg.heads %0#0, %0#1 : tensor<*xf32>, tensor<*xf32>
}

// -----

sg.graph @body(%x: tensor<*xf32>, %s: tensor<*xf32>) -> (tensor<*xf32>, tensor<*xf32>) {
  %0 = sg.binary(%x, %s) {fn = "add"} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
  sg.heads %0, %0 : tensor<*xf32>, tensor<*xf32>
}

sg.graph @foreach_c2_inputs(%a0: tensor<5x3xf32>, %a1: tensor<5x3xf32>, %a2: tensor<3xf32>) -> (tensor<*xf32>, tensor<*xf32>) {
  // expected-error @+1 {{the locations name 3 inputs, but the subgraph has 2}}
  %0:2 = sg.foreach(%a0, %a1, %a2) {num_args = 3, num_outputs = 2, num_out_data = 1, in_data_locs = array<i64: 0, 1>, in_state_locs = array<i64: 2>, remain_locs = array<i64>, bodies = [@body]} :
      (tensor<5x3xf32>, tensor<5x3xf32>, tensor<3xf32>) -> (tensor<*xf32>, tensor<*xf32>)
  sg.heads %0#0, %0#1 : tensor<*xf32>, tensor<*xf32>
}

// -----

sg.graph @body(%x: tensor<*xf32>, %s: tensor<*xf32>) -> (tensor<*xf32>, tensor<*xf32>) {
  %0 = sg.binary(%x, %s) {fn = "add"} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
  sg.heads %0, %0 : tensor<*xf32>, tensor<*xf32>
}

sg.graph @foreach_c2_operands(%a0: tensor<5x3xf32>, %a1: tensor<3xf32>, %a2: tensor<3xf32>) -> (tensor<*xf32>, tensor<*xf32>) {
  // expected-error @+1 {{there are 3 operands, the locations need 2}}
  %0:2 = sg.foreach(%a0, %a1, %a2) {num_args = 3, num_outputs = 2, num_out_data = 1, in_data_locs = array<i64: 0>, in_state_locs = array<i64: 1>, remain_locs = array<i64>, bodies = [@body]} :
      (tensor<5x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<*xf32>, tensor<*xf32>)
  sg.heads %0#0, %0#1 : tensor<*xf32>, tensor<*xf32>
}

// -----

sg.graph @one(%x: tensor<*xf32>) -> (tensor<*xf32>) {
  sg.heads %x : tensor<*xf32>
}

sg.graph @foreach_c2_heads(%a0: tensor<5x3xf32>, %a1: tensor<3xf32>) -> (tensor<*xf32>, tensor<*xf32>) {
  // expected-error @+1 {{the subgraph has 1 heads, needs 2}}
  %0:2 = sg.foreach(%a0, %a1) {num_args = 3, num_outputs = 2, num_out_data = 2, in_data_locs = array<i64: 0>, in_state_locs = array<i64>, remain_locs = array<i64>, bodies = [@one]} :
      (tensor<5x3xf32>, tensor<3xf32>) -> (tensor<*xf32>, tensor<*xf32>)
  sg.heads %0#0, %0#1 : tensor<*xf32>, tensor<*xf32>
}

// -----

sg.graph @foreach_c2_graph(%a0: tensor<5x3xf32>, %a1: tensor<3xf32>) -> (tensor<*xf32>, tensor<*xf32>) {
  // expected-error @+1 {{there is no graph @nobody}}
  %0:2 = sg.foreach(%a0, %a1) {num_args = 3, num_outputs = 2, num_out_data = 1, in_data_locs = array<i64: 0>, in_state_locs = array<i64: 1>, remain_locs = array<i64>, bodies = [@nobody]} :
      (tensor<5x3xf32>, tensor<3xf32>) -> (tensor<*xf32>, tensor<*xf32>)
  sg.heads %0#0, %0#1 : tensor<*xf32>, tensor<*xf32>
}

// -----

sg.graph @body(%x: tensor<*xf32>, %s: tensor<*xf32>) -> (tensor<*xf32>, tensor<*xf32>) {
  %0 = sg.binary(%x, %s) {fn = "add"} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
  sg.heads %0, %0 : tensor<*xf32>, tensor<*xf32>
}

sg.graph @foreach_c2_count(%a0: tensor<5x3xf32>, %a1: tensor<3xf32>) -> (tensor<*xf32>, tensor<*xf32>) {
  // expected-error @+1 {{there are 2 subgraphs, needs 1}}
  %0:2 = sg.foreach(%a0, %a1) {num_args = 3, num_outputs = 2, num_out_data = 1, in_data_locs = array<i64: 0>, in_state_locs = array<i64: 1>, remain_locs = array<i64>, bodies = [@body, @body]} :
      (tensor<5x3xf32>, tensor<3xf32>) -> (tensor<*xf32>, tensor<*xf32>)
  sg.heads %0#0, %0#1 : tensor<*xf32>, tensor<*xf32>
}

// -----

sg.graph @body(%x: tensor<*xf32>, %s: tensor<*xf32>) -> (tensor<*xf32>, tensor<*xf32>) {
  // expected-error @+1 {{rhs has shape [3, 3] but needs [3]}}
  %0 = sg.binary(%x, %s) {fn = "add"} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
  sg.heads %0, %0 : tensor<*xf32>, tensor<*xf32>
}

sg.graph @foreach_c3(%a0: tensor<5x3xf32>, %a1: tensor<3x3xf32>) -> (tensor<*xf32>, tensor<*xf32>) {
  %0:2 = sg.foreach(%a0, %a1) {num_args = 3, num_outputs = 2, num_out_data = 1, in_data_locs = array<i64: 0>, in_state_locs = array<i64: 1>, remain_locs = array<i64>, bodies = [@body]} :
      (tensor<5x3xf32>, tensor<3x3xf32>) -> (tensor<*xf32>, tensor<*xf32>)
  sg.heads %0#0, %0#1 : tensor<*xf32>, tensor<*xf32>
}

// -----

sg.graph @one(%x: tensor<*xf32>) -> (tensor<*xf32>) {
  sg.heads %x : tensor<*xf32>
}

sg.graph @while_loop_c1(%a0: tensor<1xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{parameter 'func_var_locs' names 2 inputs, needs one for each of the 1 results that are not gathered}}
  %0 = sg.while_loop(%a0) {num_args = 3, num_outputs = 1, num_out_data = 0, max_iterations = 3, cond_input_locs = array<i64: 0>, func_input_locs = array<i64: 0>, func_var_locs = array<i64: 0, 0>, bodies = [@one, @one]} :
      (tensor<1xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @one(%x: tensor<*xf32>) -> (tensor<*xf32>) {
  sg.heads %x : tensor<*xf32>
}

sg.graph @while_loop_c2(%a0: tensor<1xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{location 1 of func_var_locs is none of the 1 inputs of the subgraph}}
  %0 = sg.while_loop(%a0) {num_args = 3, num_outputs = 1, num_out_data = 0, max_iterations = 3, cond_input_locs = array<i64: 0>, func_input_locs = array<i64: 0>, func_var_locs = array<i64: 1>, bodies = [@one, @one]} :
      (tensor<1xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @one(%x: tensor<*xf32>) -> (tensor<*xf32>) {
  sg.heads %x : tensor<*xf32>
}

sg.graph @while_loop_c2_operand(%a0: tensor<1xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{location 1 of cond_input_locs is none of the 1 operands}}
  %0 = sg.while_loop(%a0) {num_args = 3, num_outputs = 1, num_out_data = 0, max_iterations = 3, cond_input_locs = array<i64: 1>, func_input_locs = array<i64: 0>, func_var_locs = array<i64: 0>, bodies = [@one, @one]} :
      (tensor<1xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @one(%x: tensor<*xf32>) -> (tensor<*xf32>) {
  sg.heads %x : tensor<*xf32>
}

sg.graph @while_loop_c2_inputs(%a0: tensor<1xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{cond_input_locs name 2 inputs, but the subgraph has 1}}
  %0 = sg.while_loop(%a0) {num_args = 3, num_outputs = 1, num_out_data = 0, max_iterations = 3, cond_input_locs = array<i64: 0, 0>, func_input_locs = array<i64: 0>, func_var_locs = array<i64: 0>, bodies = [@one, @one]} :
      (tensor<1xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @one(%x: tensor<*xf32>) -> (tensor<*xf32>) {
  sg.heads %x : tensor<*xf32>
}
sg.graph @two(%x: tensor<*xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{output has shape [1] but needs [1, 1]}}
  %0 = sg.expand_dims(%x) {axis = 0} : (tensor<*xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

sg.graph @while_loop_c3(%a0: tensor<1xf32>) -> (tensor<*xf32>) {
  %0 = sg.while_loop(%a0) {num_args = 3, num_outputs = 1, num_out_data = 0, max_iterations = 3, cond_input_locs = array<i64: 0>, func_input_locs = array<i64: 0>, func_var_locs = array<i64: 0>, bodies = [@one, @two]} :
      (tensor<1xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @one(%x: tensor<*xf32>) -> (tensor<*xf32>) {
  sg.heads %x : tensor<*xf32>
}

sg.graph @cond_c1(%a0: tensor<1xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{location 2 of then_input_locs is none of the 1 operands}}
  %0 = sg.cond(%a0) {num_args = 4, num_outputs = 1, cond_input_locs = array<i64: 0>, then_input_locs = array<i64: 2>, else_input_locs = array<i64: 0>, bodies = [@one, @one, @one]} :
      (tensor<1xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @one(%x: tensor<*xf32>) -> (tensor<*xf32>) {
  sg.heads %x : tensor<*xf32>
}
sg.graph @two(%x: tensor<*xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{output has shape [1] but needs [1, 1]}}
  %0 = sg.expand_dims(%x) {axis = 0} : (tensor<*xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

sg.graph @cond_c2(%a0: tensor<1xf32>) -> (tensor<*xf32>) {
  %0 = sg.cond(%a0) {num_args = 4, num_outputs = 1, cond_input_locs = array<i64: 0>, then_input_locs = array<i64: 0>, else_input_locs = array<i64: 0>, bodies = [@one, @one, @two]} :
      (tensor<1xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @body(%x: tensor<*xf32>, %y: tensor<*xf32>) -> (tensor<*xf32>) {
  %0 = sg.binary(%x, %y) {fn = "add"} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

sg.graph @foreach_c4(%a0: tensor<5x3xf32>, %a1: tensor<1x3xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{data 0 has shape [5, 3] and data 1 [1, 3], needs as many elements along the first axis}}
  %0 = sg.foreach(%a0, %a1) {num_args = 3, num_outputs = 1, num_out_data = 1, in_data_locs = array<i64: 0, 1>, in_state_locs = array<i64>, remain_locs = array<i64>, bodies = [@body]} :
      (tensor<5x3xf32>, tensor<1x3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @body(%x: tensor<*xf32>) -> (tensor<*xf32>) {
  sg.heads %x : tensor<*xf32>
}

sg.graph @foreach_c4_rank(%a0: tensor<f32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{data 0 has shape [], needs at least one extent}}
  %0 = sg.foreach(%a0) {num_args = 2, num_outputs = 1, num_out_data = 1, in_data_locs = array<i64: 0>, in_state_locs = array<i64>, remain_locs = array<i64>, bodies = [@body]} :
      (tensor<f32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @one(%x: tensor<*xf32>) -> (tensor<*xf32>) {
  sg.heads %x : tensor<*xf32>
}

sg.graph @while_loop_c3_condition(%a0: tensor<2xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{the condition has shape [2], needs one element}}
  %0 = sg.while_loop(%a0) {num_args = 3, num_outputs = 1, num_out_data = 0, max_iterations = 3, cond_input_locs = array<i64: 0>, func_input_locs = array<i64: 0>, func_var_locs = array<i64: 0>, bodies = [@one, @one]} :
      (tensor<2xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

sg.graph @one(%x: tensor<*xf32>) -> (tensor<*xf32>) {
  sg.heads %x : tensor<*xf32>
}

sg.graph @cond_c2_condition(%a0: tensor<2x2xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{the condition has shape [2, 2], needs one element}}
  %0 = sg.cond(%a0) {num_args = 4, num_outputs = 1, cond_input_locs = array<i64: 0>, then_input_locs = array<i64: 0>, else_input_locs = array<i64: 0>, bodies = [@one, @one, @one]} :
      (tensor<2x2xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

// -----

// Inference and schedules follow calls: a circle of them would have no end.
// expected-error @+1 {{graph @step calls itself, or others that call it}}
sg.graph @step(%a: tensor<3xf32>) -> (tensor<3xf32>) {
  %0 = sg.cond(%a, %a) {num_args = 5, num_outputs = 1, cond_input_locs = array<i64: 0>, then_input_locs = array<i64: 1>, else_input_locs = array<i64: 1>, bodies = [@other, @other, @other]} :
      (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  sg.heads %0 : tensor<3xf32>
}

sg.graph @other(%a: tensor<3xf32>) -> (tensor<3xf32>) {
  %0 = sg.cond(%a, %a) {num_args = 5, num_outputs = 1, cond_input_locs = array<i64: 0>, then_input_locs = array<i64: 1>, else_input_locs = array<i64: 1>, bodies = [@step, @step, @step]} :
      (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  sg.heads %0 : tensor<3xf32>
}

// -----

// Nothing of this circle is called from outside, and one graph that is no part of it comes first.
sg.graph @leaf(%a: tensor<3xf32>) -> (tensor<3xf32>) {
  sg.heads %a : tensor<3xf32>
}

// expected-error @+1 {{graph @loop calls itself, or others that call it}}
sg.graph @loop(%a: tensor<3xf32>) -> (tensor<3xf32>) {
  %0 = sg.cond(%a, %a) {num_args = 5, num_outputs = 1, cond_input_locs = array<i64: 0>, then_input_locs = array<i64: 1>, else_input_locs = array<i64: 1>, bodies = [@leaf, @loop, @leaf]} :
      (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  sg.heads %0 : tensor<3xf32>
}

// -----

sg.graph @body(%x: tensor<*xf32>, %s: tensor<*xf32>) -> (tensor<*xf32>) {
  %0 = sg.binary(%x, %s) {fn = "add"} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}

sg.graph @foreach_c2_counted(%a0: tensor<5x3xf32>, %a1: tensor<3xf32>) -> (tensor<*xf32>) {
  // expected-error @+1 {{there are 2 operands, the locations need 3}}
  %0 = sg.foreach(%a0, %a1) {num_args = 3, num_outputs = 1, num_out_data = 0, in_data_locs = array<i64: 0>, in_state_locs = array<i64: 1>, remain_locs = array<i64>, counted = true, bodies = [@body]} :
      (tensor<5x3xf32>, tensor<3xf32>) -> tensor<*xf32>
  sg.heads %0 : tensor<*xf32>
}
