//===- GraphInterfaces.td - what passes may ask of any operator ------------===//
#ifndef SYMC_GRAPH_INTERFACES
#define SYMC_GRAPH_INTERFACES

include "mlir/IR/OpBase.td"

def SG_OperatorInterface : OpInterface<"OperatorInterface"> {
  let cppNamespace = "::symc::sg";
  let description = "An operator of the op table.";
  let methods = [
    InterfaceMethod<[{
      Refines shapes in both directions: what operands tell of results, results of
      operands, and operands of each other. Called until nothing changes.
    }], "::mlir::LogicalResult", "inferShape", (ins "::symc::sg::ShapeScope &":$scope)>,
    InterfaceMethod<[{
      Refines element types in both directions. Default: all operands and results agree.
    }], "::mlir::LogicalResult", "inferType", (ins "::symc::sg::TypeScope &":$scope), [{}],
      [{ return ::symc::sg::inferSameType(scope); }]>,
    InterfaceMethod<[{
      The operand whose value the first result simply is in prediction (Dropout, loss
      heads, copies), or null. sg-drop-identities removes such nodes.
    }], "::mlir::Value", "getPassThrough", (ins), [{}], [{ return {}; }]>,
    InterfaceMethod<[{
      Bytes of memory that the reference kernel works in beside its tensors, at the largest
      extents; 0 for none.
    }], "int64_t", "getScratchBytes", (ins "const ::symc::sg::LargestShapes &":$shapes), [{}],
      [{ return 0; }]>,
    StaticInterfaceMethod<"whether an optional operand is there", "bool", "hasOperand",
      (ins "::llvm::StringRef":$name, "const ::symc::sg::ParamView &":$params), [{}],
      [{ return true; }]>,
    StaticInterfaceMethod<"how many values a variadic result has", "int64_t", "countResults",
      (ins "const ::symc::sg::ParamView &":$params), [{}], [{ return 1; }]>,
    StaticInterfaceMethod<[{
      Checks parameters against each other (ranks of stride and kernel, ...); the
      message of a violation, or empty.
    }], "::std::string", "checkParams", (ins "const ::symc::sg::ParamView &":$params), [{}],
      [{ return {}; }]>
  ];
}

def SG_ElementwiseInterface : OpInterface<"ElementwiseInterface"> {
  let cppNamespace = "::symc::sg";
  let description = "An operator that maps one scalar function over its operands.";
  let methods = [
    InterfaceMethod<[{
      The function as an expression over x0, x1, ... (the operands in order) in the grammar
      of ir/ScalarFunctions.td, parameters written as numbers (`inf`, `nan` among them).
      Element types must be known.
    }], "::std::string", "getScalarBody">,
    InterfaceMethod<[{
      The result axis that each axis of an operand runs along; a unit extent repeats there, an
      axis of the result that is not listed repeats too. Default: aligned at the last
      axes. Shapes must be known.
    }], "::llvm::SmallVector<int64_t>", "getOperandAxes", (ins "unsigned":$operand), [{}],
      [{ return ::symc::sg::alignedAxes($_op, operand); }]>
  ];
}

#endif // SYMC_GRAPH_INTERFACES
