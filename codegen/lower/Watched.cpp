// Watched.cpp: see Watched.h.
#include "codegen/lower/Watched.h"

#include "codegen/kernel/ValueBuffers.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "runtime/include/symc/types.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;

// The parts of a location that are nodes, in order.
static void addNodes(Location location, SmallVectorImpl<Location> &nodes) {
  if (auto fused = dyn_cast<FusedLoc>(location)) {
    for (Location part : fused.getLocations())
      addNodes(part, nodes);
    return;
  }
  if (isa<NameLoc>(location) && !llvm::is_contained(nodes, location))
    nodes.push_back(location);
}

// Whether the operation may make a number that is not finite of finite ones.
static bool canOverflow(Operation &op) {
  if (isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp, arith::RemFOp,
          arith::TruncFOp>(op))
    return true;
  return isa<math::MathDialect>(op.getDialect()) &&
         !isa<math::AbsFOp, math::AtanOp, math::Atan2Op, math::CeilOp, math::CopySignOp,
              math::CosOp, math::ErfOp, math::ErfcOp, math::FloorOp, math::RoundOp,
              math::RoundEvenOp, math::SinOp, math::TanhOp, math::TruncOp>(op);
}

// Nodes that the bodies of a step compute, and those among them that may overflow. Operations of
// the step itself, as a softmax's sum, have the location of all its nodes.
static void addBodyNodes(Operation *step, SmallVectorImpl<Location> &all,
                         SmallVectorImpl<Location> &able) {
  step->walk([&](Operation *op) {
    if (op == step || !isa<NameLoc>(op->getLoc()) || isa<kernel::YieldOp, arith::ConstantOp>(op))
      return;
    addNodes(op->getLoc(), all);
    if (canOverflow(*op))
      addNodes(op->getLoc(), able);
  });
}

static bool fillsInfinity(Operation *step) {
  auto value = dyn_cast<FloatAttr>(cast<kernel::FillOp>(step).getValue());
  return value && value.getValue().isInfinity();
}

SmallVector<Location> symc::codegen::watchedNodes(Operation *step) {
  SmallVector<Location> whole, computed, able, nodes;
  if (isa<kernel::CopyOp>(step) || (isa<kernel::FillOp>(step) && !fillsInfinity(step)))
    return nodes;
  addNodes(step->getLoc(), whole);
  addBodyNodes(step, computed, able);
  for (Location node : whole)
    if (!llvm::is_contained(computed, node) || llvm::is_contained(able, node))
      nodes.push_back(node);
  if (isa<kernel::LoopsOp>(step) && !computed.empty())
    nodes = able;
  return nodes.empty() ? whole : nodes;
}

std::string symc::codegen::watchedTexts(ArrayRef<Location> nodes, DictionaryAttr operators) {
  std::string texts;
  for (Location location : nodes) {
    auto named = cast<NameLoc>(location);
    auto child = dyn_cast<NameLoc>(named.getChildLoc()); // of a backward node the forward one
    StringAttr name = child ? child.getName() : named.getName();
    auto op = operators.getAs<StringAttr>(name);
    texts += child ? "the gradient that node '" : "the output of node '";
    texts += name.str() + "'";
    if (op)
      texts += " (" + op.str() + ")";
    texts += child ? " passes on" : "";
    texts.push_back('\0');
  }
  return texts;
}

kernel::LoopsOp symc::codegen::createNaming(kernel::LoopsOp loops, ArrayRef<Location> nodes) {
  OpBuilder b(loops->getContext());
  b.setInsertionPointAfter(loops);
  auto naming = cast<kernel::LoopsOp>(b.clone(*loops.getOperation()));
  Block &body = naming.getBody().front();
  Operation *yield = body.getTerminator();
  b.setInsertionPoint(yield);
  Location loc = loops.getLoc();
  // Results of nodes: what others use. A node's own steps may be infinite where it chooses others.
  auto isResult = [&](Operation &op) {
    return op.getNumResults() == 1 && isa<FloatType>(op.getResult(0).getType()) &&
           llvm::is_contained(nodes, op.getLoc()) &&
           llvm::any_of(op.getUsers(),
                        [&](Operation *user) { return user->getLoc() != op.getLoc(); });
  };
  SmallVector<Operation *> results;
  for (Operation &op : body)
    if (isResult(op))
      results.push_back(&op);
  for (OpOperand &operand : yield->getOpOperands()) {
    auto type = dyn_cast<FloatType>(operand.get().getType());
    if (!type)
      continue;
    auto number = [&](int64_t value) -> Value {
      return arith::ConstantOp::create(b, loc, b.getFloatAttr(type, double(value)));
    };
    Value first = number(0), firstNan = number(0);
    for (Operation *op : llvm::reverse(results)) {
      Value value = op->getResult(0);
      auto own = cast<FloatType>(value.getType());
      Value infinite = arith::ConstantOp::create(
          b, loc, FloatAttr::get(own, APFloat::getInf(own.getFloatSemantics())));
      Value size = math::AbsFOp::create(b, loc, value);
      Value bad = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UGE, size, infinite);
      Value isNan = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNO, value, value);
      Value place = number(1 + (llvm::find(nodes, op->getLoc()) - nodes.begin()));
      first = arith::SelectOp::create(b, loc, bad, place, first);
      firstNan = arith::SelectOp::create(b, loc, isNan, place, firstNan);
    }
    firstNan = arith::MulFOp::create(b, loc, firstNan, number(int64_t(nodes.size()) + 1));
    first = arith::AddFOp::create(b, loc, first, firstNan);
    operand.set(first);
  }
  return naming;
}

bool symc::codegen::hasInfiniteConstant(Operation *step) {
  auto isInfinite = [](arith::ConstantOp constant) {
    auto value = dyn_cast<FloatAttr>(constant.getValue());
    return value && value.getValue().isInfinity() ? WalkResult::interrupt() : WalkResult::advance();
  };
  auto outputs = cast<kernel::StepInterface>(step).getOutputs();
  return outputs.getBeginOperandIndex() == 0 || step->walk(isInfinite).wasInterrupted();
}

static std::optional<int64_t> dtypeOf(Type type) {
  if (type.isF32())
    return SYMC_F32;
  if (type.isF64())
    return SYMC_F64;
  return std::nullopt;
}

SmallVector<int64_t> symc::codegen::viewRow(const kernel::ViewOrigin &view, bool wantsInfinities) {
  std::optional<int64_t> dtype = dtypeOf(view.elementType);
  auto buffer = view.root.getDefiningOp<kernel::BufferOp>();
  auto channels = buffer ? buffer->getAttrOfType<IntegerAttr>(kernel::channelsName) : IntegerAttr();
  if (!dtype || (!channels && !isa<BlockArgument>(view.root)))
    return {};
  SmallVector<int64_t> row{*dtype, wantsInfinities, int64_t(view.sizes.size())};
  auto add = [&](AffineExpr expr) {
    auto constant = dyn_cast<AffineConstantExpr>(expr);
    row.push_back(constant ? constant.getValue() : 0);
    return bool(constant);
  };
  for (AffineExpr size : view.sizes)
    if (!add(size))
      return {};
  for (AffineExpr stride : view.strides)
    if (!add(stride))
      return {};
  if (!add(view.offset))
    return {};
  auto type = cast<MemRefType>(view.root.getType());
  if (!channels || channels.getInt() == 0) {
    row.push_back(0);
    return row;
  }
  if (type.getRank() != 5 || !type.hasStaticShape())
    return {};
  ArrayRef<int64_t> shape = type.getShape(); // [N, blocks, H, W, channels of a block]
  row.append({shape[1], shape[2] * shape[3] * shape[4], shape[4], channels.getInt()});
  return row;
}
