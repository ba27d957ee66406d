// FuseAttention.cpp: sg-fuse-attention.
//
//   %1 = sg.batch_dot(%q, %k) {transpose_b}         %o = sg.fused(%q, %k, %mask, %v) body {
//   %2 = sg.scalar(%1) {fn = "mul"}                   batch_dot, scalar, binary, softmax, batch_dot
//   %3 = sg.binary(%2, %mask) {fn = "add"}     ->   }
//   %4 = sg.softmax(%3)
//   %o = sg.batch_dot(%4, %v)
//
// A product whose left operand is a softmax along the last axis of another product becomes one
// group with it: codegen computes it block by block and keeps no matrix of scores. The products are
// batch_dot or interleaved_qk and _valatt. Between them may stand, in any order and number:
//
// 1. before the softmax, elementwise nodes of floats, whose other operands (masks, positions,
//    factors) are read at each score; behind it, products with such operands and numbers;
// 2. reshapes of the leading extents, [N * H, ...] and [N, H, ...], also of queries, keys and
// values;
// 3. behind the last product such a reshape and a transpose that leaves the last axis in its place;
// 4. in front of keys and values of fewer heads than queries, what repeats them.
//
// Each node but the last has one reader; where scores have others, a `missed` remark prints it.
// Where only a gradient needs them there is nothing to fuse: graphs of training stay.
#include "ir/FuseNodes.h"
#include "ir/RandomNumbers.h"
#include "ir/ops/Attention.h"
#include "ir/ops/Elementwise.h"
#include "ir/ops/Matrix.h"
#include "ir/ops/Nn.h"
#include "ir/ops/Shape.h"
#include "mlir/IR/Remarks.h"
#include "passes/Passes.h"

namespace symc {
#define GEN_PASS_DEF_FUSEATTENTION
#include "passes/Passes.h.inc"
} // namespace symc

using namespace mlir;
using namespace symc::sg;

namespace {

// What a task keeps grows with the width of a head (kernel.attention).
constexpr int64_t kWidestHead = 256;
// Nodes between the products.
constexpr size_t kMostNodes = 16;

using Nodes = SmallVector<Operation *>;

bool isFloat32(Value value) {
  Type type = elementTypeOf(value.getType());
  return type && type.isF32();
}

// Whether the node only merges or splits the extents before the last two.
bool changesLeadingExtents(ReshapeOp op) {
  Shape from = shapeOf(op.getData().getType()), to = shapeOf(op.getOutput().getType());
  auto hasHeads = [](const Shape &shape) { return shape.rank() == 3 || shape.rank() == 4; };
  if (!hasHeads(from) || !hasHeads(to))
    return false;
  for (size_t behind : {1, 2})
    if (from[from.rank() - behind] != to[to.rank() - behind])
      return false;
  return true;
}

bool isProduct(Operation *op) { return isa<BatchDotOp, InterleavedQkOp>(op); }

// Whether what the node gives is proportional to that operand.
bool isLinear(Operation *op) {
  if (auto binary = dyn_cast<BinaryOp>(op))
    return binary.getFn() == "mul";
  auto scalar = dyn_cast<ScalarOp>(op);
  return scalar && (scalar.getFn() == "mul" || (scalar.getFn() == "div" && !scalar.getReverse()));
}

bool isOfScores(Operation *op) {
  return isa<ElementwiseInterface>(op) && op->getNumResults() == 1 && !drawsNumbers(op) &&
         !isa<CastOp>(op) && isFloat32(op->getResult(0));
}

/// Looks from a value upwards for the node that it is made of, by way of the nodes that may stand
/// between.
struct Search {
  bool (*isEnd)(Operation *), (*isBetween)(Operation *);

  // The end; the nodes on the way to it and itself, from below.
  Operation *from(Value value, Nodes &nodes) {
    Operation *op = value.getDefiningOp();
    if (!op || nodes.size() > kMostNodes || op->getNumResults() != 1)
      return nullptr;
    bool ends = isEnd(op);
    auto reshape = dyn_cast<ReshapeOp>(op);
    if (!ends && !(reshape ? changesLeadingExtents(reshape) : isBetween(op)))
      return nullptr;
    Operation *found = ends ? op : nullptr;
    Nodes more{op};
    if (!ends)
      for (Value operand : op->getOperands()) {
        if (!reshape && operand.getType() != value.getType())
          continue;
        more.truncate(1);
        if ((found = from(operand, more)))
          break;
      }
    if (found)
      llvm::append_range(nodes, more);
    return found;
  }
};

struct FuseAttention : symc::impl::FuseAttentionBase<FuseAttention> {
  void runOnOperation() override {
    for (auto graph : getOperation().getOps<GraphOp>())
      if (graph.getSymName() != "prepare" && !graph.getTraining()) {
        Nodes products; // of which a group takes none but itself and one before it
        for (Operation &op : graph.getBlock())
          if (isa<BatchDotOp, InterleavedValattOp>(op))
            products.push_back(&op);
        for (Operation *op : products)
          visit(op);
      }
  }

  static remark::RemarkOpts remarkOf(Operation *op) {
    return remark::RemarkOpts::name("attention")
        .category("sg-fuse-attention")
        .function(op->getParentOfType<GraphOp>().getSymName());
  }
  static void miss(Operation *op, const Twine &why) {
    remark::missed(op->getLoc(), remarkOf(op))
        << ("'" + nodeName(op) + "' is not computed in one step with its softmax: " + why).str();
  }

  // The width of a head if it is a constant.
  static std::optional<int64_t> widthOf(Value value, size_t behind, int64_t parts) {
    Shape shape = shapeOf(value.getType());
    Dim extent = shape[shape.rank() - behind];
    if (!extent.isStatic())
      return std::nullopt;
    return extent.get() / parts;
  }

  // Of the product's sums, or of its values.
  static std::optional<int64_t> widthOf(Operation *op) {
    if (auto dot = dyn_cast<BatchDotOp>(op))
      return widthOf(dot.getLhs(), dot.getTransposeA() ? 2 : 1, 1);
    auto queries = cast<InterleavedQkOp>(op);
    return widthOf(queries.getQueries(), 1, queries.getHeads() * (queries.getIsSelf() ? 3 : 1));
  }
  static std::optional<int64_t> widthOfValues(Operation *op) {
    if (auto dot = dyn_cast<BatchDotOp>(op))
      return widthOf(dot.getOutput(), 1, 1);
    auto values = cast<InterleavedValattOp>(op);
    return widthOf(values.getOutput(), 1, values.getHeads());
  }

  void visit(Operation *last) {
    auto dot = dyn_cast<BatchDotOp>(last);
    if (!isFloat32(last->getResult(0)) || (dot && dot.getTransposeA()))
      return;
    Value shares = dot ? dot.getLhs() : cast<InterleavedValattOp>(last).getAttention();
    Nodes nodes{last};
    Search weights{[](Operation *op) { return isa<SoftmaxOp>(op); }, isLinear};
    auto softmax = cast_or_null<SoftmaxOp>(weights.from(shares, nodes));
    if (!softmax || !isFloat32(softmax.getData()) || !isFloat32(softmax.getOutput()))
      return;
    int64_t rank = shapeOf(softmax.getData().getType()).rank(), axis = softmax.getAxis();
    if (softmax.getKind() == "log_softmax" || (axis != -1 && axis != rank - 1))
      return;
    size_t behind = nodes.size(); // with the softmax
    Search scores{isProduct, isOfScores};
    Operation *product = scores.from(softmax.getData(), nodes);
    if (!product)
      return;
    takeExtentsElsewhere(product, nodes);
    if (Operation *shared = joinSiblings(nodes, behind))
      return miss(last, "'" + nodeName(shared) + "' has other readers");
    std::optional<int64_t> width = widthOf(product), valueWidth = widthOfValues(last);
    if (!width || !valueWidth)
      return miss(last, "the width of its heads is known only at run time");
    if (*width > kWidestHead || *valueWidth > kWidestHead)
      return miss(last, "its heads have more than " + Twine(kWidestHead) + " elements");
    if (std::optional<std::string> why = joinOperands(product, last, nodes))
      return miss(last, *why);
    joinRepeats(product, last, nodes);
    joinReaders(last, nodes);
    llvm::sort(nodes, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
    std::string names;
    for (Operation *op : nodes)
      names += (names.empty() ? "'" : ", '") + nodeName(op).str() + "'";
    remark::passed(last->getLoc(), remarkOf(last)) << "one step for " + names;
    fuseNodes(nodes);
  }

  // Masks that have a size of their own get the extents of scores by reshape_like (ONNX). They take
  // them from queries and keys, where these lie, so that nobody else reads scores.
  static void takeExtentsElsewhere(Operation *product, ArrayRef<Operation *> nodes) {
    for (Operation *node : nodes.drop_front()) {
      Value scores = node->getResult(0);
      for (OpOperand &use : llvm::make_early_inc_range(scores.getUses())) {
        auto like = dyn_cast<ReshapeLikeOp>(use.getOwner());
        bool takesOne = like && use.getOperandNumber() == 1 && like.getRhsBegin() &&
                        like.getRhsEnd() && *like.getRhsEnd() == *like.getRhsBegin() + 1;
        if (!takesOne)
          continue;
        Dim extent = shapeOf(scores.getType())[*like.getRhsBegin()];
        for (Value operand : product->getOperands())
          if (auto [value, axis] = sourceOf(operand, extent); value) {
            Builder b(like.getContext());
            use.set(value);
            like->setAttr("rhs_begin", b.getI64IntegerAttr(axis));
            like->setAttr("rhs_end", b.getI64IntegerAttr(axis + 1));
            break;
          }
      }
    }
  }

  // The value behind reshapes and transposes that has an axis of this extent, and the axis.
  static std::pair<Value, int64_t> sourceOf(Value value, Dim extent) {
    std::pair<Value, int64_t> found;
    for (; value; value = value.getDefiningOp()->getOperand(0)) {
      Shape shape = shapeOf(value.getType());
      if (auto *at = llvm::find(shape.list(), extent); at != shape.list().end())
        found = {value, at - shape.list().begin()};
      if (!isa_and_nonnull<ReshapeOp, TransposeOp>(value.getDefiningOp()))
        break;
    }
    return found;
  }

  // Readers of scores, such as those that read their shape, of whose results all are read in the
  // group. The first of `nodes`, so many, are the softmax and what is behind it. Returns a node
  // that others read.
  static Operation *joinSiblings(Nodes &nodes, size_t behind) {
    for (size_t i = 1; i < nodes.size(); ++i)
      for (Operation *reader : nodes[i]->getResult(0).getUsers()) {
        if (llvm::is_contained(nodes, reader))
          continue;
        if (i < behind || !isOfScores(reader) || nodes.size() > kMostNodes)
          return nodes[i];
        nodes.push_back(reader);
      }
    return nullptr;
  }

  // Reshapes of queries, keys and values, behind which these may lie transposed. All of rank 4 have
  // the same leading extents.
  static std::optional<std::string> joinOperands(Operation *product, Operation *last,
                                                 Nodes &nodes) {
    Shape leading;
    auto agrees = [&](Value value) {
      Shape shape = shapeOf(value.getType());
      if (shape.rank() != 4)
        return shape.rank() == 3;
      Shape own({shape[0], shape[1]});
      if (!leading.isRanked())
        leading = own;
      return own[0] == leading[0] && own[1] == leading[1];
    };
    if (auto queries = dyn_cast<InterleavedQkOp>(product)) {
      leading = Shape({shapeOf(queries.getQueries().getType())[1],
                       Dim::constant(queries.getHeads(), product->getContext())});
    } else if (auto values = dyn_cast<InterleavedValattOp>(last)) {
      leading = Shape({shapeOf(values.getKeysValues().getType())[1],
                       Dim::constant(values.getHeads(), product->getContext())});
    }
    SmallVector<Value> operands;
    if (auto dot = dyn_cast<BatchDotOp>(product))
      operands.append({dot.getLhs(), dot.getRhs()});
    if (auto dot = dyn_cast<BatchDotOp>(last))
      operands.push_back(dot.getRhs());
    for (Operation *node : nodes)
      for (Value result : node->getResults())
        if (!isa<InterleavedValattOp>(node) && !agrees(result))
          return "'" + nodeName(node).str() + "' has other leading extents";
    for (Value operand : operands) {
      auto reshape = operand.getDefiningOp<ReshapeOp>();
      bool joins = reshape && operand.hasOneUse() && changesLeadingExtents(reshape) &&
                   shapeOf(reshape.getData().getType()).rank() == 4 && agrees(reshape.getData());
      if (joins)
        nodes.push_back(reshape);
    }
    return std::nullopt;
  }

  // What repeats keys and values of fewer heads than queries, of one sample: the step reads each
  // head where it lies.
  static void joinRepeats(Operation *product, Operation *last, Nodes &nodes) {
    if (!isa<BatchDotOp>(product) || !isa<BatchDotOp>(last))
      return;
    for (Operation *node : nodes)
      if (Shape shape = shapeOf(node->getResult(0).getType());
          shape.rank() == 4 && !shape[0].isStatic(1))
        return;
    std::optional<RepeatedHeads> keys = repeatedHeads(product->getOperand(1)),
                                 values = repeatedHeads(last->getOperand(1));
    if (!keys || !values || keys->heads != values->heads || keys->repeats != values->repeats)
      return;
    for (const RepeatedHeads &each : {*keys, *values})
      for (Operation *node : each.nodes)
        if (!llvm::is_contained(nodes, node))
          nodes.push_back(node);
  }

  // Behind the last product.
  static void joinReaders(Operation *last, Nodes &nodes) {
    if (isa<InterleavedValattOp>(last))
      return;
    Value result = last->getResult(0);
    auto reader = [&]() -> Operation * {
      return result.hasOneUse() ? *result.getUsers().begin() : nullptr;
    };
    auto reshape = dyn_cast_or_null<ReshapeOp>(reader());
    if (reshape && changesLeadingExtents(reshape) &&
        shapeOf(reshape.getOutput().getType()).rank() == 4) {
      bool agrees = llvm::all_of(nodes, [&](Operation *node) {
        Shape own = shapeOf(node->getResult(0).getType());
        Shape split = shapeOf(reshape.getOutput().getType());
        return own.rank() != 4 || (own[0] == split[0] && own[1] == split[1]);
      });
      Value before = result;
      result = reshape.getOutput();
      auto transpose = dyn_cast_or_null<TransposeOp>(reader());
      if (agrees && transpose && transpose.getOrder().back() == 3) {
        nodes.append({reshape, transpose});
        return;
      }
      result = before;
    }
    auto transpose = dyn_cast_or_null<TransposeOp>(reader());
    if (transpose && transpose.getOrder().back() + 1 == int64_t(transpose.getOrder().size()))
      nodes.push_back(transpose);
  }
};

} // namespace
