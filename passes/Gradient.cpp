// Gradient.cpp: sg-gradient. With %l a loss head and `arguments=w`:
//
//   %y = sg.fully_connected(%x, %w)          the same, and behind it
//   %l = sg.softmax_output(%y, %label)       %dy = ... of %l and %label (SoftmaxOutputOp's rule)
//   sg.heads %l                              %dw = sg.dot(%dy, %x) {transpose_a = true}
//                                            sg.heads %l, %dw
//
// The gradients between are made by ir/Differentiator.cpp. A head that is no loss becomes an input,
// `head_grad:NAME`. Auxiliary states that rules change are results as those of any node that
// changes one. Graphs that only replaced nodes of control flow called go.
#include "ir/ControlFlow.h"
#include "ir/Differentiator.h"
#include "ir/ValueSizes.h"
#include "passes/Passes.h"
#include "passes/TrainingGraph.h"

#include "llvm/ADT/MapVector.h"

namespace symc {
#define GEN_PASS_DEF_GRADIENT
#include "passes/Passes.h.inc"
} // namespace symc

using namespace mlir;
using namespace symc;
using namespace symc::sg;

namespace {

class MainGradients {
public:
  MainGradients(GraphOp graph, ArrayRef<std::string> arguments, ArrayRef<std::string> addedTo,
                ArrayRef<std::string> nulls)
      : graph(graph), heads(graph.getBlock().getTerminator()), gradients(graph) {
    for (const std::string &name : arguments)
      wanted.insert(name);
    for (const std::string &name : addedTo)
      added.insert(name);
    for (const std::string &name : nulls)
      dropped.insert(name);
  }

  LogicalResult run() {
    if (failed(checkGraph()) || failed(findArguments()) || failed(checkBodies()))
      return failure();
    SmallVector<Value> values;
    for (const Argument &argument : arguments)
      llvm::append_range(values, argument.values);
    gradients.want(values);
    if (failed(seedHeads()) || failed(gradients.run()))
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

  // The gradient of a weight is that of the nodes of @main that read it.
  LogicalResult checkBodies() {
    SymbolTable symbols(graph->getParentOfType<ModuleOp>());
    for (GraphOp body : bodiesOf(graph->getParentOfType<ModuleOp>()))
      for (auto parameter : body.getBlock().getOps<ParameterOp>())
        if (auto weight = symbols.lookup<WeightOp>(parameter.getWeight());
            taken.contains(nameOf(weight)))
          return body.emitError("the gradient of '")
                 << nameOf(weight) << "' is wanted, which graph @" << body.getSymName()
                 << " of a node reads by itself and not by an input";
    return success();
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

  // The gradient of each head that is wanted: an input, unless a loss makes it.
  LogicalResult seedHeads() {
    Block &block = graph.getBlock();
    size_t outputs = heads->getNumOperands();
    for (size_t i = 0; i < outputs; ++i) {
      Value head = heads->getOperand(i);
      if (graph.getResultAttr(i, "sg.state") || !gradients.isActive(head))
        continue;
      if (auto loss = head.getDefiningOp<GradientInterface>(); loss && loss.isLoss())
        continue;
      if (failed(checkExtents(head, graph.getOutputName(i))))
        return failure();
      Builder b(graph.getContext());
      std::string name = ("head_grad:" + graph.getOutputName(i)).str();
      unsigned place = block.getNumArguments();
      (void)graph.insertArgument(
          place, head.getType(),
          b.getDictionaryAttr({b.getNamedAttr("sg.head_gradient", b.getI64IntegerAttr(i)),
                               b.getNamedAttr("sg.name", b.getStringAttr(name))}),
          graph.getLoc());
      gradients.add(head, block.getArgument(place));
    }
    return success();
  }

  // Of an input an extent is fixed or chosen, and does not follow from others.
  LogicalResult checkExtents(Value head, StringRef name) {
    Shape shape = shapeOf(head.getType());
    for (Operation &op : graph.getBlock())
      if (std::optional<int64_t> size = decidedSize(&op))
        for (Dim extent : shape.list())
          if (auto symbol = dyn_cast_or_null<AffineSymbolExpr>(extent.getExpr());
              symbol && symbol.getPosition() == *size)
            return graph.emitError("the gradient of output '")
                   << name << "' is an input, but node '" << nodeName(&op)
                   << "' decides an extent of it by the values that it gets";
    for (Dim extent : shape.list())
      if (!extent.isStatic() && !isa<AffineSymbolExpr>(extent.getExpr()))
        return graph.emitError("the gradient of output '")
               << name << "' is an input, whose extents are fixed or chosen, but it has shape "
               << shape.str();
    return success();
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
      CoreBuilder core(OpBuilder(heads), location);
      Value gradient;
      for (Value value : argument.values)
        if (Value own = gradients.sumOf(value, location))
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
        gradient = core.zerosLike(like);
      insert(place++, gradient,
             {b.getNamedAttr("sg.gradient", b.getStringAttr(argument.name)),
              b.getNamedAttr("sg.name", b.getStringAttr(name))});
    }
    NewStates states;
    for (auto [state, value] : gradients.takeUpdates())
      if (auto parameter = state.getDefiningOp<ParameterOp>())
        states.put(parameter.getWeightAttr().getAttr(), value);
    states.addResults(graph, /*inBackward=*/true);
  }

  GraphOp graph;
  Operation *heads;
  llvm::StringSet<> wanted, added, dropped, taken;
  SmallVector<Argument> arguments;
  Differentiator gradients;
};

// Drops graphs that no node calls, except `kept`.
void dropUncalled(ModuleOp module, ArrayRef<GraphOp> kept) {
  for (bool dropped = true; dropped;) {
    SmallVector<GraphOp> called = bodiesOf(module);
    dropped = false;
    for (GraphOp graph : llvm::make_early_inc_range(module.getOps<GraphOp>()))
      if (!llvm::is_contained(called, graph) && !llvm::is_contained(kept, graph)) {
        graph.erase();
        dropped = true;
      }
  }
}

struct Gradient : symc::impl::GradientBase<Gradient> {
  using GradientBase::GradientBase;

  void runOnOperation() override {
    auto graph = getOperation().lookupSymbol<GraphOp>("main");
    SmallVector<GraphOp> uncalled(getOperation().getOps<GraphOp>());
    SmallVector<GraphOp> called = bodiesOf(getOperation());
    llvm::erase_if(uncalled, [&](GraphOp one) { return llvm::is_contained(called, one); });
    if (!graph || MainGradients(graph, arguments, added, dropped).run().failed())
      return signalPassFailure();
    dropUncalled(getOperation(), uncalled);
  }
};

} // namespace
