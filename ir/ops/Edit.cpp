// Edit.cpp: shapes and types of operators that put slices into tensors or take them out; the
// numbered constraints are those of Edit.td.
#include "ir/ops/Edit.h"
#include "ir/Axes.h"
#include "ir/ValueSizes.h"

using namespace mlir;
using namespace symc::sg;

#define GET_OP_CLASSES
#include "ir/ops/Edit.cpp.inc"

void symc::sg::registerEditOps(SGDialect &dialect) {
  dialect.addFamily<
#define GET_OP_LIST
#include "ir/ops/Edit.cpp.inc"
      >();
}

// How many places start:stop:step has in `extent`, as Python counts them.
static int64_t countPlaces(int64_t extent, std::optional<int64_t> start,
                           std::optional<int64_t> stop, int64_t step) {
  int64_t least = step < 0 ? -1 : 0, most = step < 0 ? extent - 1 : extent;
  auto bound = [&](std::optional<int64_t> given, int64_t otherwise) {
    if (!given)
      return otherwise;
    return std::clamp(*given < 0 ? *given + extent : *given, least, most);
  };
  int64_t from = bound(start, step < 0 ? most : least), to = bound(stop, step < 0 ? least : most);
  int64_t span = step < 0 ? from - to : to - from;
  return span > 0 ? (span - 1) / std::abs(step) + 1 : 0;
}
template <typename Op> static int64_t countPlaces(Op op, int64_t extent) {
  auto given = [](auto value) {
    return value ? std::optional<int64_t>(static_cast<int64_t>(*value)) : std::nullopt;
  };
  return countPlaces(extent, given(op.getStart()), given(op.getStop()), *op.getStep());
}

namespace {
/// What is edited, arr or its flattened form, and along which of its axes.
struct Target {
  Shape shape;
  int64_t axis = 0;
};
} // namespace

// C1; nothing while arr is not known well enough.
template <typename Op> static FailureOr<std::optional<Target>> targetOf(Op op, ShapeScope &scope) {
  const Shape &arr = scope.input(0);
  if (!op.getAxis()) {
    if (!arr.isFullyKnown())
      return std::optional<Target>();
    return std::optional<Target>(Target{Shape({arr.product(0, arr.rank(), scope.context())}), 0});
  }
  if (!arr.isRanked())
    return std::optional<Target>();
  FailureOr<int64_t> axis = normalAxis(scope, *op.getAxis(), arr, "arr"); // C1
  if (failed(axis))
    return failure();
  return std::optional<Target>(Target{arr, *axis});
}

// C3, of int_ind and slices.
template <typename Op>
static LogicalResult checkFixed(Op op, ShapeScope &scope, const Target &target, int64_t behind) {
  Dim extent = target.shape[target.axis];
  if (!extent.isStatic())
    return scope.error() << "arr has shape " << scope.input(0).str() << ", whose extent along axis "
                         << target.axis << " has to be fixed";
  int64_t place = op.getIntInd() ? int64_t(*op.getIntInd()) : 0, most = extent.get() - 1 + behind;
  if (!op.getStep() && (place < -extent.get() || place > most))
    return scope.error() << "place " << place << " is outside " << -extent.get() << ".." << most
                         << " along axis " << target.axis << " of arr's shape "
                         << scope.input(0).str();
  return success();
}

static std::string checkStep(const ParamView &params) { // C2
  if (params.isNone("step") || params.getInt("step") != 0)
    return {};
  return "parameter 'step' is 0, needs another number";
}

//===----------------------------------------------------------------------===//
// insert
//===----------------------------------------------------------------------===//

bool InsertOp::hasOperand(StringRef name, const ParamView &params) {
  return name == "values" ? params.isNone("val") : params.getStr("kind") == "tensor";
}

std::string InsertOp::checkParams(const ParamView &params) {
  if (params.getStr("kind") == "slice" && params.isNone("step")) // C2
    return "parameter 'step' is None, needs a number";
  return checkStep(params);
}

// Values' shape, extended by 1 to the rank of what is edited.
static FailureOr<SmallVector<int64_t>> alignedValues(InsertOp op, ShapeScope &scope, size_t rank) {
  SmallVector<int64_t> aligned(rank, 1);
  if (!op.getValues())
    return aligned;
  const Shape &values = scope.input(1);
  bool fits = values.isStatic();
  for (size_t i = 0; fits && i < values.rank(); ++i) {
    int64_t at = int64_t(i + rank) - int64_t(values.rank()), extent = values[i].get();
    if (at >= 0)
      aligned[at] = extent;
    else
      fits = extent == 1;
  }
  if (!fits) // C4
    return scope.error() << "values has shape " << values.str() << ", needs fixed extents and rank "
                         << rank << " at most";
  return aligned;
}

LogicalResult InsertOp::inferShape(ShapeScope &scope) {
  auto found = targetOf(*this, scope); // C1
  if (failed(found) || !*found)
    return failed(found) ? failure() : success();
  Target target = **found;
  size_t rank = target.shape.rank();
  if (getValues() && !scope.input(1).isFullyKnown())
    return success();
  FailureOr<SmallVector<int64_t>> aligned = alignedValues(*this, scope, rank);
  if (failed(aligned))
    return failure();
  bool transposed = getKind() == "index";
  int64_t places = 1;
  if (Value obj = getObj()) {
    const Shape &shape = scope.input(getValues() ? 2 : 1);
    if (!shape.isFullyKnown())
      return success();
    transposed = shape.rank() == 0;
    if (shape.rank() > 1 || !shape.isStatic()) // C5
      return scope.error() << "obj has shape " << shape.str()
                           << ", needs rank 0 or 1 and a fixed extent";
    if (transposed && (*aligned)[0] != (*aligned)[target.axis]) // C5
      return scope.error() << "values has " << (*aligned)[0] << " slices along its first axis and "
                           << (*aligned)[target.axis] << " along axis " << target.axis
                           << ", needs as many for an obj of rank 0";
    places = transposed ? 1 : shape[0].get();
  } else {
    if (!target.shape[target.axis].isKnown())
      return success();
    if (failed(checkFixed(*this, scope, target, /*behind=*/1))) // C3
      return failure();
    if (getKind() == "slice")
      places = countPlaces(*this, target.shape[target.axis].get());
  }
  if (transposed) // the first axis goes to the place of `axis`
    std::rotate(aligned->begin(), aligned->begin() + 1, aligned->begin() + target.axis + 1);
  int64_t slices = (*aligned)[target.axis], added = places == 1 ? slices : places;
  for (size_t i = 0; i < rank; ++i) {
    Dim needed = static_cast<int64_t>(i) == target.axis ? scope.dim(added) : target.shape[i];
    if ((*aligned)[i] != 1 && needed.isKnown() && !needed.isStatic((*aligned)[i])) // C4
      return scope.error() << "values has shape " << scope.input(1).str() << " with "
                           << (*aligned)[i] << " elements along axis " << i << ", needs 1 or "
                           << needed.str();
  }
  target.shape[target.axis] = target.shape[target.axis] + added;
  return scope.refineOutput(0, target.shape);
}

LogicalResult InsertOp::inferType(TypeScope &scope) {
  if (getObj() &&
      failed(scope.refineInput(getValues() ? 2 : 1, IntegerType::get(scope.context(), 64))))
    return failure();
  return failed(scope.refineOutput(0, scope.input(0))) ? failure()
                                                       : scope.refineInput(0, scope.output(0));
}

// Where each slice goes, and as much again twice to put them in order.
CheckedSize InsertOp::getScratchBytes(const LargestShapes &shapes) {
  int64_t axis = getAxis() ? int64_t(*getAxis()) : 0, rank = shapes.results[0].size();
  return 8 * 3 * shapes.results[0][axis < 0 ? axis + rank : axis];
}

//===----------------------------------------------------------------------===//
// delete
//===----------------------------------------------------------------------===//

bool DeleteOp::hasOperand(StringRef, const ParamView &params) {
  return params.isNone("step") && params.isNone("int_ind");
}

std::string DeleteOp::checkParams(const ParamView &params) { return checkStep(params); } // C2

LogicalResult DeleteOp::inferShape(ShapeScope &scope) {
  auto found = targetOf(*this, scope); // C1
  if (failed(found) || !*found)
    return failed(found) ? failure() : success();
  Target target = **found;
  Dim extent = target.shape[target.axis];
  if (!extent.isKnown())
    return success();
  if (getObj()) {
    if (failed(checkDecides(scope))) // C5
      return failure();
    target.shape[target.axis] = sizeOf(*this, extent, target.axis);
    return scope.refineOutput(0, target.shape);
  }
  if (failed(checkFixed(*this, scope, target, /*behind=*/0))) // C3
    return failure();
  int64_t left = extent.get() - (getStep() ? countPlaces(*this, extent.get()) : 1);
  if (left < 1) // C4
    return scope.error() << "arr has shape " << scope.input(0).str()
                         << ", of which nothing is left along axis " << target.axis;
  target.shape[target.axis] = scope.dim(left);
  return scope.refineOutput(0, target.shape);
}

LogicalResult DeleteOp::inferType(TypeScope &scope) {
  return failed(scope.refineOutput(0, scope.input(0))) ? failure()
                                                       : scope.refineInput(0, scope.output(0));
}

// A byte for each slice, whether it goes.
CheckedSize DeleteOp::getScratchBytes(const LargestShapes &shapes) {
  if (!getAxis())
    return shapes.operandCount(0);
  int64_t axis = *getAxis(), rank = shapes.operands[0].size();
  return shapes.operands[0][axis < 0 ? axis + rank : axis];
}

//===----------------------------------------------------------------------===//
// Rows of a batch
//===----------------------------------------------------------------------===//

int64_t InsertOp::getRowAxis(RowScope &rows) {
  return rows.onlyFirst(1) ? rows.alongOptional(getAxis()) : kNoRows;
}

int64_t DeleteOp::getRowAxis(RowScope &rows) {
  return getObj() ? rows.noRule() : rows.alongOptional(getAxis());
}
