// ChooseAlgorithms.h: which algorithm computes each layer that a schedule left open. Before:
// plain steps, some with `choose`. Afterwards no step has `choose` or `pad`; steps of other
// algorithms have taken the place of some, with scratch and a form of the weights of their
// own, and `reason` states why each is what it is. Each instruction set (kernel.variant) has
// the algorithms that are right for it, as far as forms of weights go (OwnForms.h).
#ifndef SYMC_CODEGEN_SCHEDULE_CHOOSEALGORITHMS_H
#define SYMC_CODEGEN_SCHEDULE_CHOOSEALGORITHMS_H

#include "codegen/conv/ConvChoice.h"
#include "codegen/target/Target.h"
#include "mlir/IR/BuiltinOps.h"

namespace symc::codegen {

/// Of one net at several batch sizes, or one, in modules whose first has @prepare_program for
/// all of them. `policies`: for each variant, one for each module; a single one where the
/// programs are in no variants. Fails, with an error, where the forms of the weights take
/// more bytes than there may be.
mlir::LogicalResult chooseAlgorithms(llvm::ArrayRef<mlir::ModuleOp> modules,
                                     llvm::ArrayRef<llvm::SmallVector<KernelPolicy>> policies,
                                     const Target &target);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_SCHEDULE_CHOOSEALGORITHMS_H
