//===- Control.td - loops and choices over graphs of their own ----------------===//
//
// `bodies` names the sg.graphs that a node calls; the importer makes them of the node's
// subgraphs. Operands are all inputs of the node in MXNet's order; the parameters that
// end in `_locs` name which of them, or which input of a body, is meant. Shapes and
// element types are inferred across the call (ir/ControlFlow.h).
//
//===----------------------------------------------------------------------===//
include "ir/GraphBase.td"
include "mlir/IR/CommonAttrConstraints.td"

class SG_ControlOp<string mnemonic, list<Name> names>
    : SG_Op<mnemonic, names, [DeclareOpInterfaceMethods<SG_ControlFlowInterface>]> {
  let ownsGraphs = 1;
  let gradient = "rule";
  let results = (outs Variadic<SG_Tensor>:$outputs);
  let extraClassDeclaration = [{
    static int64_t countResults(const ::symc::sg::ParamView &params) {
      return params.getInt("num_outputs");
    }
    static ::std::string checkParams(const ::symc::sg::ParamView &params);
    ::mlir::LogicalResult inferType(::symc::sg::TypeScope &scope);
    ::symc::sg::CheckedSize getScratchBytes(const ::symc::sg::LargestShapes &shapes);
  }];
}

def SG_ForeachOp : SG_ControlOp<"foreach", [Name<"_foreach">]> {
  let summary = "a graph once for each element along the first axis";
  let description = [{
    Operands: data, [T, ...] each; states; the rest. Input in_data_locs[i] of the body is
    element t of data i, in_state_locs[i] state i, remain_locs[i] operand i of the
    rest. The body's first num_out_data heads lie behind each other in the first
    results, [T, ...]; the others are the next states, at the end the other results.
    Gradients of loops go `backwards`, from the last element to the first, and `counted`: one
    operand more, [1], the last one, is how many of the first elements they go through; results of
    others are 0.
    C1: num_out_data is at most num_outputs; there are as many states as other results,
        and data to go through, or a count.
    C2: the locations name each input of the body once, and there are as many operands, and one
        more with a count.
    C3: shapes and element types agree across the call.
    C4: data has as many elements along the first axis; where sizes are open, a run checks it.
  }];
  let arguments = (ins Variadic<SG_Tensor>:$inputs,
    Int<"number of operands and subgraphs", "1">:$num_args, Int<"number of results", "1">:$num_outputs,
    Int<"results that are gathered along the first axis", "0">:$num_out_data,
    Tuple<"inputs of the body that are states">:$in_state_locs,
    Tuple<"inputs of the body that are elements of data">:$in_data_locs,
    Tuple<"inputs of the body that stay as they are">:$remain_locs,
    Internal<"from the last element to the first">:$backwards,
    Internal<"the last operand is the number of iterations">:$counted,
    OptionalAttr<FlatSymbolRefArrayAttr>:$bodies);
}

def SG_WhileLoopOp : SG_ControlOp<"while_loop", [Name<"_while_loop">]> {
  let summary = "a graph as long as another one is true";
  let description = [{
    Input i of the condition is operand cond_input_locs[i], input i of the step operand
    func_input_locs[i]; loop variable i is the step's input func_var_locs[i], and what it
    is at the time. The step's first num_out_data heads lie behind each other in
    the first results, [max_iterations, ...], 0 where no iteration was done; the others are
    the next loop variables, at the end the other results.
    C1: num_out_data is at most num_outputs, max_iterations at least 1; there are as many
        loop variables as other results.
    C2: locations lie within the operands and the bodies' inputs.
    C3: shapes and element types agree across the calls; the condition is one element.
  }];
  let arguments = (ins Variadic<SG_Tensor>:$inputs,
    Int<"number of operands and subgraphs", "2">:$num_args, Int<"number of results", "1">:$num_outputs,
    Int<"results that are gathered along the first axis", "0">:$num_out_data,
    Int<"iterations at most", "1">:$max_iterations,
    Tuple<"operands that are the condition's inputs">:$cond_input_locs,
    Tuple<"operands that are the step's inputs">:$func_input_locs,
    Tuple<"inputs of the step that are loop variables">:$func_var_locs,
    OptionalAttr<FlatSymbolRefArrayAttr>:$bodies);
}

def SG_CondOp : SG_ControlOp<"cond", [Name<"_cond">]> {
  let summary = "one of two graphs, as a third one decides";
  let description = [{
    Input i of the condition is operand cond_input_locs[i]; so for then and else.
    C1: locations lie within the operands and are as many as each body's inputs.
    C2: shapes and element types of both branches agree; the condition is one element.
  }];
  let arguments = (ins Variadic<SG_Tensor>:$inputs,
    Int<"number of operands and subgraphs", "3">:$num_args, Int<"number of results", "1">:$num_outputs,
    Tuple<"operands that are the condition's inputs">:$cond_input_locs,
    Tuple<"operands that are inputs of then">:$then_input_locs,
    Tuple<"operands that are inputs of else">:$else_input_locs,
    OptionalAttr<FlatSymbolRefArrayAttr>:$bodies);
}
