// RowRules.h: along which axis the results of a node hold the rows of a batch, as its
// operands do. A node without a rule is taken to mix rows, so that a new operator is safe.
#ifndef SYMC_PASSES_ROWRULES_H
#define SYMC_PASSES_ROWRULES_H

#include "ir/GraphDialect.h"

namespace symc {

/// The axis of a value that has no rows: it is the same for all of them.
inline constexpr int64_t kNoRows = -1;

/// What a node makes of rows: the axis of each result, or why they are not independent
/// ("it reduces the axis of the batch"), which follows the node's name in an error.
struct RowAnswer {
  llvm::SmallVector<int64_t, 4> results;
  std::string mixed;
};

/// `operands`: the axis of each. Row n of a value is, for an extent of N * c along its
/// axis, the n-th group of c places. Shapes are known, N is a symbolic size.
RowAnswer rowsOfResults(mlir::Operation *op, llvm::ArrayRef<int64_t> operands);

/// The one axis of a tensor type whose extent changes with a symbolic size; kNoRows where
/// none does; nothing where several do or the extent is no multiple of the size.
std::optional<int64_t> rowAxisOf(mlir::Type tensor);

} // namespace symc

#endif // SYMC_PASSES_ROWRULES_H
