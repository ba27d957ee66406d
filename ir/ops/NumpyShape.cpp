// NumpyShape.cpp: shapes and types of NumPy's shapes, orders and diagonals; the numbered
// constraints are those of NumpyShape.td.
#include "ir/ops/NumpyShape.h"
#include "ir/Axes.h"
#include "ir/ReshapeCodes.h"

using namespace mlir;
using namespace symc::sg;

#define GET_OP_CLASSES
#include "ir/ops/NumpyShape.cpp.inc"

void symc::sg::registerNumpyShapeOps(SGDialect &dialect) {
  dialect.addFamily<
#define GET_OP_LIST
#include "ir/ops/NumpyShape.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Shapes and orders
//===----------------------------------------------------------------------===//

std::string NumpyReshapeOp::checkParams(const ParamView &params) {
  if (params.getStr("order") != "C") // C3
    return "parameter 'order' is '" + params.getStr("order").str() + "', needs 'C'";
  int64_t least = params.getBool("codes") ? -6 : -1;
  for (int64_t code : params.getTuple("newshape")) // C1
    if (code < least)
      return "parameter 'newshape' has the code " + std::to_string(code) + ", needs at least " +
             std::to_string(least);
  return {};
}

// NumPy's codes as Reshape's: the numbers differ, -3 (skip one of 1) has no other.
LogicalResult NumpyReshapeOp::inferShape(ShapeScope &scope) {
  Shape data = scope.input(0);
  if (!data.isRanked())
    return success();
  SmallVector<int64_t> codes;
  SmallVector<Dim> extents(data.list());
  SmallVector<int64_t> given(getNewshape());
  if (getReverse()) {
    std::reverse(given.begin(), given.end());
    std::reverse(extents.begin(), extents.end());
  }
  size_t source = 0;
  bool negative = llvm::any_of(given, [](int64_t code) { return code < -1; });
  SmallVector<Dim> read; // data's extents without those that are skipped
  auto missing = [&] {   // C1
    return scope.error() << "data has shape " << data.str()
                         << ", too short for the codes of newshape";
  };
  for (size_t i = 0; negative && i < given.size(); ++i) {
    int64_t code = given[i];
    if (code == -3) {
      if (source >= extents.size())
        return missing();
      if (!extents[source].isStatic(1)) // C1
        return scope.error() << "data has shape " << data.str() << " with the extent "
                             << extents[source].str() << " where code -3 of newshape needs 1";
      ++source;
      continue;
    }
    size_t taken = code == -5   ? 2
                   : code == -4 ? extents.size() - std::min(source, extents.size())
                                : 1;
    if (source + taken > extents.size() && code < -1)
      return missing();
    for (size_t n = 0; n < taken && source < extents.size(); ++n)
      read.push_back(extents[source++]);
    codes.push_back(code == -2 ? 0 : code == -4 ? -2 : code == -5 ? -3 : code == -6 ? -4 : code);
    if (code == -6)
      for (int n = 0; n < 2; ++n)
        if (++i < given.size())
          codes.push_back(given[i]);
  }
  if (!negative) {
    codes = given;
    read = extents;
  } else
    read.append(extents.begin() + source, extents.end());
  if (!negative && llvm::is_contained(codes, 0)) {
    bool empty = data.isStatic() && data.product(0, data.rank(), scope.context()).isStatic(0);
    if (!empty || llvm::is_contained(codes, -1)) // C1
      return scope.error() << "newshape has an extent of 0";
    return scope.refineOutput(0, Shape::of(getNewshape(), scope.context()));
  }
  std::string message;
  ReshapeNeeds needs;
  Shape output = applyReshapeCodes(codes, false, Shape(read), scope.context(), needs, message);
  if (!message.empty())
    return scope.error() << message;
  if (failed(needAll(scope, needs)))
    return failure();
  if (getReverse() && output.isRanked()) {
    SmallVector<Dim> reversed(output.list());
    std::reverse(reversed.begin(), reversed.end());
    output = Shape(reversed);
  }
  return failed(scope.refineOutput(0, output)) ? failure() : checkSameCount(scope, "data"); // C2
}

LogicalResult NumpySqueezeOp::inferShape(ShapeScope &scope) {
  auto output = squeezed(scope, getAxis(), scope.input(0), "a"); // C2
  if (failed(output) || !*output)                                // C1
    return LogicalResult(output);
  return scope.refineOutput(0, **output);
}

LogicalResult NumpyBroadcastToOp::inferShape(ShapeScope &scope) {
  const Shape &data = scope.input(0);
  if (!data.isRanked())
    return success();
  ArrayRef<int64_t> shape = getShape();
  if (shape.size() < data.rank()) // C1
    return scope.error() << "array has shape " << data.str() << " but shape has " << shape.size()
                         << " extents";
  Shape output(shape.size());
  for (size_t i = 0, front = shape.size() - data.rank(); i < shape.size(); ++i) {
    Dim have = i < front ? scope.dim(1) : data[i - front];
    output[i] = shape[i] == -2 && i >= front ? have : scope.dim(shape[i]);
    if (have.isKnown() && !have.isStatic(1) && have != output[i]) // C1
      return scope.error() << "array has shape " << data.str() << ", whose extent " << have.str()
                           << " does not repeat to " << output[i].str();
  }
  return scope.refineOutput(0, output);
}

LogicalResult NumpyRollOp::inferShape(ShapeScope &scope) {
  if (failed(scope.refineAllSame()))
    return failure();
  const Shape &data = scope.input(0);
  if (!data.isFullyKnown())
    return success();
  size_t shifts = getShift() ? getShift()->size() : 0, count = getAxis() ? getAxis()->size() : 1;
  if (shifts == 0 || (shifts != 1 && shifts != count)) // C1
    return scope.error() << "shift holds " << shifts << " numbers, needs 1 or " << count;
  if (!getAxis()) {
    if (!data.isStatic()) // C2
      return scope.error() << "data has shape " << data.str() << ", needs fixed extents";
    return success();
  }
  ArrayRef<int64_t> axes = *getAxis();
  for (int64_t given : axes) {
    FailureOr<int64_t> axis = normalAxis(scope, given, data); // C1
    if (failed(axis))
      return failure();
    if (!data[*axis].isStatic()) // C2
      return scope.error() << "data has shape " << data.str() << ", needs fixed extents";
  }
  return success();
}

LogicalResult NumpyFlipOp::inferShape(ShapeScope &scope) {
  if (failed(scope.refineAllSame())) // C2
    return failure();
  if (!scope.input(0).isRanked() || !getAxis())
    return success();
  return LogicalResult(normalAxes(scope, *getAxis(), scope.input(0))); // C1
}

std::pair<int64_t, int64_t> NumpyRot90Op::getPlane(int64_t rank) {
  ArrayRef<int64_t> axes = getAxes();
  if (axes.empty())
    return {0, 1};
  auto normal = [&](int64_t axis) { return axis < 0 ? axis + rank : axis; };
  return {normal(axes[0]), normal(axes[1])};
}
LogicalResult NumpyRot90Op::inferShape(ShapeScope &scope) {
  Shape output = scope.input(0);
  if (!output.isRanked())
    return success();
  SmallVector<int64_t> axes(getAxes());
  if (axes.empty())
    axes = {0, 1};
  if (axes.size() != 2) // C1
    return scope.error() << "axes names " << axes.size() << " axes, needs 2";
  auto plane = normalAxes(scope, axes, output); // C1
  if (failed(plane))
    return failure();
  if (getK() % 2)
    std::swap(output[(*plane)[0]], output[(*plane)[1]]);
  return scope.refineOutput(0, output);
}

SmallVector<int64_t> NumpyMoveaxisOp::getOrder(int64_t rank) {
  SmallVector<std::pair<int64_t, int64_t>> moves;
  SmallVector<int64_t> order;
  auto normal = [&](int64_t axis) { return axis < 0 ? axis + rank : axis; };
  for (auto [from, to] : llvm::zip(getSource(), getDestination()))
    moves.push_back({normal(to), normal(from)});
  for (int64_t axis = 0; axis < rank; ++axis)
    if (llvm::none_of(moves, [&](auto move) { return move.second == axis; }))
      order.push_back(axis);
  llvm::sort(moves);
  for (auto [to, from] : moves)
    order.insert(order.begin() + to, from);
  return order;
}
LogicalResult NumpyMoveaxisOp::inferShape(ShapeScope &scope) {
  const Shape &data = scope.input(0);
  if (getSource().size() != getDestination().size()) // C1
    return scope.error() << "source names " << getSource().size() << " axes and destination "
                         << getDestination().size();
  if (!data.isRanked())
    return success();
  if (failed(normalAxes(scope, getSource(), data, "a")) || // C1
      failed(normalAxes(scope, getDestination(), data, "a")))
    return failure();
  Shape output(data.rank());
  for (auto [i, axis] : llvm::enumerate(getOrder(data.rank())))
    output[i] = data[axis];
  return scope.refineOutput(0, output);
}

int64_t NumpyAtLeastOp::countResults(const ParamView &params) { return params.getInt("num_args"); }
LogicalResult NumpyAtLeastOp::inferType(TypeScope &scope) {
  for (size_t i = 0; i < scope.numOutputs(); ++i)
    if (failed(scope.refineOutput(i, scope.input(i))) ||
        failed(scope.refineInput(i, scope.output(i))))
      return failure();
  return success();
}
LogicalResult NumpyAtLeastOp::inferShape(ShapeScope &scope) { // C1
  for (size_t i = 0; i < scope.numOutputs(); ++i) {
    Shape shape = scope.input(i);
    if (!shape.isRanked())
      continue;
    size_t least = getLeast();
    Dim one = scope.dim(1);
    if (least == 3 && shape.rank() == 2)
      shape.push_back(one);
    else if (least == 3 && shape.rank() == 1)
      shape = Shape({one, shape[0], one});
    while (shape.rank() < least) {
      Shape longer({one});
      for (Dim dim : shape.list())
        longer.push_back(dim);
      shape = longer;
    }
    if (failed(scope.refineOutput(i, shape)))
      return failure();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Diagonals and triangles
//===----------------------------------------------------------------------===//

LogicalResult NumpyDiagonalOp::inferShape(ShapeScope &scope) {
  const Shape &data = scope.input(0);
  if (!data.isRanked())
    return success();
  int64_t both[] = {static_cast<int64_t>(getAxis1()), static_cast<int64_t>(getAxis2())};
  auto axes = normalAxes(scope, both, data); // C1
  if (failed(axes))
    return failure();
  Dim rows = data[(*axes)[0]], columns = data[(*axes)[1]];
  if (!rows.isKnown() || !columns.isKnown())
    return success();
  int64_t offset = getOffset();
  int64_t length = !rows.isStatic() || !columns.isStatic() ? 0
                   : offset >= 0 ? std::min(rows.get(), columns.get() - offset)
                                 : std::min(rows.get() + offset, columns.get());
  // A sum over no elements is 0.
  bool isEmptySum = getSummed() && rows.isStatic() && columns.isStatic();
  if (length < 1 && !isEmptySum) // C2
    return scope.error() << "data has shape " << data.str() << ", whose planes have no diagonal "
                         << offset;
  Shape output{size_t(0)};
  for (size_t i = 0; i < data.rank(); ++i)
    if (!llvm::is_contained(*axes, static_cast<int64_t>(i)))
      output.push_back(data[i]);
  if (!getSummed())
    output.push_back(scope.dim(length));
  return scope.refineOutput(0, output);
}

LogicalResult NumpyDiagflatOp::inferShape(ShapeScope &scope) {
  const Shape &data = scope.input(0);
  if (!data.isFullyKnown())
    return success();
  if (!data.isStatic()) // C1
    return scope.error() << "data has shape " << data.str() << ", needs fixed extents";
  int64_t rows = data.product(0, data.rank(), scope.context()).get() + std::abs(int64_t(getK()));
  return scope.refineOutput(0, Shape::of({rows, rows}, scope.context()));
}

LogicalResult NumpyTrilOp::inferShape(ShapeScope &scope) {
  const Shape &data = scope.input(0);
  if (!data.isFullyKnown())
    return success();
  if (data.rank() < 1 || !data[data.rank() - 1].isStatic() ||
      (data.rank() > 1 && !data[data.rank() - 2].isStatic())) // C1
    return scope.error() << "data has shape " << data.str() << ", needs planes of fixed extents";
  return scope.refineOutput(0, data.rank() == 1 ? Shape({data[0], data[0]}) : data);
}

LogicalResult NumpyDiagIndicesOp::inferShape(ShapeScope &scope) {
  const Shape &data = scope.input(0);
  if (!data.isFullyKnown())
    return success();
  bool square = data.rank() >= 2 && data.isStatic();
  for (size_t i = 1; square && i < data.rank(); ++i)
    square = data[i] == data[0];
  if (!square) // C1
    return scope.error() << "data has shape " << data.str()
                         << ", needs rank 2 or more and equal, fixed extents";
  return scope.refineOutput(0, Shape({scope.dim(data.rank()), data[0]})); // C2
}
LogicalResult NumpyDiagIndicesOp::inferType(TypeScope &scope) { // C2
  return scope.refineOutput(0, typeFromName("int64", scope.context()));
}
