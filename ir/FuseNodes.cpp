// FuseNodes.cpp: see FuseNodes.h.
#include "ir/FuseNodes.h"

#include "ir/ops/Attention.h"
#include "ir/ops/Matrix.h"
#include "ir/ops/Nn.h"
#include "ir/ops/Shape.h"
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

// Whether the last two extents stay.
static bool keepsMatrices(Operation *op) {
  Shape from = shapeOf(op->getOperand(0).getType()), to = shapeOf(op->getResult(0).getType());
  size_t n = from.rank(), m = to.rank();
  return n > 2 && m > 2 && from[n - 1] == to[m - 1] && from[n - 2] == to[m - 2];
}

static bool swapsLastTwo(TransposeOp op) {
  SmallVector<int64_t> order = op.getOrder();
  int64_t rank = order.size();
  for (int64_t i = 0; i + 2 < rank; ++i)
    if (order[i] != i)
      return false;
  return rank > 2 && order[rank - 2] == rank - 1;
}

// How often a node repeats each matrix of its operand behind itself, and how many there are; 0 of
// other nodes.
static std::pair<int64_t, int64_t> repeatsOf(Operation *op) {
  Shape from = shapeOf(op->getOperand(0).getType()), to = shapeOf(op->getResult(0).getType());
  if (from.rank() != to.rank() || from.rank() < 3 || !keepsMatrices(op))
    return {};
  int64_t axis = int64_t(from.rank()) - 3, heads = 1;
  auto repeat = dyn_cast<RepeatOp>(op);
  if (repeat && (!repeat.getAxis() || (*repeat.getAxis() != axis && *repeat.getAxis() != -3)))
    return {};
  for (int64_t i = 0; i <= axis; ++i) {
    if (!from[i].isStatic() || !to[i].isStatic() || (i < axis && from[i] != to[i]))
      return {};
    heads *= from[i].get();
  }
  if (!repeat && (!isa<BroadcastToOp>(op) || from[axis].get() != 1))
    return {};
  return {to[axis].get() / std::max<int64_t>(1, from[axis].get()), heads};
}

std::optional<RepeatedHeads> symc::sg::repeatedHeads(Value operand) {
  RepeatedHeads found{operand, 0, 0, false, {}};
  Value &value = found.source;
  while (Operation *op = value.getDefiningOp()) {
    if (op->getNumOperands() != 1 || op->getNumResults() != 1 || !value.hasOneUse())
      break;
    auto transpose = dyn_cast<TransposeOp>(op);
    if (isa<ReshapeOp>(op) ? !keepsMatrices(op) : transpose && !swapsLastTwo(transpose))
      break;
    if (!isa<ReshapeOp>(op) && !transpose) {
      std::tie(found.repeats, found.heads) =
          found.heads ? std::pair<int64_t, int64_t>() : repeatsOf(op);
      if (found.repeats < 2)
        return std::nullopt;
    }
    found.isTransposed ^= bool(transpose);
    found.nodes.push_back(op);
    value = op->getOperand(0);
  }
  Shape shape = shapeOf(value.getType());
  bool isOne = shape.rank() == 4 && shape[0].isStatic(1) && shape[1].isStatic(found.heads);
  if (!found.heads || !(isOne || (shape.rank() == 3 && shape[0].isStatic(found.heads))))
    return std::nullopt;
  return found;
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
