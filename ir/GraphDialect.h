// GraphDialect.h: the sg dialect's C++ face: structure operations, interfaces
// and types. Operators are declared by family, in ir/ops/<Family>.h, so that a
// file pays only for the families that it uses.
#ifndef SYMC_IR_GRAPHDIALECT_H
#define SYMC_IR_GRAPHDIALECT_H

#include "ir/Inference.h"
#include "ir/OpTable.h"
#include "ir/ScalarFunctions.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/RegionKindInterface.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "ir/GraphDialect.h.inc"

namespace symc::sg {
struct BodyCall;     // ir/ControlFlow.h
class GradientScope; // ir/Gradient.h
} // namespace symc::sg

#include "ir/GraphInterfaces.h.inc"

namespace symc::sg {

/// The memory effect of a node that draws random numbers, or none of one that does not.
void addDrawEffects(
    mlir::Operation *op,
    llvm::SmallVectorImpl<mlir::SideEffects::EffectInstance<mlir::MemoryEffects::Effect>> &effects);

/// The trait SG_DrawEffects.
template <typename Op> class DrawEffects : public mlir::OpTrait::TraitBase<Op, DrawEffects> {
public:
  void
  getEffects(llvm::SmallVectorImpl<mlir::SideEffects::EffectInstance<mlir::MemoryEffects::Effect>>
                 &effects) {
    addDrawEffects(this->getOperation(), effects);
  }
};

/// The trait SG_Float32ByDefault.
template <typename Op>
class Float32ByDefault : public mlir::OpTrait::TraitBase<Op, Float32ByDefault> {};

} // namespace symc::sg

#define GET_TYPEDEF_CLASSES
#include "ir/GraphTypes.h.inc"
#define GET_ATTRDEF_CLASSES
#include "ir/GraphAttrs.h.inc"

#define GET_OP_CLASSES
#include "ir/GraphOps.h.inc"

#endif // SYMC_IR_GRAPHDIALECT_H
