// MergeGroups.cpp: sg-merge-groups.
//
//   convolution(x, w [O, c, k], groups g)  ->  convolution(x, v [O, m * c, k], groups g / m)
//
// where a block of the target's layout would hold channels of several groups: m of them become
// one, whose weights are those of the groups along the diagonal and 0 beside it. What is
// computed in vain is less than what reference code takes. Groups of as many channels in as out, a
// divisor of the block, stay: there is code for them. A few groups of many channels, of which more
// would be computed in vain than copies cost, are layers of their own instead:
//
//   convolution(x, w, groups g)  ->  concat(convolution(part i of x, part i of w) ...)
//
// with the functions of elements that follow. Where groups have one channel in and
// several out, each of these reads a copy of its own:
//
//   convolution(x, w [C * m, 1, k], groups C)
//       ->  convolution(x with each channel m times, w, groups C * m)
//
// In training weights are merged in each run, and so are their gradients, of which the blocks along
// the diagonal are taken: convolution_weights(x, g, groups) -> those of fewer groups, of each group
// or of copies, as above.
#include "ir/CoreBuilder.h"
#include "ir/Gradient.h"
#include "ir/GraphDialect.h"
#include "ir/ops/Backward.h"
#include "ir/ops/Nn.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Remarks.h"
#include "passes/Passes.h"

namespace symc {
#define GEN_PASS_DEF_MERGEGROUPS
#include "passes/Passes.h.inc"
} // namespace symc

using namespace mlir;
using namespace symc;
using namespace symc::sg;

// Reference code takes about as many times as long as generated code.
static constexpr int64_t mostMerged = 64;

// Groups that become layers of their own: each is some steps.
static constexpr int64_t mostSplit = 4;
// Multiply-adds in the time in which a channel of a pixel is copied.
static constexpr int64_t productsOfCopy = 16;

namespace {

// Whether no value of the graph's inputs is in it.
bool isOfWeights(Value value) {
  Operation *op = value.getDefiningOp();
  return op && (isa<ParameterOp, PreparedOp>(op) || llvm::all_of(op->getOperands(), isOfWeights));
}

struct Groups {
  int64_t count, in, out; // how many, and the channels of one

  Groups(int64_t count, const Shape &weight)
      : count(count), in(weight[1].get()), out(weight[0].get() / count) {}
  bool liesWithinBlock(int64_t width) const { return in == out && width % in == 0; }
  // Products of a tap and pixel where a block's outputs meet the channels of all groups that it has
  // outputs of.
  int64_t productsAnywhere(int64_t width) const {
    int64_t read = 0;
    for (int64_t first = 0; first < count * out; first += width)
      read += (std::min(first + width, count * out) - 1) / out - first / out + 1;
    return read * in * width;
  }
  bool fillsBlocks(int64_t merged, int64_t width) const {
    return merged * in % width == 0 && merged * out % width == 0;
  }
  // Products of a tap and pixel where so many become one: whole blocks of results.
  int64_t products(int64_t merged, int64_t width) const {
    return count * in * static_cast<int64_t>(llvm::alignTo(merged * out, width));
  }
  // Whether layers of their own pay for the copies of channels that begin within a block.
  bool shouldSplit(int64_t merged, int64_t width, int64_t taps) const {
    return count <= mostSplit && (products(merged, width) - products(1, width)) * taps >
                                     2 * copied(width) * productsOfCopy;
  }
  // Channels of a pixel that begin within blocks, in and out.
  int64_t copied(int64_t width) const {
    return (in % width ? count * in : 0) + (out % width ? count * out : 0);
  }
  // How many become one.
  int64_t merged(int64_t width) const {
    for (int64_t merged = 1; merged < count; ++merged)
      if (count % merged == 0 && fillsBlocks(merged, width))
        return merged;
    return count;
  }
};

struct MergeGroups : symc::impl::MergeGroupsBase<MergeGroups> {
  using MergeGroupsBase::MergeGroupsBase;

  void runOnOperation() override {
    for (auto graph : getOperation().getOps<GraphOp>())
      if (graph.getSymName() != "prepare") {
        for (auto conv : llvm::make_early_inc_range(graph.getBlock().getOps<ConvolutionOp>()))
          visit(conv);
        for (auto op : llvm::make_early_inc_range(graph.getBlock().getOps<ConvolutionWeightsOp>()))
          visitGradient(op);
      }
  }

  static remark::RemarkOpts remarkOf(Operation *op) {
    return remark::RemarkOpts::name("groups")
        .category("sg-merge-groups")
        .function(op->getParentOfType<GraphOp>().getSymName());
  }

  enum class Way { Stays, Marks, Repeats, Splits, Merges };

  // What becomes of a node with groups and a weight, or its gradient, of that shape. Remarks state
  // it.
  Way wayOf(Operation *op, const Groups &groups, ArrayRef<int64_t> kernel) const {
    if (groups.in == 1 && groups.out > 1) {
      remark::passed(op->getLoc(), remarkOf(op))
          << ("'" + nodeName(op) + "' reads each of its " + llvm::Twine(groups.count) +
              " channels " + llvm::Twine(groups.out) + " times")
                 .str();
      return Way::Repeats;
    }
    int64_t merged = groups.merged(blockWidth);
    if (groups.liesWithinBlock(blockWidth) || merged == 1)
      return Way::Stays;
    int64_t taps = 1;
    for (int64_t extent : kernel)
      taps *= extent;
    if (staysAnywhere(op, groups, merged, taps)) {
      remark::passed(op->getLoc(), remarkOf(op))
          << ("'" + nodeName(op) + "' reads its " + llvm::Twine(groups.count) +
              " groups where they lie in blocks")
                 .str();
      return Way::Marks;
    }
    if (groups.shouldSplit(merged, blockWidth, taps)) {
      remark::passed(op->getLoc(), remarkOf(op))
          << ("'" + nodeName(op) + "' computes its " + llvm::Twine(groups.count) +
              " groups as layers of their own")
                 .str();
      return Way::Splits;
    }
    if (merged > mostMerged) {
      remark::missed(op->getLoc(), remarkOf(op))
          << ("'" + nodeName(op) + "' keeps groups of " + llvm::Twine(groups.in) +
              " channels: " + llvm::Twine(merged) + " of them would be one")
                 .str();
      return Way::Stays;
    }
    remark::passed(op->getLoc(), remarkOf(op))
        << ("'" + nodeName(op) + "' computes " + llvm::Twine(merged) + " of its " +
            llvm::Twine(groups.count) + " groups as one")
               .str();
    return Way::Merges;
  }

  // Whether the target's code for groups of any size takes less. It has one vector in a tile, and
  // is an eighth slower. Windows of several taps side by side may be transformed if they have fewer
  // groups, for a third of the time (96 channels in groups of 12 at 28x28 on a Zen 5: 0.097 ms in
  // groups of 48, 0.140 where they lie).
  bool staysAnywhere(Operation *op, const Groups &groups, int64_t merged, int64_t taps) const {
    auto conv = dyn_cast<ConvolutionOp>(op);
    if (!anyGroups || !conv || isTraining(op) || !elementTypeOf(conv.getType()).isF32())
      return false;
    bool isSplit = groups.shouldSplit(merged, blockWidth, taps);
    int64_t otherwise =
        isSplit ? groups.products(1, blockWidth) * taps + groups.copied(blockWidth) * productsOfCopy
                : groups.products(merged, blockWidth) * taps;
    auto isOne = [](int64_t extent) { return extent == 1; };
    bool mayTransform =
        taps > 1 && llvm::all_of(conv.getStride(), isOne) && llvm::all_of(conv.getDilate(), isOne);
    return groups.productsAnywhere(blockWidth) * taps * (mayTransform ? 3 : 1) * 9 / 8 <= otherwise;
  }

  void visit(ConvolutionOp op) {
    Shape weight = shapeOf(op.getWeight().getType());
    if (op.getNumGroup() == 1 || op.getKernel().size() > 2 || !weight.isStatic() ||
        !op.getShuffle().empty() || (op.getLayout() && !op.getLayout()->starts_with("NC")) ||
        !(isTraining(op) || isOfWeights(op.getWeight())))
      return;
    Groups groups(op.getNumGroup(), weight);
    CoreBuilder core(op);
    switch (wayOf(op, groups, op.getKernel())) {
    case Way::Stays:
      return;
    case Way::Marks:
      return op.setShuffle(ArrayRef<int64_t>{1});
    case Way::Splits:
      return split(op, groups);
    case Way::Repeats:
      op->setOperand(0, repeatChannels(core, op.getData(), groups));
      op->setAttr("num_group", core.b.getI64IntegerAttr(groups.count * groups.out));
      return;
    case Way::Merges:
      int64_t merged = groups.merged(blockWidth);
      op->setOperand(1, diagonal(core, op.getWeight(), groups, merged));
      op->setAttr("num_group", core.b.getI64IntegerAttr(groups.count / merged));
    }
  }

  void visitGradient(ConvolutionWeightsOp op) {
    Shape weight = shapeOf(op.getOutput().getType());
    if (op.getNumGroup() == 1 || op.getKernel().size() > 2 || !weight.isStatic())
      return;
    Groups groups(op.getNumGroup(), weight);
    CoreBuilder core(op);
    auto sums = [&](Value data, Value slope, int64_t count, const Shape &shape) {
      NamedAttrList attributes(op->getAttrDictionary());
      attributes.set("num_group", core.b.getI64IntegerAttr(count));
      return core.make("convolution_weights", {data, slope}, core.withShape(op.getOutput(), shape),
                       attributes);
    };
    Value result;
    switch (wayOf(op, groups, op.getKernel())) {
    case Way::Stays:
    case Way::Marks: // layers of prediction
      return;
    case Way::Repeats:
      result = sums(repeatChannels(core, op.getData(), groups), op.getGradient(),
                    groups.count * groups.out, weight);
      break;
    case Way::Splits: {
      SmallVector<Value> parts;
      Shape part = weight;
      part[0] = core.dim(groups.out);
      for (int64_t group = 0; group < groups.count; ++group) {
        auto of = [&](Value value, int64_t channels) {
          return core.slice(value, 1, group * channels, (group + 1) * channels);
        };
        parts.push_back(
            sums(of(op.getData(), groups.in), of(op.getGradient(), groups.out), 1, part));
      }
      result = core.concat(parts, 0);
      break;
    }
    case Way::Merges: {
      int64_t merged = groups.merged(blockWidth);
      Shape all = weight;
      all[1] = core.dim(merged * groups.in);
      result = fromDiagonal(core, sums(op.getData(), op.getGradient(), groups.count / merged, all),
                            groups, merged, weight);
    }
    }
    op.getOutput().replaceAllUsesWith(result);
    op->erase();
  }

  // Each group as a layer, with the functions of elements that follow: they are fused then.
  static void split(ConvolutionOp op, const Groups &groups) {
    SmallVector<Operation *> nodes{op};
    while (nodes.back()->hasOneUse()) {
      Operation *user = *nodes.back()->user_begin();
      if (!isa<ElementwiseInterface>(user) || user->getNumOperands() != 1 ||
          user->getBlock() != op->getBlock() ||
          user->getResult(0).getType() != op.getOutput().getType())
        break;
      nodes.push_back(user);
    }
    CoreBuilder core(op);
    SmallVector<Value> parts;
    for (int64_t group = 0; group < groups.count; ++group) {
      auto part = [&](Value value, int64_t axis, int64_t channels) {
        return core.slice(value, axis, group * channels, (group + 1) * channels);
      };
      IRMapping mapping;
      mapping.map(op.getData(), part(op.getData(), 1, groups.in));
      for (Value weight : op->getOperands().drop_front())
        mapping.map(weight, part(weight, 0, groups.out));
      for (Operation *node : nodes) {
        Operation *own = core.b.clone(*node, mapping);
        Shape shape = shapeOf(node->getResult(0).getType());
        shape[1] = core.dim(groups.out);
        own->getResult(0).setType(core.withShape(node->getResult(0), shape));
        if (node != op)
          continue;
        own->setAttr("num_group", core.b.getI64IntegerAttr(1));
        own->setAttr("num_filter", core.b.getI64IntegerAttr(groups.out));
      }
      parts.push_back(mapping.lookup(nodes.back()->getResult(0)));
    }
    nodes.back()->getResult(0).replaceAllUsesWith(core.concat(parts, 1));
    for (Operation *node : llvm::reverse(nodes))
      node->erase();
  }

  // One channel in and several out: each reads a copy of its own.
  static Value repeatChannels(CoreBuilder &core, Value data, const Groups &groups) {
    Shape shape = shapeOf(data.getType()), one{shape[0], shape[1], core.dim(1)};
    for (size_t axis = 2; axis < shape.rank(); ++axis)
      one.push_back(shape[axis]);
    Shape several = one;
    several[2] = core.dim(groups.out);
    shape[1] = core.dim(groups.count * groups.out);
    return core.reshape(core.broadcastTo(core.reshape(data, one), several), shape);
  }

  // A row of a group and as many zeros as a row of the result, one after the other: each begins
  // one group further on in its row.
  static Value diagonal(CoreBuilder &core, Value weight, const Groups &groups, int64_t merged) {
    Shape have = shapeOf(weight.getType()), result = have;
    int64_t row = groups.in, left = groups.count / merged;
    for (size_t axis = 2; axis < have.rank(); ++axis)
      row *= have[axis].get();
    auto shape = [&](ArrayRef<int64_t> extents) { return Shape::of(extents, core.b.getContext()); };
    Value rows =
        core.transpose(core.reshape(weight, shape({left, merged, groups.out, row})), {0, 2, 1, 3});
    int64_t after[] = {0, 0, 0, 0, 0, 0, 0, merged * row};
    Shape padded = shape({left, groups.out, merged, (merged + 1) * row});
    rows = core.make("pad", rows, core.withShape(rows, padded),
                     {core.text("mode", "constant"), core.numbers("pad_width", after)});
    rows = core.reshape(rows, shape({left, groups.out, merged * (merged + 1) * row}));
    rows = core.slice(rows, 2, 0, merged * merged * row);
    rows = core.reshape(rows, shape({left, groups.out, merged, merged * row}));
    result[1] = core.dim(merged * groups.in);
    return core.reshape(core.transpose(rows, {0, 2, 1, 3}), result);
  }

  // The other way round: a row of each group, and what lies beside it is left out.
  static Value fromDiagonal(CoreBuilder &core, Value sums, const Groups &groups, int64_t merged,
                            const Shape &weight) {
    int64_t row = groups.in, left = groups.count / merged;
    for (size_t axis = 2; axis < weight.rank(); ++axis)
      row *= weight[axis].get();
    auto shape = [&](ArrayRef<int64_t> extents) { return Shape::of(extents, core.b.getContext()); };
    Value rows = core.transpose(core.reshape(sums, shape({left, merged, groups.out, merged * row})),
                                {0, 2, 1, 3});
    rows = core.reshape(rows, shape({left, groups.out, 1, merged * merged * row}));
    int64_t after[] = {0, 0, 0, 0, 0, 0, 0, merged * row};
    Shape padded = shape({left, groups.out, 1, merged * (merged + 1) * row});
    rows = core.make("pad", rows, core.withShape(rows, padded),
                     {core.text("mode", "constant"), core.numbers("pad_width", after)});
    rows = core.reshape(rows, shape({left, groups.out, merged, (merged + 1) * row}));
    rows = core.slice(rows, 3, 0, row);
    return core.reshape(core.transpose(rows, {0, 2, 1, 3}), weight);
  }
};

} // namespace
