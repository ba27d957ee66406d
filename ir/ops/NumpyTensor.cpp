// NumpyTensor.cpp: shapes and types of the numpy operators on whole tensors; the
// numbered constraints are those of NumpyTensor.td.
#include "ir/ops/NumpyTensor.h"
#include "ir/Axes.h"
#include "ir/Broadcast.h"
#include "ir/ReshapeCodes.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace symc::sg;

#define GET_OP_CLASSES
#include "ir/ops/NumpyTensor.cpp.inc"

void symc::sg::registerNumpyTensorOps(SGDialect &dialect) {
  dialect.addFamily<
#define GET_OP_LIST
#include "ir/ops/NumpyTensor.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

// Data's shape without the axes, all where none are given, or with 1 there.
static LogicalResult inferReduced(ShapeScope &scope, std::optional<ArrayRef<int64_t>> axes, bool keep,
                                  StringRef what) {
  if (!scope.input(0).isRanked())
    return success();
  FailureOr<Shape> output = shapeWithout(scope, axes, keep, scope.input(0), what); // C1
  if (failed(output))
    return failure();
  return scope.refineOutput(0, *output); // C2
}

static Type named(StringRef name, TypeScope &scope) { return typeFromName(name, scope.context()); }

std::string NumpyReduceOp::checkParams(const ParamView &params) { // C3
  if (params.isNone("initial"))
    return {};
  return "parameter 'initial' is " + scalarLiteral(params.getFloat("initial")) + ", needs None";
}
LogicalResult NumpyReduceOp::inferShape(ShapeScope &scope) {
  return inferReduced(scope, getAxis(), getKeepdims(), "a"); // C1, C2
}
LogicalResult NumpyReduceOp::inferType(TypeScope &scope) {
  StringRef kind = getKind();
  Type type = scope.input(0);
  if (kind == "any" || kind == "all")
    return scope.refineOutput(0, named("bool", scope));
  if (getDtype())
    return scope.refineOutput(0, named(*getDtype(), scope));
  if (type && kind == "mean" && !isa<FloatType>(type))
    type = named("float32", scope);
  if (type && (kind == "sum" || kind == "prod") && type.isInteger(1))
    type = named("int64", scope);
  return scope.refineOutput(0, type);
}

static LogicalResult checkCounted(ShapeScope &scope, int64_t ddof) {
  const Shape &data = scope.input(0);
  if (ddof != 0 && data.isFullyKnown() && !data.isStatic())
    return scope.error() << "a has shape " << data.str() << ", which ddof = " << ddof << " needs fixed";
  return success();
}
static LogicalResult inferNamed(TypeScope &scope, std::optional<StringRef> dtype) {
  return dtype ? scope.refineOutput(0, named(*dtype, scope)) : inferSameType(scope);
}
LogicalResult NumpyVarOp::inferShape(ShapeScope &scope) {
  if (failed(checkCounted(scope, getDdof()))) // C3
    return failure();
  return inferReduced(scope, getAxis(), getKeepdims(), "a"); // C1, C2
}
LogicalResult NumpyVarOp::inferType(TypeScope &scope) { return inferNamed(scope, getDtype()); }
LogicalResult NumpyStdOp::inferShape(ShapeScope &scope) {
  if (failed(checkCounted(scope, getDdof()))) // C3
    return failure();
  return inferReduced(scope, getAxis(), getKeepdims(), "a"); // C1, C2
}
LogicalResult NumpyStdOp::inferType(TypeScope &scope) { return inferNamed(scope, getDtype()); }

std::string NumpyNormOp::checkParams(const ParamView &params) { // C3
  return params.getInt("flag") == -2 && !params.isNone("axis") ? "parameter 'axis' is given, needs None with flag = -2"
                                                               : "";
}
SmallVector<int64_t> NumpyNormOp::getAxes(int64_t rank) {
  if (getAxis())
    return SmallVector<int64_t>(*getAxis());
  return llvm::to_vector(llvm::seq<int64_t>(std::max<int64_t>(rank - 2, 0), rank));
}
bool NumpyNormOp::takesSingularValues(int64_t rank) {
  int64_t flag = getFlag();
  double ord = getOrd().convertToDouble();
  return flag != -2 && flag != 1 && std::abs(ord) == 2 && getAxes(rank).size() == 2;
}
LogicalResult NumpyNormOp::inferShape(ShapeScope &scope) {
  const Shape &data = scope.input(0);
  if (!data.isRanked())
    return success();
  int64_t flag = getFlag();
  if (flag == -2)
    return inferReduced(scope, std::nullopt, getKeepdims(), "data"); // C2
  SmallVector<int64_t> axes = getAxes(data.rank());
  if (axes.size() != 2 && (axes.size() != 1 || flag == 2)) // C1
    return scope.error() << "reduces " << axes.size() << " axes with flag = " << flag << ", needs "
                         << (flag == 2 ? "2" : "1 or 2");
  if (failed(inferReduced(scope, ArrayRef<int64_t>(axes), getKeepdims(), "data"))) // C1, C2
    return failure();
  if (!takesSingularValues(data.rank()))
    return success();
  for (int64_t axis : axes)
    if (Dim extent = data[axis < 0 ? axis + data.rank() : axis]; extent.isKnown() && !extent.isStatic()) // C5
      return scope.error() << "data has shape " << data.str() << ", whose matrices need fixed extents";
  return success();
}
LogicalResult NumpyNormOp::inferType(TypeScope &scope) {
  Type type = scope.input(0);
  if (type && !isa<FloatType>(type)) // C4
    return scope.error() << "data is " << typeName(type) << ", needs floats";
  auto tensor = dyn_cast<RankedTensorType>(getData().getType());
  if (type && tensor && typeBytes(type) < 4 && takesSingularValues(tensor.getRank())) // C4
    return scope.error() << "data is " << typeName(type) << ", whose singular values are not taken";
  return inferSameType(scope);
}

LogicalResult NumpyArgReduceOp::inferShape(ShapeScope &scope) {
  if (!getAxis())
    return inferReduced(scope, std::nullopt, getKeepdims(), "data"); // C2
  int64_t axis = *getAxis();
  return inferReduced(scope, ArrayRef<int64_t>(axis), getKeepdims(), "data"); // C1, C2
}
LogicalResult NumpyArgReduceOp::inferType(TypeScope &scope) {
  return scope.refineOutput(0, named("int64", scope));
}

//===----------------------------------------------------------------------===//
// Shapes
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
  auto missing = [&] { // C1
    return scope.error() << "data has shape " << data.str() << ", too short for the codes of newshape";
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
    size_t taken = code == -5 ? 2 : code == -4 ? extents.size() - std::min(source, extents.size()) : 1;
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
  Shape output = applyReshapeCodes(codes, false, Shape(read), scope.context(), message); // C2
  if (!message.empty())
    return scope.error() << message;
  if (getReverse() && output.isRanked()) {
    SmallVector<Dim> turned(output.list());
    std::reverse(turned.begin(), turned.end());
    output = Shape(turned);
  }
  return scope.refineOutput(0, output);
}

LogicalResult NumpySqueezeOp::inferShape(ShapeScope &scope) {
  auto output = squeezed(scope, getAxis(), scope.input(0), "a"); // C1
  if (failed(output) || !*output)
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

// An operand with the axes that it lacks, and the axis along which operands lie.
static Shape laidOut(const Shape &data, StringRef kind, ShapeScope &scope) {
  Shape shape = data;
  Dim one = scope.dim(1);
  size_t rank = data.rank();
  if (rank == 0)
    shape = Shape({one});
  if (kind == "vertical" && rank < 2)
    return Shape({one, shape[0]});
  if (kind == "columns" && rank < 2)
    return Shape({shape[0], one});
  if (kind == "depth" && rank < 3)
    return rank == 2 ? Shape({data[0], data[1], one}) : Shape({one, shape[0], one});
  return shape;
}

// The operands behind each other along `axis`, which a vector's rank may move to 0.
static LogicalResult inferJoined(ShapeScope &scope, StringRef kind, int64_t axis) {
  bool flat = kind == "plain" && axis == kNoneElement;
  Shape output;
  for (size_t i = 0; i < scope.numInputs(); ++i) {
    const Shape &given = scope.input(i);
    if (!given.isFullyKnown())
      return success();
    Shape data = flat ? Shape({given.product(0, given.rank(), scope.context())})
                      : laidOut(given, kind, scope);
    if (i == 0) {
      if (flat || (kind == "horizontal" && data.rank() < 2))
        axis = 0;
      FailureOr<int64_t> normal = normalAxis(scope, axis, data);
      if (failed(normal))
        return failure();
      axis = *normal;
      output = data;
    } else {
      bool fits = data.rank() == output.rank();
      for (size_t n = 0; fits && n < data.rank(); ++n)
        fits = static_cast<int64_t>(n) == axis || data[n] == output[n];
      if (!fits)
        return scope.error() << "operand " << i << " has shape " << given.str()
                             << ", which does not lie behind " << output.str() << " along axis " << axis;
      output[axis] = output[axis] + data[axis];
    }
    if (!data[axis].isStatic())
      return scope.error() << "operand " << i << " has shape " << given.str()
                           << ", needs a fixed extent along axis " << axis;
  }
  return scope.refineOutput(0, output);
}
LogicalResult NumpyConcatenateOp::inferShape(ShapeScope &scope) {
  int64_t axis = getKind() == "plain" ? int64_t(getAxis()) : getKind() == "depth" ? 2 : 1;
  return inferJoined(scope, getKind(), axis); // C1, C2, C3
}
LogicalResult NumpyStackOp::inferShape(ShapeScope &scope) {
  return inferJoined(scope, getKind(), getKind() == "columns" ? 1 : 0); // C1, C2
}

int64_t NumpySplitOp::countResults(const ParamView &params) {
  int64_t sections = params.getInt("sections");
  return sections ? sections : params.getTuple("indices").size();
}
std::string NumpySplitOp::checkParams(const ParamView &params) {
  if (params.getInt("sections") == 0 && params.getTuple("indices").empty()) // C2
    return "parameters 'sections' and 'indices' are both empty, needs one of them";
  return {};
}
SmallVector<int64_t> NumpySplitOp::getBounds(int64_t extent) {
  SmallVector<int64_t> bounds;
  for (int64_t i = 0; i < static_cast<int64_t>(getSections()); ++i)
    bounds.push_back(beginOfSection(extent, getSections(), i));
  if (getSections() == 0)
    bounds.append(getIndices().begin(), getIndices().end());
  bounds.push_back(extent);
  return bounds;
}
LogicalResult NumpySplitOp::inferShape(ShapeScope &scope) {
  const Shape &data = scope.input(0);
  if (!data.isRanked())
    return success();
  size_t axis = getDepth() ? 2 : data.rank() > 1 ? 1 : 0;
  if (axis >= data.rank()) // C1
    return scope.error() << "data has shape " << data.str() << ", needs axis " << axis;
  if (!data[axis].isKnown())
    return success();
  if (!data[axis].isStatic() || data[axis].get() < int64_t(getSections())) // C2
    return scope.error() << "data has shape " << data.str() << ", whose extent along axis " << axis
                         << " does not make " << getSections() << " parts";
  SmallVector<int64_t> bounds = getBounds(data[axis].get());
  for (size_t i = 0; i + 1 < bounds.size(); ++i) {
    if (bounds[i] < 0 || bounds[i] >= bounds[i + 1]) // C2
      return scope.error() << "part " << i << " goes from " << bounds[i] << " to " << bounds[i + 1]
                           << " along axis " << axis << " of data's shape " << data.str();
    Shape part = data;
    part[axis] = scope.dim(bounds[i + 1] - bounds[i]);
    if (failed(scope.refineOutput(i, part)))
      return failure();
  }
  return success();
}

int64_t NumpyAtLeastOp::countResults(const ParamView &params) { return params.getInt("num_args"); }
LogicalResult NumpyAtLeastOp::inferType(TypeScope &scope) {
  for (size_t i = 0; i < scope.numOutputs(); ++i)
    if (failed(scope.refineOutput(i, scope.input(i))) || failed(scope.refineInput(i, scope.output(i))))
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
      : offset >= 0 ? std::min(rows.get(), columns.get() - offset) : std::min(rows.get() + offset, columns.get());
  if (length < 1) // C2
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

LogicalResult NumpyDiffOp::inferShape(ShapeScope &scope) {
  Shape data = scope.input(0);
  if (!data.isFullyKnown())
    return success();
  FailureOr<int64_t> axis = normalAxis(scope, getAxis(), data, "a"); // C1
  if (failed(axis))
    return failure();
  if (!data[*axis].isStatic() || data[*axis].get() <= static_cast<int64_t>(getN())) // C1
    return scope.error() << "a has shape " << data.str() << ", needs a fixed extent above n = "
                         << getN() << " along axis " << *axis;
  data[*axis] = data[*axis] - getN();
  return scope.refineOutput(0, data);
}

LogicalResult NumpyEdiff1dOp::inferShape(ShapeScope &scope) {
  size_t needed = 1 + getToBeginArrGiven() + getToEndArrGiven();
  if (scope.numInputs() != needed) // C1
    return scope.error() << "has " << scope.numInputs() << " operands, but its parameters need " << needed;
  int64_t count = (!getToBeginArrGiven() && getToBeginScalar()) + (!getToEndArrGiven() && getToEndScalar()) - 1;
  for (size_t i = 0; i < needed; ++i) {
    const Shape &operand = scope.input(i);
    if (!operand.isFullyKnown())
      return success();
    if (!operand.isStatic()) // C2
      return scope.error() << "operand " << i << " has shape " << operand.str() << ", needs fixed extents";
    count += operand.product(0, operand.rank(), scope.context()).get();
  }
  if (count < 1) // C2
    return scope.error() << "a has shape " << scope.input(0).str() << ", which has no neighbours";
  return scope.refineOutput(0, Shape({scope.dim(count)}));
}

bool NumpyAverageOp::hasOperand(StringRef, const ParamView &params) { return params.getBool("weighted"); }
LogicalResult NumpyAverageOp::inferShape(ShapeScope &scope) {
  const Shape &a = scope.input(0);
  if (!a.isRanked() || (getWeighted() && !scope.input(1).isRanked()))
    return success();
  if (failed(inferReduced(scope, getAxis(), false, "a"))) // C1, C3
    return failure();
  bool along = getWeighted() && scope.input(1).rank() != a.rank();
  if (along) {
    const Shape &weights = scope.input(1);
    if (weights.rank() != 1 || !getAxis() || getAxis()->size() != 1) // C2
      return scope.error() << "weights has shape " << weights.str() << " but a " << a.str()
                           << ", needs a's shape or one axis";
    int64_t axis = (*getAxis())[0];
    if (failed(scope.refineInput(1, Shape({a[axis < 0 ? axis + a.rank() : axis]})))) // C2
      return failure();
  } else if (getWeighted() && failed(scope.refineInput(1, a))) { // C2
    return failure();
  }
  if (!getReturned())
    return success();
  return scope.refineOutput(1, along || !getWeighted() ? Shape(size_t(0)) : scope.output(0)); // C3
}
LogicalResult NumpyAverageOp::inferType(TypeScope &scope) { // C4
  Type type = scope.input(0);
  if (type && !isa<FloatType>(type))
    return scope.error() << "a is " << typeName(type) << ", needs floats";
  if (scope.numInputs() > 1 && failed(scope.refineInput(1, type)))
    return failure();
  for (size_t i = 0; i < scope.numOutputs(); ++i)
    if (failed(scope.refineOutput(i, type)))
      return failure();
  return success();
}

LogicalResult NumpyDiagIndicesOp::inferShape(ShapeScope &scope) {
  const Shape &data = scope.input(0);
  if (!data.isFullyKnown())
    return success();
  bool square = data.rank() >= 2 && data.isStatic();
  for (size_t i = 1; square && i < data.rank(); ++i)
    square = data[i] == data[0];
  if (!square) // C1
    return scope.error() << "data has shape " << data.str() << ", needs rank 2 or more and equal, fixed extents";
  return scope.refineOutput(0, Shape({scope.dim(data.rank()), data[0]})); // C2
}
LogicalResult NumpyDiagIndicesOp::inferType(TypeScope &scope) { // C2
  return scope.refineOutput(0, named("int64", scope));
}

static bool parseWidths(StringRef text, SmallVectorImpl<int64_t> &widths) {
  SmallVector<StringRef> words;
  llvm::SplitString(text, words, "()[], \t");
  for (StringRef word : words) {
    int64_t width;
    word.consume_back("L");
    if (word.getAsInteger(10, width) || width < 0)
      return false;
    widths.push_back(width);
  }
  return widths.size() % 2 == 0;
}
SmallVector<int64_t> NumpyPadOp::getWidths() {
  SmallVector<int64_t> widths;
  parseWidths(getPadWidth(), widths);
  return widths;
}
std::string NumpyPadOp::checkParams(const ParamView &params) {
  SmallVector<int64_t> widths;
  if (!parseWidths(params.getStr("pad_width"), widths)) // C1
    return "parameter 'pad_width' is '" + params.getStr("pad_width").str() +
           "', needs pairs of numbers of at least 0";
  if (params.getStr("reflect_type") != "even") // C3
    return "parameter 'reflect_type' is '" + params.getStr("reflect_type").str() + "', needs 'even'";
  return {};
}
LogicalResult NumpyPadOp::inferShape(ShapeScope &scope) {
  Shape data = scope.input(0);
  if (!data.isFullyKnown())
    return success();
  SmallVector<int64_t> widths = getWidths();
  if (widths.size() != 2 * data.rank()) // C1
    return scope.error() << "pad_width holds " << widths.size() << " numbers, needs "
                         << 2 * data.rank() << " for data's shape " << data.str();
  for (size_t i = 0; i < data.rank(); ++i) {
    int64_t most = std::max(widths[2 * i], widths[2 * i + 1]);
    bool mirror = getMode() == "reflect" || getMode() == "symmetric";
    if (most && (!data[i].isStatic() ||
                 (mirror && most > data[i].get() - (getMode() == "reflect" ? 1 : 0)))) // C2
      return scope.error() << "data has shape " << data.str() << ", whose axis " << i
                           << " cannot be padded by " << most << " in mode " << getMode();
    data[i] = data[i] + widths[2 * i] + widths[2 * i + 1];
  }
  return scope.refineOutput(0, data);
}
