//===- GraphOps.td - the operations that hold a graph together --------------===//
//
// sg.graph is MXNet's StaticGraph, the unit of passes; sg.weight is a
// parameter's type and place in a file, never its value; the rest ties them.
//
//===----------------------------------------------------------------------===//
#ifndef SYMC_GRAPH_OPS
#define SYMC_GRAPH_OPS

include "ir/GraphBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"

class SG_StructureOp<string mnemonic, list<Trait> traits = []> : Op<SG_Dialect, mnemonic, traits>;

def SG_GraphOp : SG_StructureOp<"graph", [IsolatedFromAbove, FunctionOpInterface,
    SingleBlock, AutomaticAllocationScope]> {
  let summary = "a symbol graph";
  let description = [{
    Arguments are the data inputs in list_arguments order, each with the
    argument attributes `sg.name` and, where no live node reads it,
    `sg.optional`. Results carry `sg.name` as list_outputs gives it; behind them stand the new
    values of auxiliary states that nodes change, with the weight's symbol as `sg.state`. `dim_names`,
    `dim_min` and `dim_max` describe the symbolic sizes s0, s1, ...;
    `argument_order` keeps the order of all arguments, weights included. `conditions` are what a
    run needs of the sizes beyond their ranges (ir/Conditions.h), sets over the symbolic sizes,
    with a sentence for each. `training`: nodes compute what they do in training (statistics of the
    batch, masks that are drawn), else what they do in prediction.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name,
                       TypeAttrOf<FunctionType>:$function_type,
                       OptionalAttr<DictArrayAttr>:$arg_attrs,
                       OptionalAttr<DictArrayAttr>:$res_attrs,
                       OptionalAttr<StrArrayAttr>:$argument_order,
                       OptionalAttr<StrArrayAttr>:$dim_names,
                       OptionalAttr<DenseI64ArrayAttr>:$dim_min,
                       OptionalAttr<DenseI64ArrayAttr>:$dim_max,
                       OptionalAttr<ArrayAttr>:$conditions,
                       OptionalAttr<StrArrayAttr>:$sentences,
                       UnitAttr:$training);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() { return getFunctionType().getInputs(); }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() { return getFunctionType().getResults(); }
    ::mlir::Region *getCallableRegion() { return &getBody(); }
    ::mlir::Block &getBlock() { return getBody().front(); }
    /// MXNet's name of argument or result `i`.
    ::llvm::StringRef getInputName(unsigned i);
    ::llvm::StringRef getOutputName(unsigned i);
    /// Makes the function type agree with the block's arguments and heads.
    void updateType();
  }];
}

def SG_HeadsOp : SG_StructureOp<"heads", [Pure, Terminator, HasParent<"GraphOp">, ReturnLike]> {
  let summary = "the graph's heads (outputs)";
  let arguments = (ins Variadic<SG_Tensor>:$entries);
  let assemblyFormat = "($entries^ `:` type($entries))? attr-dict";
}

def SG_WeightOp : SG_StructureOp<"weight", [Symbol]> {
  let summary = "a parameter: its type and where its bytes are";
  let description = [{
    `file` and `offset` (bytes) give the place of the raw row-major value; neither
    is there for a weight that is drawn (`random`) or supplied at run time.
    `aux` marks an auxiliary state. `stored` is the element type in the file
    where that differs from the weight's, until sg-hoist-prepare gives the weight that type
    and makes the conversion a node of @prepare.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<SG_Tensor>:$type,
                       UnitAttr:$aux, OptionalAttr<StrAttr>:$file, OptionalAttr<I64Attr>:$offset,
                       OptionalAttr<I64Attr>:$random, OptionalAttr<TypeAttr>:$stored);
  let assemblyFormat = "$sym_name `:` $type attr-dict";
}

def SG_ParameterOp : SG_StructureOp<"parameter", [Pure]> {
  let summary = "the value of a weight";
  let arguments = (ins FlatSymbolRefAttr:$weight);
  let results = (outs SG_Tensor:$result);
  let assemblyFormat = "$weight attr-dict `:` type($result)";
}

def SG_PreparedOp : SG_StructureOp<"prepared", [Pure]> {
  let summary = "a result of @prepare: a value that depends on weights alone";
  let arguments = (ins I64Attr:$index);
  let results = (outs SG_Tensor:$result);
  let assemblyFormat = "$index attr-dict `:` type($result)";
}

def SG_ConstantOp : SG_StructureOp<"constant", [Pure, ConstantLike, AllTypesMatch<["value", "output"]>]> {
  let summary = "a small literal";
  let arguments = (ins ElementsAttr:$value);
  let results = (outs SG_Tensor:$output);
  let assemblyFormat = "$value attr-dict";
  let hasFolder = 1;
}

def SG_FusedOp : SG_StructureOp<"fused", [Pure, IsolatedFromAbove, SingleBlock]> {
  let summary = "nodes that one kernel computes: at most one layer or reduction, and elementwise ones";
  let description = [{
    The body's arguments mirror the operands; its nodes are ordinary operators. At most one is
    not elementwise: a layer stands first, a reduction or normalisation (ReductionInterface) may
    have elementwise nodes before it, which make its data. All readers of a node but the last are in
    the group. Or the group is an attention layer (ir/FuseNodes.h): a product of queries and keys, a
    softmax of it and its product with values, with elementwise nodes and changes of leading extents
    between them.
  }];
  let arguments = (ins Variadic<SG_Tensor>:$inputs);
  let results = (outs Variadic<SG_Tensor>:$outputs);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    `(` $inputs `)` attr-dict `:` functional-type($inputs, $outputs) `body` $body
  }];
}

def SG_YieldOp : SG_StructureOp<"yield", [Pure, Terminator, HasParent<"FusedOp">, ReturnLike]> {
  let summary = "the results of a fused group";
  let arguments = (ins Variadic<SG_Tensor>:$entries);
  let assemblyFormat = "$entries attr-dict `:` type($entries)";
}

#endif // SYMC_GRAPH_OPS
