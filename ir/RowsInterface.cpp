// RowsInterface.cpp: see RowsInterface.h. Rules that one family has stand in its file.
#include "ir/RowsInterface.h"
#include "ir/GraphDialect.h"
#include "ir/RandomNumbers.h"

using namespace mlir;
using namespace symc::sg;

#include "ir/RowsInterface.cpp.inc"

static bool varies(Dim dim) { return dim.isKnown() && dim.getExpr().isFunctionOfSymbol(0); }

// N or N * c.
static bool isMultiple(AffineExpr expr) {
  if (isa<AffineSymbolExpr>(expr))
    return true;
  auto product = dyn_cast<AffineBinaryOpExpr>(expr);
  return product && product.getKind() == AffineExprKind::Mul &&
         isa<AffineSymbolExpr>(product.getLHS()) && isa<AffineConstantExpr>(product.getRHS());
}

std::optional<int64_t> symc::sg::rowAxisOf(Type tensor) {
  int64_t axis = kNoRows;
  Shape shape = shapeOf(tensor);
  for (auto [i, dim] : llvm::enumerate(shape.list())) {
    if (!varies(dim))
      continue;
    if (axis != kNoRows || !isMultiple(dim.getExpr()))
      return std::nullopt;
    axis = i;
  }
  return axis;
}

//===----------------------------------------------------------------------===//
// Questions of rules
//===----------------------------------------------------------------------===//

int64_t RowScope::rank(unsigned operand) const {
  return cast<RankedTensorType>(op->getOperand(operand).getType()).getRank();
}

int64_t RowScope::resultRank() const {
  return cast<RankedTensorType>(op->getResult(0).getType()).getRank();
}

int64_t RowScope::mixed(const Twine &reason) {
  why = reason.str();
  return kNoRows;
}

int64_t RowScope::noRule() {
  return mixed("'" + op->getName().stripDialect() +
               "' has no rule that keeps the rows of a batch apart");
}

bool RowScope::at(unsigned i, int64_t axis) {
  if (!hasRows(i) || axes[i] == axis)
    return true;
  mixed("its operand " + Twine(i) + " has the rows of the batch along axis " + Twine(axes[i]) +
        ", not along axis " + Twine(axis));
  return false;
}

bool RowScope::needsRows(unsigned i) {
  if (!hasRows(i))
    mixed("its operand " + Twine(i) + " is the same for all rows of the batch");
  return hasRows(i);
}

bool RowScope::hasNone(unsigned i) {
  if (hasRows(i))
    mixed("its operand " + Twine(i) + " depends on the rows of the batch");
  return !hasRows(i);
}

bool RowScope::onlyFirst(unsigned count) {
  for (unsigned i = count; i < axes.size(); ++i)
    if (!hasNone(i))
      return false;
  return true;
}

bool RowScope::apart(int64_t axis) {
  if (normal(axis, rank()) != axes[0])
    return true;
  mixed("it combines elements along axis " + Twine(axes[0]) +
        ", which holds the rows of the batch");
  return false;
}

int64_t RowScope::all(int64_t axis) {
  for (unsigned i = 0; i < axes.size(); ++i)
    if (!at(i, axis))
      return kNoRows;
  return axis;
}

int64_t RowScope::alongOptional(std::optional<int64_t> axis) {
  if (axis && *axis != kNoneElement)
    return along(*axis);
  return mixed("it combines all elements, of all rows of the batch");
}

int64_t RowScope::reduced(ArrayRef<bool> mask, bool keepdims) {
  if (mask[axes[0]])
    return mixed("it reduces axis " + Twine(axes[0]) + ", which holds the rows of the batch");
  return keepdims ? axes[0] : axes[0] - llvm::count(mask.take_front(axes[0]), true);
}

int64_t RowScope::reshaped() {
  comparedExtents = true;
  Shape from = shapeOf(op->getOperand(0).getType()), to = shapeOf(op->getResult(0).getType());
  std::optional<int64_t> axis = rowAxisOf(op->getResult(0).getType());
  if (axis && *axis != kNoRows &&
      from.product(0, axes[0], op->getContext()) == to.product(0, *axis, op->getContext()))
    return *axis;
  return mixed("it makes " + to.str() + " of " + from.str() +
               ", in which the rows of the batch are no axis");
}

int64_t RowScope::elementwise() {
  auto node = cast<ElementwiseInterface>(op);
  int64_t result = kNoRows;
  for (unsigned i = 0; i < axes.size(); ++i) {
    if (!hasRows(i))
      continue;
    int64_t axis = node.getOperandAxes(i)[axes[i]];
    if (result != kNoRows && axis != result)
      return mixed("its operands have the rows of the batch along axes " + Twine(result) + " and " +
                   Twine(axis) + " of the result");
    result = axis;
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Answers
//===----------------------------------------------------------------------===//

// Whether the result has as many places for each row as the operands.
static bool keepsExtent(Operation *op, ArrayRef<int64_t> operands, int64_t axis) {
  Dim extent = shapeOf(op->getResult(0).getType())[axis];
  return llvm::all_of(llvm::enumerate(operands), [&](auto operand) {
    auto [i, own] = operand;
    return own == kNoRows || shapeOf(op->getOperand(i).getType())[own] == extent;
  });
}

RowAnswer symc::sg::rowsOfResults(Operation *op, ArrayRef<int64_t> operands) {
  RowAnswer answer;
  auto mixed = [&](const Twine &why) {
    answer.mixed = why.str();
    return answer;
  };
  if (drawsNumbers(op))
    return mixed("it draws random numbers, which would begin anew in each part of a batch");
  bool anyRows = llvm::any_of(operands, [](int64_t axis) { return axis != kNoRows; });
  RowScope scope(op, operands);
  int64_t first = kNoRows;
  if (anyRows && op->getNumResults() > 0) {
    // Operators that query operand 0 need its rows; those that don't look at all of them.
    auto node = dyn_cast<RowsInterface>(op);
    first = node ? node.getRowAxis(scope) : scope.noRule();
    if (!scope.why.empty())
      return mixed(scope.why);
  }
  bool same = op->hasTrait<SameInRows>();
  for (auto [i, result] : llvm::enumerate(op->getResults())) {
    std::optional<int64_t> axis = rowAxisOf(result.getType());
    std::string shape = shapeOf(result.getType()).str();
    if (!axis)
      return mixed("the rows of the batch are no axis of its result " + shape);
    bool independent = anyRows ? first != kNoRows : *axis == kNoRows || same;
    if (*axis != kNoRows && !independent && !same)
      return mixed("its result " + shape + " depends on the size of the batch alone");
    if (i == 0 && first != kNoRows &&
        (*axis != first || (!scope.comparedExtents && !keepsExtent(op, operands, first))))
      return mixed("the rows of the batch are no axis of its result " + shape);
    answer.results.push_back(*axis);
  }
  return answer;
}
