// ScheduleElementwise.cpp: elementwise groups and the epilogues of layers. A
// chain becomes one scalar body; operands become views in the result's shape,
// broadcast dimensions with stride 0.
#include "codegen/schedule/ScalarBody.h"
#include "codegen/schedule/Schedule.h"
#include "ir/ops/Elementwise.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;
using namespace symc::sg;

// Whether the node's operands have its result's type, but for what a cast converts and for the
// condition of a choice, and there are operations for it.
static bool isEmittable(ElementwiseInterface op) {
  Type type = elementTypeOf(op->getResult(0).getType());
  for (OpOperand &operand : op->getOpOperands()) {
    Type own = elementTypeOf(operand.get().getType());
    if (!own || (isa<CastOp>(op) && !canConvert(own, type)))
      return false;
    bool isCondition = isa<WhereOp>(op) && operand.getOperandNumber() == 0;
    if (isCondition ? !canConvert(own, IntegerType::get(own.getContext(), 1))
                    : !isa<CastOp>(op) && own != type)
      return false;
  }
  return isa<CastOp>(op) || canBuildScalar(op, type);
}

bool Scheduler::chainIsEmittable(const Group &group) {
  Type type = elementTypeOf(group.result.getType());
  if (!type)
    return false;
  for (Operation *op : group.chain) {
    auto elementwise = dyn_cast<ElementwiseInterface>(op);
    if (!elementwise || op->getNumResults() != 1 || !isEmittable(elementwise))
      return false;
    // Steps of layers hold one type in registers.
    if (group.root && (elementTypeOf(op->getResult(0).getType()) != type ||
                       llvm::any_of(op->getOperandTypes(),
                                    [&](Type operand) { return elementTypeOf(operand) != type; })))
      return false;
  }
  return true;
}

Scheduler::Operand Scheduler::operandOf(const Group &group, Operation *op, unsigned index) {
  return {group.resolve(op->getOperand(index)),
          cast<ElementwiseInterface>(op).getOperandAxes(index)};
}

SmallVector<Scheduler::Operand> Scheduler::externalOperands(const Group &group) {
  SmallVector<Operand> operands;
  SmallPtrSet<Operation *, 8> inside(group.chain.begin(), group.chain.end());
  for (Operation *op : group.chain)
    for (unsigned i = 0; i < op->getNumOperands(); ++i) {
      Operation *producer = op->getOperand(i).getDefiningOp();
      if (producer && (producer == group.root || inside.contains(producer)))
        continue;
      Operand operand = operandOf(group, op, i);
      if (!llvm::is_contained(operands, operand))
        operands.push_back(operand);
    }
  return operands;
}

void Scheduler::buildBody(Region &region, const Group &group, Value rootResult, bool hasBias,
                          ArrayRef<Operand> operands, Type elementType) {
  OpBuilder::InsertionGuard guard(t.builder);
  Location location = group.location;
  Block *block = t.builder.createBlock(&region);
  DenseMap<Value, Value> scalars;
  Value last;
  if (rootResult) {
    last = block->addArgument(elementType, location);
    if (hasBias)
      last = ScalarOps(elementType, t.builder, location)
                 .make(ScalarPrimitive::add, {last, block->addArgument(elementType, location)});
    scalars[rootResult] = last;
  }
  SmallVector<Value> outer;
  for (const Operand &operand : operands)
    outer.push_back(
        block->addArgument(Tensors::storageType(elementTypeOf(operand.value.getType())), location));
  if (!group.chain.empty())
    last = emitChain(group, group.chain, scalars, [&](const Operand &operand) {
      return outer[llvm::find(operands, operand) - operands.begin()];
    });
  kernel::YieldOp::create(t.builder, location, ValueRange{last});
}

Value Scheduler::emitChain(const Group &group, ArrayRef<Operation *> chain,
                           DenseMap<Value, Value> &scalars,
                           function_ref<Value(const Operand &)> outer) {
  Value last;
  for (Operation *op : chain) {
    SmallVector<Value> inputs;
    for (unsigned i = 0; i < op->getNumOperands(); ++i) {
      auto found = scalars.find(op->getOperand(i));
      inputs.push_back(found != scalars.end() ? found->second : outer(operandOf(group, op, i)));
    }
    Type result = elementTypeOf(op->getResult(0).getType());
    auto convert = [&](unsigned input, Type to) {
      return convertElement(inputs[input], elementTypeOf(op->getOperand(input).getType()), to,
                            t.builder, op->getLoc());
    };
    if (isa<WhereOp>(op))
      inputs[0] = convert(0, t.builder.getI1Type());
    last = isa<CastOp>(op) ? convert(0, result)
                           : buildScalar(cast<ElementwiseInterface>(op), inputs,
                                         Tensors::storageType(result), t.builder, op->getLoc());
    scalars[op->getResult(0)] = last;
  }
  return last;
}

// The operand's extents laid along the result's axes; 1 where it has none.
static SmallVector<AffineExpr, 4> alignedExtents(const Scheduler::Operand &operand, size_t rank,
                                                 AffineExpr one) {
  SmallVector<AffineExpr, 4> aligned(rank, one);
  SmallVector<AffineExpr, 4> have = extentsOf(operand.value);
  for (auto [axis, extent] : llvm::zip(operand.axes, have))
    aligned[axis] = extent;
  return aligned;
}

std::optional<ViewSpec> Scheduler::broadcastPlain(const Operand &operand, Value result,
                                                  Location location) {
  SmallVector<AffineExpr, 4> wanted = extentsOf(result);
  // A view of another value is read as it lies where its rows do.
  ViewSpec source = t.stridedView(operand.value, location);
  if (!source.strides.empty() && source.strides.back() != t.constant(1) &&
      source.sizes.back() != t.constant(1))
    source = t.plainView(operand.value, location);
  ViewSpec view{source.base, source.offset, {wanted.begin(), wanted.end()}, {}};
  view.strides.assign(wanted.size(), t.constant(0));
  for (size_t i = 0; i < operand.axes.size(); ++i) {
    if (source.sizes[i] == wanted[operand.axes[i]])
      view.strides[operand.axes[i]] = source.strides[i];
    else if (source.sizes[i] != t.constant(1))
      return std::nullopt;
  }
  return view;
}

static bool isSame(ArrayRef<int64_t> axes, size_t rank) {
  if (axes.size() != rank)
    return false;
  for (size_t i = 0; i < rank; ++i)
    if (axes[i] != static_cast<int64_t>(i))
      return false;
  return true;
}

// Whether the operand can be read as a view in the shape of a blocked result:
// one element, a weight that is a vector over channels, or an image.
bool Scheduler::canBlock(const Operand &operand, Value result) {
  AffineExpr one = t.constant(1);
  SmallVector<AffineExpr, 4> wanted = extentsOf(result);
  SmallVector<AffineExpr, 4> have = alignedExtents(operand, wanted.size(), one);
  bool vector = true;
  for (size_t i = 0; i < wanted.size(); ++i) {
    if (have[i] != wanted[i] && have[i] != one)
      return false;
    vector &= i == 1 || have[i] == one;
  }
  if (vector && (have[1] == one || Tensors::isWeight(operand.value)))
    return true;
  return isSame(operand.axes, wanted.size()) && !Tensors::isWeight(operand.value) &&
         isa<AffineConstantExpr>(have[1]);
}

ViewSpec Scheduler::channelVector(Value weight, Value result, Location location) {
  SmallVector<AffineExpr, 4> image = t.imageShape(result);
  int64_t blocks = llvm::divideCeil(cast<AffineConstantExpr>(image[1]).getValue(), t.blockWidth);
  auto type = MemRefType::get({blocks * t.blockWidth},
                              Tensors::storageType(elementTypeOf(weight.getType())));
  Value memory =
      t.requestWeight({weight, t.form(weight_form::vector), t.blockWidth, 0, 1, "", type});
  AffineExpr zero = t.constant(0);
  return ViewSpec{memory,
                  zero,
                  {image[0], t.constant(blocks), image[2], image[3], t.constant(t.blockWidth)},
                  {zero, t.constant(t.blockWidth), zero, zero, t.constant(1)}};
}

ViewSpec Scheduler::broadcastBlocked(const Operand &operand, Value result, Location location) {
  AffineExpr one = t.constant(1), zero = t.constant(0);
  SmallVector<AffineExpr, 4> wanted = t.imageShape(result);
  SmallVector<AffineExpr, 4> have = alignedExtents(operand, extentsOf(result).size(), one);
  if (have.size() == 3)
    have.insert(have.begin() + 2, one);
  AffineExpr blocks =
      t.constant(llvm::divideCeil(cast<AffineConstantExpr>(wanted[1]).getValue(), t.blockWidth));
  SmallVector<AffineExpr, 5> sizes{wanted[0], blocks, wanted[2], wanted[3],
                                   t.constant(t.blockWidth)};
  bool single = llvm::all_of(have, [&](AffineExpr extent) { return extent == one; });
  if (single) {
    Value base = t.plainView(operand.value, location).base;
    return ViewSpec{base, zero, sizes, {zero, zero, zero, zero, zero}};
  }
  if (Tensors::isWeight(operand.value))
    return channelVector(operand.value, result, location);
  ViewSpec view;
  if (have[1] == one && wanted[1] != one) {
    ViewSpec planar = t.rowMajor(t.plainView(operand.value, location).base, have);
    view = ViewSpec{planar.base,
                    zero,
                    sizes,
                    {planar.strides[0], zero, planar.strides[2], planar.strides[3], zero}};
  } else {
    view = t.blockedView(operand.value, {}, location);
    view.sizes = sizes;
  }
  for (unsigned axis : {0u, 2u, 3u})
    if (have[axis] != wanted[axis])
      view.strides[axis] = zero;
  return view;
}

bool Scheduler::fitsBlockedLoops(const Group &group) {
  size_t rank = extentsOf(group.result).size();
  if (group.root || (rank != 3 && rank != 4) || !chainIsEmittable(group) ||
      !isa<AffineConstantExpr>(extentsOf(group.result)[1]))
    return false;
  Type type = elementTypeOf(group.result.getType());
  return llvm::all_of(externalOperands(group), [&](const Operand &operand) {
    return elementTypeOf(operand.value.getType()) == type && canBlock(operand, group.result);
  });
}

bool Scheduler::scheduleLoops(Group &group) {
  SmallVector<Operand> operands = externalOperands(group);
  Type type = elementTypeOf(group.result.getType());
  // As the layouts have it; a node that they do not know is blocked where an operand is.
  auto form = forms.find(group.result.getDefiningOp());
  bool blocked = fitsBlockedLoops(group);
  if (form != forms.end())
    blocked = blocked && form->second;
  else
    blocked = blocked && llvm::any_of(operands, [&](const Operand &operand) {
                return t.hasBlocked(operand.value) && !t.hasPlain(operand.value);
              });
  SmallVector<ViewSpec> views;
  for (const Operand &operand : operands) {
    std::optional<ViewSpec> view;
    if (blocked)
      view = broadcastBlocked(operand, group.result, group.location);
    else
      view = broadcastPlain(operand, group.result, group.location);
    if (!view)
      return false;
    views.push_back(*view);
  }
  ViewSpec out = blocked ? t.createBlocked(group.result, group.location)
                         : t.createPlain(group.result, group.location);
  SmallVector<Value> ins;
  for (ViewSpec &view : views)
    ins.push_back(t.materialise(view, group.location));
  Value target = t.materialise(out, group.location);
  auto loops = kernel::LoopsOp::create(t.builder, group.location, ins, ValueRange{target});
  buildBody(loops.getBody(), group, Value(), false, operands, Tensors::storageType(type));
  return true;
}

// Lanes beyond the last channel hold anything: harmless in floats, not as divisors.
const Scheduler::Rule Scheduler::loopsRule = {
    "loops", Rule::Generated,
    [](Scheduler &s, const Group &group) -> std::optional<RuleForms> {
      if (group.root || group.op->getNumResults() != 1 || !s.chainIsEmittable(group))
        return std::nullopt;
      bool blocks = s.t.layerElements(group.result) && s.fitsBlockedLoops(group);
      return RuleForms{blocks ? RuleForms::Either : RuleForms::Plain};
    },
    [](Scheduler &s, Group &group) { return s.scheduleLoops(group); }};
