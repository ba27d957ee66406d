// NumpyProducts.cpp: shapes and types of NumPy's products and of tensors made from
// parameters; the numbered constraints are those of NumpyProducts.td.
#include "ir/ops/NumpyProducts.h"
#include "ir/Axes.h"
#include "ir/Broadcast.h"
#include "llvm/ADT/StringExtras.h"
#include <map>
#include <set>

using namespace mlir;
using namespace symc::sg;

#define GET_OP_CLASSES
#include "ir/ops/NumpyProducts.cpp.inc"

void symc::sg::registerNumpyProductsOps(SGDialect &dialect) {
  dialect.addFamily<
#define GET_OP_LIST
#include "ir/ops/NumpyProducts.cpp.inc"
      >();
}

// What a product leaves of a shape but for its last two extents.
static Shape stackOf(const Shape &shape) {
  return Shape(shape.list().drop_back(std::min<size_t>(2, shape.rank())));
}
static Dim summedExtent(const Shape &b) { return b[b.rank() > 1 ? b.rank() - 2 : 0]; }

static LogicalResult checkRanks(ShapeScope &scope) {
  const Shape &a = scope.input(0), &b = scope.input(1);
  if (a.rank() < 1 || b.rank() < 1)
    return scope.error() << "a has shape " << a.str() << " and b " << b.str()
                         << ", needs at least one extent each";
  return success();
}

// Two extents that are summed over.
static LogicalResult checkMet(ShapeScope &scope, Dim left, Dim right) {
  if (left.isKnown() && right.isKnown() && left != right)
    return scope.error() << "a has shape " << scope.input(0).str() << " and b "
                         << scope.input(1).str() << ", which sum over the extents " << left.str()
                         << " and " << right.str();
  return success();
}

LogicalResult NumpyDotOp::inferShape(ShapeScope &scope) {
  const Shape &a = scope.input(0), &b = scope.input(1);
  if (!a.isRanked() || !b.isRanked())
    return success();
  if (failed(checkRanks(scope)) ||                               // C1
      failed(checkMet(scope, a[a.rank() - 1], summedExtent(b)))) // C2
    return failure();
  Shape output(a.list().drop_back()), rows = stackOf(b);
  for (Dim dim : rows.list())
    output.push_back(dim);
  if (b.rank() > 1)
    output.push_back(b[b.rank() - 1]);
  return scope.refineOutput(0, output);
}

LogicalResult NumpyMatmulOp::inferShape(ShapeScope &scope) {
  const Shape &a = scope.input(0), &b = scope.input(1);
  if (!a.isRanked() || !b.isRanked())
    return success();
  if (failed(checkRanks(scope)) ||                               // C1
      failed(checkMet(scope, a[a.rank() - 1], summedExtent(b)))) // C2
    return failure();
  FailureOr<Shape> met = broadcastShapes(scope, stackOf(a), stackOf(b), "a's stack", "b's"); // C3
  if (failed(met))
    return failure();
  Shape output = *met;
  if (a.rank() > 1)
    output.push_back(a[a.rank() - 2]);
  if (b.rank() > 1)
    output.push_back(b[b.rank() - 1]);
  return scope.refineOutput(0, output);
}

std::pair<SmallVector<int64_t>, SmallVector<int64_t>> NumpyTensordotOp::getPairs(int64_t rank) {
  SmallVector<int64_t> left(getAAxesSummed()), right(getBAxesSummed());
  for (int64_t i = 0; i < static_cast<int64_t>(getAxes()); ++i) {
    left.push_back(rank - static_cast<int64_t>(getAxes()) + i);
    right.push_back(i);
  }
  return {left, right};
}
LogicalResult NumpyTensordotOp::inferShape(ShapeScope &scope) {
  const Shape &a = scope.input(0), &b = scope.input(1);
  if (!a.isRanked() || !b.isRanked())
    return success();
  auto [left, right] = getPairs(a.rank());
  if (left.size() != right.size()) // C1
    return scope.error() << "sums over " << left.size() << " axes of a and " << right.size()
                         << " of b";
  auto leftAxes = normalAxes(scope, left, a, "a"),
       rightAxes = normalAxes(scope, right, b, "b"); // C1
  if (failed(leftAxes) || failed(rightAxes))
    return failure();
  Shape output{size_t(0)};
  for (size_t i = 0; i < left.size(); ++i)
    if (failed(checkMet(scope, a[(*leftAxes)[i]], b[(*rightAxes)[i]]))) // C2
      return failure();
  for (size_t i = 0; i < a.rank(); ++i)
    if (!llvm::is_contained(*leftAxes, static_cast<int64_t>(i)))
      output.push_back(a[i]);
  for (size_t i = 0; i < b.rank(); ++i)
    if (!llvm::is_contained(*rightAxes, static_cast<int64_t>(i)))
      output.push_back(b[i]);
  return scope.refineOutput(0, output);
}

//===----------------------------------------------------------------------===//
// einsum
//===----------------------------------------------------------------------===//

// The letters of each operand, then of the result, `.` for an ellipsis; a message for what is
// none.
static std::string parseLetters(StringRef text, int64_t count,
                                SmallVectorImpl<std::string> &letters) {
  std::string dense;
  for (char c : text)
    if (c != ' ')
      dense += c;
  auto [left, right] = StringRef(dense).split("->");
  SmallVector<StringRef> parts;
  left.split(parts, ',');
  std::string found = "parameter 'subscripts' is '" + text.str() + "', ";
  if (static_cast<int64_t>(parts.size()) != count)
    return found + "needs " + std::to_string(count) + " parts";
  parts.push_back(right);
  std::map<char, int> seen;
  for (StringRef part : parts) {
    auto [front, back] = part.split("...");
    letters.push_back((front + (front.size() < part.size() ? "." : "") + back).str());
    if (llvm::count_if(letters.back(), [](char c) { return !llvm::isAlpha(c); }) >
        (front.size() < part.size()))
      return found + "needs letters and '...', which a part has once at most";
    if (letters.size() < parts.size())
      for (char c : letters.back())
        ++seen[c];
  }
  std::string &result = letters.back();
  if (StringRef(dense).find("->") == StringRef::npos)
    for (auto [letter, times] : seen) // the ellipsis is the first in this order
      if (times == 1 || letter == '.')
        result += letter;
  std::set<char> own;
  for (char c : result)
    if ((c != '.' && !seen.count(c)) || !own.insert(c).second)
      return found + "whose result needs letters of the operands, each once";
  if (seen.count('.') && !own.count('.'))
    return found + "whose result needs the '...' of the operands";
  return {};
}

std::string NumpyEinsumOp::checkParams(const ParamView &params) { // C1
  SmallVector<std::string> letters;
  return parseLetters(params.getStr("subscripts"), params.getInt("num_args"), letters);
}
SmallVector<std::string> NumpyEinsumOp::getLetters(ArrayRef<int64_t> ranks) {
  SmallVector<std::string> letters;
  parseLetters(getSubscripts(), getNumArgs(), letters);
  int64_t longest = 0;
  for (auto [i, part] : llvm::enumerate(letters)) {
    size_t dot = part.find('.');
    if (dot == std::string::npos)
      continue;
    int64_t axes = i < ranks.size() ? ranks[i] - int64_t(part.size() - 1) : longest;
    longest = std::max(longest, axes);
    std::string digits;
    for (int64_t axis = axes; axis-- > 0;)
      digits += char('0' + axis);
    part.replace(dot, 1, digits);
  }
  return letters;
}
LogicalResult NumpyEinsumOp::inferShape(ShapeScope &scope) {
  SmallVector<int64_t> ranks;
  for (size_t i = 0; i < scope.numInputs(); ++i) {
    if (!scope.input(i).isRanked())
      return success();
    ranks.push_back(scope.input(i).rank());
  }
  SmallVector<std::string> letters = getLetters(ranks);
  std::map<char, Dim> extents;
  std::set<char> open; // letters of extents that are not known
  for (size_t i = 0; i < scope.numInputs(); ++i) {
    const Shape &data = scope.input(i);
    if (data.rank() != letters[i].size()) // C2
      return scope.error() << "operand " << i << " has shape " << data.str() << " but the letters '"
                           << letters[i] << "'";
    std::map<char, Dim> own;
    for (size_t axis = 0; axis < data.rank(); ++axis) {
      char letter = letters[i][axis];
      Dim &extent = extents[letter], &first = own[letter];
      if (!data[axis].isKnown()) {
        open.insert(letter);
        continue;
      }
      Dim other = first.isKnown()                                ? first
                  : data[axis].isStatic(1) || extent.isStatic(1) ? Dim()
                                                                 : extent;
      if (other.isKnown() && other != data[axis]) // C3
        return scope.error() << "letter " << StringRef(&letter, 1) << " has the extents "
                             << other.str() << " and " << data[axis].str();
      first = data[axis];
      if (!extent.isKnown() || extent.isStatic(1))
        extent = data[axis];
    }
  }
  Shape output{size_t(0)};
  for (char letter : letters.back())
    output.push_back(open.count(letter) && extents[letter].isStatic(1) ? Dim() : extents[letter]);
  return scope.refineOutput(0, output);
}

// Each coefficient is a few nodes (sg-decompose-numpy).
static constexpr int64_t kMostUnrolled = 4096;

LogicalResult NumpyPolyvalOp::inferShape(ShapeScope &scope) {
  const Shape &p = scope.input(0);
  if (p.isRanked() && (p.rank() != 1 || (p[0].isKnown() && !p[0].isStatic()))) // C1
    return scope.error() << "p has shape " << p.str() << ", needs rank 1 and a fixed extent";
  if (p.isRanked() && p[0].isKnown() && p[0].get() > kMostUnrolled) // C1
    return scope.error() << "p has shape " << p.str() << ", needs at most " << kMostUnrolled
                         << " coefficients";
  if (failed(scope.refineOutput(0, scope.input(1)))) // C2
    return failure();
  return scope.refineInput(1, scope.output(0));
}

//===----------------------------------------------------------------------===//
// Tensors made from parameters
//===----------------------------------------------------------------------===//

static LogicalResult inferNamed(TypeScope &scope, StringRef dtype) {
  return scope.refineOutput(0, typeFromName(dtype, scope.context()));
}
LogicalResult NumpyFullLikeOp::inferType(TypeScope &scope) {
  return getDtype() ? inferNamed(scope, *getDtype()) : inferSameType(scope);
}
LogicalResult NumpyEyeOp::inferType(TypeScope &scope) { return inferNamed(scope, getDtype()); }
LogicalResult NumpyIdentityOp::inferType(TypeScope &scope) { return inferNamed(scope, getDtype()); }
LogicalResult NumpyIndicesOp::inferType(TypeScope &scope) { return inferNamed(scope, getDtype()); }
LogicalResult NumpyLogspaceOp::inferType(TypeScope &scope) { return inferNamed(scope, getDtype()); }
LogicalResult NumpyWindowOp::inferType(TypeScope &scope) { return inferNamed(scope, getDtype()); }

LogicalResult NumpyFullLikeOp::inferShape(ShapeScope &scope) { return scope.refineAllSame(); } // C1
LogicalResult NumpyEyeOp::inferShape(ShapeScope &scope) {                                      // C1
  int64_t rows = getN();
  return scope.refineOutput(0,
                            Shape::of({rows, getM() ? int64_t(*getM()) : rows}, scope.context()));
}
std::string NumpyIdentityOp::checkParams(const ParamView &params) { // C1
  ArrayRef<int64_t> shape = params.getTuple("shape");
  if (shape.size() == 2 && shape[0] == shape[1] && shape[0] > 0)
    return {};
  return "parameter 'shape' names no square";
}
LogicalResult NumpyIdentityOp::inferShape(ShapeScope &scope) { // C1
  return scope.refineOutput(0, Shape::of(getShape(), scope.context()));
}
std::string NumpyIndicesOp::checkParams(const ParamView &params) { // C1
  if (params.getTuple("dimensions").empty())
    return "parameter 'dimensions' is empty, needs an extent for each axis of the grid";
  for (int64_t extent : params.getTuple("dimensions"))
    if (extent < 1)
      return "parameter 'dimensions' has the extent " + std::to_string(extent) +
             ", needs at least 1";
  return {};
}
LogicalResult NumpyIndicesOp::inferShape(ShapeScope &scope) { // C1
  SmallVector<int64_t> extents{static_cast<int64_t>(getDimensions().size())};
  extents.append(getDimensions().begin(), getDimensions().end());
  return scope.refineOutput(0, Shape::of(extents, scope.context()));
}
LogicalResult NumpyLogspaceOp::inferShape(ShapeScope &scope) { // C1
  return scope.refineOutput(0, Shape({scope.dim(getNum())}));
}
LogicalResult NumpyWindowOp::inferShape(ShapeScope &scope) { // C1
  return scope.refineOutput(0, Shape({scope.dim(getM())}));
}
