// Attention.cpp: attention layers (sg-fuse-attention) as one kernel.attention. Heads are numbered
// by two extents, of which a value may have the product; queries, keys and values are read where
// they lie, transposed or interleaved, and the result is written where its readers want it.
//
//   [N * H, Q, D] or [N, H, Q, D] -> views [N, H, Q, D]
#include "ir/ops/Attention.h"
#include "codegen/kernel/AttentionOps.h"
#include "codegen/schedule/GroupBody.h"
#include "codegen/schedule/Refusals.h"
#include "codegen/schedule/Schedule.h"
#include "codegen/schedule/ScheduleRule.h"
#include "ir/FuseNodes.h"
#include "ir/ops/Elementwise.h"
#include "ir/ops/Matrix.h"
#include "ir/ops/Nn.h"
#include "ir/ops/Shape.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace mlir;
using namespace symc;
using namespace symc::codegen;
using namespace symc::sg;

namespace {

/// What the nodes around the softmax read, and the axes of their results that it has.
struct Extra {
  Operand operand;
  size_t rank; // of the node's result
  bool operator==(const Extra &other) const {
    return operand == other.operand && rank == other.rank;
  }
};

struct AttentionRule {
  static constexpr RuleTraits traits{"attention", Benefit::Tiles, Use::Generated};
  struct Plan {
    RuleForms forms = {};
    Operation *product = nullptr, *last = nullptr;
    SoftmaxOp softmax = {};
    SmallVector<Operation *> before = {}, behind = {}; // the softmax: elementwise, or reshapes
    SmallVector<Operation *> readers = {};             // of the last product
    SmallVector<Extra> extras = {};
    AffineExpr outer = {}, heads = {};
    // Where several heads of queries read one of keys and values: these, and so many heads each.
    std::optional<RepeatedHeads> keys = {}, values = {};
  };

  static Match<Plan> match(const GroupView &group);
  static void emit(const GroupView &group, const Plan &plan, Tensors &t);
};

/// Makes the views.
class AttentionBuilder {
public:
  AttentionBuilder(const GroupView &group, const AttentionRule::Plan &plan, Tensors &t)
      : group(group), plan(plan), t(t), b(t.builder), loc(group.location) {}
  void build();

private:
  ViewSpec headed(const ViewSpec &view);
  ViewSpec grouped(const ViewSpec &view);
  ViewSpec repeatedView(const RepeatedHeads &repeated, bool transposed);
  ViewSpec operandView(Value value, bool transposed);
  ViewSpec part(Value projection, int64_t heads, int64_t parts, int64_t own);
  ViewSpec extraView(const Extra &extra);
  ViewSpec resultView();
  void fillBody(Region &region, ArrayRef<Operation *> nodes, Value from, Value to, double before,
                double behind);

  const GroupView &group;
  const AttentionRule::Plan &plan;
  Tensors &t;
  OpBuilder &b;
  Location loc;
  AffineExpr queryCount, keyCount;
};

} // namespace

// A body's value, or what the reshape that makes it reads.
static Value withoutReshape(Value value) {
  auto reshape = value.getDefiningOp<ReshapeOp>();
  return reshape ? reshape.getData() : value;
}

Match<AttentionRule::Plan> AttentionRule::match(const GroupView &group) {
  auto fused = dyn_cast<FusedOp>(group.op);
  if (!fused || !isAttention(fused))
    return std::nullopt;
  Plan plan;
  AffineExpr one = group.t.constant(1);
  auto lookAt = [&](Value value) {
    SmallVector<AffineExpr, 4> extents = extentsOf(value);
    if (extents.size() == 4)
      std::tie(plan.outer, plan.heads) = std::pair(extents[0], extents[1]);
    else if (!plan.outer)
      std::tie(plan.outer, plan.heads) = std::pair(extents[0], one);
  };
  for (Operation &node : fused.getBody().front()) // the softmax stands before the last product
    if (auto dot = dyn_cast<BatchDotOp>(node)) {
      std::optional<RepeatedHeads> found = repeatedHeads(dot.getRhs());
      (plan.keys ? plan.values : plan.keys) = found;
    }
  if (!plan.keys || !plan.values)
    plan.keys = plan.values = std::nullopt;
  auto isOfRepeats = [&](Operation *node) {
    return plan.keys && (llvm::is_contained(plan.keys->nodes, node) ||
                         llvm::is_contained(plan.values->nodes, node));
  };
  for (Operation &node : fused.getBody().front().without_terminator()) {
    if (isOfRepeats(&node))
      continue;
    if (!isa<InterleavedQkOp, InterleavedValattOp>(node) &&
        !(plan.last && isa<TransposeOp>(node))) // whose axes are others
      lookAt(node.getResult(0));
    if (isa<ReshapeOp>(node) && !node.getOperand(0).getDefiningOp()) {
      lookAt(node.getOperand(0)); // queries, keys or values
      continue;
    }
    if (auto softmax = dyn_cast<SoftmaxOp>(node))
      plan.softmax = softmax;
    else if (plan.last)
      plan.readers.push_back(&node);
    else if (isa<BatchDotOp, InterleavedQkOp, InterleavedValattOp>(node))
      (plan.softmax ? plan.last : plan.product) = &node;
    else
      (plan.softmax ? plan.behind : plan.before).push_back(&node);
  }
  if (auto queries = dyn_cast<InterleavedQkOp>(plan.product))
    std::tie(plan.outer, plan.heads) =
        std::pair(extentsOf(queries.getQueries())[1], group.t.constant(queries.getHeads()));
  else if (auto values = dyn_cast<InterleavedValattOp>(plan.last))
    std::tie(plan.outer, plan.heads) =
        std::pair(extentsOf(values.getKeysValues())[1], group.t.constant(values.getHeads()));
  GroupView between(group);
  between.root = nullptr;
  between.result = fused.getOutputs().front();
  for (ArrayRef<Operation *> nodes : {ArrayRef(plan.before), ArrayRef(plan.behind)})
    llvm::copy_if(nodes, std::back_inserter(between.chain),
                  [](Operation *node) { return !isa<ReshapeOp>(node); });
  if (!between.chainIsEmittable())
    return chainRefusal();
  for (ArrayRef<Operation *> nodes : {ArrayRef(plan.before), ArrayRef(plan.behind)})
    for (Operation *node : nodes) {
      if (isa<ReshapeOp>(node))
        continue;
      size_t rank = extentsOf(node->getResult(0)).size();
      for (unsigned i = 0; i < node->getNumOperands(); ++i) {
        if (node->getOperand(i).getDefiningOp())
          continue; // of the body
        Extra extra{group.operandOf(node, i), rank};
        if (!llvm::is_contained(plan.extras, extra))
          plan.extras.push_back(extra);
      }
    }
  return plan;
}

// A view of heads as [outer, heads, rows, columns].
ViewSpec AttentionBuilder::headed(const ViewSpec &view) {
  ViewSpec result = view;
  if (view.sizes.size() == 4)
    return result;
  result.sizes.insert(result.sizes.begin() + 1, plan.heads);
  result.sizes[0] = plan.outer;
  result.strides.insert(result.strides.begin(), view.strides[0] * plan.heads);
  return result;
}

// [1, heads, ...] by the heads of keys: [heads of keys, heads of queries that read each, ...].
ViewSpec AttentionBuilder::grouped(const ViewSpec &view) {
  if (!plan.keys)
    return view;
  AffineExpr count = t.constant(plan.keys->repeats);
  AffineExpr step = view.strides[plan.heads == t.constant(1) ? 0 : 1];
  ViewSpec result = view;
  std::tie(result.sizes[0], result.sizes[1]) = std::pair(t.constant(plan.keys->heads), count);
  std::tie(result.strides[0], result.strides[1]) = std::pair(step * count, step);
  return result;
}

ViewSpec AttentionBuilder::repeatedView(const RepeatedHeads &repeated, bool transposed) {
  ViewSpec view = t.stridedView(group.resolve(repeated.source), loc);
  if (view.sizes.size() == 4) { // of one sample
    view.sizes.erase(view.sizes.begin());
    view.strides.erase(view.strides.begin());
  }
  view.sizes.insert(view.sizes.begin() + 1, t.constant(repeated.repeats));
  view.strides.insert(view.strides.begin() + 1, t.constant(0));
  if (transposed != repeated.isTransposed) {
    std::swap(view.sizes[2], view.sizes[3]);
    std::swap(view.strides[2], view.strides[3]);
  }
  return view;
}

ViewSpec AttentionBuilder::operandView(Value value, bool transposed) {
  ViewSpec view = headed(t.stridedView(group.resolve(withoutReshape(value)), loc));
  if (transposed) {
    std::swap(view.sizes[2], view.sizes[3]);
    std::swap(view.strides[2], view.strides[3]);
  }
  return view;
}

// Part `own` of a projection [length, batch, heads * parts * width].
ViewSpec AttentionBuilder::part(Value projection, int64_t heads, int64_t parts, int64_t own) {
  Value value = group.resolve(projection);
  ViewSpec all = t.plainView(value, loc);
  SmallVector<AffineExpr, 4> extents = extentsOf(value);
  int64_t width = *constantOf(extents[2]) / (heads * parts);
  return {all.base,
          all.offset + own * width,
          {extents[1], t.constant(heads), extents[0], t.constant(width)},
          {extents[2], t.constant(parts * width), extents[1] * extents[2], t.constant(1)}};
}

ViewSpec AttentionBuilder::extraView(const Extra &extra) {
  ViewSpec view = t.stridedView(extra.operand.value, loc);
  AffineExpr zero = t.constant(0), one = t.constant(1);
  SmallVector<AffineExpr, 5> strides(extra.rank, zero);
  for (auto [axis, size, stride] : llvm::zip(extra.operand.axes, view.sizes, view.strides))
    strides[axis] = size == one ? zero : stride;
  if (extra.rank == 3)
    strides.insert(strides.begin(), strides[0] * plan.heads);
  return {view.base, view.offset, {plan.outer, plan.heads, queryCount, keyCount}, strides};
}

// The last product's result in the memory of the group's.
ViewSpec AttentionBuilder::resultView() {
  ViewSpec view = t.createPlain(group.result, loc);
  if (auto values = dyn_cast<InterleavedValattOp>(plan.last)) {
    SmallVector<AffineExpr, 5> extents = view.sizes;
    int64_t heads = values.getHeads(), width = *constantOf(extents[2]) / heads;
    return {view.base,
            view.offset,
            {extents[1], t.constant(heads), extents[0], t.constant(width)},
            {extents[2], t.constant(width), extents[1] * extents[2], t.constant(1)}};
  }
  if (!plan.readers.empty())
    if (auto transpose = dyn_cast<TransposeOp>(plan.readers.back())) {
      ViewSpec before = view;
      SmallVector<int64_t> order = transpose.getOrder();
      for (auto [i, axis] : llvm::enumerate(order)) {
        before.sizes[axis] = view.sizes[i];
        before.strides[axis] = view.strides[i];
      }
      view = before;
    }
  return headed(view);
}

// `from`, times `before`, through the nodes to `to`, times `behind`.
void AttentionBuilder::fillBody(Region &region, ArrayRef<Operation *> nodes, Value from, Value to,
                                double before, double behind) {
  OpBuilder::InsertionGuard guard(b);
  Block *block = b.createBlock(&region);
  auto scaled = [&](Value value, double factor) -> Value {
    if (factor == 1)
      return value;
    Value constant = arith::ConstantOp::create(b, loc, b.getF32FloatAttr(factor));
    return arith::MulFOp::create(b, loc, value, constant);
  };
  DenseMap<Value, Value> scalars;
  scalars[from] = scaled(block->addArgument(b.getF32Type(), loc), before);
  for (const Extra &extra : plan.extras)
    block->addArgument(Tensors::storageType(elementTypeOf(extra.operand.value.getType())), loc);
  for (Operation *node : nodes) {
    if (auto reshape = dyn_cast<ReshapeOp>(node)) {
      Value value = scalars.lookup(reshape.getData());
      scalars[reshape.getOutput()] = value;
      continue;
    }
    size_t rank = extentsOf(node->getResult(0)).size();
    emitChain(
        group, node, scalars,
        [&](const Operand &operand) -> Value {
          auto found = llvm::find(plan.extras, Extra{operand, rank});
          return block->getArgument(1 + (found - plan.extras.begin()));
        },
        b);
  }
  kernel::YieldOp::create(b, loc, scaled(scalars.lookup(to), behind));
}

void AttentionBuilder::build() {
  ViewSpec queries, keys, values;
  double scale = 1;
  if (auto dot = dyn_cast<BatchDotOp>(plan.product)) {
    queries = grouped(operandView(dot.getLhs(), dot.getTransposeA()));
    keys = plan.keys ? repeatedView(*plan.keys, !dot.getTransposeB())
                     : operandView(dot.getRhs(), !dot.getTransposeB());
  } else {
    auto qk = cast<InterleavedQkOp>(plan.product);
    int64_t heads = qk.getHeads();
    queries = part(qk.getQueries(), heads, qk.getIsSelf() ? 3 : 1, 0);
    keys =
        qk.getIsSelf() ? part(qk.getQueries(), heads, 3, 1) : part(qk.getKeysValues(), heads, 2, 0);
    scale = 1 / std::sqrt(double(*constantOf(queries.sizes[3])));
  }
  if (auto dot = dyn_cast<BatchDotOp>(plan.last)) {
    values = plan.values ? repeatedView(*plan.values, dot.getTransposeB())
                         : operandView(dot.getRhs(), dot.getTransposeB());
  } else {
    auto valatt = cast<InterleavedValattOp>(plan.last);
    int64_t parts = valatt.getIsSelf() ? 3 : 2;
    values = part(valatt.getKeysValues(), valatt.getHeads(), parts, parts - 1);
  }
  if (values.strides.back() != t.constant(1)) { // elements of a head are read side by side
    ViewSpec rows = t.rowMajor(t.buffer(values.sizes, b.getF32Type(), loc), values.sizes);
    t.copy(values, rows, loc);
    values = rows;
  }
  queryCount = queries.sizes[2];
  keyCount = keys.sizes[2];
  Value lengths;
  SoftmaxOp softmax = plan.softmax;
  if (softmax.getLength()) {
    ViewSpec view = t.plainView(group.resolve(softmax.getLength()), loc);
    if (view.sizes.size() == 2)
      view.strides.insert(view.strides.begin(), view.strides[0] * plan.heads);
    view.sizes = {plan.outer, plan.heads, queryCount};
    lengths = t.materialise(grouped(view), loc);
  }
  SmallVector<Value> extras;
  for (const Extra &extra : plan.extras)
    extras.push_back(t.materialise(grouped(extraView(extra)), loc));
  auto step = kernel::AttentionOp::create(
      b, loc, t.materialise(queries, loc), t.materialise(keys, loc), t.materialise(values, loc),
      lengths, extras, t.materialise(grouped(resultView()), loc),
      /*cut=*/{});
  double factor = softmax.getKind() == "softmin" ? -1 : 1;
  if (softmax.getTemperature())
    factor /= softmax.getTemperature()->convertToDouble();
  fillBody(step.getScores(), plan.before, plan.product->getResult(0), softmax.getData(), scale,
           factor);
  Value shares = isa<BatchDotOp>(plan.last) ? plan.last->getOperand(0)
                                            : cast<InterleavedValattOp>(plan.last).getAttention();
  fillBody(step.getWeights(), plan.behind, softmax.getOutput(), shares, 1, 1);
}

void AttentionRule::emit(const GroupView &group, const Plan &plan, Tensors &t) {
  AttentionBuilder(group, plan, t).build();
  auto textOf = [](AffineExpr expr) { return Dim(expr).str(); };
  SoftmaxOp softmax = plan.softmax;
  SmallVector<AffineExpr, 4> scores = extentsOf(softmax.getData());
  remark::passed(group.location, remark::RemarkOpts::name("attention").category("kernel-schedule"))
      << llvm::formatv("'{0}' is attention of {1} x {2} heads, {3} rows by {4} keys, in one step",
                       nodeName(plan.last), textOf(plan.outer), textOf(plan.heads),
                       textOf(scores[scores.size() - 2]), textOf(scores.back()))
             .str();
}

namespace symc::codegen {
void registerAttentionRule(RuleList &rules) { rules.add<AttentionRule>(); }
} // namespace symc::codegen
