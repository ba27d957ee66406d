//===- Scope.cpp - one node while it is imported ---------------------------===//
#include "frontend/onnx/Scope.h"

#include "frontend/onnx/Inputs.h"
#include "ir/CustomOperators.h"
#include "ir/ExtentPolynomials.h"
#include "ir/OpTable.h"
#include "ir/ReshapeCodes.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace mlir;

namespace symc::onnx {

//===----------------------------------------------------------------------===//
// Weights
//===----------------------------------------------------------------------===//

std::string ImportState::symbolFor(StringRef name) {
  std::string symbol = name.empty() ? std::string("constant") : name.str();
  // Names that compiled graphs use themselves.
  if (symbol == "main" || symbol == "prepare")
    symbol += "_";
  std::string unique = symbol;
  for (unsigned i = 1; !symbols.insert(unique).second; ++i)
    unique = symbol + "_" + std::to_string(i);
  return unique;
}

Value ImportState::parameter(size_t i, StringRef symbol, Location location) {
  const params::ArrayInfo &array = weights->array(i);
  Type element = sg::typeFromFlag(static_cast<int64_t>(array.dtype), &context);
  Type type = sg::makeTensorType(sg::Shape::of(array.shape, &context), element, &context);
  OperationState weight(location, sg::WeightOp::getOperationName());
  weight.addAttribute("sym_name", builder.getStringAttr(symbol));
  weight.addAttribute("type", TypeAttr::get(type));
  weight.addAttribute("file", builder.getStringAttr(weights->name()));
  if (array.inFile)
    weight.addAttribute("offset",
                        builder.getI64IntegerAttr(static_cast<int64_t>(array.fileOffset)));
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(graph);
    builder.create(weight);
  }
  OperationState value(location, sg::ParameterOp::getOperationName());
  value.addAttribute("weight", FlatSymbolRefAttr::get(&context, symbol));
  value.addTypes(type);
  return builder.create(value)->getResult(0);
}

Value ImportState::constant(const Known &known, StringRef name, Location location) {
  std::string symbol = symbolFor(name);
  size_t i = weights->add(symbol, dtypeOf(known.type), known.dims, encode(known));
  return parameter(i, symbol, location);
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

const Attribute *NodeScope::find(StringRef name) const { return attributes.lookup(name); }

const DeclaredAttribute *NodeScope::declaration(StringRef name) const {
  for (const DeclaredAttribute &attribute : declared)
    if (attribute.name == name)
      return &attribute;
  return nullptr;
}

int64_t NodeScope::integer(StringRef name) const {
  if (const Attribute *attribute = find(name))
    return attribute->integer;
  int64_t value = 0;
  if (const DeclaredAttribute *row = declaration(name))
    row->value.getAsInteger(10, value);
  return value;
}

double NodeScope::real(StringRef name) const {
  if (const Attribute *attribute = find(name))
    return attribute->real;
  double value = 0;
  if (const DeclaredAttribute *row = declaration(name))
    row->value.getAsDouble(value);
  return static_cast<float>(value);
}

StringRef NodeScope::text(StringRef name) const {
  if (const Attribute *attribute = find(name))
    return attribute->text;
  const DeclaredAttribute *row = declaration(name);
  return row ? row->value : "";
}

ArrayRef<int64_t> NodeScope::integers(StringRef name) const {
  if (const Attribute *attribute = find(name))
    return attribute->integers;
  return {};
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

// The inputs of the graph that a value follows from; what bodies carry is among them.
static void collectInputs(const ImportState &state, Value value, SmallPtrSetImpl<Value> &seen,
                          SmallVectorImpl<BlockArgument> &inputs) {
  SmallVector<Value> work{value};
  while (!work.empty()) {
    Value next = work.pop_back_val();
    if (!seen.insert(next).second)
      continue;
    if (Value outside = state.captured.lookup(next))
      work.push_back(outside);
    else if (auto argument = dyn_cast<BlockArgument>(next))
      inputs.push_back(argument);
    else
      llvm::append_range(work, next.getDefiningOp()->getOperands());
  }
}

const Known *NodeScope::wanted(size_t i) {
  if (const Known *value = known(i))
    return value;
  SmallPtrSet<Value, 16> seen;
  SmallVector<BlockArgument> inputs;
  collectInputs(state, in(i), seen, inputs);
  for (BlockArgument input : inputs) {
    auto type = dyn_cast<RankedTensorType>(input.getType());
    if (!type || !type.hasStaticShape() || uint64_t(type.getNumElements()) > kMostKnown ||
        input.getOwner() != &state.main->getRegion(0).front()) {
      openInputs.clear();
      break;
    }
    openInputs.push_back(sg::GraphOp(state.main).getInputName(input.getArgNumber()).str());
  }
  refuse("the value of '" + operands[i].name + "' decides a shape and is not known" +
         (openInputs.empty() ? Twine(": it follows from values that only a run has") : Twine()));
  return nullptr;
}

bool NodeScope::hasIntegers(size_t i) {
  Type element = known(i) ? known(i)->type : type(i);
  return isa<IntegerType>(element) || refuse("'" + operands[i].name + "' has the element type " +
                                             sg::typeName(element) + ", needs integers");
}

std::optional<SmallVector<sg::Dim>> NodeScope::extents(size_t i) {
  const Known *value = wanted(i);
  if (!value || !hasIntegers(i))
    return std::nullopt;
  return SmallVector<sg::Dim>(value->whole.begin(), value->whole.end());
}

const Known *NodeScope::fixed(size_t i) {
  const Known *value = wanted(i);
  if (!value || value->isFixed())
    return value;
  refuse("'" + operands[i].name + "' depends on a size that is chosen at run time");
  return nullptr;
}

std::optional<SmallVector<int64_t>> NodeScope::numbers(size_t i) {
  const Known *value = fixed(i);
  return value ? std::optional(value->numbers()) : std::nullopt;
}

std::optional<SmallVector<double>> NodeScope::reals(size_t i) {
  const Known *value = fixed(i);
  if (!value)
    return std::nullopt;
  SmallVector<double> list;
  for (size_t k = 0; k < value->count(); ++k)
    list.push_back(value->at(k));
  return list;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

NamedAttribute NodeScope::number(StringRef name, int64_t value) {
  return state.builder.getNamedAttr(name, state.builder.getI64IntegerAttr(value));
}
NamedAttribute NodeScope::realNumber(StringRef name, double value) {
  return state.builder.getNamedAttr(name, state.builder.getF64FloatAttr(value));
}
NamedAttribute NodeScope::flag(StringRef name, bool value) {
  return state.builder.getNamedAttr(name, state.builder.getBoolAttr(value));
}
NamedAttribute NodeScope::word(StringRef name, StringRef value) {
  return state.builder.getNamedAttr(name, state.builder.getStringAttr(value));
}
NamedAttribute NodeScope::list(StringRef name, ArrayRef<int64_t> values) {
  return state.builder.getNamedAttr(name, state.builder.getDenseI64ArrayAttr(values));
}

// Parameters, shapes and types of an operation whose operands have theirs.
bool NodeScope::infer(Operation *op) {
  auto node = dyn_cast<sg::OperatorInterface>(op);
  const sg::OpInfo *info = sg::infoOf(op);
  assert(node && info && "no operator");
  sg::ParamView params(*info, sg::paramsOf(op));
  for (const sg::ParamInfo &param : info->params)
    if (mlir::Attribute value = sg::paramsOf(op).get(param.name))
      if (std::string message = sg::checkValue(param, value); !message.empty())
        return refuse(message);
  if (std::string message = node.checkParams(params); !message.empty())
    return refuse(message);
  SmallVector<sg::Shape> inputs, outputs;
  for (Value result : op->getResults())
    outputs.push_back(sg::shapeOf(result.getType()));
  SmallVector<Type> inputTypes, outputTypes(op->getNumResults());
  for (Value operand : op->getOperands()) {
    inputs.push_back(sg::shapeOf(operand.getType()));
    inputTypes.push_back(sg::elementTypeOf(operand.getType()));
  }
  auto failedNow = [&] {
    StringRef message = state.messages.empty()
                            ? StringRef("internal error: inference gave no reason")
                            : state.messages.front();
    if (size_t mark = message.find("': "); mark != StringRef::npos && message.starts_with("'sg."))
      message = message.substr(mark + 3);
    return refuse(message);
  };
  sg::ShapeScope shapes(op, inputs, outputs);
  shapes.conditions = state.conditions.get();
  sg::TypeScope types(op, inputTypes, outputTypes);
  do {
    shapes.changed = false;
    if (mlir::failed(node.inferShape(shapes)))
      return failedNow();
  } while (shapes.changed);
  do {
    types.changed = false;
    if (mlir::failed(node.inferType(types)))
      return failedNow();
  } while (types.changed);
  for (auto [i, operand] : enumerate(op->getOperands()))
    if (inputTypes[i] != sg::elementTypeOf(operand.getType()))
      return refuse("internal error: operand " + Twine(i) + " has no element type");
  for (auto [i, result] : enumerate(op->getResults())) {
    if (!outputs[i].isFullyKnown() || !outputTypes[i])
      return refuse("internal error: a shape or type does not follow from its operands (" +
                    op->getName().getStringRef() + ": " + outputs[i].str() + ")");
    result.setType(sg::makeTensorType(outputs[i], outputTypes[i], &state.context));
  }
  return true;
}

SmallVector<Value> NodeScope::makeAll(StringRef mnemonic, ValueRange values, size_t results,
                                      ArrayRef<NamedAttribute> attributes) {
  SmallVector<Type> types(results, UnrankedTensorType::get(sg::UnknownType::get(&state.context)));
  return makeOf(mnemonic, values, types, attributes);
}

SmallVector<Value> NodeScope::makeOf(StringRef mnemonic, ValueRange values, TypeRange types,
                                     ArrayRef<NamedAttribute> attributes) {
  SmallVector<Value> made(types.size());
  if (!reason.empty() || llvm::is_contained(values, Value()))
    return made;
  OperationState created(location, ("sg." + mnemonic).str());
  created.addOperands(values);
  created.addAttributes(attributes);
  created.addTypes(types);
  Operation *op = state.builder.create(created);
  state.messages.clear();
  if (!infer(op)) {
    op->erase();
    return made;
  }
  return SmallVector<Value>(op->getResults());
}

Value NodeScope::make(StringRef mnemonic, ValueRange values, ArrayRef<NamedAttribute> attributes) {
  return makeAll(mnemonic, values, 1, attributes)[0];
}

Value NodeScope::constant(const Known &known) {
  return state.constant(known, node.outputs.empty() ? node.name : node.outputs[0], location);
}
Operand NodeScope::tensor(const Tensor &tensor) {
  std::string mistake;
  StringRef name = node.outputs.empty() ? node.name : node.outputs[0];
  Operand operand = importTensor(state, tensor, name, location, mistake);
  if (!mistake.empty())
    refuse("its tensor " + mistake);
  return operand;
}
Value NodeScope::scalarLike(double value, Type type) {
  return constant(isa<IntegerType>(type) ? Known::scalar(static_cast<int64_t>(value), type)
                                         : Known::real64({value}, {}, type));
}

Value NodeScope::cast(Value x, Type type) {
  if (!x || sg::elementTypeOf(x.getType()) == type)
    return x;
  return make("cast", x, {dtype(type)});
}
Value NodeScope::unary(StringRef fn, Value x) { return make("unary", x, {word("fn", fn)}); }
Value NodeScope::agree(Value x, Value y, int64_t except) {
  if (!x || !y)
    return x;
  sg::Shape left = sg::shapeOf(x.getType()), right = sg::shapeOf(y.getType());
  auto rank = static_cast<int64_t>(left.rank()), otherRank = static_cast<int64_t>(right.rank());
  for (int64_t axis = std::max(int64_t(0), rank - otherRank); x && axis < rank; ++axis) {
    int64_t other = axis + otherRank - rank;
    sg::Dim a = left[axis], b = right[other];
    if (axis == except || a == b || a.isStatic() || b.isStatic() || !a.isKnown() || !b.isKnown())
      continue;
    x = make("reshape_like", {x, y},
             {number("lhs_begin", axis), number("lhs_end", axis + 1), number("rhs_begin", other),
              number("rhs_end", other + 1)});
  }
  return x;
}
Value NodeScope::binary(StringRef fn, Value x, Value y) {
  y = agree(y, x);
  if (!x || !y)
    return {};
  bool broadcast = sg::shapeOf(x.getType()).str() != sg::shapeOf(y.getType()).str();
  return make("binary", {x, y}, {word("fn", fn), flag("broadcast", broadcast)});
}
Value NodeScope::compare(StringRef fn, Value x, Value y) {
  return make("numpy_binary", {x, agree(y, x)}, {word("fn", fn)});
}
Value NodeScope::scalar(StringRef fn, Value x, double value, bool reverse) {
  return make("scalar", x, {word("fn", fn), realNumber("scalar", value), flag("reverse", reverse)});
}
Value NodeScope::where(Value condition, Value x, Value y) {
  y = agree(y, x);
  return make("numpy_where", {agree(agree(condition, x), y), x, y});
}

bool NodeScope::areSame(sg::Dim a, sg::Dim b) {
  return a == b || (a.isKnown() && b.isKnown() && sg::areEqual(a.getExpr(), b.getExpr()));
}
sg::Dim NodeScope::simplified(sg::Dim extent) const {
  auto sizes = sg::GraphOp(state.main).getDimMin().value_or(ArrayRef<int64_t>()).size();
  return extent.isKnown() ? sg::Dim(simplifyAffineExpr(extent.getExpr(), 0, unsigned(sizes)))
                          : extent;
}

/// Neighbouring axes that become others of as many elements.
struct AxisGroup {
  int64_t from, fromCount, to, toCount;
};

// The least groups that differ; nothing where no products meet.
static std::optional<SmallVector<AxisGroup>> groupsOf(ArrayRef<sg::Dim> from,
                                                      ArrayRef<sg::Dim> to) {
  SmallVector<AxisGroup> groups;
  size_t i = 0, j = 0;
  while (i < from.size() && j < to.size()) {
    if (NodeScope::areSame(from[i], to[j])) {
      ++i;
      ++j;
      continue;
    }
    std::optional<AxisGroup> found;
    for (size_t count = 3; !found && count <= from.size() - i + to.size() - j; ++count)
      for (size_t left = 1; !found && left < count; ++left) {
        size_t right = count - left;
        if (left > from.size() - i || right > to.size() - j)
          continue;
        sg::Dim a = from[i], b = to[j];
        for (sg::Dim dim : from.slice(i + 1, left - 1))
          a = a * dim;
        for (sg::Dim dim : to.slice(j + 1, right - 1))
          b = b * dim;
        if (NodeScope::areSame(a, b))
          found = AxisGroup{int64_t(i), int64_t(left), int64_t(j), int64_t(right)};
      }
    if (!found)
      return std::nullopt;
    groups.push_back(*found);
    i += found->fromCount;
    j += found->toCount;
  }
  if (i != from.size() || j != to.size())
    return std::nullopt;
  return groups;
}

// Codes of Reshape for a shape that holds sizes; axes of extent 1 are left out on both sides.
static std::optional<SmallVector<int64_t>> codesFor(ArrayRef<sg::Dim> from, ArrayRef<sg::Dim> to,
                                                    MLIRContext *context) {
  SmallVector<int64_t> codes;
  bool hasRest = false;
  size_t i = 0;
  for (size_t j = 0; j < to.size(); ++j) {
    if (i < from.size() && NodeScope::areSame(from[i], to[j])) {
      codes.push_back(0);
      ++i;
      continue;
    }
    size_t open = llvm::count_if(to.drop_front(j), [](sg::Dim dim) { return !dim.isStatic(); });
    if (open <= 1 && !hasRest) {
      for (sg::Dim dim : to.drop_front(j))
        codes.push_back(dim.isStatic() ? dim.get() : -1);
      return codes;
    }
    if (i + 1 < from.size() && from[i] * from[i + 1] == to[j]) {
      codes.push_back(-3);
      i += 2;
      continue;
    }
    if (i < from.size() && j + 1 < to.size() && (to[j].isStatic() || to[j + 1].isStatic()) &&
        sg::divideExtents(from[i], {to[j], to[j + 1]}, context) == sg::Dim::constant(1, context)) {
      codes.append(
          {-4, to[j].isStatic() ? to[j].get() : -1, to[j + 1].isStatic() ? to[j + 1].get() : -1});
      ++i;
      ++j;
      continue;
    }
    return std::nullopt;
  }
  if (i != from.size())
    return std::nullopt;
  return codes;
}

Value NodeScope::reshape(Value x, const sg::Shape &shape) {
  if (!x)
    return x;
  sg::Shape have = sg::shapeOf(x.getType());
  if (have.isRanked() && have.rank() == shape.rank() && llvm::equal(have.list(), shape.list()))
    return x;
  if (shape.isStatic()) {
    SmallVector<int64_t> extents;
    for (sg::Dim dim : shape.list())
      extents.push_back(dim.get());
    return make("numpy_reshape", x, {list("newshape", extents)});
  }
  SmallVector<sg::Dim> from, to;
  SmallVector<int64_t> units;
  for (auto [axis, dim] : enumerate(have.list()))
    if (dim.isStatic(1))
      units.push_back(static_cast<int64_t>(axis));
    else
      from.push_back(dim);
  for (sg::Dim dim : shape.list())
    if (!dim.isStatic(1))
      to.push_back(dim);
  std::optional<SmallVector<int64_t>> codes = codesFor(from, to, &state.context);
  std::optional<SmallVector<AxisGroup>> groups;
  if (!codes)
    groups = groupsOf(from, to);
  if (!codes && !groups) {
    refuse("the shape " + have.str() + " cannot be made " + shape.str() +
           " for all sizes in their ranges");
    return {};
  }
  if (!units.empty())
    x = make("numpy_squeeze", x, {list("axis", units)});
  if (groups)
    for (AxisGroup group : llvm::reverse(*groups))
      x = make("reshape_like",
               {x, filled(sg::Shape(ArrayRef(to).slice(group.to, group.toCount)), 0,
                          sg::elementTypeOf(x.getType()))},
               {number("lhs_begin", group.from), number("lhs_end", group.from + group.fromCount)});
  else if (!llvm::equal(from, to))
    x = make("reshape", x, {list("shape", *codes)});
  for (auto [axis, dim] : enumerate(shape.list()))
    if (dim.isStatic(1))
      x = expandDims(x, static_cast<int64_t>(axis));
  return x;
}

Value NodeScope::transpose(Value x, ArrayRef<int64_t> order) {
  if (llvm::equal(order, llvm::seq<int64_t>(0, order.size())))
    return x;
  return make("transpose", x, {list("axes", order)});
}
Value NodeScope::reduce(StringRef kind, Value x, ArrayRef<int64_t> axes, bool keep) {
  if (!x || axes.empty())
    return x;
  return make("numpy_reduce", x, {word("kind", kind), list("axis", axes), flag("keepdims", keep)});
}

Value NodeScope::broadcastTo(Value x, const sg::Shape &shape) {
  if (!x)
    return x;
  sg::Shape have = sg::shapeOf(x.getType());
  if (have.rank() == shape.rank() && llvm::equal(have.list(), shape.list()))
    return x;
  SmallVector<int64_t> extents;
  for (auto [i, dim] : enumerate(shape.list())) {
    size_t missing = shape.rank() - have.rank();
    if (dim.isStatic()) {
      extents.push_back(dim.get());
    } else if (i >= missing && have[i - missing] == dim) {
      extents.push_back(-2);
    } else { // nothing holds the extent
      SmallVector<sg::Dim> all(shape.rank() - have.rank(), sg::Dim::constant(1, &state.context));
      all.append(have.list().begin(), have.list().end());
      Value units = reshape(x, sg::Shape(all));
      return make("broadcast_like", {units, filled(shape, 0, sg::elementTypeOf(x.getType()))});
    }
  }
  return make("numpy_broadcast_to", x, {list("shape", extents)});
}

Value NodeScope::filled(const sg::Shape &shape, double value, Type type) {
  SmallVector<int64_t> extents;
  for (sg::Dim extent : shape.list())
    extents.push_back(extent.isStatic() ? extent.get() : sg::kOpenExtent);
  return makeOf("full", {}, sg::makeTensorType(shape, type, &state.context),
                {list("shape", extents), realNumber("value", value), dtype(type)})[0];
}

Value NodeScope::slice(Value x, int64_t axis, int64_t begin, int64_t end, int64_t step) {
  SmallVector<int64_t> first(axis, sg::kNoneElement), last(axis, sg::kNoneElement), steps(axis, 1);
  first.push_back(begin);
  last.push_back(end);
  steps.push_back(step);
  return make("slice", x, {list("begin", first), list("end", last), list("step", steps)});
}
Value NodeScope::concat(ValueRange parts, int64_t axis) {
  if (parts.size() == 1 || llvm::is_contained(parts, Value()))
    return parts[0];
  SmallVector<Value> equal;
  for (Value part : parts)
    equal.push_back(agree(part, parts[0], axis));
  return make("concat", equal, {number("num_args", parts.size()), number("dim", axis)});
}
Value NodeScope::expandDims(Value x, int64_t axis) {
  return make("expand_dims", x, {number("axis", axis)});
}
bool NodeScope::holds(const sg::Need &need) const {
  SmallVector<sg::Need::Term> open;
  return state.conditions->judge(need, open) == sg::Conditions::Verdict::Holds;
}
bool NodeScope::require(const sg::Need &need, const Twine &what) {
  SmallVector<sg::Need::Term> open;
  sg::Conditions::Verdict verdict = state.conditions->judge(need, open);
  if (verdict == sg::Conditions::Verdict::Fails)
    return refuse(what);
  if (verdict == sg::Conditions::Verdict::Open)
    state.required->add(
        open, "node " + inQuotes(llvm::cast<NameLoc>(location).getName().getValue()) + ": " + what);
  return true;
}

Value NodeScope::matmul(Value x, Value y) {
  if (!x || !y)
    return {};
  sg::Shape left = sg::shapeOf(x.getType()), right = sg::shapeOf(y.getType());
  auto a = static_cast<int64_t>(left.rank()), b = static_cast<int64_t>(right.rank());
  auto takeExtent = [&](int64_t axis, int64_t other) {
    sg::Dim wanted = left[other], have = right[axis];
    if (have == wanted || have.isStatic() || wanted.isStatic())
      return;
    y = make("reshape_like", {y, x},
             {number("lhs_begin", axis), number("lhs_end", axis + 1), number("rhs_begin", other),
              number("rhs_end", other + 1)});
  };
  for (int64_t back = 3; y && back <= std::min(a, b); ++back)
    takeExtent(b - back, a - back);
  if (y && a >= 1 && b >= 1)
    takeExtent(std::max<int64_t>(b - 2, 0), a - 1);
  return make("numpy_matmul", {x, y});
}

//===----------------------------------------------------------------------===//
// Answers
//===----------------------------------------------------------------------===//

std::optional<int64_t> NodeScope::axis(int64_t given, int64_t rank) {
  if (given >= -rank && given < rank)
    return given < 0 ? given + rank : given;
  refuse("the axis " + Twine(given) + " is not within rank " + Twine(rank));
  return std::nullopt;
}

std::optional<SmallVector<int64_t>> NodeScope::axes(ArrayRef<int64_t> given, int64_t rank) {
  SmallVector<int64_t> result;
  for (int64_t each : given) {
    std::optional<int64_t> one = axis(each, rank);
    if (!one)
      return std::nullopt;
    if (llvm::is_contained(result, *one)) {
      refuse("the axis " + Twine(each) + " is named twice");
      return std::nullopt;
    }
    result.push_back(*one);
  }
  return result;
}

bool NodeScope::give(size_t i, Value value, std::optional<Known> known) {
  if (!value)
    return reason.empty() ? refuse("internal error: nothing computes it") : false;
  if (results.size() <= i)
    results.resize(i + 1);
  results[i].value = value;
  if (known && known->count() <= kMostKnown)
    results[i].known = std::make_shared<const Known>(std::move(*known));
  return true;
}

bool NodeScope::refuse(const Twine &why) {
  if (reason.empty())
    reason = why.str();
  return false;
}

} // namespace symc::onnx
