//===- Matrix.td - products of matrices -------------------------------------===//
include "ir/GraphBase.td"

def SG_DotOp : SG_Op<"dot", [Name<"dot", ["_sparse_dot"]>],
    [DeclareOpInterfaceMethods<SG_RowsInterface>]> {
  let summary = "the sum of products over lhs's last and rhs's first axis";
  let gradient = "rule";
  let description = [{
    lhs: [..., K]; rhs: [K, ...]; output: lhs's other extents, then rhs's; [1] for two
    vectors. transpose_a takes lhs's first axis, and its other extents follow the
    order [1...]; transpose_b takes rhs's last axis.
    C1: lhs and rhs have at least one extent.
    C2: the two extents that are summed over are equal.
    C3: output has the shape above.
  }];
  let arguments = (ins SG_Tensor:$lhs, SG_Tensor:$rhs,
    BoolD<"false", "sum over lhs's first axis">:$transpose_a,
    BoolD<"false", "sum over rhs's last axis">:$transpose_b);
  let hints = ["forward_stype"];
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = [{
    ::symc::sg::CheckedSize getReferenceWork(const ::symc::sg::LargestShapes &shapes);
  }];
}

def SG_BatchDotOp : SG_Op<"batch_dot", [Name<"batch_dot", ["_npx_batch_dot"]>], [SG_RowsAlong<0>]> {
  let summary = "products of the matrices in two batches";
  let gradient = "rule";
  let description = [{
    lhs: [..., M, K] ([..., K, M] with transpose_a); rhs: [..., K, N] ([..., N, K] with
    transpose_b); output: [..., M, N].
    C1: lhs and rhs have one rank of at least 3.
    C2: the leading extents are equal, and the two that are summed over.
    C3: output has the shape above.
  }];
  let arguments = (ins SG_Tensor:$lhs, SG_Tensor:$rhs,
    BoolD<"false", "lhs holds transposed matrices">:$transpose_a,
    BoolD<"false", "rhs holds transposed matrices">:$transpose_b);
  let hints = ["forward_stype"];
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = [{
    ::symc::sg::CheckedSize getReferenceWork(const ::symc::sg::LargestShapes &shapes);
  }];
}

def SG_KhatriRaoOp : SG_Op<"khatri_rao", [Name<"khatri_rao">]> {
  let summary = "Kronecker products, column by column";
  let gradient = "none";
  let description = [{
    Matrices [R_i, C]; output: [product of R_i, C]; the last operand's row changes fastest.
    C1: operands have rank 2 and the same number of columns.
    C2: output has the shape above.
  }];
  let arguments = (ins Variadic<SG_Tensor>:$args, Int<"number of operands", "1">:$num_args);
  let variadicCount = "num_args";
  let results = (outs SG_Tensor:$output);
}
