// Custom.cpp: shapes and types of operators that libraries describe, from their functions; the
// numbered constraints are those of Custom.td. Functions compute with numbers: where sizes are
// open they are called for every size, and the answers must be what one expression gives.
#include "ir/ops/Custom.h"
#include "ir/CustomOperators.h"

using namespace mlir;
using namespace symc::sg;

#define GET_OP_CLASSES
#include "ir/ops/Custom.cpp.inc"

void symc::sg::registerCustomOps(SGDialect &dialect) {
  dialect.addFamily<
#define GET_OP_LIST
#include "ir/ops/Custom.cpp.inc"
      >();
}

// The limit of the library's interface (SYMC_OP_MAX_RANK).
static constexpr size_t kMostRank = 8;
// So many sizes are tried one by one.
static constexpr int64_t kMostPoints = 1 << 16;

static const CustomOperator &descriptionOf(CustomOp op) { return *customOperator(op.getOpType()); }

//===----------------------------------------------------------------------===//
// The operation
//===----------------------------------------------------------------------===//

static bool isOfKind(Attribute value, ParamKind kind) {
  switch (kind) {
  case ParamKind::Int:
  case ParamKind::Uint:
    return isa<IntegerAttr>(value) && cast<IntegerAttr>(value).getType().isInteger(64);
  case ParamKind::Float:
  case ParamKind::Double:
    return isa<FloatAttr>(value);
  case ParamKind::Bool:
    return isa<BoolAttr>(value);
  case ParamKind::Enum:
  case ParamKind::String:
    return isa<StringAttr>(value);
  case ParamKind::Tuple:
    return isa<DenseI64ArrayAttr>(value);
  case ParamKind::Floats:
    return isa<DenseF64ArrayAttr>(value);
  }
  return false;
}

LogicalResult CustomOp::verify() { // C1
  const CustomOperator *found = customOperator(getOpType());
  if (!found)
    return nodeError(*this) << "no operator '" << getOpType()
                            << "' is loaded; --custom-op loads a library of operators";
  const OpInfo &info = found->info;
  auto checkCount = [&](size_t has, size_t needs, StringRef what) -> LogicalResult {
    if (has == needs)
      return success();
    return nodeError(*this) << "has " << has << " " << what << ", '" << getOpType() << "' has "
                            << needs;
  };
  if (failed(checkCount(getNumOperands(), info.operands.size(), "inputs")) ||
      failed(checkCount(getNumResults(), info.results.size(), "outputs")))
    return failure();
  for (NamedAttribute given : getParams()) {
    const ParamInfo *param = info.findParam(given.getName());
    if (!param || !isOfKind(given.getValue(), param->kind))
      return nodeError(*this) << "'" << getOpType() << "' has no parameter '"
                              << given.getName().getValue() << "' of that kind";
  }
  for (const ParamInfo &param : info.params)
    if (!param.defaultText && !getParams().get(param.name))
      return nodeError(*this) << "lacks the parameter '" << param.name << "'";
  return success();
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

namespace {

/// The shapes of a node as functions of the open sizes, by what the library returns for numbers.
class ShapeQuestion {
public:
  ShapeQuestion(CustomOp op, ShapeScope &scope)
      : op(op), scope(scope), description(descriptionOf(op)) {}

  LogicalResult answer() {
    for (size_t i = 0; i < scope.numInputs(); ++i)
      if (!scope.input(i).isFullyKnown() && !description.inferred[i])
        return success(); // inferred again when more is known
    if (failed(findSizes()))
      return failure();
    FailureOr<CustomNode> first = query(least);
    if (failed(first))
      return failure();
    shapes = std::move(*first);
    if (failed(fit()) || failed(check()))
      return failure();
    for (size_t i = 0; i < scope.numInputs(); ++i)
      if (failed(scope.refineInput(i, shapeOf(i))))
        return failure();
    for (size_t i = 0; i < scope.numOutputs(); ++i)
      if (failed(scope.refineOutput(i, shapeOf(scope.numInputs() + i))))
        return failure();
    return success();
  }

private:
  using Sizes = SmallVector<int64_t, 4>;

  // The open sizes that known extents are functions of, and their ranges.
  LogicalResult findSizes() {
    auto graph = op->getParentOfType<GraphOp>();
    ArrayRef<int64_t> min = graph.getDimMin().value_or(ArrayRef<int64_t>()),
                      max = graph.getDimMax().value_or(ArrayRef<int64_t>());
    SmallVector<bool> read(max.size());
    for (size_t i = 0; i < scope.numInputs(); ++i)
      if (scope.input(i).isFullyKnown())
        for (const Dim &dim : scope.input(i).list())
          dim.getExpr().walk([&](AffineExpr part) {
            if (auto symbol = dyn_cast<AffineSymbolExpr>(part))
              read[symbol.getPosition()] = true;
          });
    CheckedSize points = 1;
    for (size_t i = 0; i < max.size(); ++i) {
      least.push_back(min[i]);
      most.push_back(read[i] ? max[i] : min[i]);
      points *= most[i] - least[i] + 1;
    }
    if (points > kMostPoints) // C3
      return scope.error() << "the shape function of '" << op.getOpType()
                           << "' would be called for more than " << kMostPoints
                           << " sizes; give smaller ranges";
    return success();
  }

  // What the library returns where the open sizes are those numbers.
  FailureOr<CustomNode> query(const Sizes &sizes) {
    CustomNode node;
    auto numbers = [&](const Shape &shape) -> CustomNode::Extents {
      if (!shape.isFullyKnown())
        return std::nullopt;
      SmallVector<int64_t, 4> extents;
      for (const Dim &dim : shape.list())
        extents.push_back(dim.valueAt(sizes).get());
      return extents;
    };
    for (size_t i = 0; i < scope.numInputs(); ++i) {
      node.inputShapes.push_back(numbers(scope.input(i)));
      if (node.inputShapes.back() && node.inputShapes.back()->size() > kMostRank)
        return scope.error() << "input '" << description.info.operands[i].name << "' has rank "
                             << node.inputShapes.back()->size() << ", needs at most " << kMostRank;
    }
    node.outputShapes.resize(scope.numOutputs());
    std::vector<CustomNode::Extents> given = node.inputShapes;
    std::string mistake = description.inferShapes(op.getParams(), node); // C2
    if (!mistake.empty())
      return scope.error() << mistake;
    for (size_t i = 0; i < scope.numInputs() + scope.numOutputs(); ++i)
      if (!of(node, i)) // C2
        return scope.error() << "the shape function of '" << op.getOpType() << "' left "
                             << nameOf(i) << " unknown";
    for (size_t i = 0; i < scope.numInputs(); ++i)
      if (given[i] && given[i] != node.inputShapes[i]) // C2
        return scope.error() << nameOf(i) << " has shape " << textOf(*given[i]) << " but needs "
                             << textOf(*node.inputShapes[i]);
    return node;
  }

  CustomNode::Extents &of(CustomNode &node, size_t i) {
    return i < scope.numInputs() ? node.inputShapes[i] : node.outputShapes[i - scope.numInputs()];
  }
  std::string nameOf(size_t i) {
    bool input = i < scope.numInputs();
    const ValueInfo &value =
        input ? description.info.operands[i] : description.info.results[i - scope.numInputs()];
    return (input ? "input '" : "output '") + value.name.str() + "'";
  }
  static std::string textOf(ArrayRef<int64_t> extents) {
    std::string text = "[";
    for (auto [i, extent] : llvm::enumerate(extents))
      text += (i ? ", " : "") + std::to_string(extent);
    return text + "]";
  }

  // How much each extent grows with each open size.
  LogicalResult fit() {
    for (size_t s = 0; s < least.size(); ++s) {
      slopes.emplace_back();
      Sizes next = least;
      next[s] = std::min(least[s] + 1, most[s]);
      FailureOr<CustomNode> other = query(next);
      if (failed(other))
        return failure();
      for (size_t i = 0; i < scope.numInputs() + scope.numOutputs(); ++i) {
        ArrayRef<int64_t> at = *of(shapes, i), then = *of(*other, i);
        SmallVector<int64_t, 4> &slope = slopes.back().emplace_back();
        for (size_t d = 0; d < at.size(); ++d)
          slope.push_back(d < then.size() ? (CheckedSize(then[d]) - at[d]).get() : 0);
      }
    }
    return success();
  }

  // Every other size gives what the expressions give.
  LogicalResult check() { // C3
    for (Sizes sizes = least; advance(sizes);) {
      FailureOr<CustomNode> other = query(sizes);
      if (failed(other))
        return failure();
      for (size_t i = 0; i < scope.numInputs() + scope.numOutputs(); ++i)
        if (!isExpected(i, sizes, *of(*other, i)))
          return scope.error() << "the shape function of '" << op.getOpType() << "' gives "
                               << nameOf(i) << " the shape " << textOf(*of(shapes, i))
                               << " at sizes " << textOf(least) << " and " << textOf(*of(*other, i))
                               << " at " << textOf(sizes)
                               << ", which is no sum of multiples of the sizes; give numbers "
                                  "instead of ranges";
    }
    return success();
  }

  bool isExpected(size_t i, const Sizes &sizes, ArrayRef<int64_t> found) {
    ArrayRef<int64_t> base = *of(shapes, i);
    if (found.size() != base.size())
      return false;
    for (size_t d = 0; d < base.size(); ++d) {
      CheckedSize expected = base[d];
      for (size_t s = 0; s < sizes.size(); ++s) {
        if (slopes[s][i][d] < 0) // extents grow with sizes, so that the largest are enough
          return false;
        expected += CheckedSize(slopes[s][i][d]) * (sizes[s] - least[s]);
      }
      if (expected != found[d])
        return false;
    }
    return true;
  }

  // The next one of all sizes; false behind the last.
  bool advance(Sizes &sizes) {
    for (size_t s = 0; s < sizes.size(); ++s) {
      if (sizes[s] < most[s]) {
        ++sizes[s];
        return true;
      }
      sizes[s] = least[s];
    }
    return false;
  }

  // Of input or output `i`.
  Shape shapeOf(size_t i) {
    Shape shape{size_t(0)};
    for (auto [d, extent] : llvm::enumerate(*of(shapes, i))) {
      CheckedSize constant = extent;
      Dim sizes;
      for (size_t s = 0; s < least.size(); ++s) {
        int64_t slope = slopes[s][i][d];
        if (slope == 0)
          continue;
        constant = constant - CheckedSize(slope) * least[s];
        Dim part = Dim(getAffineSymbolExpr(s, scope.context())) * slope;
        sizes = sizes.isKnown() ? sizes + part : part;
      }
      Dim dim = scope.dim(constant.get());
      shape.push_back(sizes.isKnown() ? sizes + dim : dim);
    }
    return shape;
  }

  CustomOp op;
  ShapeScope &scope;
  const CustomOperator &description;
  Sizes least, most;
  CustomNode shapes;                                        // at the smallest sizes
  std::vector<std::vector<SmallVector<int64_t, 4>>> slopes; // by size, value, dimension
};

} // namespace

LogicalResult CustomOp::inferShape(ShapeScope &scope) {
  if (!descriptionOf(*this).hasShapeFunction)
    return scope.refineAllSame();
  return ShapeQuestion(*this, scope).answer();
}

//===----------------------------------------------------------------------===//
// Element types, memory, rows
//===----------------------------------------------------------------------===//

LogicalResult CustomOp::inferType(TypeScope &scope) {
  const CustomOperator &description = descriptionOf(*this);
  if (!description.hasTypeFunction)
    return inferSameType(scope);
  CustomNode node;
  for (size_t i = 0; i < scope.numInputs(); ++i) {
    if (!scope.input(i) && !description.inferred[i])
      return success(); // inferred again when more is known
    node.inputTypes.push_back(scope.input(i) ? flagFromType(scope.input(i)) : std::nullopt);
  }
  node.outputTypes.resize(scope.numOutputs());
  std::string mistake = description.inferTypes(getParams(), node); // C4
  if (!mistake.empty())
    return scope.error() << mistake;
  auto typeOf = [&](std::optional<int64_t> flag, const ValueInfo &value) -> FailureOr<Type> {
    Type type = flag ? typeFromFlag(*flag, getContext()) : Type();
    if (type)
      return type;
    return scope.error() << "the type function of '" << getOpType() << "' gives '" << value.name
                         << "' the element type " << flag.value_or(-1) << ", which is none";
  };
  for (size_t i = 0; i < scope.numInputs(); ++i) {
    FailureOr<Type> type = typeOf(node.inputTypes[i], description.info.operands[i]);
    if (failed(type) || failed(scope.refineInput(i, *type)))
      return failure();
  }
  for (size_t i = 0; i < scope.numOutputs(); ++i) {
    FailureOr<Type> type = typeOf(node.outputTypes[i], description.info.results[i]);
    if (failed(type) || failed(scope.refineOutput(i, *type)))
      return failure();
  }
  return success();
}

CheckedSize CustomOp::getScratchBytes(const LargestShapes &shapes) {
  CustomNode node;
  auto numbers = [](ArrayRef<CheckedSize> extents) {
    SmallVector<int64_t, 4> list;
    for (CheckedSize extent : extents)
      list.push_back(extent.get());
    return list;
  };
  for (const auto &extents : shapes.operands)
    node.inputShapes.push_back(numbers(extents));
  for (const auto &extents : shapes.results)
    node.outputShapes.push_back(numbers(extents));
  for (Value operand : getOperands())
    node.inputTypes.push_back(flagFromType(elementTypeOf(operand.getType())));
  for (Value result : getResults())
    node.outputTypes.push_back(flagFromType(elementTypeOf(result.getType())));
  int64_t bytes = descriptionOf(*this).scratchBytes(getParams(), node);
  return bytes < 0 ? CheckedSize::kTooLarge : bytes;
}

int64_t CustomOp::getRowAxis(RowScope &rows) {
  const CustomOperator &description = descriptionOf(*this);
  if (!description.elementwise)
    return description.keepsRows ? rows.all(0) : rows.noRule();
  for (unsigned i = 0; i < rows.count(); ++i)
    if (rows.hasRows(i))
      return rows.all(rows.axis(i));
  return kNoRows;
}
