// ChooseAlgorithms.h: which algorithm computes each layer that a schedule left open. Before:
// plain steps, some with `choose`. Afterwards no step has `choose` or `pad`; steps of other
// algorithms have taken the place of some, with scratch and a form of the weights of their
// own, and `reason` says why each is what it is.
#ifndef SYMC_CODEGEN_SCHEDULE_CHOOSEALGORITHMS_H
#define SYMC_CODEGEN_SCHEDULE_CHOOSEALGORITHMS_H

#include "codegen/conv/ConvChoice.h"
#include "codegen/target/Target.h"
#include "mlir/IR/BuiltinOps.h"

namespace symc::codegen {

/// Of one net at several batch sizes, or one: a policy for each module, whose first has
/// @prepare_program for all of them. Fails, with an error, where the forms of the weights take
/// more bytes than there may be.
mlir::LogicalResult chooseAlgorithms(llvm::ArrayRef<mlir::ModuleOp> modules,
                                     llvm::ArrayRef<KernelPolicy> policies, const Target &target);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_SCHEDULE_CHOOSEALGORITHMS_H
