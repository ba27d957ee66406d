// PartViews.h: parts of values: views where these can be read, copies elsewhere. A part of a
// blocked image that begins at a block is a view, with its steps as strides: nothing is copied.
#ifndef SYMC_CODEGEN_SCHEDULE_PARTVIEWS_H
#define SYMC_CODEGEN_SCHEDULE_PARTVIEWS_H

#include "codegen/schedule/Tensors.h"

namespace symc::codegen {

/// `part` as the result: a view where its rows fill vectors, unless the result is a head; else a
/// copy.
void setPart(mlir::Value result, const ViewSpec &part, Tensors &t, mlir::Location location);

/// The part of `data` from `first` by `step` along each axis, as large as `result`.
void movePart(mlir::Value data, mlir::Value result, llvm::ArrayRef<mlir::AffineExpr> first,
              llvm::ArrayRef<int64_t> step, Tensors &t, mlir::Location location);

/// The place where a part begins; negative places count from the end.
mlir::AffineExpr firstOf(int64_t begin, mlir::AffineExpr extent);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_SCHEDULE_PARTVIEWS_H
