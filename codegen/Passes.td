//===- Passes.td - passes over the kernel dialect --------------------------===//
//
// The stages between a schedule and loops, each runnable by symc-opt. symc calls
// the functions behind them directly (planArena, checkPlan, lowerProgram).
//
//===----------------------------------------------------------------------===//
#ifndef SYMC_CODEGEN_PASSES
#define SYMC_CODEGEN_PASSES

include "mlir/Pass/PassBase.td"

def KernelSchedule : Pass<"kernel-schedule", "::mlir::ModuleOp"> {
  let summary = "Schedule the graphs of a module as kernel programs";
  let description = [{
    Adds kernel.program @main_program and @prepare_program and the kernel.prepared
    weights between them; see codegen/schedule/Schedule.h. Shapes and types are known.
  }];
  let options = [
    Option<"reference", "reference", "bool", "false", "call reference kernels only">,
    Option<"target", "target", "std::string", "\"\"",
           "the instruction set that kernels are chosen for; none: direct convolutions">,
    Option<"math", "math", "std::string", "\"default\"", "portable, strict, default or fast">,
    Option<"forceKernel", "force-kernel", "std::string", "\"\"",
           "direct, winograd-f2, winograd-f4, winograd-f4-late, winograd-phases or strassen wherever it can compute the layer">
  ];
}

def KernelRowBands : Pass<"kernel-row-bands", "::symc::kernel::ProgramOp"> {
  let summary = "Compute layers over large images band by band";
  let description = [{
    Where convolutions and pooling layers follow each other and the images between
    them are larger than `large-bytes`, each step is cut into steps over some rows of
    one image, in an order in which a layer's rows are read soon after they are
    written. Runs before the arena is planned; results keep their bits. Pieces of one
    step share the attribute `kernel.piece`, by which reports count them as one.
  }];
  let options = [
    Option<"target", "target", "std::string", "\"x86-64-v4\"", "whose caches set the limits">,
    Option<"largeBytes", "large-bytes", "int64_t", "0", "of all images between two layers; 0: by the target">,
    Option<"bandBytes", "band-bytes", "int64_t", "0", "that a band may touch; 0: by the target">
  ];
}

def KernelPlanArena : Pass<"kernel-plan-arena", "::symc::kernel::ProgramOp"> {
  let summary = "Place every buffer of a program in one arena";
  let description = [{
    Sets the offset of each `kernel.buffer` and `arena_bytes` of the program, and
    gives calls the scratch that they ask for. Buffers share bytes when no step
    needs both, or when a step may write its output over an input that dies there.
  }];
}

def KernelCheckPlan : Pass<"kernel-check-plan", "::symc::kernel::ProgramOp"> {
  let summary = "Prove that no two live buffers of a planned program overlap";
  let description = [{
    An independent check of what kernel-plan-arena decided; see
    codegen/plan/PlanChecker.h for the five statements that it proves.
  }];
}

def KernelOutline : Pass<"kernel-outline", "::mlir::ModuleOp"> {
  let summary = "Turn planned programs into functions: kernels, wrappers, programs";
  let description = [{
    Every program is replaced by the functions that run it, named after it.
  }];
  let options = [
    Option<"target", "target", "std::string", "\"x86-64-v3\"", "instruction set">,
    Option<"math", "math", "std::string", "\"default\"", "portable, strict, default or fast">,
    Option<"probes", "probes", "bool", "false", "bracket every step with symc_probe">
  ];
}

#endif // SYMC_CODEGEN_PASSES
