// Inference.cpp: dimensions, shapes and scopes (see Inference.h), element
// types by MXNet's flags and names, and how nodes and values are named in
// messages.
#include "ir/Inference.h"
#include "ir/CustomOperators.h"
#include "ir/GraphDialect.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"
#include <functional>

using namespace mlir;
using namespace symc::sg;

//===----------------------------------------------------------------------===//
// Dimensions and shapes
//===----------------------------------------------------------------------===//

std::string Dim::str() const {
  if (!expr)
    return "?";
  if (isStatic(CheckedSize::kTooLarge))
    return "over 2^63";
  std::string text;
  llvm::raw_string_ostream(text) << expr;
  return text;
}

static CheckedSize valueOf(AffineExpr expr, ArrayRef<int64_t> sizes) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue();
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return symbol.getPosition() < sizes.size() ? sizes[symbol.getPosition()] : 1;
  auto binary = cast<AffineBinaryOpExpr>(expr);
  CheckedSize left = valueOf(binary.getLHS(), sizes), right = valueOf(binary.getRHS(), sizes);
  bool divides = binary.getKind() != AffineExprKind::Add && binary.getKind() != AffineExprKind::Mul;
  if (left.isTooLarge() || right.isTooLarge() || (divides && right.get() <= 0))
    return CheckedSize::kTooLarge;
  switch (binary.getKind()) {
  case AffineExprKind::Add:
    return left + right;
  case AffineExprKind::Mul:
    return left * right;
  case AffineExprKind::FloorDiv:
    return llvm::divideFloorSigned(left.get(), right.get());
  case AffineExprKind::CeilDiv:
    return llvm::divideCeilSigned(left.get(), right.get());
  default:
    return left.get() - llvm::divideFloorSigned(left.get(), right.get()) * right.get();
  }
}

int64_t Dim::get() const {
  if (!isStatic())
    llvm::report_fatal_error(llvm::Twine("internal error: the extent ") + str() +
                             " was taken for a constant");
  return cast<AffineConstantExpr>(expr).getValue();
}

CheckedSize Dim::valueAt(ArrayRef<int64_t> sizes) const { return valueOf(expr, sizes); }

// What no constant of an expression goes beyond, added up: folding adds and multiplies them.
static CheckedSize constantsOf(AffineExpr expr) {
  CheckedSize sum = 1;
  expr.walk([&](AffineExpr part) {
    if (auto constant = dyn_cast<AffineConstantExpr>(part))
      sum += constant.getValue() < 0 ? 0 - CheckedSize(constant.getValue()) : constant.getValue();
  });
  return sum;
}

// The two combined: in numbers where both are constants, else as expressions whose constants
// stay within int64 however they are folded.
static Dim combine(Dim a, Dim b, bool isProduct,
                   llvm::function_ref<CheckedSize(CheckedSize, CheckedSize)> number,
                   llvm::function_ref<AffineExpr(AffineExpr, AffineExpr)> expression) {
  if (!a.isKnown() || !b.isKnown())
    return Dim();
  MLIRContext *context = a.getExpr().getContext();
  if (a.isStatic() && b.isStatic())
    return Dim::constant(number(a.get(), b.get()).get(), context);
  CheckedSize left = constantsOf(a.getExpr()), right = constantsOf(b.getExpr());
  if ((isProduct ? left * right : left + right).isTooLarge())
    return Dim::constant(CheckedSize::kTooLarge, context);
  return Dim(expression(a.getExpr(), b.getExpr()));
}

// Without the terms that cancel out, as s1 does in s0 + s1 - s1: extents are compared as they
// stand.
static Dim withoutCancelled(Dim dim) {
  if (!dim.isKnown() || dim.isStatic() || dim.isStatic(CheckedSize::kTooLarge))
    return dim;
  unsigned symbols = 0;
  auto countParts = [&symbols](AffineExpr expr) {
    size_t parts = 0;
    expr.walk([&](AffineExpr part) {
      ++parts;
      if (auto symbol = dyn_cast<AffineSymbolExpr>(part))
        symbols = std::max(symbols, symbol.getPosition() + 1);
    });
    return parts;
  };
  size_t parts = countParts(dim.getExpr());
  AffineExpr simple = simplifyAffineExpr(dim.getExpr(), 0, symbols);
  return countParts(simple) < parts ? Dim(simple) : dim;
}

static Dim like(Dim dim, int64_t value) {
  return dim.isKnown() ? Dim::constant(value, dim.getExpr().getContext()) : Dim();
}

namespace symc::sg {
Dim operator+(Dim a, Dim b) {
  return withoutCancelled(combine(a, b, false, std::plus<CheckedSize>(), std::plus<AffineExpr>()));
}
Dim operator+(Dim a, int64_t b) { return a + like(a, b); }
Dim operator-(Dim a, int64_t b) { return a - like(a, b); }
Dim operator-(Dim a, Dim b) {
  return withoutCancelled(
      combine(a, b, false, std::minus<CheckedSize>(), std::minus<AffineExpr>()));
}
Dim operator*(Dim a, Dim b) {
  return combine(a, b, true, std::multiplies<CheckedSize>(), std::multiplies<AffineExpr>());
}
Dim operator*(Dim a, int64_t b) { return a * like(a, b); }
static bool isTooLarge(Dim dim) { return dim.isStatic(CheckedSize::kTooLarge); }
Dim floorDiv(Dim a, int64_t b) {
  return a.isKnown() && b > 0 ? isTooLarge(a) ? a : Dim(a.getExpr().floorDiv(b)) : Dim();
}
Dim ceilDiv(Dim a, int64_t b) {
  return a.isKnown() && b > 0 ? isTooLarge(a) ? a : Dim(a.getExpr().ceilDiv(b)) : Dim();
}
Dim remainder(Dim a, int64_t b) {
  return a.isKnown() && b > 0 ? isTooLarge(a) ? a : Dim(a.getExpr() % b) : Dim();
}
} // namespace symc::sg

Shape Shape::of(ArrayRef<int64_t> extents, MLIRContext *context) {
  Shape shape{size_t(0)};
  for (int64_t extent : extents)
    shape.push_back(Dim::constant(extent, context));
  return shape;
}

bool Shape::isFullyKnown() const {
  return isRanked() && llvm::all_of(*dims, [](const Dim &dim) { return dim.isKnown(); });
}

bool Shape::isStatic() const {
  return isRanked() && llvm::all_of(*dims, [](const Dim &dim) { return dim.isStatic(); });
}

Dim Shape::product(size_t begin, size_t end, MLIRContext *context) const {
  Dim result = Dim::constant(1, context);
  for (size_t i = begin; i < end; ++i)
    result = result * (*dims)[i];
  return result;
}

std::string Shape::str() const {
  if (!isRanked())
    return "unknown";
  std::string text = "[";
  for (size_t i = 0; i < rank(); ++i)
    text += (i ? ", " : "") + (*dims)[i].str();
  return text + "]";
}

//===----------------------------------------------------------------------===//
// Names in messages
//===----------------------------------------------------------------------===//

static StringRef locationName(Location location) {
  if (auto name = dyn_cast<NameLoc>(location))
    return name.getName();
  if (auto fused = dyn_cast<FusedLoc>(location))
    for (Location part : llvm::reverse(fused.getLocations()))
      if (StringRef name = locationName(part); !name.empty())
        return name;
  return "";
}

StringRef symc::sg::nodeName(Operation *op) { return locationName(op->getLoc()); }

std::string symc::sg::describeValue(Value value) {
  if (auto result = dyn_cast<OpResult>(value)) {
    Operation *op = result.getOwner();
    if (auto parameter = dyn_cast<ParameterOp>(op))
      return "argument '" + parameter.getWeight().str() + "'";
    return "output " + std::to_string(result.getResultNumber()) + " of node '" +
           nodeName(op).str() + "'";
  }
  auto argument = cast<BlockArgument>(value);
  if (auto graph = dyn_cast_or_null<GraphOp>(argument.getOwner()->getParentOp()))
    return "argument '" + graph.getInputName(argument.getArgNumber()).str() + "'";
  return "input " + std::to_string(argument.getArgNumber());
}

static std::string operandName(Operation *op, size_t i, bool isInput) {
  if (const OpInfo *info = infoOf(op)) {
    ArrayRef<ValueInfo> list = isInput ? info->operands : info->results;
    if (!isInput && i < info->resultNames.size())
      return info->resultNames[i];
    if (list.size() == 1 && list[0].kind == ValueKind::Variadic)
      return (list[0].name + llvm::Twine(i)).str();
    // Optional operands are only ever left out from the end or named by rule;
    // walk the declared list past those that are absent.
    size_t absent = list.size() - std::min<size_t>(list.size(), isInput ? op->getNumOperands()
                                                                        : op->getNumResults());
    size_t index = 0;
    for (const ValueInfo &value : list) {
      if (value.kind == ValueKind::Optional && absent > 0 && index + absent >= list.size() - 0)
        continue;
      if (index++ == i)
        return value.name.str();
    }
  }
  return (isInput ? "input " : "output ") + std::to_string(i);
}

InFlightDiagnostic symc::sg::nodeError(Operation *op) {
  return op->emitError() << "node '" << nodeName(op) << "': ";
}

//===----------------------------------------------------------------------===//
// Scopes
//===----------------------------------------------------------------------===//

InFlightDiagnostic ShapeScope::error() { return nodeError(op); }
InFlightDiagnostic TypeScope::error() { return nodeError(op); }

LogicalResult ShapeScope::refine(Shape &target, const Shape &shape, bool isInput, size_t i,
                                 const Twine &because) {
  if (!shape.isRanked())
    return success();
  auto conflict = [&]() -> LogicalResult {
    std::string reason = because.str();
    InFlightDiagnostic diagnostic = error();
    diagnostic << operandName(op, i, isInput) << " has shape " << target.str() << " but needs "
               << shape.str() << (reason.empty() ? "" : " ") << reason;
    for (auto [index, value] : llvm::enumerate(op->getOperands()))
      if (inputs[index].isRanked())
        diagnostic.attachNote(value.getLoc())
            << operandName(op, index, true) << " is " << describeValue(value) << ", shape "
            << inputs[index].str();
    return failure();
  };
  if (!target.isRanked()) {
    target = shape;
    changed = true;
    return checkCount(target, isInput, i);
  }
  if (target.rank() != shape.rank())
    return conflict();
  for (size_t d = 0; d < shape.rank(); ++d)
    if (target[d].isKnown() && shape[d].isKnown() && target[d] != shape[d])
      return conflict();
  bool refined = false;
  for (size_t d = 0; d < shape.rank(); ++d)
    if (!target[d].isKnown() && shape[d].isKnown()) {
      target[d] = shape[d];
      refined = true;
    }
  changed |= refined;
  return refined ? checkCount(target, isInput, i) : success();
}

LogicalResult ShapeScope::checkCount(const Shape &shape, bool isInput, size_t i) {
  std::string mistake = badExtents(shape, largestSizes(op));
  if (mistake.empty())
    return success();
  return error() << operandName(op, i, isInput) << " would have " << mistake;
}

LogicalResult ShapeScope::refineInput(size_t i, const Shape &shape, const Twine &because) {
  return refine(inputs[i], shape, true, i, because);
}

LogicalResult ShapeScope::refineOutput(size_t i, const Shape &shape, const Twine &because) {
  return refine(outputs[i], shape, false, i, because);
}

LogicalResult ShapeScope::refineAllSame() {
  Shape merged;
  auto gather = [&](const Shape &shape) {
    if (!shape.isRanked())
      return;
    if (!merged.isRanked())
      merged = shape;
    else if (merged.rank() == shape.rank())
      for (size_t d = 0; d < shape.rank(); ++d)
        if (!merged[d].isKnown())
          merged[d] = shape[d];
  };
  for (const Shape &shape : inputs)
    gather(shape);
  for (const Shape &shape : outputs)
    gather(shape);
  for (size_t i = 0; i < inputs.size(); ++i)
    if (failed(refineInput(i, merged)))
      return failure();
  for (size_t i = 0; i < outputs.size(); ++i)
    if (failed(refineOutput(i, merged)))
      return failure();
  return success();
}

LogicalResult TypeScope::refine(Type &target, Type type, bool isInput, size_t i) {
  if (!type || target == type)
    return success();
  if (!target) {
    target = type;
    changed = true;
    return success();
  }
  InFlightDiagnostic diagnostic = error();
  diagnostic << operandName(op, i, isInput) << " has element type " << typeName(target)
             << " but needs " << typeName(type);
  for (auto [index, value] : llvm::enumerate(op->getOperands()))
    if (inputs[index])
      diagnostic.attachNote(value.getLoc())
          << operandName(op, index, true) << " is " << describeValue(value) << ", element type "
          << typeName(inputs[index]);
  return failure();
}

LogicalResult TypeScope::refineInput(size_t i, Type type) {
  return refine(inputs[i], type, true, i);
}

LogicalResult TypeScope::refineOutput(size_t i, Type type) {
  return refine(outputs[i], type, false, i);
}

static CheckedSize countElements(ArrayRef<CheckedSize> extents) {
  CheckedSize count = 1;
  for (CheckedSize extent : extents)
    count *= extent;
  return count;
}

CheckedSize LargestShapes::operandCount(size_t i) const { return countElements(operands[i]); }
CheckedSize LargestShapes::resultCount(size_t i) const { return countElements(results[i]); }

CheckedSize LargestShapes::largestCount() const {
  int64_t largest = 0;
  for (const auto &shapes : {operands, results})
    for (const auto &shape : shapes)
      largest = std::max(largest, countElements(shape).get());
  return largest;
}

ArrayRef<int64_t> symc::sg::largestSizes(Operation *op) {
  auto graph = op->getParentOfType<GraphOp>();
  return graph ? graph.getDimMax().value_or(ArrayRef<int64_t>()) : ArrayRef<int64_t>();
}

std::string symc::sg::badExtents(const Shape &shape, ArrayRef<int64_t> largestSizes) {
  CheckedSize count = 1;
  for (auto [axis, dim] : llvm::enumerate(shape.list())) {
    if (!dim.isKnown())
      continue;
    if (dim.isStatic() && dim.get() < 0)
      return "the extent " + dim.str() + " along axis " + std::to_string(axis) +
             ", needs at least 0";
    count *= std::max<CheckedSize>(dim.valueAt(largestSizes), 1);
  }
  if (count.isTooLarge() || count > kMostElements)
    return "shape " + shape.str() + ", more than 2^48 elements";
  return {};
}

LogicalResult symc::sg::inferSameType(TypeScope &scope) {
  Type known;
  for (size_t i = 0; i < scope.numInputs() && !known; ++i)
    known = scope.input(i);
  for (size_t i = 0; i < scope.numOutputs() && !known; ++i)
    known = scope.output(i);
  for (size_t i = 0; i < scope.numInputs(); ++i)
    if (failed(scope.refineInput(i, known)))
      return failure();
  for (size_t i = 0; i < scope.numOutputs(); ++i)
    if (failed(scope.refineOutput(i, known)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Element types
//===----------------------------------------------------------------------===//

static const char *const kTypeNames[] = {"float32", "float64", "float16", "uint8", "int32",
                                         "int8",    "int64",   "bool",    "int16", "uint16",
                                         "uint32",  "uint64",  "bfloat16"};

Type symc::sg::typeFromFlag(int64_t flag, MLIRContext *context) {
  auto integer = [&](unsigned bits, bool isUnsigned = false) -> Type {
    return IntegerType::get(context, bits,
                            isUnsigned ? IntegerType::Unsigned : IntegerType::Signless);
  };
  switch (flag) {
  case 0:
    return Float32Type::get(context);
  case 1:
    return Float64Type::get(context);
  case 2:
    return Float16Type::get(context);
  case 3:
    return integer(8, true);
  case 4:
    return integer(32);
  case 5:
    return integer(8);
  case 6:
    return integer(64);
  case 7:
    return integer(1);
  case 8:
    return integer(16);
  case 9:
    return integer(16, true);
  case 10:
    return integer(32, true);
  case 11:
    return integer(64, true);
  case 12:
    return BFloat16Type::get(context);
  }
  return Type();
}

Type symc::sg::typeFromName(StringRef name, MLIRContext *context) {
  for (auto [flag, text] : llvm::enumerate(kTypeNames))
    if (name == text)
      return typeFromFlag(flag, context);
  return Type();
}

int64_t symc::sg::mostCounted(StringRef name) {
  return llvm::StringSwitch<int64_t>(name)
      .Case("uint8", UINT8_MAX)
      .Case("int32", INT32_MAX)
      .Case("float16", int64_t(1) << 11)
      .Case("float32", int64_t(1) << 24)
      .Case("float64", int64_t(1) << 53)
      .Default(INT64_MAX);
}

std::optional<int64_t> symc::sg::flagFromType(Type type) {
  if (type)
    for (int64_t flag = 0; flag <= 12; ++flag)
      if (typeFromFlag(flag, type.getContext()) == type)
        return flag;
  return std::nullopt;
}

std::string symc::sg::typeName(Type type) {
  if (std::optional<int64_t> flag = flagFromType(type))
    return kTypeNames[*flag];
  std::string text;
  if (!type)
    return "unknown";
  llvm::raw_string_ostream(text) << type;
  return text;
}

int64_t symc::sg::typeBytes(Type type) { return (type.getIntOrFloatBitWidth() + 7) / 8; }

//===----------------------------------------------------------------------===//
// Tensor types
//===----------------------------------------------------------------------===//

Shape symc::sg::shapeOf(Type tensor) {
  auto ranked = dyn_cast<RankedTensorType>(tensor);
  if (!ranked)
    return Shape();
  Shape shape(static_cast<size_t>(ranked.getRank()));
  auto extents = dyn_cast_or_null<ExtentsAttr>(ranked.getEncoding());
  for (int64_t d = 0; d < ranked.getRank(); ++d)
    if (extents)
      shape[d] = Dim(extents.getMap().getResult(d));
    else if (!ranked.isDynamicDim(d))
      shape[d] = Dim::constant(ranked.getDimSize(d), tensor.getContext());
  return shape;
}

Type symc::sg::elementTypeOf(Type tensor) {
  Type type = cast<TensorType>(tensor).getElementType();
  return isa<UnknownType>(type) ? Type() : type;
}

Type symc::sg::makeTensorType(const Shape &shape, Type elementType, MLIRContext *context) {
  if (!elementType)
    elementType = UnknownType::get(context);
  if (!shape.isRanked())
    return UnrankedTensorType::get(elementType);
  SmallVector<int64_t> extents;
  SmallVector<AffineExpr> exprs;
  bool symbolic = false;
  for (Dim dim : shape.list()) {
    extents.push_back(dim.isStatic() ? dim.get() : ShapedType::kDynamic);
    symbolic |= dim.isKnown() && !dim.isStatic();
    exprs.push_back(dim.getExpr());
  }
  // A partly unknown shape keeps only its constants.
  if (!symbolic || !shape.isFullyKnown())
    return RankedTensorType::get(extents, elementType);
  unsigned symbols = 0;
  for (AffineExpr expr : exprs)
    expr.walk([&](AffineExpr part) {
      if (auto symbol = dyn_cast<AffineSymbolExpr>(part))
        symbols = std::max(symbols, symbol.getPosition() + 1);
    });
  auto map = AffineMap::get(0, symbols, exprs, context);
  return RankedTensorType::get(extents, elementType, ExtentsAttr::get(context, map));
}
