//===- GraphInterfaces.td - what passes may query of any operator ----------===//
#ifndef SYMC_GRAPH_INTERFACES
#define SYMC_GRAPH_INTERFACES

include "mlir/IR/OpBase.td"

def SG_OperatorInterface : OpInterface<"OperatorInterface"> {
  let cppNamespace = "::symc::sg";
  let description = "An operator of the op table.";
  let methods = [
    InterfaceMethod<[{
      Refines shapes in both directions: what operands determine of results, results of
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
    }], "::symc::sg::CheckedSize", "getScratchBytes", (ins "const ::symc::sg::LargestShapes &":$shapes), [{}],
      [{ return 0; }]>,
    InterfaceMethod<[{
      Steps on numbers that the reference kernel takes at the largest extents, by which its time
      is estimated: multiply-adds, or elements. Default: the elements of the largest tensor.
    }], "::symc::sg::CheckedSize", "getReferenceWork", (ins "const ::symc::sg::LargestShapes &":$shapes), [{}],
      [{ return shapes.largestCount(); }]>,
    StaticInterfaceMethod<"whether an optional operand is there", "bool", "hasOperand",
      (ins "::llvm::StringRef":$name, "const ::symc::sg::ParamView &":$params), [{}],
      [{ return true; }]>,
    StaticInterfaceMethod<"how many values a variadic result has", "int64_t", "countResults",
      (ins "const ::symc::sg::ParamView &":$params), [{}], [{ return 1; }]>,
    StaticInterfaceMethod<[{
      How many results MXNet computes and never lists, where that depends on parameters;
      without an answer it is the op table's number.
    }], "::std::optional<int64_t>", "countHiddenResults",
      (ins "const ::symc::sg::ParamView &":$params), [{}], [{ return ::std::nullopt; }]>,
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
      Builds the function of one element of each operand, parameters as numbers (infinities and
      NaN among them). Element types must be known.
    }], "::symc::sg::Scalar", "buildScalar",
      (ins "::symc::sg::ScalarBuilder &":$builder, "::llvm::ArrayRef<::symc::sg::Scalar>":$operands)>,
    InterfaceMethod<[{
      The result axis that each axis of an operand runs along; a unit extent repeats there, an
      axis of the result that is not listed repeats too. Default: aligned at the last
      axes. Shapes must be known.
    }], "::llvm::SmallVector<int64_t>", "getOperandAxes", (ins "unsigned":$operand), [{}],
      [{ return ::symc::sg::alignedAxes($_op, operand); }]>
  ];
}

def SG_GradientInterface : OpInterface<"GradientInterface"> {
  let cppNamespace = "::symc::sg";
  let description = "An operator with a rule that makes the gradients of its operands (ir/Gradient.h).";
  let methods = [
    InterfaceMethod<[{
      Gives the scope the gradients of the operands that want one, made of those of its results,
      its operands and its results. Fails with an error at the node where it has none for these
      parameters. Shapes and types must be known, extents fixed.
    }], "::mlir::LogicalResult", "buildGradient", (ins "::symc::sg::GradientScope &":$scope)>,
    InterfaceMethod<[{
      Whether its gradients do not depend on those of its results: it is a loss, at which
      backward computation begins. Default: they do.
    }], "bool", "isLoss", (ins), [{}], [{ return false; }]>
  ];
}

def SG_ReductionInterface : OpInterface<"ReductionInterface"> {
  let cppNamespace = "::symc::sg";
  let description = [{
    An operator that reduces its first operand along axes: its results are functions of what
    the elements that differ along those axes alone give together, one of each such row or one of
    each element and its row's.
  }];
  let methods = [
    InterfaceMethod<[{
      For each axis of the first operand whether it is reduced; its rank must be known.
    }], "::llvm::SmallVector<bool>", "getReducedAxes">
  ];
}

def SG_DrawsNumbersInterface : OpInterface<"DrawsNumbersInterface"> {
  let cppNamespace = "::symc::sg";
  let description = [{
    An operator that draws random numbers. Every node and every run has numbers of its own, so
    that nodes are neither shared, nor folded, nor prepared. SG_DrawEffects states the same to
    MLIR: results are allocated, which keeps two equal nodes apart and lets an unused one go.
  }];
  let methods = [
    InterfaceMethod<"whether the node draws, which a parameter may decide", "bool",
      "drawsNumbers", (ins), [{}], [{ return true; }]>
  ];
}

def SG_DrawEffects : NativeOpTrait<"DrawEffects"> { let cppNamespace = "::symc::sg"; }

def SG_DecidesSizeInterface : OpInterface<"DecidesSizeInterface"> {
  let cppNamespace = "::symc::sg";
  let description = [{
    An operator whose kernel may decide a symbolic size, by the attribute `size`
    (ir/ValueSizes.h).
  }];
  let methods = [
    InterfaceMethod<"the number of the symbolic size that the node decides, if it does",
      "::std::optional<int64_t>", "getDecidedSize", (ins), [{}], [{
        int64_t size = $_op.getSize();
        return size < 0 ? ::std::nullopt : ::std::optional<int64_t>(size);
      }]>
  ];
}

def SG_ControlFlowInterface : OpInterface<"ControlFlowInterface"> {
  let cppNamespace = "::symc::sg";
  let description = "An operator that calls graphs of its own (ir/ControlFlow.h).";
  let methods = [
    InterfaceMethod<"the symbols of the graphs in the order of their calls",
      "::std::optional<::mlir::ArrayAttr>", "getBodies">,
    StaticInterfaceMethod<"how many graphs it calls", "size_t", "countBodies">,
    InterfaceMethod<[{
      Fills in how operands and results meet the graphs' inputs and heads; each call has its
      body and as many inputs as that. Fails with an error at the node where they do not fit.
    }], "::mlir::LogicalResult", "readCalls",
      (ins "::llvm::MutableArrayRef<::symc::sg::BodyCall>":$calls)>
  ];
}

#endif // SYMC_GRAPH_INTERFACES
