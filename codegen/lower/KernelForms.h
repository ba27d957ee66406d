// KernelForms.h: makes one function of kernels that differ in integers alone, such as the extents
// of a layer, or in how memory is aligned: those integers become arguments behind the task.
//
//   k0(x, y, task) { ... 128 ... 64 }     k(x, y, task, a) { ... a ... 64 }
//   k1(x, y, task) { ... 256 ... 64 }  -> k0 is k with 128, k1 is k with 256
//
// Multiples of one integer take one argument. A training net has hundreds of steps that move
// memory, most of them in a few forms. Of kernels that compute products extents stay constants:
// they decide how fast those are.
#ifndef SYMC_CODEGEN_LOWER_KERNELFORMS_H
#define SYMC_CODEGEN_LOWER_KERNELFORMS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

namespace symc::codegen {

/// A function, and what its calls pass behind the task.
struct KernelOfForm {
  mlir::func::FuncOp kernel;
  llvm::SmallVector<int64_t> integers;
};

class KernelForms {
public:
  /// Once for each kernel, as often as it is met. Nothing calls it but by of(). `onlyBounds`: its
  /// only integers that become arguments are those where loops begin and end.
  void add(mlir::func::FuncOp kernel, bool onlyBounds);
  /// Not to be changed: it has calls of its own.
  void keep(mlir::func::FuncOp kernel) { kept.insert(kernel); }
  /// Merges kernels where no function takes more arguments than that.
  void merge(size_t mostArguments);
  /// What `kernel` became.
  KernelOfForm of(mlir::func::FuncOp kernel) const;

private:
  void mergeForm(llvm::ArrayRef<mlir::func::FuncOp> kernels, size_t mostArguments);

  llvm::MapVector<mlir::Operation *, bool> kernels; // whether it is `onlyBounds`
  llvm::DenseSet<mlir::Operation *> kept;
  llvm::DenseMap<mlir::Operation *, KernelOfForm> merged;
};

} // namespace symc::codegen

#endif // SYMC_CODEGEN_LOWER_KERNELFORMS_H
