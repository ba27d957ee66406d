// Gradient.cpp: sg-gradient. With %l a loss head and `arguments=w`:
//
//   %y = sg.fully_connected(%x, %w)          the same, and behind it
//   %l = sg.softmax_output(%y, %label)       %dy = ... of %l and %label (SoftmaxOutputOp's rule)
//   sg.heads %l                              %dw = sg.dot(%dy, %x) {transpose_a = true}
//                                            sg.heads %l, %dw
//
// 1. Active are the arguments whose gradient is wanted, and what nodes compute of active values.
// 2. From the heads to the front of the graph, the rule of each active node that a gradient reaches
//    makes those of its operands, right behind all forward nodes.
// 3. Gradients of one value are added in that order.
//
// A head that is no loss becomes an input, `head_grad:NAME`. Auxiliary states that rules change
// are results as those of any node that changes one.
#include "ir/Gradient.h"
#include "ir/CustomOperators.h"
#include "ir/GraphDialect.h"
#include "passes/Passes.h"
#include "passes/TrainingGraph.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

namespace symc {
#define GEN_PASS_DEF_GRADIENT
#include "passes/Passes.h.inc"
} // namespace symc

using namespace mlir;
using namespace symc;
using namespace symc::sg;

namespace {

bool isFloat(Value value) { return isa_and_nonnull<FloatType>(elementTypeOf(value.getType())); }

class Differentiator {
public:
  Differentiator(GraphOp graph, ArrayRef<std::string> arguments, ArrayRef<std::string> addedTo,
                 ArrayRef<std::string> nulls)
      : graph(graph), heads(graph.getBlock().getTerminator()), end(heads) {
    for (const std::string &name : arguments)
      wanted.insert(name);
    for (const std::string &name : addedTo)
      added.insert(name);
    for (const std::string &name : nulls)
      dropped.insert(name);
  }

  LogicalResult run() {
    if (failed(checkGraph()) || failed(findArguments()))
      return failure();
    findActive();
    SmallVector<Operation *> nodes;
    for (Operation &op : graph.getBlock().without_terminator())
      nodes.push_back(&op);
    seedHeads();
    for (Operation *op : llvm::reverse(nodes))
      if (failed(visit(op)))
        return failure();
    addResults();
    return success();
  }

private:
  struct Argument {
    std::string name;
    SmallVector<Value> values; // the input, or the nodes that read the weight
  };

  LogicalResult checkGraph() {
    if (!graph.getTraining())
      return graph.emitError("sg-gradient needs a graph that is computed as in training");
    return checkTrainingGraph(graph);
  }

  // The inputs and weights whose gradient is wanted, in the order of the arguments.
  LogicalResult findArguments() {
    llvm::MapVector<StringRef, Argument> all;
    for (BlockArgument input : graph.getBlock().getArguments()) {
      StringRef name = graph.getInputName(input.getArgNumber());
      all[name].name = name.str();
      all[name].values.push_back(input);
    }
    SymbolTable symbols(graph->getParentOfType<ModuleOp>());
    graph.walk([&](ParameterOp parameter) {
      auto weight = symbols.lookup<WeightOp>(parameter.getWeight());
      if (weight.getAux())
        return;
      StringRef name = nameOf(weight);
      all[name].name = name.str();
      all[name].values.push_back(parameter.getResult());
    });
    auto take = [&](Argument &argument) {
      if (argument.values.empty() || !isFloat(argument.values.front()))
        return false;
      taken.insert(argument.name);
      arguments.push_back(argument);
      return true;
    };
    SmallVector<StringRef> order;
    if (std::optional<ArrayAttr> listed = graph.getArgumentOrder())
      llvm::append_range(order, listed->getAsValueRange<StringAttr>());
    for (auto &[name, argument] : all)
      if (!llvm::is_contained(order, name))
        order.push_back(name);
    bool isAll = wanted.contains("all");
    for (StringRef name : order)
      if (auto found = all.find(name);
          found != all.end() && !dropped.contains(name) && (isAll || wanted.contains(name)))
        if (!take(found->second) && !isAll)
          return graph.emitError("the gradient of '")
                 << name << "' is wanted, whose elements are "
                 << typeName(elementTypeOf(found->second.values.front().getType()))
                 << ", no floats";
    for (const llvm::StringSet<> *names : {&wanted, &added, &dropped})
      for (const auto &entry : *names)
        if (StringRef name = entry.getKey(); name != "all" && !taken.contains(name) &&
                                             !(dropped.contains(name) && all.contains(name)))
          return graph.emitError("a gradient of '")
                 << name << "' is named, which is no argument that the outputs depend on";
    return success();
  }

  static StringRef nameOf(WeightOp weight) {
    return nodeName(weight).empty() ? weight.getSymName() : nodeName(weight);
  }

  static StringRef gradientOf(Operation *op) {
    const OpInfo *info = infoOf(op);
    return info ? info->gradient : StringRef("zero");
  }

  void findActive() {
    for (const Argument &argument : arguments)
      active.insert_range(argument.values);
    for (Operation &op : graph.getBlock().without_terminator())
      if (gradientOf(&op) != "zero" &&
          llvm::any_of(op.getOperands(), [&](Value operand) { return active.contains(operand); }))
        for (Value result : op.getResults())
          if (isFloat(result))
            active.insert(result);
  }

  // The gradient of each head that is wanted: an input, unless a loss makes it.
  void seedHeads() {
    Block &block = graph.getBlock();
    size_t outputs = heads->getNumOperands();
    for (size_t i = 0; i < outputs; ++i) {
      Value head = heads->getOperand(i);
      if (graph.getResultAttr(i, "sg.state") || !active.contains(head))
        continue;
      auto loss = head.getDefiningOp<GradientInterface>();
      if (loss && loss.isLoss()) {
        losses.insert(loss);
        continue;
      }
      Builder b(graph.getContext());
      std::string name = ("head_grad:" + graph.getOutputName(i)).str();
      unsigned place = block.getNumArguments();
      (void)graph.insertArgument(
          place, head.getType(),
          b.getDictionaryAttr({b.getNamedAttr("sg.head_gradient", b.getI64IntegerAttr(i)),
                               b.getNamedAttr("sg.name", b.getStringAttr(name))}),
          graph.getLoc());
      gradients[head].push_back(block.getArgument(place));
    }
  }

  // The sum of the gradients of a value, or null.
  Value sumOf(Value value, Location location) {
    auto found = gradients.find(value);
    if (found == gradients.end())
      return {};
    CoreBuilder core(OpBuilder(end), location);
    Value sum = found->second.front();
    for (Value more : ArrayRef(found->second).drop_front())
      sum = core.binary("add", sum, more);
    found->second.assign({sum});
    return sum;
  }

  LogicalResult visit(Operation *op) {
    bool isReached = losses.contains(op);
    for (Value result : op->getResults())
      isReached |= gradients.contains(result);
    if (!isReached || isa<ParameterOp>(op))
      return success();
    SmallVector<bool> wants;
    for (Value operand : op->getOperands())
      wants.push_back(active.contains(operand));
    if (!llvm::is_contained(wants, true))
      return success();
    auto rule = dyn_cast<GradientInterface>(op);
    if (!rule)
      return refuseGradient(op, wantedBehind(op));
    SmallVector<Value> arriving;
    for (Value result : op->getResults())
      arriving.push_back(sumOf(result, backwardLocation(op)));
    GradientScope scope(op, CoreBuilder(OpBuilder(end), backwardLocation(op)), arriving, wants);
    if (failed(rule.buildGradient(scope)))
      return failure();
    for (unsigned i = 0; i < op->getNumOperands(); ++i)
      if (Value given = scope.given(i))
        gradients[op->getOperand(i)].push_back(given);
    states.take(scope);
    return success();
  }

  // The end of a sentence: why the node needs one.
  std::string wantedBehind(Operation *op) {
    std::string text = "the gradient of ";
    for (Value operand : op->getOperands())
      if (active.contains(operand))
        return text + describeValue(operand) + " is wanted";
    return text;
  }

  void addResults() {
    Builder b(graph.getContext());
    unsigned place = 0;
    while (place < heads->getNumOperands() && !graph.getResultAttr(place, "sg.state"))
      ++place;
    auto insert = [&](unsigned at, Value value, ArrayRef<NamedAttribute> attributes) {
      heads->insertOperands(at, value);
      (void)graph.insertResult(at, value.getType(), b.getDictionaryAttr(attributes));
    };
    for (const Argument &argument : arguments) {
      Value like = argument.values.front();
      Location location = like.getLoc();
      CoreBuilder core(OpBuilder(end), location);
      Value gradient;
      for (Value value : argument.values)
        if (Value own = sumOf(value, location))
          gradient = gradient ? core.binary("add", gradient, own) : own;
      std::string name = "grad:" + argument.name;
      if (added.contains(argument.name)) {
        unsigned input = graph.getBlock().getNumArguments();
        (void)graph.insertArgument(
            input, like.getType(),
            b.getDictionaryAttr(
                {b.getNamedAttr("sg.added_gradient", b.getStringAttr(argument.name)),
                 b.getNamedAttr("sg.name", b.getStringAttr(name))}),
            graph.getLoc());
        Value before = graph.getBlock().getArgument(input);
        gradient = gradient ? core.binary("add", before, gradient) : before;
      }
      if (!gradient)
        gradient = core.zeros(like.getType());
      insert(place++, gradient,
             {b.getNamedAttr("sg.gradient", b.getStringAttr(argument.name)),
              b.getNamedAttr("sg.name", b.getStringAttr(name))});
    }
    states.addResults(graph);
  }

  GraphOp graph;
  Operation *heads;
  llvm::StringSet<> wanted, added, dropped, taken;
  Operation *end; // gradients are built before it
  SmallVector<Argument> arguments;
  DenseSet<Value> active;                        // looked up only
  DenseSet<Operation *> losses;                  // of heads; looked up only
  DenseMap<Value, SmallVector<Value>> gradients; // looked up only
  NewStates states;
};

struct Gradient : symc::impl::GradientBase<Gradient> {
  using GradientBase::GradientBase;

  void runOnOperation() override {
    auto graph = getOperation().lookupSymbol<GraphOp>("main");
    if (!graph || Differentiator(graph, arguments, added, dropped).run().failed())
      signalPassFailure();
  }
};

} // namespace
