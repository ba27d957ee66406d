// FuseElementwise.cpp: sg-fuse-elementwise.
//
//   %1 = sg.convolution(%x, %w, %b)         %3 = sg.fused(%x, %w, %b, %r) body {
//   %2 = sg.binary(%1, %r) {fn = "add"}  ->        convolution, binary, unary
//   %3 = sg.unary(%2) {fn = "relu"}              }
//
// 1. Walk the graph; an elementwise node joins the group of an operand whose
//    only reader it is, if that operand has the node's shape and element type and
//    the group's other inputs are computed before the group. A cast may be the last
//    node of a group without a layer.
//    A value that several nodes read goes on in its group where these are elementwise and all end
//    in one node: x * sigmoid(x), GELU and others that are written as several nodes.
// 2. A group starts at a layer with a kernel of its own (convolution, fully connected, product of
//    matrices, pooling, reduction, normalisation), at an elementwise node, or at a cast or a choice
//    whose operands have several element types.
//    An elementwise node that alone reads several chains that begin with bytes joins them all.
// 3. A reduction or normalisation of floats joins the elementwise group of its data, too:
//    it reads each element of it where it needs it.
// 4. Groups of more than one node become sg.fused at the last node's place, which a
//    `passed` remark prints; a `missed` remark prints why a node joined none.
#include "ir/FuseNodes.h"
#include "ir/ops/Attention.h"
#include "ir/ops/Backward.h"
#include "ir/ops/Elementwise.h"
#include "ir/ops/Fused.h"
#include "ir/ops/Linalg.h"
#include "ir/ops/Matrix.h"
#include "ir/ops/Nn.h"
#include "mlir/IR/Remarks.h"
#include "passes/Passes.h"

namespace symc {
#define GEN_PASS_DEF_FUSEELEMENTWISE
#include "passes/Passes.h.inc"
} // namespace symc

using namespace mlir;
using namespace symc::sg;

namespace {

// More nodes than this help no kernel and cost registers.
constexpr size_t kLongestGroup = 12;

using Group = SmallVector<Operation *>;

// How many nodes count: the rounding of a node (sg-widen-halves) is an instruction or two.
size_t lengthOf(const Group &group) {
  return llvm::count_if(group, [](Operation *op) {
    auto unary = dyn_cast<UnaryOp>(op);
    return !unary || (unary.getFn() != "round_float16" && unary.getFn() != "round_bfloat16");
  });
}

struct FuseElementwise : symc::impl::FuseElementwiseBase<FuseElementwise> {
  void runOnOperation() override {
    for (auto graph : getOperation().getOps<GraphOp>())
      if (graph.getSymName() != "prepare") // strict code: one node, one step
        runOnGraph(graph);
  }

  // A reduction or normalisation of floats with one result of data's type, or the sums of two.
  static bool isReduction(Operation *op) {
    if (!isa<ReductionInterface>(op) || (op->getNumResults() != 1 && !isa<NormSumsOp>(op)))
      return false;
    Type type = elementTypeOf(op->getResult(0).getType());
    return isa_and_nonnull<FloatType>(type) && elementTypeOf(op->getOperand(0).getType()) == type;
  }

  // Steps of elementwise nodes alone read operands of any types, those of layers do not.
  static bool isConversion(Operation *op) {
    return isa<CastOp>(op) || (isa<WhereOp>(op) && elementTypeOf(op->getOperand(0).getType()) !=
                                                       elementTypeOf(op->getResult(0).getType()));
  }

  static bool startsGroup(Operation *op) {
    if (auto product = dyn_cast<IntegerProductOp>(op))
      return elementTypeOf(product.getOutput().getType()).isF32();
    return isa<ConvolutionOp, FullyConnectedOp, PoolingOp>(op) || isProduct(op) ||
           isReduction(op) || isConversion(op);
  }

  // A product of matrices of floats.
  static bool isProduct(Operation *op) {
    return isa<DotOp, BatchDotOp, LinalgGemmOp, LinalgGemm2Op, InterleavedQkOp,
               InterleavedValattOp>(op) &&
           isa_and_nonnull<FloatType>(elementTypeOf(op->getResult(0).getType()));
  }

  // Elementwise with one result of the operands' element type.
  static bool isChainNode(Operation *op) {
    if (!isa<ElementwiseInterface>(op) || op->getNumResults() != 1)
      return false;
    Type type = elementTypeOf(op->getResult(0).getType());
    return llvm::all_of(op->getOperands(),
                        [&](Value operand) { return elementTypeOf(operand.getType()) == type; });
  }

  // A cast that steps of elementwise nodes can make of what they compute.
  static bool endsGroup(Operation *op) {
    if (!isa<CastOp>(op))
      return false;
    Type from = elementTypeOf(op->getOperand(0).getType()),
         to = elementTypeOf(op->getResult(0).getType());
    auto isWhole = [](Type type) {
      return type.isSignlessInteger(32) || type.isSignlessInteger(64);
    };
    if (from.isF64())
      return to.isF32();
    return from.isF32() ? to.isInteger(1) || to.isInteger(8) || isWhole(to) || isa<FloatType>(to)
                        : isWhole(from) && (to.isInteger(1) || isWhole(to) || to.isF32());
  }

  // Whether one node alone reads the value, be it as several operands.
  static bool hasOneReader(Value value) {
    return !value.use_empty() && llvm::all_equal(value.getUsers());
  }

  // Whether a reader of `data` alone can be the last node of an elementwise group.
  static bool canEnd(const Group &group, Value data) {
    return data.hasOneUse() && group.back() == data.getDefiningOp() &&
           lengthOf(group) < kLongestGroup &&
           llvm::all_of(
               group, [](Operation *node) { return isChainNode(node) || isConversion(node); });
  }

  static remark::RemarkOpts remarkOf(Operation *op) {
    return remark::RemarkOpts::name("group")
        .category("sg-fuse-elementwise")
        .function(op->getParentOfType<GraphOp>().getSymName());
  }

  // Why `op`, which begins a group of its own, did not join that of an operand.
  static void remarkMissed(Operation *op, ArrayRef<Group> groups,
                           const DenseMap<Operation *, size_t> &groupOf) {
    for (Value operand : op->getOperands()) {
      Operation *producer = operand.getDefiningOp();
      auto found = producer ? groupOf.find(producer) : groupOf.end();
      if (found == groupOf.end())
        continue;
      StringRef reason = !operand.hasOneUse() ? "has other readers"
                         : operand.getType() != op->getResult(0).getType()
                             ? "has another shape than the node's result"
                             : "lies in a group that is full";
      remark::missed(op->getLoc(), remarkOf(op))
          << ("'" + nodeName(op) + "' is not fused: its operand '" + nodeName(producer) + "' " +
              reason)
                 .str();
    }
  }

  // The nodes between a value that several nodes read and the one in which all of them end, that
  // one included, in their order; none where there is another reader on the way, or more of them
  // than `most`.
  static Group diamondOf(Value value, size_t most, const DenseMap<Operation *, size_t> &groupOf) {
    auto earlier = [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); };
    Group nodes;
    SmallVector<Operation *> readers(value.getUsers().begin(), value.getUsers().end());
    while (!readers.empty()) {
      Operation *next = *llvm::min_element(readers, earlier);
      llvm::erase(readers, next);
      if (!isChainNode(next) || next->getResult(0).getType() != value.getType() ||
          groupOf.contains(next))
        return {};
      nodes.push_back(next);
      if (lengthOf(nodes) > most)
        return {};
      if (!readers.empty())
        llvm::append_range(readers, next->getResult(0).getUsers());
    }
    return nodes;
  }

  // Nodes behind the last one of a group that join it as a whole.
  static void joinDiamonds(size_t number, SmallVectorImpl<Group> &groups,
                           DenseMap<Operation *, size_t> &groupOf) {
    Group &group = groups[number];
    while (lengthOf(group) < kLongestGroup && group.back()->getNumResults() == 1) {
      Value last = group.back()->getResult(0);
      Group more;
      if (!last.use_empty() && !last.hasOneUse())
        more = diamondOf(last, kLongestGroup - lengthOf(group), groupOf);
      if (more.empty())
        return;
      for (Operation *node : more)
        groupOf[node] = number;
      group.append(more);
    }
  }

  // What is read as bytes costs less than as the floats that it stands for.
  static bool widensBytes(const Group &group) {
    auto cast = dyn_cast<CastOp>(group.front());
    return cast && elementTypeOf(cast.getData().getType()).isInteger(8) &&
           llvm::all_of(llvm::drop_begin(group), isChainNode);
  }

  // A node that alone reads the results of several groups makes them one, where those besides
  // `joined` are elementwise, or of bytes alone. What they read is computed before the node, where
  // the group stands.
  static void joinOthers(Operation *op, size_t joined, SmallVectorImpl<Group> &groups,
                         DenseMap<Operation *, size_t> &groupOf, bool ofBytes) {
    for (Value operand : op->getOperands()) {
      Operation *producer = operand.getDefiningOp();
      auto found = producer ? groupOf.find(producer) : groupOf.end();
      if (found == groupOf.end() || found->second == joined || !operand.hasOneUse() ||
          operand.getType() != op->getResult(0).getType())
        continue;
      Group &other = groups[found->second], &own = groups[joined];
      if (other.empty() || other.back() != producer ||
          !(ofBytes ? widensBytes(other) : llvm::all_of(other, isChainNode)) ||
          lengthOf(own) + lengthOf(other) >= kLongestGroup)
        continue;
      for (Operation *node : other) // behind a layer, which stands first
        groupOf[node] = joined;
      own.append(other);
      other.clear();
    }
  }

  void runOnGraph(GraphOp graph) {
    SmallVector<Group> groups;
    DenseMap<Operation *, size_t> groupOf;
    for (Operation &op : graph.getBlock()) {
      bool chain = isChainNode(&op);
      if ((!chain && !startsGroup(&op)) || groupOf.contains(&op))
        continue;
      bool reduces = isReduction(&op);
      if (reduces || endsGroup(&op)) {
        Value data = op.getOperand(0);
        auto found = groupOf.find(data.getDefiningOp());
        if (found != groupOf.end() && canEnd(groups[found->second], data)) {
          groups[found->second].push_back(&op);
          if (reduces && op.getNumResults() == 1) // nodes behind a cast begin another group
            groupOf[&op] = found->second;
          continue;
        }
      }
      if (chain) {
        std::optional<size_t> joined;
        // The latest producer: its group's inputs are all computed before this node.
        for (Value operand : op.getOperands()) {
          Operation *producer = operand.getDefiningOp();
          auto found = producer ? groupOf.find(producer) : groupOf.end();
          if (found == groupOf.end() || !hasOneReader(operand) ||
              groups[found->second].back() != producer ||
              lengthOf(groups[found->second]) >= kLongestGroup ||
              operand.getType() != op.getResult(0).getType())
            continue;
          if (!joined || groups[*joined].back()->isBeforeInBlock(producer))
            joined = found->second;
        }
        if (joined) {
          if (graph.getTraining() || widensBytes(groups[*joined]))
            joinOthers(&op, *joined, groups, groupOf, !graph.getTraining());
          groups[*joined].push_back(&op);
          groupOf[&op] = *joined;
          if (!graph.getTraining())
            joinDiamonds(*joined, groups, groupOf);
          continue;
        }
        remarkMissed(&op, groups, groupOf);
      }
      if (op.getNumResults() == 1)
        groupOf[&op] = groups.size();
      groups.push_back({&op});
      if (!graph.getTraining() && !isConversion(&op))
        joinDiamonds(groups.size() - 1, groups, groupOf);
    }
    for (const Group &group : groups)
      if (group.size() > 1)
        outline(group);
  }

  static void outline(const Group &group) {
    Operation *last = group.back();
    std::string names;
    for (Operation *op : group)
      names += (names.empty() ? "'" : ", '") + nodeName(op).str() + "'";
    remark::passed(last->getLoc(), remarkOf(last)) << "one kernel for " + names;
    fuseNodes(group);
  }
};

} // namespace
