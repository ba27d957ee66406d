// Reduce.cpp: reductions and normalisations as kernel.reduce, with the elementwise nodes
// before and behind them in its bodies.
//
//   %m = sg.reduce(%x) {kind = "mean"}        ->  passes(x -> x), rows(sum -> sum / count)
//   %y = sg.layer_norm(%x, %gamma, %beta)     ->  passes(x -> x; x, sum -> (x - mean)^2),
//                                                 elements((x - mean) / root * gamma + beta)
//   %a, %t = sg.norm_sums(%g, %x, %m, %i)     ->  passes(g, x, m, i -> g * (x - m) * i, g)
//   %d = sg.norm_gradient(%g, %x, %m, %i)     ->  the same, elements((g - t / n - y * a / n) * i)
//   %p = sg.softmax(%x, %length)              ->  passes(x -> x; x, max -> exp(x - max), saved),
//                                                 elements(saved / sum)
//
// What is normalised over the image of each channel is so in blocks, too, if its neighbours are:
// vectors lie along the channels of a block then. So are, in training, the statistics of channels
// and the sums of their gradients, which are images of one pixel.
//
// A reduction of few rows is split in two steps, so that it has tasks and short sums: chunks of the
// rows, then the chunks' results. Half floats are computed in f32; bools, means and norms of
// integers and results wider than what is computed keep their reference kernels.
#include "ir/ops/Reduce.h"
#include "codegen/schedule/GroupBody.h"
#include "codegen/schedule/ImageNodes.h"
#include "codegen/schedule/OperandViews.h"
#include "codegen/schedule/ReducedNodes.h"
#include "codegen/schedule/Refusals.h"
#include "codegen/schedule/RowStep.h"
#include "codegen/schedule/ScalarBody.h"
#include "ir/Gradient.h"
#include "ir/ops/Backward.h"
#include "ir/ops/Nn.h"
#include "ir/ops/Norm.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;
using namespace symc::sg;

namespace {

using Bodies = SmallVector<Value>;

/// Makes the step of one group that the rule has matched.
class ReduceBuilder {
public:
  ReduceBuilder(const GroupView &group, SmallVector<bool> reduced, bool blocked, Tensors &t)
      : t(t), group(group), root(group.root), dataValue(root->getOperand(0)),
        dataType(elementTypeOf(dataValue.getType())), blocked(blocked),
        before(group.beforeRoot().externalOperands()), behind(group.externalOperands()) {
    step.reduced = std::move(reduced);
  }

  void build();
  bool alongRows() const { return step.alongRows(t); }

private:
  void describe();

  // Views, in the shape of data (GroupNorm: its channels cut into groups), or of its blocks.
  ViewSpec viewOf(const Operand &operand, Value shape) {
    return broadcastTo(operand, shape, blocked, group.location, t);
  }
  ViewSpec createOut() {
    return blocked ? t.createBlocked(group.result, group.location)
                   : inGroups(t.createPlain(group.result, group.location));
  }
  ViewSpec inGroups(ViewSpec view);
  unsigned addIn(const ViewSpec &view) {
    step.ins.push_back(inGroups(view));
    return step.ins.size() - 1;
  }
  /// A vector along an axis of what `inGroups` gives.
  unsigned addVector(Value vector, unsigned axis);
  void addData();
  void addEpilogue();
  ViewSpec rowsOf(Value result, ArrayRef<AffineExpr> extents);
  void addRowOut(Value result) {
    step.rowOuts.push_back(blocked ? channelsOf(result) : rowsOf(result, extentsOf(result)));
  }
  ViewSpec channelsOf(Value result);
  bool measuresOnce() const;

  // Bodies.
  Type compute() const { return computeTypeOf(dataType); }
  /// The data's element, after the nodes before the root.
  Value data(RowBody &body);
  /// The root's result and the nodes behind it.
  Value finish(RowBody &body, Value value);
  Value meanOf(RowBody &body, Value sum) {
    return body.over(sum, body.number(body.count, compute()));
  }
  void sum(RowBody::Fill term) { step.passes.push_back({"sum", std::move(term)}); }
  void describeReduce(StringRef kind);
  void describeNorm(NormOp op);
  void describeMoments(MomentsOp op);
  unsigned addNormOperands();
  void sumSlopes(unsigned first);
  void describeNormSums(NormSumsOp op);
  void describeNormGradient(NormGradientOp op);
  void describeArg(ArgReduceOp op);
  void describeSoftmax(SoftmaxOp op);
  void describeSoftmax(double factor, bool log, Value length);
  void describeL2(L2NormalizationOp op);
  void normalise(double eps, unsigned gamma, unsigned beta);
  void addStatistics(RowBody::Fill statistics);
  template <typename Op> void describeNormalisation(Op op, unsigned axis);

  Tensors &t;
  const GroupView &group;
  Operation *root;
  Value dataValue; // what the root reads, after the nodes before it
  Type dataType;
  RowStep step;
  bool blocked;
  SmallVector<Operand> before, behind;       // operands of the nodes around the root
  unsigned firstBefore = 0, firstBehind = 0; // their places in ins
};

} // namespace

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

ViewSpec ReduceBuilder::inGroups(ViewSpec view) {
  auto op = dyn_cast<GroupNormOp>(root);
  if (!op)
    return view;
  int64_t groups = op.getNumGroups(), channels = *constantOf(view.sizes[1]);
  AffineExpr each = t.constant(channels / groups), stride = view.strides[1];
  view.sizes[1] = t.constant(groups);
  view.strides[1] = stride * each;
  view.sizes.insert(view.sizes.begin() + 2, each);
  view.strides.insert(view.strides.begin() + 2, stride);
  return view;
}

unsigned ReduceBuilder::addVector(Value vector, unsigned axis) {
  if (blocked) {
    step.ins.push_back(channelVector(vector, group.result, group.location, t));
    return step.ins.size() - 1;
  }
  ViewSpec view = t.plainView(vector, group.location);
  AffineExpr stride = view.strides[0];
  view.sizes = step.ins[0].sizes;
  view.strides.assign(view.sizes.size(), t.constant(0));
  view.strides[axis] = stride;
  step.ins.push_back(view);
  return step.ins.size() - 1;
}

// The data, or what the nodes before the root make it of.
void ReduceBuilder::addData() {
  if (group.producers.empty()) {
    Value data = group.resolve(dataValue);
    addIn(blocked ? t.blockedView(data, {}, group.location) : t.plainView(data, group.location));
    return;
  }
  for (const Operand &operand : before)
    addIn(viewOf(operand, dataValue));
}

// A view in data's shape of `extents`, in which the reduced axes are left out or 1.
ViewSpec ReduceBuilder::rowsOf(Value result, ArrayRef<AffineExpr> extents) {
  ViewSpec out = t.createPlain(result, group.location);
  ViewSpec view{out.base, out.offset, step.ins[0].sizes, {}};
  view.strides.assign(view.sizes.size(), t.constant(0));
  AffineExpr stride = t.constant(1);
  for (size_t axis = view.sizes.size(); axis-- > 0;)
    if (!step.reduced[axis]) {
      view.strides[axis] = stride;
      stride = stride * view.sizes[axis];
    }
  return view;
}

// Memory of a result [1, C, 1, 1] in blocks, in the shape of the data's.
ViewSpec ReduceBuilder::channelsOf(Value result) {
  ViewSpec out = t.createBlocked(result, group.location);
  AffineExpr zero = t.constant(0);
  return {
      out.base, out.offset, step.ins[0].sizes, {zero, out.strides[1], zero, zero, out.strides[4]}};
}

// Operands of the nodes behind the root, in data's shape.
void ReduceBuilder::addEpilogue() {
  firstBehind = step.ins.size();
  size_t rank = extentsOf(group.result).size();
  for (const Operand &operand : behind) {
    ViewSpec view = viewOf(operand, group.result);
    if (!step.outs.empty()) {
      addIn(view);
      continue;
    }
    ViewSpec spread{view.base, view.offset, step.ins[0].sizes, {}};
    bool keeps = rank == step.reduced.size();
    for (size_t axis = 0, next = 0; axis < step.reduced.size(); ++axis) {
      size_t from = keeps ? axis : next;
      next += step.reduced[axis] ? 0 : 1;
      spread.strides.push_back(step.reduced[axis] ? t.constant(0) : view.strides[from]);
    }
    step.ins.push_back(spread);
  }
}

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

Value ReduceBuilder::data(RowBody &body) {
  if (body.saved && step.savesData)
    return body.wide(body.saved, false);
  bool isUnsigned = dataType.isUnsignedInteger();
  if (group.producers.empty())
    return body.wide(body.ins[firstBefore], isUnsigned);
  DenseMap<Value, Value> scalars;
  auto outer = [&](const Operand &operand) {
    return body.ins[firstBefore + (llvm::find(before, operand) - before.begin())];
  };
  return body.wide(emitChain(group, group.producers, scalars, outer, body.b), false);
}

Value ReduceBuilder::finish(RowBody &body, Value value) {
  value = body.narrow(value, Tensors::storageType(elementTypeOf(root->getResult(0).getType())));
  if (group.chain.empty())
    return value;
  DenseMap<Value, Value> scalars{{root->getResult(0), value}};
  auto outer = [&](const Operand &operand) {
    return body.ins[firstBehind + (llvm::find(behind, operand) - behind.begin())];
  };
  return emitChain(group, group.chain, scalars, outer, body.b);
}

void ReduceBuilder::describeReduce(StringRef kind) {
  bool product = kind.ends_with("prod");
  bool skips = kind.starts_with("nan") && isa<FloatType>(dataType);
  StringRef combiner = product ? "prod" : kind == "max" || kind == "min" ? kind : "sum";
  step.passes.push_back({combiner, [=](RowBody &body) -> Bodies {
                           Value x = data(body);
                           return {skips ? body.orElse(x, product ? 1 : 0) : x};
                         }});
  step.rows = [=](RowBody &body) -> Bodies {
    Value value = body.results[0];
    return {finish(body, kind == "mean" ? meanOf(body, value) : value)};
  };
  addRowOut(group.result);
}

void ReduceBuilder::describeNorm(NormOp op) {
  bool sizes = op.getOrd() == 1;
  sum([=](RowBody &body) -> Bodies {
    Value x = data(body);
    return {sizes ? body.size(x) : body.times(x, x)};
  });
  step.rows = [=](RowBody &body) -> Bodies {
    return {finish(body, sizes ? body.results[0] : body.root(body.results[0]))};
  };
  addRowOut(group.result);
}

// Whether a second walk over the data would read it from memory once more.
bool ReduceBuilder::measuresOnce() const {
  constexpr int64_t longRow = 4096;
  int64_t count = 1;
  for (auto [size, isReduced] : llvm::zip(step.ins[0].sizes, step.reduced))
    if (isReduced)
      count *= constantOf(size).value_or(0);
  return isTraining(group.op) && dataType.isF32() && group.producers.empty() && count >= longRow;
}

void ReduceBuilder::describeMoments(MomentsOp op) {
  if (measuresOnce()) {
    // In one walk, of distances to the mean p of a part of each row: with n-th parts the variance
    // is at least (mean - p)^2 / n, so that the difference below loses log2(n) bits at most.
    constexpr int64_t mostLost = 4, parts = int64_t(1) << mostLost;
    RowStep pivot;
    unsigned axis = 0;
    int64_t longest = 0;
    for (unsigned i = 0; i < step.reduced.size(); ++i)
      if (int64_t extent = *constantOf(step.ins[0].sizes[i]);
          step.reduced[i] && extent >= longest) {
        // The first of equals, so that the part is in one piece.
        if (extent > longest)
          axis = i;
        longest = extent;
      }
    pivot.reduced = step.reduced;
    pivot.type = step.type;
    pivot.ins = {step.ins[0]};
    pivot.ins[0].sizes[axis] = t.constant(llvm::divideCeil(longest, parts));
    SmallVector<AffineExpr> kept;
    AffineExpr zero = t.constant(0);
    for (auto [size, isReduced] : llvm::zip(step.ins[0].sizes, step.reduced))
      if (!isReduced)
        kept.push_back(size);
    if (kept.empty())
      kept.push_back(t.constant(1));
    ViewSpec memory = t.rowMajor(t.buffer(kept, compute(), group.location), kept), spread = memory;
    spread.strides.clear();
    for (unsigned i = 0, next = 0; i < step.reduced.size(); ++i)
      spread.strides.push_back(step.reduced[i] ? zero : memory.strides[next++]);
    spread.sizes = pivot.ins[0].sizes;
    pivot.rowOuts = {spread};
    pivot.passes.push_back({"sum", [](RowBody &body) -> Bodies { return {body.ins[0]}; }});
    pivot.rows = [](RowBody &body) -> Bodies {
      return {body.over(body.results[0], body.number(body.count, body.type))};
    };
    pivot.create(t, group.location);
    spread.sizes = step.ins[0].sizes;
    step.ins.push_back(spread);
    step.passes.push_back({"sums", [=](RowBody &body) -> Bodies {
                             Value distance = body.minus(data(body), body.ins[1]);
                             return {distance, body.times(distance, distance)};
                           }});
    step.rows = [=](RowBody &body) -> Bodies {
      Value shift = meanOf(body, body.results[0]), square = meanOf(body, body.results[1]);
      Value variance = body.minus(square, body.times(shift, shift));
      return {body.plus(body.ins[1], shift), body.atLeast(variance, 0)};
    };
    addRowOut(op.getOutput0());
    addRowOut(op.getOutput1());
    return;
  }
  sum([=](RowBody &body) -> Bodies { return {data(body)}; });
  sum([=](RowBody &body) -> Bodies {
    Value distance = body.minus(data(body), meanOf(body, body.results[0]));
    return {body.times(distance, distance)};
  });
  step.rows = [=](RowBody &body) -> Bodies {
    Type type = elementTypeOf(root->getResult(0).getType());
    return {body.narrow(meanOf(body, body.results[0]), type),
            body.narrow(meanOf(body, body.results[1]), type)};
  };
  addRowOut(op.getOutput0());
  addRowOut(op.getOutput1());
}

// Views of what was normalised, of its mean and inverse; the place of the first.
unsigned ReduceBuilder::addNormOperands() {
  unsigned first = step.ins.size();
  SmallVector<int64_t> axes =
      llvm::to_vector(llvm::seq<int64_t>(0, shapeOf(dataValue.getType()).rank()));
  for (Value operand : root->getOperands().drop_front())
    addIn(viewOf({group.resolve(operand), axes}, dataValue));
  return first;
}

// The normalised element, of the views that addNormOperands made.
static Value normalOf(RowBody &body, unsigned first) {
  auto in = [&](unsigned i) { return body.wide(body.ins[first + i], false); };
  return body.times(body.minus(in(0), in(1)), in(2));
}

// The pass of sg.norm_sums.
void ReduceBuilder::sumSlopes(unsigned first) {
  step.partials = 32; // of two registers each
  step.passes.push_back({"sums", [=](RowBody &body) -> Bodies {
                           Value slope = data(body);
                           return {body.times(slope, normalOf(body, first)), slope};
                         }});
}

void ReduceBuilder::describeNormGradient(NormGradientOp op) {
  unsigned first = addNormOperands();
  sumSlopes(first);
  step.elements = [=](RowBody &body) -> Bodies {
    Value along = meanOf(body, body.results[0]), shift = meanOf(body, body.results[1]);
    Value rest =
        body.minus(body.minus(data(body), shift), body.times(normalOf(body, first), along));
    return {finish(body, body.times(rest, body.wide(body.ins[first + 2], false)))};
  };
  step.outs.push_back(createOut());
}

void ReduceBuilder::describeNormSums(NormSumsOp op) {
  sumSlopes(addNormOperands());
  step.rows = [=](RowBody &body) -> Bodies {
    return {body.narrow(body.results[0], dataType), body.narrow(body.results[1], dataType)};
  };
  for (Value result : group.op->getResults())
    addRowOut(result);
}

void ReduceBuilder::describeArg(ArgReduceOp op) {
  step.passes.push_back(
      {op.getKind(), [=](RowBody &body) -> Bodies { return {data(body), body.position}; }});
  step.partials = 32; // of two registers each
  step.rows = [=](RowBody &body) -> Bodies {
    return {finish(body, body.number(body.results[1], compute()))};
  };
  addRowOut(group.result);
}

void ReduceBuilder::describeSoftmax(SoftmaxOp op) {
  double factor = op.getKind() == "softmin" ? -1 : 1;
  if (op.getTemperature())
    factor /= op.getTemperature()->convertToDouble();
  describeSoftmax(factor, op.getKind() == "log_softmax", op.getLength());
}

// exp(factor * x) over its sum. The exponential is kept where the result can hold it.
void ReduceBuilder::describeSoftmax(double factor, bool log, Value length) {
  auto scaled = [=](RowBody &body) {
    Value x = data(body);
    return factor == 1 ? x : body.times(x, body.real(factor));
  };
  auto shifted = [=](RowBody &body) { return body.minus(scaled(body), body.results[0]); };
  Type result = elementTypeOf(root->getResult(0).getType());
  bool keeps = !log && result == compute();
  step.passes.push_back({"maxnum", [=](RowBody &body) -> Bodies { return {scaled(body)}; }});
  sum([=](RowBody &body) -> Bodies {
    Value exponential = body.exponential(shifted(body));
    return keeps ? Bodies{exponential, exponential} : Bodies{exponential};
  });
  if (keeps)
    step.saves = 1;
  step.partials = 16; // exponentials take the registers
  step.elements = [=](RowBody &body) -> Bodies {
    if (log)
      return {finish(body, body.minus(shifted(body), body.logarithm(body.results[1])))};
    Value exponential = keeps ? body.saved : body.exponential(shifted(body));
    return {finish(body, body.over(exponential, body.results[1]))};
  };
  step.outs.push_back(createOut());
  if (!length)
    return;
  ViewSpec view = t.plainView(group.resolve(length), group.location),
           spread{view.base, view.offset, step.ins[0].sizes, {}};
  for (size_t axis = 0, next = 0; axis < step.reduced.size(); ++axis)
    spread.strides.push_back(step.reduced[axis] ? t.constant(0) : view.strides[next++]);
  step.lengths = spread;
}

// (x - mean) / sqrt(var + eps) * gamma + beta. Whether gamma is the row's or the element's
// follows from its view.
void ReduceBuilder::normalise(double eps, unsigned gamma, unsigned beta) {
  auto distance = [=](RowBody &body) {
    return body.minus(data(body), meanOf(body, body.results[0]));
  };
  auto deviation = [=](RowBody &body) {
    return body.root(body.plus(meanOf(body, body.results[1]), body.real(eps)));
  };
  sum([=](RowBody &body) -> Bodies {
    Value x = data(body);
    return step.savesData ? Bodies{x, body.narrow(x, dataType)} : Bodies{x};
  });
  sum([=](RowBody &body) -> Bodies {
    Value x = distance(body);
    return {body.times(x, x)};
  });
  step.elements = [=](RowBody &body) -> Bodies {
    Value inverse = body.over(body.real(1), deviation(body));
    Value scaled =
        body.times(body.times(distance(body), inverse), body.wide(body.ins[gamma], false));
    return {finish(body, body.plus(scaled, body.wide(body.ins[beta], false)))};
  };
  step.outs.push_back(createOut());
  bool variance = isa<InstanceNormOp>(root); // others have the deviation as result
  addStatistics([=](RowBody &body) -> Bodies {
    return {meanOf(body, body.results[0]),
            variance ? meanOf(body, body.results[1]) : deviation(body)};
  });
}

// The node's results behind the first, one number of each row each, if there are any.
void ReduceBuilder::addStatistics(RowBody::Fill statistics) {
  if (root->getNumResults() == 1)
    return;
  step.rows = [=](RowBody &body) -> Bodies {
    Bodies values = statistics(body);
    for (auto [value, result] : llvm::zip(values, root->getResults().drop_front()))
      value = body.narrow(value, elementTypeOf(result.getType()));
    return values;
  };
  for (Value result : root->getResults().drop_front())
    addRowOut(result);
}

// Functions of the nodes before the root, which are better computed once and kept.
static bool isCostly(ArrayRef<Operation *> chain) {
  return llvm::any_of(chain,
                      [](Operation *op) { return hasFunctions(cast<ElementwiseInterface>(op)); });
}

template <typename Op> void ReduceBuilder::describeNormalisation(Op op, unsigned axis) {
  step.savesData = isCostly(group.producers) && elementTypeOf(group.result.getType()) == dataType;
  if (step.savesData)
    step.saves = 0;
  unsigned gamma = addVector(group.resolve(op.getGamma()), axis);
  unsigned beta = addVector(group.resolve(op.getBeta()), axis);
  normalise(op.getEps().convertToDouble(), gamma, beta);
}

void ReduceBuilder::describeL2(L2NormalizationOp op) {
  double eps = op.getEps().convertToDouble();
  sum([=](RowBody &body) -> Bodies {
    Value x = data(body);
    return {body.times(x, x)};
  });
  auto norm = [=](RowBody &body) { return body.root(body.plus(body.results[0], body.real(eps))); };
  step.elements = [=](RowBody &body) -> Bodies {
    return {finish(body, body.times(data(body), body.over(body.real(1), norm(body))))};
  };
  step.outs.push_back(createOut());
  addStatistics([=](RowBody &body) -> Bodies { return {norm(body)}; });
}

void ReduceBuilder::describe() {
  llvm::TypeSwitch<Operation *>(root)
      .Case([&](ReduceOp op) { describeReduce(op.getKind()); })
      .Case([&](PoolingOp op) { describeReduce(op.getPoolType() == "avg" ? "mean" : "sum"); })
      .Case([&](NormOp op) { describeNorm(op); })
      .Case([&](MomentsOp op) { describeMoments(op); })
      .Case([&](NormSumsOp op) { describeNormSums(op); })
      .Case([&](NormGradientOp op) { describeNormGradient(op); })
      .Case([&](ArgReduceOp op) { describeArg(op); })
      .Case([&](SoftmaxOp op) { describeSoftmax(op); })
      .Case<SoftmaxOutputOp, SoftmaxActivationOp>([&](auto) { describeSoftmax(1, false, Value()); })
      .Case([&](LayerNormOp op) {
        describeNormalisation(op, normalisedAxis(op.getAxis(), extentsOf(op.getData()).size()));
      })
      .Case<InstanceNormOp, GroupNormOp>([&](auto op) { describeNormalisation(op, 1); })
      .Case([&](L2NormalizationOp op) { describeL2(op); });
}

// The nodes that describe() has a line for.
static bool isDescribed(Operation *root) {
  return isa<ReduceOp, PoolingOp, NormOp, MomentsOp, NormSumsOp, NormGradientOp, ArgReduceOp,
             SoftmaxOp, SoftmaxOutputOp, SoftmaxActivationOp, LayerNormOp, InstanceNormOp,
             GroupNormOp, L2NormalizationOp>(root);
}

// Which axes of the root's data it reduces; none for what this file does not compute.
static SmallVector<bool> reducedAxesOf(Operation *root) {
  if (auto reduction = dyn_cast_or_null<ReductionInterface>(root))
    return reduction.getReducedAxes();
  auto pooling = dyn_cast_or_null<PoolingOp>(root);
  if (!pooling || !sumsWholeImages(pooling))
    return {};
  SmallVector<bool> reduced(extentsOf(pooling.getData()).size(), true);
  reduced[0] = reduced[1] = false;
  return reduced;
}

void ReduceBuilder::build() {
  if (isa<GroupNormOp>(root)) // of the groups' channels, too
    step.reduced.push_back(true);
  if (blocked)
    step.reduced = {isa<MomentsOp, NormSumsOp>(root), false, true, true, false};
  step.type = compute();
  addData();
  describe();
  addEpilogue();
  step.create(t, group.location);
}

//===----------------------------------------------------------------------===//
// The rule
//===----------------------------------------------------------------------===//

namespace {

struct ReduceRule {
  static constexpr RuleTraits traits{"reduce", Benefit::Rows, Use::Generated};
  struct Plan {
    RuleForms forms;
    SmallVector<bool> reduced; // axes of the root's data
    bool inBlocks;
  };

  static Match<Plan> match(const GroupView &group);
  static void emit(const GroupView &group, const Plan &plan, Tensors &t);
};

} // namespace

Match<ReduceRule::Plan> ReduceRule::match(const GroupView &group) {
  SmallVector<bool> reduced = reducedAxesOf(group.root);
  if (reduced.empty() || !isDescribed(group.root))
    return std::nullopt;
  const Tensors &t = group.t;
  if (!hasReducedTypes(group.root))
    return Refusal{"its types of elements have no sums that keep the reference kernel's bits"};
  SmallVector<AffineExpr, 4> extents = extentsOf(group.root->getOperand(0));
  if (extents.empty() || llvm::is_contained(extents, t.constant(0)))
    return Refusal{"it reduces nothing"};
  if (isa<GroupNormOp>(group.root) && !constantOf(extents[1]))
    return openChannelsRefusal();
  GroupView before = group.beforeRoot();
  if (!group.chainIsEmittable() || !before.chainIsEmittable())
    return chainRefusal();
  bool mayBlock = reducesInBlocks(group), inBlocks = mayBlock && group.writesBlocks();
  auto canRead = [&](const GroupView &nodes) {
    return llvm::all_of(nodes.externalOperands(), [&](const Operand &operand) {
      return canBroadcast(operand, nodes.result, t);
    });
  };
  if (!inBlocks && !(canRead(before) && canRead(group)))
    return operandRefusal();
  return Plan{RuleForms::eitherIf(mayBlock), reduced, inBlocks};
}

void ReduceRule::emit(const GroupView &group, const Plan &plan, Tensors &t) {
  ReduceBuilder builder(group, plan.reduced, plan.inBlocks, t);
  builder.build();
  remark::passed(group.location, remark::RemarkOpts::name("reduce").category("kernel-schedule"))
      << ("'" + nodeName(group.root) + "' is generated, in vectors along its " +
          (builder.alongRows() ? "rows"
           : plan.inBlocks     ? "blocks of channels"
                               : "columns"))
             .str();
}

namespace symc::codegen {
void registerReduceRule(RuleList &rules) { rules.add<ReduceRule>(); }
} // namespace symc::codegen
