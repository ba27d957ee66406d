// KernelAttributes.h: the attributes of the kernel dialect's steps (KernelAttributes.td).
#ifndef SYMC_CODEGEN_KERNEL_KERNELATTRIBUTES_H
#define SYMC_CODEGEN_KERNEL_KERNELATTRIBUTES_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpImplementation.h"

#include "codegen/kernel/KernelDialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "codegen/kernel/KernelAttrs.h.inc"

namespace symc::kernel {

/// What a #kernel.padding holds. Begin and end of an axis, rows or columns, are numbers of their
/// own.
struct Padding {
  int64_t top = 0, bottom = 0, left = 0, right = 0;

  bool isNone() const { return top == 0 && bottom == 0 && left == 0 && right == 0; }
  int64_t begin(unsigned axis) const { return axis == 0 ? top : left; }
  int64_t end(unsigned axis) const { return axis == 0 ? bottom : right; }
  /// Null where there is none.
  PaddingAttr attribute(mlir::MLIRContext *context) const;
};

/// Of a null attribute none.
Padding paddingOf(PaddingAttr attribute);

} // namespace symc::kernel

#endif // SYMC_CODEGEN_KERNEL_KERNELATTRIBUTES_H
