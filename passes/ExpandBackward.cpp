// ExpandBackward.cpp: sg-expand-backward.
//
//   %y = sg.fully_connected(%x, %w)
//   %d:2 = sg.backward(%x, %w, %y, %g)      %dx = sg.dot(%g, %w)
//     {operand_count = 2, ...}              %dw = sg.dot(%g, %x) {transpose_a = true}
//
// 1. The forward node, or the nodes that passes put in its place, are those between the operands
//    and the results.
// 2. From its results to its operands, each of them gets the gradients of its results; those of one
//    value are added. An operand that the node reads at two places has two gradients, which are
//    apart where the node is whole; of several nodes the first gets the sum, and the other one
//    zeros.
// 3. Forward nodes that nothing reads are removed.
#include "ir/Gradient.h"
#include "ir/ops/Backward.h"
#include "passes/Passes.h"
#include "passes/TrainingGraph.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseSet.h"

namespace symc {
#define GEN_PASS_DEF_EXPANDBACKWARD
#include "passes/Passes.h.inc"
} // namespace symc

using namespace mlir;
using namespace symc;
using namespace symc::sg;

namespace {

class Expander {
public:
  Expander(BackwardOp backward, NewStates &states)
      : backward(backward), core(OpBuilder(backward), backward.getLoc()), states(states) {}

  LogicalResult run() {
    findNodes();
    for (auto [place, value] : llvm::zip_equal(backward.getArriving(), backward.getArrived()))
      gradients[backward.getForwardResults()[place]].push_back(value);
    bool isWhole = nodes.size() == 1 && isForward(nodes.front());
    for (Operation *op : llvm::reverse(nodes))
      if (failed(visit(op, isWhole)))
        return failure();
    SmallVector<Value> all;
    for (auto [i, operand] : llvm::enumerate(backward.getForwardOperands())) {
      Value own = isWhole ? byOperand[i] : sumOf(operand);
      if (!isWhole)
        gradients.erase(operand);
      all.push_back(own ? own : core.zeros(operand.getType()));
    }
    backward->replaceAllUsesWith(all);
    backward->erase();
    return success();
  }

private:
  // In the order of the graph.
  void findNodes() {
    DenseSet<Value> ends; // looked up only
    ends.insert_range(backward.getForwardOperands());
    DenseSet<Operation *> found; // looked up only
    SmallVector<Value> work(backward.getForwardResults());
    while (!work.empty()) {
      Value value = work.pop_back_val();
      Operation *op = value.getDefiningOp();
      if (ends.contains(value) || !op || isa<ParameterOp>(op) || !found.insert(op).second)
        continue;
      llvm::append_range(work, op->getOperands());
    }
    for (Operation &op : *backward->getBlock())
      if (found.contains(&op))
        nodes.push_back(&op);
    active = std::move(ends);
    for (Operation *op : nodes)
      if (llvm::any_of(op->getOperands(), [&](Value value) { return active.contains(value); }))
        active.insert_range(op->getResults());
  }

  bool isForward(Operation *op) {
    auto operands = backward.getForwardOperands();
    return op->getNumOperands() >= operands.size() &&
           llvm::equal(op->getOperands().take_front(operands.size()), operands);
  }

  Value sumOf(Value value) {
    auto found = gradients.find(value);
    if (found == gradients.end())
      return {};
    Value sum = found->second.front();
    for (Value more : ArrayRef(found->second).drop_front())
      sum = core.binary("add", sum, more);
    found->second.assign({sum});
    return sum;
  }

  LogicalResult visit(Operation *op, bool isWhole) {
    SmallVector<bool> wanted;
    for (auto [i, operand] : llvm::enumerate(op->getOperands()))
      wanted.push_back(active.contains(operand) &&
                       isa_and_nonnull<FloatType>(elementTypeOf(operand.getType())));
    byOperand.assign(op->getNumOperands(), Value());
    StringRef kind = gradientKind(op);
    if (kind == "zero" || !llvm::is_contained(wanted, true))
      return success();
    auto rule = dyn_cast<GradientInterface>(op);
    if (!rule || kind == "none")
      return refuseGradient(op, "'" + nodeName(backward) + "' computes it");
    SmallVector<Value> arriving;
    for (Value result : op->getResults())
      arriving.push_back(sumOf(result));
    GradientScope scope(op, core, arriving, wanted);
    if (failed(rule.buildGradient(scope)))
      return failure();
    states.take(scope);
    for (unsigned i = 0; i < op->getNumOperands(); ++i) {
      byOperand[i] = scope.given(i);
      if (byOperand[i] && !isWhole)
        gradients[op->getOperand(i)].push_back(byOperand[i]);
    }
    return success();
  }

  BackwardOp backward;
  CoreBuilder core;
  NewStates &states;
  SmallVector<Operation *> nodes;
  DenseSet<Value> active;                        // looked up only
  SmallVector<Value> byOperand;                  // of the last node
  DenseMap<Value, SmallVector<Value>> gradients; // looked up only
};

struct ExpandBackward : symc::impl::ExpandBackwardBase<ExpandBackward> {
  void runOnOperation() override {
    auto graph = getOperation().lookupSymbol<GraphOp>("main");
    if (!graph)
      return;
    auto found = llvm::to_vector(graph.getBlock().getOps<BackwardOp>());
    if (found.empty())
      return;
    if (failed(checkTrainingGraph(graph)) || failed(checkFixedExtents(graph)))
      return signalPassFailure();
    NewStates states;
    for (BackwardOp backward : found)
      if (failed(Expander(backward, states).run()))
        return signalPassFailure();
    states.addResults(graph);
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(graph.getBlock())))
      if (isOpTriviallyDead(&op))
        op.erase();
  }
};

} // namespace
