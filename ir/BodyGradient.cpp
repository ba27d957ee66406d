// BodyGradient.cpp: see BodyGradient.h.
//
//   sg.graph @body(%x, %s):          sg.graph @body_gradient(%x, %s, %dy):
//     %y = sg.binary(%x, %s) mul  ->   %y = sg.binary(%x, %s) mul     (dropped where no rule reads
//     it) sg.heads %y                      %dx = sg.binary(%dy, %s) mul
//                                      %ds = sg.binary(%dy, %x) mul
#include "ir/BodyGradient.h"
#include "ir/CustomOperators.h"
#include "ir/Differentiator.h"
#include "ir/ops/Elementwise.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace symc;
using namespace symc::sg;

GraphOp symc::sg::copyGraph(GraphOp graph, StringRef suffix) {
  auto module = graph->getParentOfType<ModuleOp>();
  GraphOp copy = graph.clone();
  OpBuilder(graph).insert(copy);
  std::string base = (graph.getSymName() + suffix).str(), name = base;
  copy.setSymName("");
  for (unsigned number = 1; SymbolTable::lookupSymbolIn(module, name); ++number)
    name = base + std::to_string(number);
  copy.setSymName(name);
  copy.removeResAttrsAttr();
  copy.removeArgumentOrderAttr();
  return copy;
}

BlockArgument symc::sg::addInput(GraphOp graph, Type type) {
  unsigned place = graph.getBlock().getNumArguments();
  (void)graph.insertArgument(place, type, DictionaryAttr(), graph.getLoc());
  return graph.getBlock().getArgument(place);
}

void symc::sg::setHeads(GraphOp graph, ValueRange heads) {
  graph.getBlock().getTerminator()->setOperands(heads);
  graph.updateType();
}

CoreBuilder BodyGradient::core() {
  Operation *end = graph.getBlock().getTerminator();
  return CoreBuilder(OpBuilder(end), graph.getLoc());
}

BlockArgument BodyGradient::addInput(Type type) { return sg::addInput(graph, type); }

// Whether the operator's gradient is in MXNet its result's, for each operand and without a node.
static bool passesOn(Operation *op) {
  auto sum = dyn_cast<BinaryOp>(op);
  return sum && sum.getFn() == "add" && !sum.getBroadcast();
}

static bool blocks(Operation *op) {
  const OpInfo *info = infoOf(op);
  return info && info->gradient == "zero";
}

// The one use of a value that gives it a gradient, or null.
static OpOperand *onlyUse(Value value) {
  OpOperand *only = nullptr;
  for (OpOperand &use : value.getUses()) {
    if (blocks(use.getOwner()))
      continue;
    if (only)
      return nullptr;
    only = &use;
  }
  return only;
}

// The value whose gradient is that of `value` as it is: that sum of its only sum, ...
static Value gradientOrigin(Value value) {
  for (;;) {
    OpOperand *use = onlyUse(value);
    if (!use || !passesOn(use->getOwner()))
      return value;
    value = use->getOwner()->getResult(0);
  }
}

FailureOr<BodyGradient> BodyGradient::make(GraphOp body, ArrayRef<bool> wanted,
                                           ArrayRef<bool> arrives) {
  BodyGradient made;
  made.graph = copyGraph(body, "_gradient");
  Block &block = made.graph.getBlock();
  made.inputs = block.getNumArguments();
  made.sums.resize(made.inputs);
  {
    Differentiator differentiator(made.graph);
    SmallVector<Value> values, origins;
    for (BlockArgument input : block.getArguments()) {
      if (wanted[input.getArgNumber()])
        values.push_back(input);
      Value origin = gradientOrigin(input);
      OpOperand *use = onlyUse(origin);
      // Of several inputs MXNet gives one the array itself, the others a copy.
      bool isFirst = isFloat(input) && !llvm::is_contained(origins, origin);
      made.sums[input.getArgNumber()].isOverwritten =
          isFirst && use && use->getOwner()->hasTrait<OpTrait::IsTerminator>();
      origins.push_back(isFirst ? origin : Value());
    }
    differentiator.want(values);
    for (auto [head, one] : llvm::zip_equal(block.getTerminator()->getOperands(), arrives)) {
      made.arriving.push_back(one ? made.addInput(head.getType()) : Value());
      if (one)
        differentiator.add(head, made.arriving.back());
    }
    if (failed(differentiator.run()))
      return failure();
    for (unsigned i = 0; i < made.inputs; ++i)
      made.gradients.push_back(
          wanted[i] ? differentiator.sumOf(block.getArgument(i), made.graph.getLoc()) : Value());
    for (auto [i, origin] : llvm::enumerate(origins))
      if (origin && origin != block.getArgument(i))
        made.sums[i].entry = differentiator.sumOf(origin, made.graph.getLoc());
    for (auto [state, value] : differentiator.takeUpdates())
      if (auto input = dyn_cast<BlockArgument>(state))
        made.updates.emplace_back(input.getArgNumber(), value);
  }
  setHeads(made.graph, {});
  return made;
}

Value BodyGradient::sumOf(ArrayRef<unsigned> inputs) {
  Value sum;
  for (unsigned input : inputs)
    if (Value more = gradients[input])
      sum = sum ? core().binary("add", sum, more) : more;
  return sum;
}

Value BodyGradient::addUp(unsigned input, Value before) {
  auto [isOverwritten, entry] = sums[input];
  Value gradient = gradients[input];
  if (isOverwritten)
    return gradient;
  if (!entry || entry != gradient)
    return core().binary("add", before, gradient);
  OpBuilder builder(graph.getContext());
  builder.setInsertionPointAfterValue(entry);
  Value sum = CoreBuilder(builder, graph.getLoc()).binary("add", before, entry);
  entry.replaceAllUsesExcept(sum, sum.getDefiningOp());
  auto replace = [&](Value &value) { value = value == entry ? sum : value; };
  llvm::for_each(gradients, replace);
  for (auto &[state, value] : updates)
    replace(value);
  for (Sum &other : sums)
    replace(other.entry);
  return sum;
}

void BodyGradient::finish(ValueRange heads) {
  setHeads(graph, heads);
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(graph.getBlock())))
    if (isOpTriviallyDead(&op))
      op.erase();
}

void symc::sg::closeLoop(GraphOp body, ArrayRef<CarriedValue> carried, MutableArrayRef<bool> wanted,
                         MutableArrayRef<bool> arrives) {
  Block &block = body.getBlock();
  OperandRange heads = block.getTerminator()->getOperands();
  Differentiator differentiator(body);
  for (bool changed = true; changed;) {
    SmallVector<Value> values;
    for (auto [i, one] : llvm::enumerate(wanted))
      if (one)
        values.push_back(block.getArgument(i));
    differentiator.want(values);
    changed = false;
    for (CarriedValue value : carried)
      if (differentiator.isActive(heads[value.head]) && !wanted[value.input])
        changed = wanted[value.input] = true;
  }
  for (bool changed = true; changed;) {
    SmallVector<Value> reaching;
    for (auto [i, one] : llvm::enumerate(arrives))
      if (one)
        reaching.push_back(heads[i]);
    llvm::DenseSet<Value> reached = differentiator.reachedFrom(reaching);
    changed = false;
    for (CarriedValue value : carried)
      if (reached.contains(block.getArgument(value.input)) && !arrives[value.head])
        changed = arrives[value.head] = true;
  }
  for (auto [i, one] : llvm::enumerate(arrives))
    one &= differentiator.isActive(heads[i]);
}
