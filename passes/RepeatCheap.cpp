// RepeatCheap.cpp: sg-repeat-cheap. In a graph of training the backward part reads what the forward
// part computed. Elementwise nodes are computed again by each reader of the backward part where
// that moves fewer bytes than keeping their results:
//
//   %1 = sg.binary(%x, %m) {broadcast, fn = "sub"}       %1 = ... ; %2 = ...       one walk, with
//   %2 = sg.unary(%1) {fn = "relu"}                                                 what reads %2
//   %3 = sg.slope(%2, %g) {fn = "relu"}            ->    %4 = sg.binary(%x, %m), %5 = sg.unary(%4),
//                                                        %3 = sg.slope(%5, %g)      one walk of %x,
//                                                        %g
//
// 1. A chain whose nodes have one operand each of the result's shape, up to a value that is in
//    memory anyway (an input, or no elementwise node's result): its reader reads that instead.
// 2. A node with two operands of its shape that is of the backward part and has two readers, both
//    of which can compute it as they read: four reads instead of a write and the same reads.
//
// A chain that alone reads a layer (a convolution, a product) stays whole where others read its
// result, too: the layer writes that, and its own sums nowhere.
//
// In other graphs what bytes stand for is computed again by each elementwise reader, which reads
// the bytes then: a quarter of what floats move.
//
// Functions (exp, tanh, ...) are computed once. From the last node to the first, so that what is
// repeated finds the readers that repetition made.
#include "ir/Gradient.h"
#include "ir/GraphDialect.h"
#include "ir/ScalarFunctions.h"
#include "ir/ops/Elementwise.h"
#include "ir/ops/Matrix.h"
#include "ir/ops/Nn.h"
#include "passes/Passes.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Remarks.h"

namespace symc {
#define GEN_PASS_DEF_REPEATCHEAP
#include "passes/Passes.h.inc"
} // namespace symc

using namespace mlir;
using namespace symc;
using namespace symc::sg;

namespace {

// Nodes that a reader computes again at most: more fill its registers.
constexpr size_t kLongestChain = 5;

/// Whether a function is made of instructions alone.
class Survey : public ScalarBuilder {
public:
  explicit Survey(ElementwiseInterface op) {
    op.buildScalar(*this, SmallVector<Scalar>(op->getNumOperands()));
  }
  Scalar number(double) override { return {}; }
  Scalar apply(ScalarPrimitive primitive, ArrayRef<Scalar>) override {
    cheap &= !isFunction(primitive);
    return {};
  }
  bool cheap = true;
};

struct RepeatCheap : symc::impl::RepeatCheapBase<RepeatCheap> {
  void runOnOperation() override {
    for (auto graph : getOperation().getOps<GraphOp>())
      if (graph.getTraining())
        runOnGraph(graph);
      else if (graph.getSymName() != "prepare")
        widenBytesAgain(graph);
  }

  // The cast of bytes to floats and the nodes behind it up to `op`, which have no other operands.
  static SmallVector<Operation *> chainFromBytes(Operation *op) {
    SmallVector<Operation *> chain;
    while (op && chain.size() < kLongestChain) {
      chain.push_back(op);
      if (isa<CastOp>(op)) {
        bool isByte = elementTypeOf(op->getOperand(0).getType()).isInteger(8) &&
                      elementTypeOf(op->getResult(0).getType()).isF32();
        return isByte ? SmallVector<Operation *>(llvm::reverse(chain)) : SmallVector<Operation *>();
      }
      if (!isCheap(op) || op->getNumOperands() != 1)
        break;
      op = op->getOperand(0).getDefiningOp();
    }
    return {};
  }

  static void widenBytesAgain(GraphOp graph) {
    for (Operation &op : llvm::make_early_inc_range(graph.getBlock())) {
      if (op.getNumResults() != 1 || op.use_empty() || op.hasOneUse())
        continue;
      SmallVector<Operation *> chain = chainFromBytes(&op);
      if (chain.empty())
        continue;
      SmallVector<OpOperand *> readers;
      for (OpOperand &use : op.getUses())
        if (isa<ElementwiseInterface>(use.getOwner()) && use.getOwner()->getNumResults() == 1 &&
            use.getOwner()->getResult(0).getType() == op.getResult(0).getType())
          readers.push_back(&use);
      // Floats that others read are in memory anyway.
      if (readers.size() != size_t(std::distance(op.use_begin(), op.use_end())))
        continue;
      // The last one, in the order of uses the first reader, keeps the node.
      for (OpOperand *use : ArrayRef(readers).drop_back()) {
        OpBuilder b(use->getOwner());
        IRMapping mapping;
        Operation *copy = nullptr;
        for (Operation *node : chain)
          copy = b.clone(*node, mapping);
        use->set(copy->getResult(0));
      }
    }
  }

  // Elementwise on floats of one type, with one result.
  static bool isCheap(Operation *op) {
    auto node = dyn_cast_or_null<ElementwiseInterface>(op);
    if (!node || op->getNumResults() != 1)
      return false;
    Type type = elementTypeOf(op->getResult(0).getType());
    return isa_and_nonnull<FloatType>(type) &&
           llvm::all_of(op->getOperandTypes(),
                        [&](Type operand) { return elementTypeOf(operand) == type; }) &&
           Survey(node).cheap;
  }

  static SmallVector<Value, 2> wholeOperands(Operation *op) {
    SmallVector<Value, 2> whole;
    for (Value operand : op->getOperands())
      if (operand.getType() == op->getResult(0).getType() && !llvm::is_contained(whole, operand))
        whole.push_back(operand);
    return whole;
  }

  // Whether a node of the backward part reads elements as it computes them.
  static bool canCompute(OpOperand &use) {
    Operation *reader = use.getOwner();
    if (!isBackward(reader))
      return false;
    if (isa<ReductionInterface>(reader)) // of its data
      return use.getOperandNumber() == 0;
    return isa<ElementwiseInterface>(reader) && reader->getNumResults() == 1 &&
           reader->getResult(0).getType() == use.get().getType();
  }

  // The nodes from a value in memory to `op`, in order; none where there is no such chain.
  static SmallVector<Operation *> chainTo(Operation *op) {
    SmallVector<Operation *> chain;
    while (true) {
      SmallVector<Value, 2> whole = wholeOperands(op);
      if (!isCheap(op) || whole.size() != 1 || chain.size() == kLongestChain)
        return {};
      chain.push_back(op);
      Operation *producer = whole.front().getDefiningOp();
      if (!isa_and_nonnull<ElementwiseInterface>(producer))
        break;
      op = producer;
    }
    return SmallVector<Operation *>(llvm::reverse(chain));
  }

  // Whether a layer writes the chain's result in the place of its own.
  static bool endsLayer(ArrayRef<Operation *> chain) {
    Value whole = wholeOperands(chain.front()).front();
    return isa_and_nonnull<ConvolutionOp, FullyConnectedOp, DotOp>(whole.getDefiningOp()) &&
           whole.hasOneUse() &&
           llvm::all_of(chain.drop_back(), [](Operation *op) { return op->hasOneUse(); });
  }

  static void repeat(ArrayRef<Operation *> chain, OpOperand &use) {
    OpBuilder b(use.getOwner());
    IRMapping mapping;
    Operation *copy = nullptr;
    for (Operation *op : chain) {
      copy = b.clone(*op, mapping);
      copy->setLoc(backwardOf(op));
    }
    use.set(copy->getResult(0));
  }

  // A copy is a node of the backward part, so that what it reads may be repeated for it.
  static Location backwardOf(Operation *op) {
    return isBackward(op) ? op->getLoc() : backwardLocation(op);
  }

  static void remarkOn(Operation *op, size_t readers) {
    remark::passed(op->getLoc(), remark::RemarkOpts::name("repeat")
                                     .category("sg-repeat-cheap")
                                     .function(op->getParentOfType<GraphOp>().getSymName()))
        << ("'" + nodeName(op) + "' is computed again by " + Twine(readers) +
            " of its readers in the backward part")
               .str();
  }

  static void runOnGraph(GraphOp graph) {
    Block &block = graph.getBlock();
    for (Operation *op = block.empty() ? nullptr : &block.back(); op; op = op->getPrevNode()) {
      if (op->use_empty() || op->hasOneUse() || !isCheap(op))
        continue;
      SmallVector<OpOperand *> readers;
      for (OpOperand &use : op->getUses())
        if (canCompute(use))
          readers.push_back(&use);
      size_t uses = std::distance(op->use_begin(), op->use_end());
      SmallVector<Operation *> chain = chainTo(op);
      if (chain.empty()) {
        if (!isBackward(op) || wholeOperands(op).size() != 2 || uses != 2 || readers.size() != 2 ||
            readers[0]->getOwner() == readers[1]->getOwner())
          continue;
        chain.push_back(op);
      }
      if (readers.size() < uses && endsLayer(chain))
        continue; // its result is in memory
      // One reader keeps the node itself, unless others that cannot compute it do.
      if (readers.size() == uses)
        readers.pop_back();
      if (readers.empty())
        continue;
      // Uses are listed from the last one; names and order follow the graph's.
      llvm::sort(readers, [](OpOperand *x, OpOperand *y) {
        return x->getOwner() == y->getOwner() ? x->getOperandNumber() < y->getOperandNumber()
                                              : x->getOwner()->isBeforeInBlock(y->getOwner());
      });
      remarkOn(op, readers.size());
      for (OpOperand *use : readers)
        repeat(chain, *use);
    }
  }
};

} // namespace
