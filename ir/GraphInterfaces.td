//===- GraphInterfaces.td - what passes may ask of any operator ------------===//
#ifndef SYMC_GRAPH_INTERFACES
#define SYMC_GRAPH_INTERFACES

include "mlir/IR/OpBase.td"

def SG_SymbolOpInterface : OpInterface<"SymbolOpInterface"> {
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

#endif // SYMC_GRAPH_INTERFACES
