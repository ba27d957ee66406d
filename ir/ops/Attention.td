//===- Attention.td - products inside attention layers -----------------------===//
//
// Projections of all heads lie interleaved: [length, batch, heads * n * D], the n (2 or 3)
// parts of a head side by side. Weights of attention are [batch * heads, ...].
//
//===----------------------------------------------------------------------===//
include "ir/GraphBase.td"

def SG_InterleavedQkOp : SG_Op<"interleaved_qk", [
    Name<"_contrib_interleaved_matmul_selfatt_qk", [], ["is_self=true"]>,
    Name<"_contrib_interleaved_matmul_encdec_qk">], [DeclareOpInterfaceMethods<SG_RowsInterface>]> {
  let summary = "products of queries and keys, divided by the square root of a head's width";
  let gradient = "rule";
  let description = [{
    Self: queries [L, B, heads * 3 * D] hold keys and values, too; output [B * heads, L, L].
    Else queries [Q, B, heads * D], keys_values [K, B, heads * 2 * D]; output [B * heads, Q, K].
    C1: operands have rank 3, and their last extents fit.
    C2: output has the shape above.
  }];
  let arguments = (ins SG_Tensor:$queries, Optional<SG_Tensor>:$keys_values,
    Int<"number of heads", "1">:$heads, BoolD<"false", "one operand holds all">:$is_self);
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = [{
    static bool hasOperand(::llvm::StringRef name, const ::symc::sg::ParamView &params);
    ::symc::sg::CheckedSize getReferenceWork(const ::symc::sg::LargestShapes &shapes);
  }];
}

def SG_InterleavedValattOp : SG_Op<"interleaved_valatt", [
    Name<"_contrib_interleaved_matmul_selfatt_valatt", [], ["is_self=true"]>,
    Name<"_contrib_interleaved_matmul_encdec_valatt">],
    [DeclareOpInterfaceMethods<SG_RowsInterface>]> {
  let summary = "values weighted by attention";
  let gradient = "rule";
  let description = [{
    keys_values: [K, B, heads * 2 * D], self [K, B, heads * 3 * D]; attention:
    [B * heads, Q, K]; output: [Q, B, heads * D].
    C1: operands have rank 3, and their extents fit.
    C2: output has the shape above.
  }];
  let arguments = (ins SG_Tensor:$keys_values, SG_Tensor:$attention,
    Int<"number of heads", "1">:$heads,
    BoolD<"false", "queries lie in keys_values, too">:$is_self);
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = [{
    ::symc::sg::CheckedSize getReferenceWork(const ::symc::sg::LargestShapes &shapes);
  }];
}

def SG_DivSqrtDimOp : SG_Op<"div_sqrt_dim", [Name<"_contrib_div_sqrt_dim">],
    [DeclareOpInterfaceMethods<SG_ElementwiseInterface>, SG_ElementwiseRows]> {
  let summary = "data divided by the square root of its last extent";
  let gradient = "rewritten";
  let description = [{
    C1: data and output have one shape, whose last extent is a constant.
  }];
  let arguments = (ins SG_Tensor:$data);
  let results = (outs SG_Tensor:$output);
}
