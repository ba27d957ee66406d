// ViewOrigin.h: where a view of a kernel program lies. Follows reinterpret casts
// and subviews to the root (a buffer, a weight or an argument of the program)
// and writes every offset, extent and stride as an expression over the
// program's symbolic sizes: symbol i is its i-th `index` argument, so that two
// equal quantities are the same (uniqued) expression.
#ifndef SYMC_CODEGEN_KERNEL_VIEWORIGIN_H
#define SYMC_CODEGEN_KERNEL_VIEWORIGIN_H

#include "codegen/kernel/KernelDialect.h"
#include "ir/CheckedSize.h"
#include "ir/Interval.h"
#include "mlir/IR/AffineExpr.h"

namespace symc::kernel {

struct ViewOrigin {
  mlir::Value root;                               // buffer, weight or block argument
  mlir::Type elementType;                         // of the view
  mlir::AffineExpr offset;                        // elements from the root's start
  llvm::SmallVector<mlir::AffineExpr, 6> sizes;   // elements
  llvm::SmallVector<mlir::AffineExpr, 6> strides; // elements; 0 = broadcast
};

/// The origin of a memref of a program. Fails, with an error at its defining
/// operation, where an extent is no affine function of the symbolic sizes.
mlir::FailureOr<ViewOrigin> traceView(mlir::Value view);

/// A view of which nothing depends on a symbolic size.
struct KnownView {
  mlir::Value root;
  int64_t offset = 0;
  llvm::SmallVector<int64_t, 6> sizes = {}, strides = {};
  bool operator==(const KnownView &other) const {
    return root == other.root && offset == other.offset && sizes == other.sizes &&
           strides == other.strides;
  }
};
std::optional<KnownView> traceKnownView(mlir::Value view);
mlir::Value createView(mlir::OpBuilder &builder, mlir::Location location, const KnownView &view);

/// Whether the operation is a view of its first operand, and what a view is one of in the end: a
/// buffer, a weight or an argument.
bool isView(mlir::Operation *op);
mlir::Value rootOf(mlir::Value view);
/// Adds a buffer or weight and all views of it to `views`, and what steps read and write through
/// them to `accesses`; false where anything else uses one.
bool collectAccesses(mlir::Value value, llvm::SmallVectorImpl<mlir::Value> &views,
                     llvm::SmallVectorImpl<mlir::OpOperand *> &accesses);

/// An `index` value of a program as an expression over its symbolic sizes.
mlir::FailureOr<mlir::AffineExpr> traceIndex(mlir::Value index);

/// The expression over symbols of its own, of which the i-th is the program's numbers[i]: a
/// program may have thousands, an expression reads few.
mlir::AffineExpr overOwnSymbols(mlir::AffineExpr expr, llvm::SmallVectorImpl<unsigned> &numbers);

/// Makes axes `axis` - 1 and `axis` of a view, which lie one behind the other, the first of them.
template <class View> void mergeIntoPrevious(View &view, size_t axis) {
  view.sizes[axis - 1] = view.sizes[axis - 1] * view.sizes[axis];
  view.strides[axis - 1] = view.strides[axis];
  view.sizes.erase(view.sizes.begin() + axis);
  view.strides.erase(view.strides.begin() + axis);
}

/// Bytes that an element takes in memory; i1 takes one.
int64_t elementBytes(mlir::Type type);

/// The ranges of the program's symbolic sizes, from dim_min and dim_max.
sg::SymbolRanges symbolRanges(ProgramOp program);

/// Bytes of a whole root at the largest sizes.
sg::CheckedSize largestBytes(const ViewOrigin &root, ProgramOp program);

/// No buffer, no arena and no file of weights is larger: what a process can address.
inline constexpr int64_t mostBytes = int64_t(1) << 47;

} // namespace symc::kernel

#endif // SYMC_CODEGEN_KERNEL_VIEWORIGIN_H
