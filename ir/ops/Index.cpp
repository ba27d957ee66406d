// Index.cpp: shapes and types of operations that choose elements by index; the
// numbered constraints are those of Index.td.
#include "ir/ops/Index.h"
#include "ir/Axes.h"
#include "ir/Conditions.h"
#include "ir/RowScratch.h"
#include "ir/ValueSizes.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace symc::sg;

#define GET_OP_CLASSES
#include "ir/ops/Index.cpp.inc"

void symc::sg::registerIndexOps(SGDialect &dialect) {
  dialect.addFamily<
#define GET_OP_LIST
#include "ir/ops/Index.cpp.inc"
      >();
}

// Data and result agree; indices may have any type.
static LogicalResult inferDataType(TypeScope &scope) {
  if (failed(scope.refineOutput(0, scope.input(0))))
    return failure();
  return scope.refineInput(0, scope.output(0));
}
LogicalResult TakeOp::inferType(TypeScope &scope) { return inferDataType(scope); }
LogicalResult BatchTakeOp::inferType(TypeScope &scope) { return inferDataType(scope); }
LogicalResult PickOp::inferType(TypeScope &scope) { return inferDataType(scope); }
LogicalResult GatherNDOp::inferType(TypeScope &scope) { return inferDataType(scope); }
LogicalResult ScatterNDOp::inferType(TypeScope &scope) { return inferDataType(scope); }
LogicalResult OneHotOp::inferType(TypeScope &scope) {
  return scope.refineOutput(0, typeFromName(getDtype(), scope.context()));
}
LogicalResult ArgsortOp::inferType(TypeScope &scope) {
  return scope.refineOutput(0, typeFromName(getDtype(), scope.context()));
}

//===----------------------------------------------------------------------===//
// take, batch_take, pick, one_hot
//===----------------------------------------------------------------------===//

LogicalResult TakeOp::inferShape(ShapeScope &scope) {
  const Shape &data = scope.input(0), &indices = scope.input(1);
  if (!data.isRanked() || !indices.isRanked())
    return success();
  FailureOr<int64_t> axis = normalAxis(scope, getAxis(), data, "a"); // C1
  if (failed(axis))
    return failure();
  SmallVector<Dim> dims(data.list().take_front(*axis));
  llvm::append_range(dims, indices.list());
  llvm::append_range(dims, data.list().drop_front(*axis + 1));
  return scope.refineOutput(0, Shape(dims)); // C2
}

LogicalResult BatchTakeOp::inferShape(ShapeScope &scope) {
  const Shape &data = scope.input(0);
  if (data.isRanked()) {
    if (data.rank() != 2) // C1
      return scope.error() << "a has shape " << data.str() << ", needs rank 2";
    if (data[1].isStatic(0) && data[0].isStatic() && !data[0].isStatic(0)) // C1
      return scope.error() << "a has shape " << data.str() << ", needs elements in each row";
    if (failed(scope.refineInput(1, Shape({data[0]})))) // C2
      return failure();
  }
  return scope.refineOutput(0, scope.input(1)); // C2
}

LogicalResult PickOp::inferShape(ShapeScope &scope) {
  const Shape &data = scope.input(0), &index = scope.input(1);
  if (!data.isRanked())
    return success();
  if (static_cast<int64_t>(getAxis()) == kNoneElement) {
    Shape one({scope.dim(1)});
    Shape output = getKeepdims() ? Shape(SmallVector<Dim>(data.rank(), scope.dim(1))) : one;
    if (!(index.isRanked() && index.rank() == output.rank()) &&
        failed(scope.refineInput(1, one))) // C2
      return failure();
    return scope.refineOutput(0, output);
  }
  FailureOr<int64_t> axis = normalAxis(scope, getAxis(), data); // C1
  if (failed(axis))
    return failure();
  Shape kept = data;
  kept[*axis] = scope.dim(1);
  SmallVector<Dim> dims(data.list());
  dims.erase(dims.begin() + *axis);
  if (dims.empty())
    dims.push_back(scope.dim(1));
  Shape dropped(dims);
  bool indexKept =
      index.isRanked() ? index.rank() == kept.rank() && kept.rank() > 1 : getKeepdims();
  if (failed(scope.refineInput(1, indexKept ? kept : dropped))) // C2
    return failure();
  return scope.refineOutput(0, getKeepdims() ? kept : dropped); // C3
}

LogicalResult OneHotOp::inferShape(ShapeScope &scope) { // C1
  const Shape &indices = scope.input(0);
  if (!indices.isRanked())
    return success();
  SmallVector<Dim> dims(indices.list());
  dims.push_back(scope.dim(getDepth()));
  return scope.refineOutput(0, Shape(dims));
}

//===----------------------------------------------------------------------===//
// gather_nd, scatter_nd
//===----------------------------------------------------------------------===//

// The number of axes that a column of indices names, or an error.
static FailureOr<int64_t> indexDepth(ShapeScope &scope, size_t rank) {
  const Shape &indices = scope.input(1);
  if (indices.rank() >= 1 && !indices[0].isKnown())
    return int64_t(-1);
  if (indices.rank() < 1 || !indices[0].isStatic() || indices[0].get() < 1 ||
      indices[0].get() > static_cast<int64_t>(rank))
    return scope.error() << "indices has shape " << indices.str()
                         << ", needs a first extent between 1 and the rank " << rank
                         << " of what it points into";
  return indices[0].get();
}

LogicalResult GatherNDOp::inferShape(ShapeScope &scope) {
  const Shape &data = scope.input(0), &indices = scope.input(1);
  if (!data.isRanked() || !indices.isRanked())
    return success();
  FailureOr<int64_t> depth = indexDepth(scope, data.rank()); // C1
  if (failed(depth) || *depth < 0)
    return LogicalResult(depth);
  SmallVector<Dim> dims(indices.list().drop_front());
  llvm::append_range(dims, data.list().drop_front(*depth));
  if (dims.empty())
    dims.push_back(scope.dim(1));
  return scope.refineOutput(0, Shape(dims)); // C2
}

LogicalResult ScatterNDOp::inferShape(ShapeScope &scope) {
  const Shape &indices = scope.input(1);
  Shape output = Shape::of(getShape(), scope.context());
  if (failed(scope.refineOutput(0, output))) // C2
    return failure();
  if (!indices.isRanked())
    return success();
  FailureOr<int64_t> depth = indexDepth(scope, output.rank()); // C1
  if (failed(depth) || *depth < 0)
    return LogicalResult(depth);
  SmallVector<Dim> dims(indices.list().drop_front());
  llvm::append_range(dims, output.list().drop_front(*depth));
  return scope.refineInput(0, Shape(dims)); // C1
}

//===----------------------------------------------------------------------===//
// topk, sort, argsort
//===----------------------------------------------------------------------===//

int64_t TopKOp::countResults(const ParamView &params) {
  return params.getStr("ret_typ") == "both" ? 2 : 1;
}

// Places are computed beside the values that are requested.
std::optional<int64_t> TopKOp::countHiddenResults(const ParamView &params) {
  return params.getStr("ret_typ") == "value" ? 1 : 0;
}

LogicalResult TopKOp::inferType(TypeScope &scope) {
  Type places = typeFromName(getDtype(), scope.context());
  if (getRetTyp() == "indices")
    return scope.refineOutput(0, places);
  if (failed(inferDataType(scope)))
    return failure();
  return getRetTyp() == "both" ? scope.refineOutput(1, places) : success();
}

// The axis and the shape that is sorted along it: data's, or the flattened one.
static FailureOr<std::pair<int64_t, Shape>> sortedShape(ShapeScope &scope, int64_t axis) {
  const Shape &data = scope.input(0);
  if (axis == kNoneElement)
    return std::pair<int64_t, Shape>(0, Shape({data.product(0, data.rank(), scope.context())}));
  FailureOr<int64_t> place = normalAxis(scope, axis, data);
  if (failed(place))
    return failure();
  return std::pair<int64_t, Shape>(*place, data);
}

// The type of places distinguishes all elements along the axis, or an error about what has it.
static LogicalResult checkPlaces(ShapeScope &scope, StringRef dtype, Dim extent,
                                 StringRef what = "parameter 'dtype'") {
  if (!extent.isKnown())
    return success();
  CheckedSize count = extent.valueAt(largestSizes(scope.operation()));
  if (count.get() <= mostCounted(dtype)) // MXNet takes as many elements
    return success();
  return scope.error() << what << " is " << dtype << ", which counts to " << mostCounted(dtype)
                       << ", but there are " << count.get() << " elements to put in order";
}

LogicalResult TopKOp::inferShape(ShapeScope &scope) {
  const Shape &data = scope.input(0);
  if (!data.isRanked())
    return success();
  auto sorted = sortedShape(scope, getAxis()); // C1
  if (failed(sorted))
    return failure();
  auto [axis, output] = *sorted;
  bool hasPlaces = getRetTyp() == "indices" || getRetTyp() == "both";
  if (hasPlaces && failed(checkPlaces(scope, getDtype(), output[axis]))) // C4
    return failure();
  int64_t k = getK();
  if (k >= 1) {
    Dim choice = output[axis];
    if (failed(scope.need(atLeast(choice, k), [&](raw_ostream &message) { // C2
          message << "k is " << k << " but data has shape " << data.str() << " with only "
                  << choice.str() << " elements to choose from";
        })))
      return failure();
    output[axis] = scope.dim(k);
  }
  if (getRetTyp() == "mask")
    output = data;
  for (size_t i = 0; i < scope.numOutputs(); ++i)
    if (failed(scope.refineOutput(i, output))) // C3
      return failure();
  return success();
}

// Results of the sorted data's shape.
static LogicalResult inferSorted(ShapeScope &scope, int64_t axis) {
  if (!scope.input(0).isRanked())
    return success();
  auto sorted = sortedShape(scope, axis);
  if (failed(sorted))
    return failure();
  for (size_t i = 0; i < scope.numOutputs(); ++i)
    if (failed(scope.refineOutput(i, sorted->second)))
      return failure();
  return success();
}

int64_t SortOp::countResults(const ParamView &params) {
  return params.getBool("show_hidden") ? 2 : 1;
}

LogicalResult SortOp::inferType(TypeScope &scope) {
  if (failed(inferDataType(scope)))
    return failure();
  return getShowHidden() ? scope.refineOutput(1, IntegerType::get(scope.context(), 32)) : success();
}

LogicalResult SortOp::inferShape(ShapeScope &scope) {
  if (failed(inferSorted(scope, getAxis()))) // C1, C2
    return failure();
  if (!getShowHidden() || !scope.input(0).isRanked())
    return success();
  auto sorted = sortedShape(scope, getAxis());
  return failed(sorted)
             ? failure()
             : checkPlaces(scope, "int32", sorted->second[sorted->first], "output1"); // C3
}
LogicalResult ArgsortOp::inferShape(ShapeScope &scope) {
  if (!scope.input(0).isRanked())
    return success();
  auto sorted = sortedShape(scope, getAxis());                                                 // C1
  if (failed(sorted) || failed(checkPlaces(scope, getDtype(), sorted->second[sorted->first]))) // C3
    return failure();
  return scope.refineOutput(0, sorted->second); // C2
}

//===----------------------------------------------------------------------===//
// ravel_multi_index
//===----------------------------------------------------------------------===//

LogicalResult RavelMultiIndexOp::inferShape(ShapeScope &scope) {
  const Shape &data = scope.input(0);
  if (!data.isRanked())
    return success();
  int64_t rank = getShape().size();
  if (data.rank() < 1 || (data[0].isKnown() && !data[0].isStatic(rank))) // C1
    return scope.error() << "data has shape " << data.str() << ", needs the first extent " << rank
                         << ", the length of parameter 'shape'";
  SmallVector<Dim> dims(data.list().drop_front());
  if (dims.empty())
    dims.push_back(scope.dim(1));
  return scope.refineOutput(0, Shape(dims)); // C2
}

// Places along the axis, and as many again to merge them (order.h of the kernels).
static CheckedSize orderBytes(const LargestShapes &shapes, int64_t axis) {
  int64_t rank = shapes.operands[0].size();
  CheckedSize extent = axis == kNoneElement ? shapes.operandCount(0)
                                            : shapes.operands[0][axis < 0 ? axis + rank : axis];
  return 2 * 8 * extent;
}

// The same for lines that are put in order in tasks. Of a line's first few places no more are kept
// (kFew in runtime/kernels/reference/sort.cpp).
static CheckedSize lineBytes(const LargestShapes &shapes, int64_t axis,
                             std::optional<int64_t> wanted = std::nullopt) {
  constexpr int64_t few = 32;
  CheckedSize bytes = orderBytes(shapes, axis);
  CheckedSize lines = bytes == 0 ? 1 : shapes.operandCount(0) / (bytes / 16);
  if (wanted && *wanted <= few)
    bytes = std::min<CheckedSize>(bytes, 2 * 8 * few);
  return rowScratchBytes(shapes, lines, bytes);
}

CheckedSize TopKOp::getScratchBytes(const LargestShapes &shapes) {
  return lineBytes(shapes, getAxis(), getK() >= 1 ? std::optional<int64_t>(getK()) : std::nullopt);
}
CheckedSize SortOp::getScratchBytes(const LargestShapes &shapes) {
  return lineBytes(shapes, getAxis());
}
CheckedSize ArgsortOp::getScratchBytes(const LargestShapes &shapes) {
  return lineBytes(shapes, getAxis());
}

//===----------------------------------------------------------------------===//
// boolean_mask
//===----------------------------------------------------------------------===//

std::string BooleanMaskOp::checkParams(const ParamView &params) {
  if (params.getInt("axis") == 0) // C1
    return {};
  return "parameter 'axis' is " + std::to_string(params.getInt("axis")) + ", needs 0";
}

// One mask keeps as many rows of one tensor as of another.
static int64_t sizeOfMask(BooleanMaskOp op, Dim rows) {
  for (Operation *user : op.getIndex().getUsers())
    if (auto other = dyn_cast<BooleanMaskOp>(user); other && other.getIndex() == op.getIndex())
      if (std::optional<int64_t> size = decidedSize(other))
        return *size;
  return addSize(op, rows);
}

LogicalResult BooleanMaskOp::inferShape(ShapeScope &scope) {
  const Shape &data = scope.input(0);
  if (!data.isRanked())
    return success();
  if (data.rank() < 1) // C2
    return scope.error() << "data has shape [], needs at least one extent";
  if (failed(scope.refineInput(1, Shape({data[0]})))) // C2
    return failure();
  if (failed(checkDecides(scope))) // C3
    return failure();
  if (!data[0].isKnown())
    return success();
  if (static_cast<int64_t>(getSize()) < 0)
    setSize(sizeOfMask(*this, data[0]));
  Shape output = data;
  output[0] = Dim(getAffineSymbolExpr(getSize(), scope.context()));
  return scope.refineOutput(0, output); // C4
}

LogicalResult BooleanMaskOp::inferType(TypeScope &scope) {
  if (failed(scope.refineOutput(0, scope.input(0))))
    return failure();
  return scope.refineInput(0, scope.output(0));
}

LogicalResult BooleanMaskGradientOp::inferShape(ShapeScope &scope) {
  return scope.refineOutput(0, scope.input(0)); // C1
}

//===----------------------------------------------------------------------===//
// nonzero, unique
//===----------------------------------------------------------------------===//

LogicalResult NonzeroOp::inferShape(ShapeScope &scope) {
  const Shape &data = scope.input(0);
  if (!data.isFullyKnown())
    return success();
  if (data.rank() < 1) // C1
    return scope.error() << "data has shape [], needs at least one extent";
  if (failed(checkDecides(scope))) // C2
    return failure();
  Dim rank = scope.dim(data.rank());
  return scope.refineOutput(
      0, Shape({sizeOf(*this, data.product(0, data.rank(), scope.context())), rank})); // C3
}
LogicalResult NonzeroOp::inferType(TypeScope &scope) {
  return scope.refineOutput(0, typeFromName("int64", scope.context()));
}

int64_t UniqueOp::countResults(const ParamView &params) {
  return 1 + params.getBool("return_index") + params.getBool("return_inverse") +
         params.getBool("return_counts");
}
LogicalResult UniqueOp::inferShape(ShapeScope &scope) {
  Shape values = scope.input(0);
  if (!values.isFullyKnown())
    return success();
  FailureOr<int64_t> axis =
      getAxis() ? normalAxis(scope, *getAxis(), values) : FailureOr<int64_t>(0); // C1
  if (failed(axis) || failed(checkDecides(scope)))                               // C2
    return failure();
  if (!getAxis())
    values = Shape({values.product(0, values.rank(), scope.context())});
  Shape all({values[*axis]}), found({sizeOf(*this, values[*axis], *axis)});
  values[*axis] = found[0];
  size_t inverse = getReturnInverse() ? 1 + getReturnIndex() : 0;
  for (size_t i = 0; i < scope.numOutputs(); ++i) // C3
    if (failed(scope.refineOutput(i, i == 0 ? values : i == inverse ? all : found)))
      return failure();
  return success();
}
LogicalResult UniqueOp::inferType(TypeScope &scope) {
  for (size_t i = 1; i < scope.numOutputs(); ++i)
    if (failed(scope.refineOutput(i, typeFromName("int64", scope.context()))))
      return failure();
  return scope.refineOutput(0, scope.input(0));
}
CheckedSize UniqueOp::getScratchBytes(const LargestShapes &shapes) {
  return orderBytes(shapes, getAxis() ? int64_t(*getAxis()) : kNoneElement);
}

//===----------------------------------------------------------------------===//
// Rows of a batch
//===----------------------------------------------------------------------===//

int64_t TakeOp::getRowAxis(RowScope &rows) {
  int64_t axis = rows.normal(getAxis(), rows.rank());
  if (!rows.hasRows(0))
    return axis + rows.axis(1);
  if (!rows.hasNone(1) || !rows.apart(axis))
    return kNoRows;
  return rows.axis() + (axis < rows.axis() ? rows.rank(1) - 1 : 0);
}

int64_t PickOp::getRowAxis(RowScope &rows) {
  if (!rows.needsRows(0) || rows.alongOptional(getAxis()) == kNoRows)
    return kNoRows;
  int64_t dropped = rows.without(getAxis());
  if (!rows.at(1, rows.rank(1) == rows.rank() ? rows.axis() : dropped))
    return kNoRows;
  return getKeepdims() ? rows.axis() : dropped;
}
