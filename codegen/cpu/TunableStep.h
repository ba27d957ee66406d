// TunableStep.h: the C++ face of TunableStep.td, and how models of it are attached. A file
// XTasks.cpp of this folder, or XAlgorithm.cpp of an algorithm of convolutions, calls
// addTunable for its operations in a function that is called because the file is there.
#ifndef SYMC_CODEGEN_CPU_TUNABLESTEP_H
#define SYMC_CODEGEN_CPU_TUNABLESTEP_H

#include "codegen/cpu/TargetDescription.h"
#include "codegen/kernel/ConvTile.h"
#include "codegen/kernel/KernelDialect.h"

#include "codegen/cpu/TunableStep.h.inc"

namespace symc::codegen {

/// Attaches a model to its operation in every context that the registry makes.
template <typename Op, typename Model> void addTunable(mlir::DialectRegistry &registry) {
  registry.addExtension(+[](mlir::MLIRContext *context, kernel::KernelDialect *) {
    Op::template attachInterface<Model>(*context);
  });
}

/// The model of a step of which nothing is measured: `chooseFor` sets what the target decides
/// and decides where something is not set.
template <typename Op, auto chooseFor>
struct ChosenStep : TunableStep::ExternalModel<ChosenStep<Op, chooseFor>, Op> {
  mlir::LogicalResult choose(mlir::Operation *step, const TargetDescription &target) const {
    auto op = llvm::cast<Op>(step);
    return op.isChosen() ? mlir::success() : chooseFor(op, target);
  }
};
template <typename Op, auto chooseFor> void addChosen(mlir::DialectRegistry &registry) {
  addTunable<Op, ChosenStep<Op, chooseFor>>(registry);
}

/// Sets what is not set yet on the steps of a program. Fails after an error.
mlir::LogicalResult chooseUnset(kernel::ProgramOp program, const TargetDescription &target);

/// The models of this folder; registerTunableSteps (codegen/conv/Tuning.h) adds them and those
/// of convolutions.
void registerTaskModels(mlir::DialectRegistry &registry);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_CPU_TUNABLESTEP_H
