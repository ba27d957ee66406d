//===- Trees.td - decision trees -------------------------------------------===//
include "ir/GraphBase.td"

def SG_TreeLeavesOp : SG_Op<"tree_leaves", []> {
  let summary = "the leaf of each tree in which a row ends";
  let gradient = "none";
  let description = [{
    data: [N, F]; splits: [M], a number for each node; nodes: [M, 4], rows (feature, comparison,
    next node where it holds, next node otherwise); roots: [T]; output: [N, T]. A next node or a
    root below 0 is the leaf -1 - number. Comparison 0: feature <= split, 1: <, 2: >=, 3: >, 4: ==,
    5: !=; 8 more: holds where the feature is no number. A node or feature outside of the tables,
    and a walk of more than M nodes make the run fail.
    C1: data has rank 2.
    C2: splits is [M], nodes is [M, 4], roots is [T].
    C3: output is [N, T].
    C4: splits has data's element type; nodes, roots and output are int64.
  }];
  let arguments = (ins SG_Tensor:$data, SG_Tensor:$splits, SG_Tensor:$nodes, SG_Tensor:$roots);
  let results = (outs SG_Tensor:$output);
  let extraClassDeclaration = [{
    ::mlir::LogicalResult inferType(::symc::sg::TypeScope &scope);
  }];
}
