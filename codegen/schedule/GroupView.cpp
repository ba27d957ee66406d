// GroupView.cpp: see GroupView.h.
#include "codegen/schedule/GroupView.h"

#include "codegen/schedule/OperandViews.h"
#include "codegen/schedule/ScalarBody.h"
#include "ir/FuseNodes.h"
#include "ir/ops/Elementwise.h"
#include "ir/ops/Fused.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;
using namespace symc::sg;

GroupView::GroupView(Operation *op, const Tensors &t, const ScheduleOptions &options,
                     const NodeForms *forms)
    : t(t), options(options), op(op), result(op->getResult(0)), location(op->getLoc()),
      forms(forms) {
  auto add = [&](Operation *node) {
    if (isa<ElementwiseInterface>(node)) {
      chain.push_back(node);
    } else {
      root = node;
      producers = std::exchange(chain, {});
    }
  };
  auto fused = dyn_cast<FusedOp>(op);
  if (!fused) {
    add(op);
    return;
  }
  Block &body = fused.getBody().front();
  for (auto [argument, value] : llvm::zip(body.getArguments(), fused.getInputs()))
    outer[argument] = value;
  if (isAttention(fused)) { // one node of its own rule
    root = op;
    return;
  }
  for (Operation &node : body.without_terminator())
    add(&node);
}

GroupView GroupView::beforeRoot() const {
  GroupView before(*this);
  before.root = nullptr;
  before.chain = producers;
  before.producers.clear();
  before.result = root->getOperand(0);
  return before;
}

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

bool GroupView::chainIsEmittable() const {
  Type type = elementTypeOf(result.getType());
  if (!type)
    return false;
  for (Operation *node : chain) {
    auto elementwise = dyn_cast<ElementwiseInterface>(node);
    if (!elementwise || node->getNumResults() != 1 || !isEmittable(elementwise))
      return false;
    // Steps of layers hold one type in registers.
    if (root && (elementTypeOf(node->getResult(0).getType()) != type ||
                 llvm::any_of(node->getOperandTypes(),
                              [&](Type operand) { return elementTypeOf(operand) != type; })))
      return false;
  }
  return true;
}

Operand GroupView::operandOf(Operation *node, unsigned index) const {
  return {resolve(node->getOperand(index)), cast<ElementwiseInterface>(node).getOperandAxes(index)};
}

SmallVector<Operand> GroupView::externalOperands() const {
  SmallVector<Operand> operands;
  SmallPtrSet<Operation *, 8> inside(chain.begin(), chain.end());
  for (Operation *node : chain)
    for (unsigned i = 0; i < node->getNumOperands(); ++i) {
      Operation *producer = node->getOperand(i).getDefiningOp();
      if (producer && (producer == root || inside.contains(producer)))
        continue;
      Operand operand = operandOf(node, i);
      if (!llvm::is_contained(operands, operand))
        operands.push_back(operand);
    }
  return operands;
}

bool GroupView::readsInBlocks() const {
  return llvm::all_of(externalOperands(),
                      [&](const Operand &operand) { return canReadInBlocks(operand, result, t); });
}
