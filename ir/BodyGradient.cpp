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

namespace {
/// The uses of a graph's values by which they get gradients, while it has none yet.
class GradientUses {
public:
  explicit GradientUses(Block &block) {
    for (Operation &op : llvm::reverse(block))
      if (op.hasTrait<OpTrait::IsTerminator>() || passesAny(&op))
        reached.insert_range(op.getOperands());
  }

  /// The only one, or null.
  OpOperand *onlyUse(Value value) const {
    OpOperand *only = nullptr;
    for (OpOperand &use : value.getUses()) {
      Operation *op = use.getOwner();
      if (!op->hasTrait<OpTrait::IsTerminator>() && !passesAny(op))
        continue;
      if (only)
        return nullptr;
      only = &use;
    }
    return only;
  }

  /// The value whose gradient is that of `value` as it is: what it is only added to, and so on.
  Value originOf(Value value) const {
    for (;;) {
      OpOperand *use = onlyUse(value);
      if (!use || !passesOn(use->getOwner()))
        return value;
      value = use->getOwner()->getResult(0);
    }
  }

private:
  // Whether operands get gradients of those of the results.
  bool passesAny(Operation *op) const {
    const OpInfo *info = infoOf(op);
    return (!info || info->gradient != "zero") &&
           llvm::any_of(op->getResults(), [&](Value result) { return reached.contains(result); });
  }

  llvm::DenseSet<Value> reached; // looked up only
};
} // namespace

FailureOr<BodyGradient> BodyGradient::make(GraphOp body, ArrayRef<bool> wanted,
                                           ArrayRef<bool> arrives, ArrayRef<unsigned> summed) {
  BodyGradient made;
  made.graph = copyGraph(body, "_gradient");
  Block &block = made.graph.getBlock();
  made.inputs = block.getNumArguments();
  made.sums.resize(made.inputs);
  {
    Differentiator differentiator(made.graph);
    GradientUses uses(block);
    SmallVector<Value> values, origins(made.inputs);
    SmallVector<std::pair<unsigned, Value>> continued; // of one use, which may be a loop's
    for (BlockArgument input : block.getArguments()) {
      unsigned i = input.getArgNumber();
      if (wanted[i])
        values.push_back(input);
      Value origin = uses.originOf(input);
      // Of several inputs MXNet gives one the array itself, the others a copy.
      if (!isFloat(input) || llvm::is_contained(origins, origin))
        continue;
      origins[i] = origin;
      if (!llvm::is_contained(summed, i))
        continue;
      OpOperand *use = uses.onlyUse(origin);
      if (use)
        continued.emplace_back(i, origin);
      made.sums[i].isOverwritten = use && use->getOwner()->hasTrait<OpTrait::IsTerminator>();
      if (!made.sums[i].isOverwritten && origin != input)
        differentiator.keepApart(origin);
    }
    differentiator.want(values);
    for (unsigned i : summed)
      made.sums[i].before = made.addInput(block.getArgument(i).getType());
    for (auto [i, origin] : continued)
      differentiator.offerSum(origin, made.sums[i].before);
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
    for (unsigned i : summed)
      if (origins[i] && origins[i] != block.getArgument(i) && !made.sums[i].isOverwritten)
        made.sums[i].entry = differentiator.sumOf(origins[i], made.graph.getLoc());
    for (auto [i, origin] : continued)
      made.sums[i].isContinued = differentiator.tookSum(origin);
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

Value BodyGradient::addUp(unsigned input) {
  auto [isOverwritten, isContinued, entry, before] = sums[input];
  Value gradient = gradients[input];
  if (isOverwritten || (isContinued && !entry))
    return gradient;
  if (!entry)
    return core().binary("add", before, gradient);
  Operation *copy = entry.getDefiningOp(); // of the differentiator, so that no other value is it
  Value sum = copy->getOperand(0);
  if (!isContinued)
    sum = CoreBuilder(OpBuilder(copy), graph.getLoc()).binary("add", before, sum);
  entry.replaceAllUsesWith(sum);
  for (Value &other : gradients)
    other = other == entry ? sum : other;
  for (auto &[state, value] : updates)
    value = value == entry ? sum : value;
  copy->erase();
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
