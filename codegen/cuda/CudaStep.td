//===- CudaStep.td - how a kernel step becomes a CUDA kernel ---------------===//
//
// Models of this interface are attached to operations by files called *Source.cpp, so that no list
// names them. A step without one has no code on the device.
//
//===----------------------------------------------------------------------===//
#ifndef SYMC_CUDA_STEP
#define SYMC_CUDA_STEP

include "mlir/IR/OpBase.td"

def CudaStepInterface : OpInterface<"CudaStepInterface"> {
  let cppNamespace = "::symc::codegen";
  let methods = [
    InterfaceMethod<[{
      Writes the step as one kernel: its lines, its views, its grid. Fails, with an error at the
      step, where it has a form that is not written for the device.
    }], "::mlir::LogicalResult", "writeKernel", (ins "::symc::codegen::cuda::KernelWriter &":$writer)>,
    InterfaceMethod<[{
      Whether an operand of float32 may lie in memory as f16 or bf16, so that the kernel converts
      what it loads and stores (NarrowStorage.h).
    }], "bool", "takesHalves", (ins "::mlir::OpOperand &":$operand)>
  ];
}

#endif // SYMC_CUDA_STEP
