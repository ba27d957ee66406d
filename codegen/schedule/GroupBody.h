// GroupBody.h: the elementwise nodes of a group as operations on one element, in the body of a
// step.
#ifndef SYMC_CODEGEN_SCHEDULE_GROUPBODY_H
#define SYMC_CODEGEN_SCHEDULE_GROUPBODY_H

#include "codegen/schedule/GroupView.h"

namespace symc::codegen {

/// The chain's last value; `scalars` holds those of other nodes in the group, `outer` gives
/// what comes from outside of it.
mlir::Value emitChain(const GroupView &group, llvm::ArrayRef<mlir::Operation *> chain,
                      llvm::DenseMap<mlir::Value, mlir::Value> &scalars,
                      llvm::function_ref<mlir::Value(const Operand &)> outer,
                      mlir::OpBuilder &builder);

/// Fills `region`: element arguments, the nodes behind the root on them, a yield. The arguments
/// are an element of `rootResult`, where there is a root, its bias, and one of each operand.
void buildBody(mlir::Region &region, const GroupView &group, mlir::Value rootResult, bool hasBias,
               llvm::ArrayRef<Operand> operands, mlir::Type elementType, mlir::OpBuilder &builder);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_SCHEDULE_GROUPBODY_H
