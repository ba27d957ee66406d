//===- LoweringInterface.td - how a kernel step becomes code ---------------===//
//
// Models of these interfaces are attached to operations by the files that hold the
// lowerings (see KernelLowering.h), so that no list names them.
//
//===----------------------------------------------------------------------===//
#ifndef SYMC_LOWERING_INTERFACE
#define SYMC_LOWERING_INTERFACE

include "mlir/IR/OpBase.td"

def LoweringInterface : OpInterface<"LoweringInterface"> {
  let cppNamespace = "::symc::codegen";
  let description = [{
    A step that is done in tasks. `operands` are its views, in its operands' order.
  }];
  let methods = [
    InterfaceMethod<[{
      The number of tasks: a constant, or a value computed by operations that are
      emitted at the builder. Never depends on the number of threads.
    }], "::mlir::OpFoldResult", "countTasks",
      (ins "::llvm::ArrayRef<::symc::codegen::View>":$operands,
           "::symc::codegen::LoweringContext &":$context)>,
    InterfaceMethod<[{
      Emits the body of task number `task` (index). The same views and the same task
      count as countTasks saw.
    }], "::mlir::LogicalResult", "lowerTask",
      (ins "::llvm::ArrayRef<::symc::codegen::View>":$operands, "::mlir::Value":$task,
           "::symc::codegen::LoweringContext &":$context)>,
    InterfaceMethod<[{
      Whether the operand may lie in memory as f16 or bf16 where the body has it as float32
      (kernel.narrow).
    }], "bool", "takesHalves", (ins "::mlir::OpOperand &":$operand)>
  ];
}

def CallLoweringInterface : OpInterface<"CallLoweringInterface"> {
  let cppNamespace = "::symc::codegen";
  let description = [{
    A step that is one call, which can fail: a status other than 0 ends the program.
  }];
  let methods = [
    InterfaceMethod<"Emits the call and returns its status, an i32.",
      "::mlir::FailureOr<::mlir::Value>", "emitCall", (ins "::symc::codegen::CallSite &":$site)>
  ];
}

#endif // SYMC_LOWERING_INTERFACE
