// FuseNodes.cpp: see FuseNodes.h.
#include "ir/FuseNodes.h"

#include "ir/ops/Attention.h"
#include "ir/ops/Matrix.h"
#include "ir/ops/Nn.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace symc::sg;

bool symc::sg::isAttention(FusedOp group) {
  bool normalised = false;
  for (Operation &node : group.getBody().front()) {
    if (normalised && isa<BatchDotOp, InterleavedValattOp>(node))
      return true;
    normalised |= isa<SoftmaxOp>(node);
  }
  return false;
}

FusedOp symc::sg::fuseNodes(ArrayRef<Operation *> nodes) {
  Operation *last = nodes.back();
  OpBuilder builder(last);
  SmallVector<Value> inputs;
  SmallVector<Location> locations;
  for (Operation *op : nodes) {
    locations.push_back(op->getLoc());
    for (Value operand : op->getOperands())
      if (!llvm::is_contained(nodes, operand.getDefiningOp()) &&
          !llvm::is_contained(inputs, operand))
        inputs.push_back(operand);
  }
  auto fused =
      FusedOp::create(builder, builder.getFusedLoc(locations), last->getResultTypes(), inputs);
  Block &body = fused.getBody().emplaceBlock();
  IRMapping mapping;
  for (Value input : inputs)
    mapping.map(input, body.addArgument(input.getType(), input.getLoc()));
  OpBuilder inner = OpBuilder::atBlockEnd(&body);
  for (Operation *op : nodes)
    inner.clone(*op, mapping);
  SmallVector<Value> results;
  for (Value result : last->getResults())
    results.push_back(mapping.lookup(result));
  YieldOp::create(inner, last->getLoc(), results);
  last->replaceAllUsesWith(fused);
  for (Operation *op : llvm::reverse(nodes))
    op->erase();
  return fused;
}
