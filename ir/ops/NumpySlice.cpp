// NumpySlice.cpp: shapes and types of NumPy's joints, parts and borders; the numbered
// constraints are those of NumpySlice.td.
#include "ir/ops/NumpySlice.h"
#include "ir/Axes.h"
#include "ir/ReshapeCodes.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace symc::sg;

#define GET_OP_CLASSES
#include "ir/ops/NumpySlice.cpp.inc"

void symc::sg::registerNumpySliceOps(SGDialect &dialect) {
  dialect.addFamily<
#define GET_OP_LIST
#include "ir/ops/NumpySlice.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Joints and parts
//===----------------------------------------------------------------------===//

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
                             << ", which does not lie behind " << output.str() << " along axis "
                             << axis;
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
  auto tooShort = [&](raw_ostream &message) {
    message << "data has shape " << data.str() << ", whose extent along axis " << axis
            << " does not make " << getSections() << " parts";
  };
  if (getSections() && !data[axis].isStatic()) {
    for (int64_t i = 0, sections = getSections(); i < sections; ++i) {
      Shape part = data;
      part[axis] = lengthOfSection(data[axis], sections, i);
      if (failed(scope.need(atLeast(data[axis], sections), tooShort)) || // C2
          failed(scope.refineOutput(i, part)))
        return failure();
    }
    return success();
  }
  if (!data[axis].isStatic() || data[axis].get() < int64_t(getSections())) // C2
    return scope.refuse(tooShort);
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

//===----------------------------------------------------------------------===//
// Borders and neighbours
//===----------------------------------------------------------------------===//

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
    return "parameter 'reflect_type' is '" + params.getStr("reflect_type").str() +
           "', needs 'even'";
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

LogicalResult NumpyDiffOp::inferShape(ShapeScope &scope) {
  Shape data = scope.input(0);
  if (!data.isFullyKnown())
    return success();
  FailureOr<int64_t> axis = normalAxis(scope, getAxis(), data, "a"); // C1
  if (failed(axis))
    return failure();
  constexpr int64_t mostUnrolled = 4096;           // each is a few nodes (sg-decompose-numpy)
  if (static_cast<int64_t>(getN()) > mostUnrolled) // C1
    return scope.error() << "n is " << getN() << ", needs at most " << mostUnrolled
                         << " differences";
  int64_t n = getN();
  if (failed(scope.need(atLeast(data[*axis], n + 1), [&](raw_ostream &message) { // C1
        message << "a has shape " << data.str() << ", needs an extent above n = " << n
                << " along axis " << *axis;
      })))
    return failure();
  data[*axis] = data[*axis] - getN();
  return scope.refineOutput(0, data);
}

LogicalResult NumpyEdiff1dOp::inferShape(ShapeScope &scope) {
  size_t needed = 1 + getToBeginArrGiven() + getToEndArrGiven();
  if (scope.numInputs() != needed) // C1
    return scope.error() << "has " << scope.numInputs() << " operands, but its parameters need "
                         << needed;
  int64_t count =
      (!getToBeginArrGiven() && getToBeginScalar()) + (!getToEndArrGiven() && getToEndScalar()) - 1;
  for (size_t i = 0; i < needed; ++i) {
    const Shape &operand = scope.input(i);
    if (!operand.isFullyKnown())
      return success();
    if (!operand.isStatic()) // C2
      return scope.error() << "operand " << i << " has shape " << operand.str()
                           << ", needs fixed extents";
    count += operand.product(0, operand.rank(), scope.context()).get();
  }
  if (count < 1) // C2
    return scope.error() << "a has shape " << scope.input(0).str() << ", which has no neighbours";
  return scope.refineOutput(0, Shape({scope.dim(count)}));
}
