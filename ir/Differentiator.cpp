// Differentiator.cpp: see Differentiator.h.
//
// 1. Active are the values whose gradient is wanted, and what nodes compute of active ones.
// 2. From the end to the front of the graph, the rule of each active node that a gradient reaches
//    makes those of its operands, behind all nodes that were there.
// 3. Gradients of one value are added in that order.
#include "ir/Differentiator.h"

using namespace mlir;
using namespace symc;
using namespace symc::sg;

bool symc::sg::isFloat(Value value) {
  return isa_and_nonnull<FloatType>(elementTypeOf(value.getType()));
}

static bool isLoss(Operation *op) {
  auto rule = dyn_cast<GradientInterface>(op);
  return rule && rule.isLoss();
}

Differentiator::~Differentiator() {
  for (Operation *op : replaced)
    op->erase();
}

void Differentiator::want(ArrayRef<Value> values) {
  active.insert_range(values);
  for (Operation &op : graph.getBlock().without_terminator())
    if (gradientKind(&op) != "zero" &&
        llvm::any_of(op.getOperands(), [&](Value operand) { return active.contains(operand); }))
      for (Value result : op.getResults())
        if (isFloat(result))
          active.insert(result);
}

llvm::DenseSet<Value> Differentiator::reachedFrom(ArrayRef<Value> heads) {
  llvm::DenseSet<Value> reached;
  for (Value head : heads)
    if (active.contains(head))
      reached.insert(head);
  for (Operation &op : llvm::reverse(graph.getBlock().without_terminator()))
    if (isLoss(&op) ||
        llvm::any_of(op.getResults(), [&](Value result) { return reached.contains(result); }))
      for (Value operand : op.getOperands())
        if (active.contains(operand))
          reached.insert(operand);
  return reached;
}

LogicalResult Differentiator::run() {
  SmallVector<Operation *> nodes;
  for (Operation &op : graph.getBlock().without_terminator())
    nodes.push_back(&op);
  for (Operation *op : llvm::reverse(nodes))
    if (failed(visit(op)))
      return failure();
  return success();
}

Value Differentiator::sumOf(Value value, Location location) {
  auto found = gradients.find(value);
  if (found == gradients.end())
    return {};
  CoreBuilder core(OpBuilder(end), location);
  Value sum = found->second.front();
  for (Value more : ArrayRef(found->second).drop_front())
    sum = core.binary("add", sum, more);
  if (apart.erase(value))
    sum = core.make("copy", sum, sum.getType());
  found->second.assign({sum});
  return sum;
}

// The first size that the extent follows from.
static std::string nameOfExtent(GraphOp graph, Dim extent) {
  std::string name = extent.str();
  extent.getExpr().walk([&](AffineExpr part) {
    if (auto size = dyn_cast<AffineSymbolExpr>(part))
      if (std::optional<ArrayAttr> names = graph.getDimNames())
        if (size.getPosition() < names->size())
          name = cast<StringAttr>((*names)[size.getPosition()]).str();
  });
  return name;
}

LogicalResult Differentiator::visit(Operation *op) {
  bool isReached = isLoss(op);
  for (Value result : op->getResults())
    isReached |= gradients.contains(result);
  if (!isReached || isa<ParameterOp>(op))
    return success();
  SmallVector<bool> needed;
  for (Value operand : op->getOperands())
    needed.push_back(active.contains(operand));
  if (!llvm::is_contained(needed, true))
    return success();
  auto rule = dyn_cast<GradientInterface>(op);
  if (!rule || gradientKind(op) == "none")
    return refuseGradient(op, wantedBehind(op));
  SmallVector<Value> arriving;
  for (Value result : op->getResults())
    arriving.push_back(sumOf(result, backwardLocation(op)));
  GradientScope scope(op, CoreBuilder(OpBuilder(end), backwardLocation(op)), arriving, needed);
  for (auto [i, operand] : llvm::enumerate(op->getOperands()))
    if (Value sum = offered.lookup(operand))
      scope.offerSum(i, sum);
  // A state that several nodes change is what the later ones made of it.
  SmallVector<Value> operands(op->getOperands());
  for (OpOperand &operand : op->getOpOperands())
    if (auto changed = updates.find(operand.get()); changed != updates.end())
      operand.set(changed->second);
  LogicalResult built = rule.buildGradient(scope);
  op->setOperands(operands);
  if (failed(built))
    return failure();
  if (scope.openExtent().isKnown())
    return nodeError(op) << "has a gradient that needs an extent that is fixed, but "
                         << nameOfExtent(graph, scope.openExtent()) << " is chosen at run time";
  for (auto [i, operand] : llvm::enumerate(operands))
    if (Value given = scope.given(i)) {
      gradients[operand].push_back(given);
      if (scope.tookSum(i))
        taken.insert(operand);
    }
  for (auto [operand, value] : scope.getUpdates())
    updates[operands[operand]] = value;
  if (scope.isReplaced())
    replaced.push_back(op);
  return success();
}

// The end of a sentence: why the node needs one.
std::string Differentiator::wantedBehind(Operation *op) {
  for (Value operand : op->getOperands())
    if (active.contains(operand))
      return "the gradient of " + describeValue(operand) + " is wanted";
  return "";
}
