//===- TunableStep.td - what may be chosen of a step for a CPU -------------===//
//
// Models are attached to operations by the files that hold their cost models
// (see TunableStep.h). kernel-choose-tiles, the tuner, tuning files, reports and
// benchmarks call these and name no kind of step.
//
//===----------------------------------------------------------------------===//
#ifndef SYMC_CPU_TUNABLE_STEP
#define SYMC_CPU_TUNABLE_STEP

include "mlir/IR/OpBase.td"

def TunableStep : OpInterface<"TunableStep"> {
  let cppNamespace = "::symc::codegen";
  let description = [{
    A step with attributes that kernel-choose-tiles sets for one CPU
    (kernel::TiledInterface). One that a tuner can measure has a key, candidates and the
    name of its algorithm.
  }];
  let methods = [
    InterfaceMethod<[{Sets what is not set yet: the model's tile, or the rest for the tile that the
                      step has. Fails, with an error, where a view of the step cannot be traced.}],
                    "::mlir::LogicalResult", "choose",
                    (ins "const ::symc::codegen::TargetDescription &":$target)>,
    InterfaceMethod<[{The word for its shape in tuning files, the same for each algorithm that
                      computes it; empty where nothing of it is measured.}],
                    "std::string", "getKey", (ins), "", [{ return ""; }]>,
    InterfaceMethod<"The name of its algorithm in the table of ConvAlgorithm; empty: it is of none.",
                    "::llvm::StringRef", "getAlgorithm", (ins), "", [{ return ""; }]>,
    InterfaceMethod<[{The error bound that --math limits; 0 where the step is as exact as plain
                      sums.}],
                    "double", "getErrorBound", (ins), "", [{ return 0; }]>,
    InterfaceMethod<"What a tuner measures: the `most` cheapest, the model's choice first.",
                    "std::vector<::symc::codegen::StepChoice>", "getCandidates",
                    (ins "const ::symc::codegen::TargetDescription &":$target, "size_t":$most), "",
                    [{ return {}; }]>,
    InterfaceMethod<"Gives the step a choice, and what goes with it for that target.",
                    "void", "setChoice",
                    (ins "const ::symc::codegen::StepChoice &":$choice,
                         "const ::symc::codegen::TargetDescription &":$target), "",
                    [{ return; }]>,
    InterfaceMethod<"The model's cycles of the step; `weightBytes` are those of the whole model.",
                    "double", "getCycles",
                    (ins "const ::symc::codegen::StepChoice &":$choice,
                         "const ::symc::codegen::TargetDescription &":$target,
                         "uint64_t":$weightBytes), "", [{ return 0; }]>,
    InterfaceMethod<"The tile of its register kernel, [blocks, rows, columns]; empty without one.",
                    "::llvm::ArrayRef<int64_t>", "getRegisterTile", (ins), "", [{ return {}; }]>,
    InterfaceMethod<"What reports call it, in front of its tile.", "std::string", "getReportName",
                    (ins), "",
                    [{ return ::llvm::cast<::symc::kernel::StepInterface>($_op.getOperation()).describe(); }]>,
    InterfaceMethod<"The same behind its tile.", "std::string", "getReportDetails", (ins), "",
                    [{ return ""; }]>,
    InterfaceMethod<"What the model expects of the chosen tile, and of the next best.",
                    "std::string", "getReportReason",
                    (ins "const ::symc::codegen::TargetDescription &":$target), "",
                    [{ return ""; }]>
  ];
}

#endif // SYMC_CPU_TUNABLE_STEP
