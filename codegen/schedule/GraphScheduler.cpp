// GraphScheduler.cpp: see GraphScheduler.h.
#include "codegen/schedule/GraphScheduler.h"

#include "codegen/schedule/layout/GraphLayouts.h"
#include "ir/FuseNodes.h"
#include "ir/States.h"
#include "ir/ops/Elementwise.h"
#include "ir/ops/Fused.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;
using namespace symc::sg;

static remark::RemarkOpts scheduleRemark(StringRef name) {
  return remark::RemarkOpts::name(name).category("kernel-schedule");
}

LogicalResult GraphScheduler::schedule(Operation *op) {
  if (isa<ParameterOp, PreparedOp, HeadsOp>(op))
    return success();
  if (!isa<FusedOp, OperatorInterface>(op))
    return op->emitError("internal error: '") << op->getName() << "' cannot be scheduled";
  if (hasRules(op)) {
    SmallVector<std::pair<StringRef, std::string>> refusals;
    if (std::optional<PlannedStep> step =
            matchRules(GroupView(op, t, options, &forms), &refusals)) {
      step->emit(t);
      return success();
    }
    for (const auto &[rule, reason] : refusals)
      remark::missed(op->getLoc(), scheduleRemark(rule))
          << ("'" + nodeName(op) + "' does not fit rule '" + rule + "': " + reason).str();
  }
  return isa<FusedOp>(op) ? splitGroup(op) : callReference(op, options, symbols, t);
}

// A group that no rule takes is its root and what stands before and behind it, as groups of their
// own; without a root, and of an attention layer, it is scheduled node by node.
LogicalResult GraphScheduler::splitGroup(Operation *op) {
  auto fused = cast<FusedOp>(op);
  Block &body = fused.getBody().front();
  Operation *root = nullptr;
  for (Operation &node : body.without_terminator())
    if (!isa<ElementwiseInterface>(node))
      root = &node;
  if (!options.referenceOnly)
    remark::missed(op->getLoc(), scheduleRemark("split"))
        << (root ? "no kernel takes the whole group; '" + nodeName(root).str() +
                       "' is computed apart from the nodes around it"
                 : "no kernel takes the whole group; its nodes are computed one by one");
  IRMapping mapping;
  for (auto [argument, value] : llvm::zip(body.getArguments(), fused.getInputs()))
    mapping.map(argument, value);
  OpBuilder builder(op);
  SmallVector<SmallVector<Operation *>> parts;
  for (Operation &node : body.without_terminator()) {
    bool joins = root && !isAttention(fused) && !options.referenceOnly && &node != root &&
                 !parts.empty() && node.getPrevNode() != root;
    Operation *copy = builder.clone(node, mapping);
    if (joins)
      parts.back().push_back(copy);
    else
      parts.push_back({copy});
  }
  SmallVector<Value> inner = llvm::map_to_vector(
      body.getTerminator()->getOperands(), [&](Value value) { return mapping.lookup(value); });
  for (ArrayRef<Operation *> part : parts) {
    Operation *whole = part.front();
    if (part.size() > 1) {
      bool isLast = part.back() == inner.front().getDefiningOp();
      whole = fuseNodes(part);
      if (isLast)
        inner.assign(whole->result_begin(), whole->result_end());
    }
    if (failed(schedule(whole)))
      return failure();
  }
  for (auto [output, value] : llvm::zip(fused.getOutputs(), inner))
    t.alias(output, value, op->getLoc());
  return success();
}

LogicalResult GraphScheduler::run(GraphOp graph) {
  GraphLayouts layouts{t, options};
  if (failed(readLayouts(graph, layouts)))
    return failure();
  forms = std::move(layouts.forms);
  for (Operation &op : llvm::make_early_inc_range(graph.getBlock()))
    if (failed(schedule(&op)))
      return failure();
  // Heads that were not computed in place.
  Operation *heads = graph.getBlock().getTerminator();
  Block &body = t.program.getBody().front();
  for (auto [i, head] : llvm::enumerate(heads->getOperands())) {
    if (growthOfResult(graph, i)) // its memory has the rows
      continue;
    Value memory = body.getArgument(t.program.getNumInputs() + i);
    ViewSpec from = t.plainView(head, graph.getLoc());
    if (from.base != memory)
      t.copy(from, t.rowMajor(memory, extentsOf(head)), graph.getLoc());
  }
  return success();
}

LogicalResult GraphScheduler::runFor(Value value) {
  SmallVector<Operation *> waiting{value.getDefiningOp()};
  while (Operation *op = waiting.empty() ? nullptr : waiting.back()) {
    size_t before = waiting.size();
    if (!scheduled.contains(op))
      for (Value operand : op->getOperands())
        if (Operation *producer = operand.getDefiningOp();
            producer && !scheduled.contains(producer))
          waiting.push_back(producer);
    if (waiting.size() > before)
      continue;
    waiting.pop_back();
    if (scheduled.insert(op).second && failed(schedule(op)))
      return failure();
  }
  return success();
}
