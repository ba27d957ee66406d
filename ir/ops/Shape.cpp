// Shape.cpp: shapes, types and parameter checks of data movement; the numbered
// constraints are those of Shape.td.
#include "ir/ops/Shape.h"
#include "ir/Axes.h"
#include "ir/Clips.h"
#include "ir/ReshapeCodes.h"

using namespace mlir;
using namespace symc::sg;

#define GET_OP_CLASSES
#include "ir/ops/Shape.cpp.inc"

void symc::sg::registerShapeOps(SGDialect &dialect) {
  dialect.addFamily<
#define GET_OP_LIST
#include "ir/ops/Shape.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// flatten, reshape, reshape_like
//===----------------------------------------------------------------------===//

LogicalResult FlattenOp::inferShape(ShapeScope &scope) {
  const Shape &data = scope.input(0);
  if (!data.isRanked())
    return success();
  if (data.rank() < 1) // C1
    return scope.error() << "data has no extents, needs at least 1";
  if (failed(scope.refineOutput( // C2
          0, Shape({data[0], data.product(1, data.rank(), scope.context())}))))
    return failure();
  Shape refined = data;
  refined[0] = scope.output(0)[0];
  return scope.refineInput(0, refined);
}

// The one extent of `target` that is unknown, from the elements of `other`.
static Shape fillUnknown(const Shape &target, const Shape &other, MLIRContext *context) {
  if (!target.isRanked() || !other.isFullyKnown() || target.isFullyKnown())
    return target;
  std::optional<size_t> unknown;
  SmallVector<Dim> known;
  for (size_t i = 0; i < target.rank(); ++i) {
    if (target[i].isKnown())
      known.push_back(target[i]);
    else if (unknown)
      return target;
    else
      unknown = i;
  }
  Shape filled = target;
  if (std::optional<Dim> rest = divideExtents(other.list(), known, context))
    filled[*unknown] = *rest;
  return filled;
}

LogicalResult ReshapeOp::inferShape(ShapeScope &scope) {
  const Shape &data = scope.input(0);
  bool older = getShape().empty();
  if (data.isRanked() && (!older || !getTargetShape().empty())) {
    std::string message;
    ReshapeNeeds needs;
    Shape output =
        older ? applyTargetShape(getTargetShape(), getKeepHighest(), data, scope.context(), needs,
                                 message)
              : applyReshapeCodes(getShape(), getReverse(), data, scope.context(), needs, message);
    if (!message.empty()) // C1
      return scope.error() << message;
    if (failed(needAll(scope, needs)) || failed(scope.refineOutput(0, output)))
      return failure();
  }
  if (failed(scope.refineInput(0, fillUnknown(scope.input(0), scope.output(0), scope.context()))) ||
      failed(scope.refineOutput(0, fillUnknown(scope.output(0), scope.input(0), scope.context()))))
    return failure();
  return checkSameCount(scope, "data"); // C2
}

// begin..end of a range of axes with None and negative places.
static FailureOr<std::pair<int64_t, int64_t>> axisRange(ShapeScope &scope, StringRef name,
                                                        std::optional<uint64_t> begin,
                                                        std::optional<uint64_t> end, int64_t rank) {
  auto place = [&](std::optional<uint64_t> value, int64_t otherwise) {
    int64_t given = value ? static_cast<int64_t>(*value) : otherwise;
    return given < 0 ? given + rank : given;
  };
  int64_t first = place(begin, 0), last = place(end, rank);
  if (first < 0 || last > rank || first > last)
    return scope.error() << name << "_begin and " << name << "_end give the axes from " << first
                         << " to " << last << ", needs a range within rank " << rank;
  return std::pair(first, last);
}

LogicalResult ReshapeLikeOp::inferShape(ShapeScope &scope) {
  const Shape &lhs = scope.input(0), &rhs = scope.input(1);
  bool whole = !getLhsBegin() && !getLhsEnd() && !getRhsBegin() && !getRhsEnd();
  if (whole) {
    if (failed(scope.refineOutput(0, rhs)))
      return failure();
  } else if (lhs.isRanked() && rhs.isRanked()) {
    auto left = axisRange(scope, "lhs", getLhsBegin(), getLhsEnd(), lhs.rank()); // C1
    if (failed(left))
      return failure();
    auto right = axisRange(scope, "rhs", getRhsBegin(), getRhsEnd(), rhs.rank()); // C1
    if (failed(right))
      return failure();
    Shape output{size_t(0)};
    for (int64_t i = 0; i < left->first; ++i)
      output.push_back(lhs[i]);
    for (int64_t i = right->first; i < right->second; ++i)
      output.push_back(rhs[i]);
    for (size_t i = left->second; i < lhs.rank(); ++i)
      output.push_back(lhs[i]);
    if (failed(scope.refineOutput(0, output)))
      return failure();
  }
  return checkSameCount(scope, "lhs"); // C2
}

// The first operand and the result agree; the other gives only its shape.
static LogicalResult inferTypeOfFirst(TypeScope &scope) {
  if (failed(scope.refineOutput(0, scope.input(0))))
    return failure();
  return scope.refineInput(0, scope.output(0));
}
LogicalResult ReshapeLikeOp::inferType(TypeScope &scope) { return inferTypeOfFirst(scope); }
LogicalResult BroadcastLikeOp::inferType(TypeScope &scope) { return inferTypeOfFirst(scope); }

//===----------------------------------------------------------------------===//
// transpose, swap_axis, expand_dims, squeeze, reverse
//===----------------------------------------------------------------------===//

SmallVector<int64_t> TransposeOp::getOrder() {
  int64_t rank = cast<RankedTensorType>(getData().getType()).getRank();
  SmallVector<int64_t> order;
  for (int64_t i = 0; i < rank; ++i) {
    int64_t axis = getAxes().empty() ? rank - 1 - i : getAxes()[i];
    order.push_back(axis < 0 ? axis + rank : axis);
  }
  return order;
}

// Refines data and output where axis i of output is axis order[i] of data.
static LogicalResult refinePermuted(ShapeScope &scope, ArrayRef<int64_t> order) {
  Shape forward(order.size()), backward(order.size());
  const Shape &data = scope.input(0), &output = scope.output(0);
  if (data.isRanked()) {
    for (size_t i = 0; i < order.size(); ++i)
      forward[i] = data[order[i]];
    if (failed(scope.refineOutput(0, forward)))
      return failure();
  }
  if (output.isRanked() && output.rank() == order.size()) {
    for (size_t i = 0; i < order.size(); ++i)
      backward[order[i]] = output[i];
    return scope.refineInput(0, backward);
  }
  return success();
}

LogicalResult TransposeOp::inferShape(ShapeScope &scope) {
  const Shape &known = scope.input(0).isRanked() ? scope.input(0) : scope.output(0);
  if (!known.isRanked())
    return success();
  SmallVector<int64_t> order;
  if (getAxes().empty()) {
    for (size_t i = known.rank(); i-- > 0;)
      order.push_back(i);
  } else {
    if (getAxes().size() != known.rank()) // C1
      return scope.error() << "axes names " << getAxes().size() << " axes but data has shape "
                           << known.str();
    auto axes = normalAxes(scope, getAxes(), known); // C1
    if (failed(axes))
      return failure();
    order = *axes;
  }
  return refinePermuted(scope, order); // C2
}

LogicalResult SwapAxisOp::inferShape(ShapeScope &scope) {
  const Shape &known = scope.input(0).isRanked() ? scope.input(0) : scope.output(0);
  if (!known.isRanked())
    return success();
  FailureOr<int64_t> one = normalAxis(scope, getDim1(), known); // C1
  FailureOr<int64_t> other = failed(one) ? one : normalAxis(scope, getDim2(), known);
  if (failed(one) || failed(other))
    return failure();
  SmallVector<int64_t> order;
  for (size_t i = 0; i < known.rank(); ++i)
    order.push_back(i);
  std::swap(order[*one], order[*other]);
  return refinePermuted(scope, order); // C2
}

LogicalResult ExpandDimsOp::inferShape(ShapeScope &scope) {
  const Shape &data = scope.input(0), &output = scope.output(0);
  int64_t axis = getAxis();
  if (data.isRanked()) {
    int64_t rank = data.rank() + 1;
    if (axis < -rank || axis >= rank) // C1
      return scope.error() << "axis " << axis << " is outside the result's rank " << rank;
    SmallVector<Dim> dims(data.list());
    dims.insert(dims.begin() + (axis < 0 ? axis + rank : axis), scope.dim(1));
    if (failed(scope.refineOutput(0, Shape(dims)))) // C2
      return failure();
  }
  if (!output.isRanked())
    return success();
  FailureOr<int64_t> place = normalAxis(scope, axis, output, "output");
  if (failed(place))
    return failure();
  SmallVector<Dim> dims(output.list());
  dims.erase(dims.begin() + *place);
  return scope.refineInput(0, Shape(dims));
}

LogicalResult SqueezeOp::inferShape(ShapeScope &scope) {
  auto output = squeezed(scope, getAxis(), scope.input(0)); // C2
  if (failed(output) || !*output)                           // C1
    return LogicalResult(output);
  if ((*output)->rank() == 0)
    (*output)->push_back(scope.dim(1));
  return scope.refineOutput(0, **output);
}

LogicalResult ReverseOp::inferShape(ShapeScope &scope) {
  if (failed(scope.refineAllSame())) // C2
    return failure();
  if (!scope.input(0).isRanked())
    return success();
  return LogicalResult(normalAxes(scope, getAxis(), scope.input(0))); // C1
}

//===----------------------------------------------------------------------===//
// tile, repeat
//===----------------------------------------------------------------------===//

std::string TileOp::checkParams(const ParamView &params) { // C1
  for (int64_t count : params.getTuple("reps"))
    if (count < 1)
      return "parameter 'reps' has " + std::to_string(count) + ", needs numbers of at least 1";
  return {};
}

LogicalResult TileOp::inferShape(ShapeScope &scope) {
  const Shape &data = scope.input(0);
  if (!data.isRanked())
    return success();
  size_t rank = std::max(data.rank(), getReps().size());
  Shape output(rank);
  for (size_t fromEnd = 1; fromEnd <= rank; ++fromEnd) {
    Dim extent = fromEnd <= data.rank() ? data[data.rank() - fromEnd] : scope.dim(1);
    int64_t count = fromEnd <= getReps().size() ? getReps()[getReps().size() - fromEnd] : 1;
    output[rank - fromEnd] = extent * count;
  }
  return scope.refineOutput(0, output); // C2
}

LogicalResult RepeatOp::inferShape(ShapeScope &scope) {
  const Shape &data = scope.input(0);
  if (!data.isRanked())
    return success();
  int64_t repeats = getRepeats();
  if (!getAxis()) // C2
    return scope.refineOutput(0, Shape({data.product(0, data.rank(), scope.context()) * repeats}));
  FailureOr<int64_t> axis = normalAxis(scope, *getAxis(), data); // C1
  if (failed(axis))
    return failure();
  Shape output = data;
  output[*axis] = output[*axis] * repeats;
  return scope.refineOutput(0, output); // C2
}

//===----------------------------------------------------------------------===//
// broadcast_to, broadcast_axis, broadcast_like
//===----------------------------------------------------------------------===//

// Gives `output`'s extent along `axis` the value `extent`, which needs it to be 1 or equal.
static LogicalResult broadcastAlong(ShapeScope &scope, Shape &output, size_t axis, Dim extent,
                                    StringRef name) {
  Dim own = output[axis];
  if (own.isKnown() && extent.isKnown() && !own.isStatic(1) && own != extent &&
      failed(scope.need(Need::zero((own - 1) * (own - extent)), [&](raw_ostream &message) {
        message << name << " has shape " << scope.input(0).str() << " with the extent " << own.str()
                << " along axis " << axis << ", needs 1 or " << extent.str();
      })))
    return failure();
  if (extent.isKnown())
    output[axis] = extent;
  return success();
}

LogicalResult BroadcastToOp::inferShape(ShapeScope &scope) {
  const Shape &data = scope.input(0);
  if (!data.isRanked())
    return success();
  if (data.rank() != getShape().size()) // C1
    return scope.error() << "data has shape " << data.str() << " but parameter 'shape' has "
                         << getShape().size() << " extents, needs as many";
  Shape output = data;
  for (size_t i = 0; i < data.rank(); ++i)
    if (getShape()[i] != 0 &&
        failed(broadcastAlong(scope, output, i, scope.dim(getShape()[i]), "data"))) // C2
      return failure();
  return scope.refineOutput(0, output);
}

std::string BroadcastAxisOp::checkParams(const ParamView &params) { // C1
  size_t axes = params.getTuple("axis").size(), sizes = params.getTuple("size").size();
  if (axes != sizes)
    return "parameter 'axis' has " + std::to_string(axes) + " axes and 'size' " +
           std::to_string(sizes) + " extents, needs as many";
  return {};
}

LogicalResult BroadcastAxisOp::inferShape(ShapeScope &scope) {
  const Shape &data = scope.input(0);
  if (!data.isRanked())
    return success();
  auto axes = normalAxes(scope, getAxis(), data); // C1
  if (failed(axes))
    return failure();
  Shape output = data;
  for (auto [axis, size] : llvm::zip(*axes, getSize())) {
    if (failed(scope.need(equals(data[axis], 1), [&](raw_ostream &message) { // C2
          message << "data has shape " << data.str() << " with the extent " << data[axis].str()
                  << " along axis " << axis << ", needs 1";
        })))
      return failure();
    output[axis] = scope.dim(size);
  }
  return scope.refineOutput(0, output);
}

std::string BroadcastLikeOp::checkParams(const ParamView &params) { // C1
  bool left = !params.isNone("lhs_axes"), right = !params.isNone("rhs_axes");
  if (left != right)
    return "parameters 'lhs_axes' and 'rhs_axes' must be given together";
  if (!left)
    return {};
  size_t own = params.getTuple("lhs_axes").size(), other = params.getTuple("rhs_axes").size();
  if (own != other || own == 0)
    return "parameter 'lhs_axes' has " + std::to_string(own) + " axes and 'rhs_axes' " +
           std::to_string(other) + ", needs as many and at least 1";
  return {};
}

LogicalResult BroadcastLikeOp::inferShape(ShapeScope &scope) {
  const Shape &lhs = scope.input(0), &rhs = scope.input(1);
  if (!lhs.isRanked() || !rhs.isRanked())
    return success();
  Shape output = lhs;
  if (!getLhsAxes() || !getRhsAxes()) {
    if (lhs.rank() != rhs.rank()) // C1
      return scope.error() << "lhs has shape " << lhs.str() << " and rhs " << rhs.str()
                           << ", needs equal ranks without lhs_axes";
    for (size_t i = 0; i < lhs.rank(); ++i)
      if (failed(broadcastAlong(scope, output, i, rhs[i], "lhs"))) // C2
        return failure();
    return scope.refineOutput(0, output);
  }
  auto own = normalAxes(scope, *getLhsAxes(), lhs, "lhs"); // C1
  if (failed(own))
    return failure();
  auto other = normalAxes(scope, *getRhsAxes(), rhs, "rhs"); // C1
  if (failed(other))
    return failure();
  for (auto [axis, source] : llvm::zip(*own, *other))
    if (failed(broadcastAlong(scope, output, axis, rhs[source], "lhs"))) // C2
      return failure();
  return scope.refineOutput(0, output);
}

//===----------------------------------------------------------------------===//
// depth_to_space, space_to_depth, diag
//===----------------------------------------------------------------------===//

// Data has four extents, or an error.
static LogicalResult checkPlanes(ShapeScope &scope) {
  const Shape &data = scope.input(0);
  if (data.rank() != 4)
    return scope.error() << "data has shape " << data.str() << ", needs rank 4";
  return success();
}

LogicalResult DepthToSpaceOp::inferShape(ShapeScope &scope) {
  const Shape &data = scope.input(0);
  if (!data.isRanked())
    return success();
  if (failed(checkPlanes(scope))) // C1
    return failure();
  int64_t block = getBlockSize();
  FailureOr<Dim> channels =
      divideEvenly(scope, data[1], block * block, [&](raw_ostream &message) { // C2
        message << "data has " << data[1].str() << " channels, needs a multiple of "
                << block * block << " with block_size = " << block;
      });
  if (failed(channels))
    return failure();
  return scope.refineOutput(0, Shape({data[0], *channels, data[2] * block, data[3] * block}));
}

LogicalResult SpaceToDepthOp::inferShape(ShapeScope &scope) {
  const Shape &data = scope.input(0);
  if (!data.isRanked())
    return success();
  if (failed(checkPlanes(scope))) // C1
    return failure();
  int64_t block = getBlockSize();
  auto wrong = [&](raw_ostream &message) {
    message << "data has shape " << data.str() << ", needs planes whose extents are "
            << "multiples of block_size = " << block;
  };
  FailureOr<Dim> rows = divideEvenly(scope, data[2], block, wrong); // C2
  FailureOr<Dim> columns = failed(rows) ? rows : divideEvenly(scope, data[3], block, wrong);
  if (failed(columns))
    return failure();
  return scope.refineOutput(0, Shape({data[0], data[1] * (block * block), *rows, *columns}));
}

LogicalResult DiagOp::inferShape(ShapeScope &scope) {
  const Shape &data = scope.input(0);
  if (!data.isRanked())
    return success();
  int64_t k = getK();
  if (data.rank() == 1) {
    Dim side = data[0] + std::abs(k);
    return scope.refineOutput(0, Shape({side, side}));
  }
  FailureOr<int64_t> rowAxis = normalAxis(scope, getAxis1(), data); // C1
  FailureOr<int64_t> columnAxis = failed(rowAxis) ? rowAxis : normalAxis(scope, getAxis2(), data);
  if (failed(rowAxis) || failed(columnAxis))
    return failure();
  if (*rowAxis == *columnAxis) // C1
    return scope.error() << "axis1 and axis2 are both axis " << *rowAxis << ", needs two axes";
  Dim rows = data[*rowAxis], columns = data[*columnAxis], length;
  if (rows == columns && k == 0) {
    length = rows;
  } else if (rows.isStatic() && columns.isStatic()) {
    int64_t count =
        std::min(rows.get() + std::min<int64_t>(k, 0), columns.get() - std::max<int64_t>(k, 0));
    if (count < 1) // C2
      return scope.error() << "diagonal " << k << " of data's shape " << data.str() << " is empty";
    length = scope.dim(count);
  } else if (Clipping::isOn(scope.operation(), rows) &&
             Clipping::isOn(scope.operation(), columns)) {
    length =
        Clipping(scope.operation(), /*mayAdd=*/true)
            .least(rows + std::min<int64_t>(k, 0), columns - std::max<int64_t>(k, 0), *rowAxis);
    if (failed(scope.need(atLeast(length, 1), [&](raw_ostream &message) { // C2
          message << "diagonal " << k << " of data's shape " << data.str() << " is empty";
        })))
      return failure();
  }
  Shape output{size_t(0)};
  for (size_t i = 0; i < data.rank(); ++i)
    if (static_cast<int64_t>(i) != *rowAxis && static_cast<int64_t>(i) != *columnAxis)
      output.push_back(data[i]);
  output.push_back(length);
  return scope.refineOutput(0, output);
}

//===----------------------------------------------------------------------===//
// shape_array, size_array
//===----------------------------------------------------------------------===//

LogicalResult ShapeArrayOp::inferShape(ShapeScope &scope) { // C1
  if (!scope.input(0).isRanked())
    return success();
  return scope.refineOutput(0, Shape({scope.dim(scope.input(0).rank())}));
}

LogicalResult SizeArrayOp::inferShape(ShapeScope &scope) { // C1
  return scope.refineOutput(0, Shape({scope.dim(1)}));
}

static LogicalResult inferInt64(TypeScope &scope) {
  return scope.refineOutput(0, typeFromName("int64", scope.context()));
}
LogicalResult ShapeArrayOp::inferType(TypeScope &scope) { return inferInt64(scope); }
LogicalResult SizeArrayOp::inferType(TypeScope &scope) { return inferInt64(scope); }

//===----------------------------------------------------------------------===//
// Rows of a batch
//===----------------------------------------------------------------------===//

int64_t ReshapeLikeOp::getRowAxis(RowScope &rows) {
  return rows.hasRows(0) ? rows.reshaped() : kNoRows;
}

int64_t TransposeOp::getRowAxis(RowScope &rows) {
  SmallVector<int64_t> order = getOrder();
  return llvm::find(order, rows.axis()) - order.begin();
}

int64_t SwapAxisOp::getRowAxis(RowScope &rows) {
  int64_t one = rows.normal(getDim1(), rows.rank()), other = rows.normal(getDim2(), rows.rank());
  return rows.axis() == one ? other : rows.axis() == other ? one : rows.axis();
}

int64_t TileOp::getRowAxis(RowScope &rows) { return rows.axis() + rows.resultRank() - rows.rank(); }

int64_t ReverseOp::getRowAxis(RowScope &rows) {
  for (int64_t axis : getAxis())
    if (!rows.apart(axis))
      return kNoRows;
  return rows.axis();
}

static int64_t tellsSize(RowScope &rows) {
  return rows.mixed("its result is the size of the batch");
}
int64_t ShapeArrayOp::getRowAxis(RowScope &rows) { return tellsSize(rows); }
int64_t SizeArrayOp::getRowAxis(RowScope &rows) { return tellsSize(rows); }
