//===- StepInterfaces.td - what a kernel step says of itself ---------------===//
//
// Planner, row bands, outliner and reports ask these, never for an operation by
// name. An operation answers next to its definition; what it leaves out has a
// default. Only the plan checker derives what it needs on its own.
//
//===----------------------------------------------------------------------===//
#ifndef SYMC_KERNEL_STEP_INTERFACES
#define SYMC_KERNEL_STEP_INTERFACES

include "mlir/IR/OpBase.td"

def Kernel_StepInterface : OpInterface<"StepInterface"> {
  let cppNamespace = "::symc::kernel";
  let description = [{
    A step reads its inputs and writes its outputs, all memrefs (possibly views
    made by memref.reinterpret_cast; a broadcast dimension has stride 0). Which
    operands are which stands in the operation's arguments (Kernel_In, Kernel_Out):
    all inputs come before all outputs.
  }];
  let methods = [
    InterfaceMethod<"operands that are read", "::mlir::OperandRange", "getInputs", (ins), "",
                    [{ return ::symc::kernel::inputsOf($_op); }]>,
    InterfaceMethod<"operands that are written", "::mlir::OperandRange", "getOutputs", (ins), "",
                    [{ return ::symc::kernel::outputsOf($_op); }]>,
    InterfaceMethod<[{inputs that are read, at each index of an output, before that index is
                      written: an output may lie over one that no later step needs}],
                    "::mlir::OperandRange", "getOverwritableInputs", (ins), "",
                    [{ return $_op->getOperands().take_front(0); }]>,
    InterfaceMethod<[{every index of the one shape of all operands is visited once, in any
                      order, so that its dimensions may be merged and reordered}],
                    "bool", "isElementwise", (ins), "", [{ return false; }]>,
    InterfaceMethod<"floating-point operations at the static extents, 0 if unknown", "int64_t",
                    "getFlops", (ins), "", [{ return 0; }]>,
    InterfaceMethod<[{steps on numbers that reference code takes at the largest extents; 0: the step
                      is no reference code}],
                    "int64_t", "getReferenceWork", (ins), "", [{ return 0; }]>,
    InterfaceMethod<[{rounds in which all tasks run, one behind the other, their number in the last
                      operand; 0: once, without rounds; ShapedType::kDynamic: as many as the first
                      output's first extent, at run time at least 1}],
                    "int64_t", "getRounds", (ins), "", [{ return 0; }]>,
    InterfaceMethod<"programs that the step runs, symbols; null: none", "::mlir::ArrayAttr",
                    "getCalledPrograms", (ins), "", [{ return {}; }]>,
    InterfaceMethod<[{the symbolic size of the program that the step decides: later steps read
                      all sizes again}],
                    "std::optional<int64_t>", "getDecidedSize", (ins), "",
                    [{ return std::nullopt; }]>,
    InterfaceMethod<"what reports and profiles call the step", "std::string", "describe", (ins), "",
                    [{ return $_op->getName().stripDialect().str(); }]>
  ];
  let verify = [{ return ::symc::kernel::verifyStep($_op); }];
}

def Kernel_RowwiseInterface : OpInterface<"RowwiseInterface"> {
  let cppNamespace = "::symc::kernel";
  let description = [{
    A step over images [N, C, H, W, L] that can be cut into steps over some of its rows:
    rows of the output, the last operand, need rows of the first operand as a window
    says, and the same rows of the others that have any.
    A cut step carries `piece`: the number of the step that it was, and of how many
    pieces it is one, by which reports, profiles and probes know them as one.
  }];
  let methods = [
    InterfaceMethod<"how the rows of the output lie over those of the first operand",
                    "::symc::kernel::RowWindow", "getRowWindow">,
    InterfaceMethod<"whether an operand has rows; weights have none", "bool", "hasRows",
                    (ins "unsigned":$operand), "", [{ return true; }]>,
    InterfaceMethod<[{Makes the step that piece of itself that computes `rows` of its output. Its
                      views are those of the piece already; its data had `dataRows`.}],
                    "void", "cutToRows",
                    (ins "::symc::kernel::RowRange":$rows, "int64_t":$dataRows), "", [{ return; }]>,
    InterfaceMethod<"null: a whole step", "::symc::kernel::PieceAttr", "getPieceAttr">,
    InterfaceMethod<"", "void", "setPieceAttr", (ins "::symc::kernel::PieceAttr":$piece)>,
    InterfaceMethod<"", "::mlir::StringAttr", "getPieceAttrName">
  ];
}

def Kernel_TiledInterface : OpInterface<"TiledInterface"> {
  let cppNamespace = "::symc::kernel";
  let description = [{
    A step whose tile, task cut, order and prefetches are attributes that the pass
    kernel-choose-tiles sets for one target. Its lowering reads them.
  }];
  let methods = [
    InterfaceMethod<"whether the step has all of them", "bool", "isChosen", (ins), "",
                    [{ return $_op.getTile().has_value(); }]>,
    InterfaceMethod<"why its algorithm was chosen, half a sentence; null: nobody chose",
                    "::mlir::StringAttr", "getReasonAttr", (ins), "", [{ return {}; }]>,
    InterfaceMethod<"", "void", "setReasonAttr", (ins "::mlir::StringAttr":$reason), "",
                    [{ return; }]>,
    InterfaceMethod<"null: there is only one way to compute it", "::mlir::StringAttr",
                    "getReasonAttrName", (ins), "", [{ return {}; }]>
  ];
}

def Kernel_ScratchInterface : OpInterface<"ScratchInterface"> {
  let cppNamespace = "::symc::kernel";
  let description = [{
    A step that states how many bytes it works in; the planner makes them an operand.
    What the programs that it runs need comes on top, behind its own bytes.
  }];
  let methods = [
    InterfaceMethod<"", "::mlir::Value", "getScratch">,
    InterfaceMethod<"", "::mlir::MutableOperandRange", "getScratchMutable">,
    InterfaceMethod<"", "uint64_t", "getScratchBytes">,
    InterfaceMethod<"", "void", "setScratchBytes", (ins "uint64_t":$bytes)>
  ];
}

#endif // SYMC_KERNEL_STEP_INTERFACES
