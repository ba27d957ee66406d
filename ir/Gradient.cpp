// Gradient.cpp: see Gradient.h.
#include "ir/Gradient.h"

#include "ir/CustomOperators.h"
#include "ir/GraphDialect.h"
#include "ir/OperatorNames.h"
#include "ir/ops/Reduce.h"

using namespace mlir;
using namespace symc;
using namespace symc::sg;

bool symc::sg::isTraining(Operation *op) {
  auto graph = dyn_cast<GraphOp>(op);
  graph = graph ? graph : op->getParentOfType<GraphOp>();
  return graph && graph.getTraining();
}

StringRef symc::sg::gradientKind(Operation *op) {
  if (auto place = dyn_cast<ArgReduceOp>(op); place && place.getChannel())
    return "none";
  const OpInfo *info = infoOf(op);
  return info ? info->gradient : StringRef("zero");
}

LogicalResult symc::sg::refuseGradient(Operation *op, const Twine &end) {
  std::string name = mxnetNameOf(op);
  return nodeError(op) << (name.empty() ? "" : "'" + name + "' ")
                       << "has no gradient, in MXNet neither; " << end;
}

Location symc::sg::backwardLocation(Operation *op) {
  return NameLoc::get(StringAttr::get(op->getContext(), nodeName(op) + "_backward"), op->getLoc());
}

bool symc::sg::isBackward(Operation *op) {
  auto location = dyn_cast<NameLoc>(op->getLoc());
  return location && location.getName().getValue().ends_with("_backward");
}

bool symc::sg::isMirrored(Operation *op) {
  if (op->hasAttr(kRecompute))
    return true;
  auto kept = op->getAttrOfType<DictionaryAttr>("sg.attrs");
  auto text = kept ? kept.getAs<StringAttr>("__force_mirroring__") : StringAttr();
  return text && (text.getValue().equals_insensitive("true") || text.getValue() == "1");
}

Value GradientScope::of(unsigned result) {
  if (!arriving[result])
    arriving[result] = core.fillLike(op->getResult(result), 0);
  return arriving[result];
}

void GradientScope::give(unsigned operand, Value gradient) {
  if (!wanted[operand] || !gradient || open.isKnown()) // that is refused
    return;
  assert(gradient.getType() == op->getOperand(operand).getType() &&
         "internal: a gradient has the type of its value");
  assert(!made[operand] && "internal: a rule gives one gradient an operand");
  made[operand] = gradient;
}

Value GradientScope::makeLike(StringRef mnemonic, ValueRange operands, Type type,
                              ArrayRef<NamedAttribute> more) {
  const OpInfo *info = lookupMnemonic(mnemonic);
  SmallVector<NamedAttribute> attributes(more);
  for (NamedAttribute own : op->getAttrs())
    if (info->findParam(own.getName()))
      attributes.push_back(own);
  return core.make(mnemonic, operands, type, attributes);
}

Value GradientScope::takeSum(unsigned operand) {
  Value sum = sums.lookup(operand);
  if (sum)
    taken.insert(operand);
  return sum;
}

void GradientScope::replace(ValueRange values) {
  op->replaceAllUsesWith(values);
  replaced = true;
}

Value GradientScope::sumTo(Value gradient, Type type) {
  if (gradient.getType() == type)
    return gradient;
  Shape wide = shapeOf(gradient.getType()), narrow = shapeOf(type);
  size_t missing = wide.rank() - narrow.rank();
  SmallVector<int64_t> axes;
  for (size_t axis = 0; axis < wide.rank(); ++axis)
    if (axis < missing || (narrow[axis - missing].isStatic(1) && !wide[axis].isStatic(1)))
      axes.push_back(axis);
    else if (narrow[axis - missing] != wide[axis]) // a run decides whether it repeats
      (void)extent(narrow[axis - missing]);
  if (open.isKnown())
    return gradient;
  return core.reshapeTo(core.reduce("sum", gradient, axes, true), type);
}

Value GradientScope::spread(Value value, ArrayRef<bool> reduced, Value like) {
  Shape kept = shapeOf(like.getType());
  for (size_t axis = 0; axis < kept.rank(); ++axis)
    if (reduced[axis])
      kept[axis] = core.dim(1);
  return core.broadcastLike(core.reshape(value, kept), like);
}

Value GradientScope::repeat(Value value, const Shape &shape) {
  Shape have = shapeOf(value.getType());
  for (size_t axis = 0; axis < shape.rank(); ++axis) {
    size_t missing = shape.rank() - have.rank();
    if (axis < missing || have[axis - missing] != shape[axis])
      (void)extent(shape[axis]);
  }
  return core.broadcastTo(value, shape);
}

int64_t GradientScope::extent(Dim dim) {
  if (dim.isStatic())
    return dim.get();
  if (!open.isKnown())
    open = dim;
  return 1;
}

Value GradientScope::zerosLike(unsigned operand) { return core.zerosLike(op->getOperand(operand)); }

Value GradientScope::slope(StringRef fn, unsigned by, ArrayRef<Argument> args, Value gradient) {
  const ScalarFn *function = lookupScalarFn(fn);
  assert(function && by < function->derivatives.size() && "internal: no such derivative");
  if (function->isConstant(by, 0))
    return {};
  if (function->isConstant(by, 1))
    return gradient;
  SmallVector<Value> operands;
  SmallVector<int64_t> places;
  SmallVector<double> numbers(function->operands, 0);
  for (auto [place, arg] : llvm::enumerate(args))
    if (arg.value) {
      operands.push_back(arg.value);
      places.push_back(place);
    } else {
      numbers[place] = arg.number;
    }
  operands.push_back(gradient);
  return core.make("slope", operands, gradient.getType(),
                   {core.text("fn", fn), core.number("by", by), core.numbers("places", places),
                    core.b.getNamedAttr("numbers", core.b.getDenseF64ArrayAttr(numbers)),
                    core.number("num_args", operands.size())});
}

Value GradientScope::putIn(unsigned operand, Value part, ArrayRef<int64_t> begin,
                           ArrayRef<int64_t> end, ArrayRef<int64_t> step) {
  Value zeros = zerosLike(operand);
  return core.make(
      "slice_assign", {zeros, part}, zeros.getType(),
      {core.numbers("begin", begin), core.numbers("end", end), core.numbers("step", step)});
}

Value GradientScope::putAlong(unsigned operand, Value part, int64_t axis, int64_t begin,
                              int64_t end) {
  if (part.getType() == op->getOperand(operand).getType())
    return part;
  SmallVector<int64_t> first(axis, kNoneElement), last(axis, kNoneElement);
  first.push_back(begin);
  last.push_back(end);
  return putIn(operand, part, first, last);
}
