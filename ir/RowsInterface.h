// RowsInterface.h: along which axis the results of a node hold the rows of a batch, as its
// operands do. Each operator reports it by RowsInterface, for which RowScope has the questions;
// extents are compared afterwards, so that a rule which keeps an axis keeps its rows,
// whatever an operator cuts off, repeats or adds along the others.
#ifndef SYMC_IR_ROWSINTERFACE_H
#define SYMC_IR_ROWSINTERFACE_H

#include "ir/Inference.h"
#include "mlir/IR/OpDefinition.h"

namespace symc::sg {

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

/// The rows of one node's operands, and the questions that rules have. Answers of int64_t are
/// an axis of the first result, or kNoRows with the reason in `why`; so are false ones.
class RowScope {
public:
  RowScope(mlir::Operation *op, llvm::ArrayRef<int64_t> axes) : op(op), axes(axes) {}

  mlir::Operation *operation() const { return op; }
  unsigned count() const { return axes.size(); }
  /// The axis of operand `i`, or kNoRows.
  int64_t axis(unsigned i = 0) const { return axes[i]; }
  bool hasRows(unsigned i) const { return i < axes.size() && axes[i] != kNoRows; }
  int64_t rank(unsigned operand = 0) const;
  int64_t resultRank() const;
  static int64_t normal(int64_t axis, int64_t rank) { return axis < 0 ? axis + rank : axis; }

  /// Rows do not stay apart, for this reason.
  int64_t mixed(const llvm::Twine &reason);
  /// No rule states that they do.
  int64_t noRule();

  /// Operand `i` has no rows, or along this axis.
  bool at(unsigned i, int64_t axis);
  bool needsRows(unsigned i);
  bool hasNone(unsigned i);
  /// Only the first `count` operands may have rows.
  bool onlyFirst(unsigned count);
  /// Whatever the node does along `axis` of operand 0, its rows lie along another one.
  bool apart(int64_t axis);

  /// Rows of all that have some lie along `axis`; the others are the same for all rows.
  int64_t all(int64_t axis);
  /// Rows lead in the first `count` operands.
  int64_t leading(unsigned count = 1) { return onlyFirst(count) ? all(0) : kNoRows; }
  /// Operand 0's axis, where the node combines elements along another one, or along all
  /// without `axis`.
  int64_t along(int64_t axis) { return apart(axis) ? axes[0] : kNoRows; }
  int64_t alongOptional(std::optional<int64_t> axis);
  /// Operand 0's axis where `axis` is left out.
  int64_t without(int64_t axis) const { return axes[0] - (normal(axis, rank()) < axes[0]); }
  /// Operand 0's axis where the axes of `mask` are reduced.
  int64_t reduced(llvm::ArrayRef<bool> mask, bool keepdims);
  /// Elements keep their order: rows stay rows where as many stand before their axis.
  int64_t reshaped();
  int64_t elementwise();

  std::string why;
  /// The rule has compared the extents along the axis itself.
  bool comparedExtents = false;

private:
  mlir::Operation *op;
  llvm::ArrayRef<int64_t> axes;
};

} // namespace symc::sg

#include "ir/RowsInterface.h.inc"

namespace symc::sg {

// The behaviours of ir/RowsInterface.td.
template <unsigned count> struct LeadingRows {
  template <typename Op>
  class Impl : public mlir::OpTrait::TraitBase<Op, LeadingRows<count>::template Impl> {
  public:
    int64_t getRowAxis(RowScope &rows) { return rows.leading(count); }
  };
};

template <int64_t axis> struct RowsAlong {
  template <typename Op>
  class Impl : public mlir::OpTrait::TraitBase<Op, RowsAlong<axis>::template Impl> {
  public:
    int64_t getRowAxis(RowScope &rows) { return rows.all(axis); }
  };
};

template <typename Op> class KeptRows : public mlir::OpTrait::TraitBase<Op, KeptRows> {
public:
  int64_t getRowAxis(RowScope &rows) { return rows.axis(); }
};

template <typename Op> class ReshapedRows : public mlir::OpTrait::TraitBase<Op, ReshapedRows> {
public:
  int64_t getRowAxis(RowScope &rows) { return rows.reshaped(); }
};

template <typename Op> class RowsBesideAxis : public mlir::OpTrait::TraitBase<Op, RowsBesideAxis> {
public:
  int64_t getRowAxis(RowScope &rows) {
    return rows.alongOptional(mlir::cast<Op>(this->getOperation()).getAxis());
  }
};

template <typename Op>
class ElementwiseRows : public mlir::OpTrait::TraitBase<Op, ElementwiseRows> {
public:
  int64_t getRowAxis(RowScope &rows) { return rows.elementwise(); }
};

template <typename Op> class SameInRows : public mlir::OpTrait::TraitBase<Op, SameInRows> {};

} // namespace symc::sg

#endif // SYMC_IR_ROWSINTERFACE_H
