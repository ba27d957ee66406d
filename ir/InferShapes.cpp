// InferShapes.cpp: shapes of a module's graphs (InferGraph.h), in both directions.
//
//   %0 = sg.fully_connected(%data, %w) {num_hidden = 10} :
//        (tensor<32x64xf32>, tensor<*x!sg.unknown>) -> tensor<*x!sg.unknown>
//   -> weight [10, 64], result [32, 10]
//
// 1. Every value starts with what its type gives; all uses of one weight share
//    one shape.
// 2. Each node refines its operands and results, forward and backward, while
//    something changes.
// 3. What nodes need of extents is judged against the ranges of symbolic sizes on the way; what
//    is open becomes the graph's conditions.
// 4. Where a part of an axis is clipped to a size of its own and that fails, it starts again
//    without clips (Clips.h).
// 5. Types are written; unknown shapes are reported at the arguments where
//    they start, or left.
#include "ir/Clips.h"
#include "ir/Conditions.h"
#include "ir/CustomOperators.h"
#include "ir/InferGraph.h"
#include "ir/Sweep.h"

using namespace mlir;
using namespace symc::sg;

namespace {

// What a shape is on the other side of a call.
struct Across {
  static Shape element(const Shape &shape) {
    return shape.isRanked() && shape.rank() > 0 ? Shape(shape.list().drop_front()) : Shape();
  }
  static Shape gathered(const Shape &shape, Dim iterations) {
    if (!shape.isRanked())
      return shape;
    SmallVector<Dim> dims{iterations};
    llvm::append_range(dims, shape.list());
    return Shape(dims);
  }
  static Dim iterations(const Shape &shape) {
    return shape.isRanked() && shape.rank() > 0 ? shape[0] : Dim();
  }
  // Data that a loop goes through together has as many elements, which a run checks where
  // sizes are open.
  static LogicalResult checkData(ShapeScope &scope, unsigned first, unsigned other) {
    const Shape &one = scope.input(first), &two = scope.input(other);
    if (two.isRanked() && two.rank() == 0)
      return scope.error() << "data " << other << " has shape [], needs at least one extent";
    if (!one.isRanked() || !two.isRanked())
      return success();
    if (one[0].isStatic() && two[0].isStatic() && one[0] != two[0])
      return scope.error() << "data " << first << " has shape " << one.str() << " and data "
                           << other << " " << two.str()
                           << ", needs as many elements along the first axis";
    auto learn = [&](unsigned operand, const Shape &known, Dim extent) {
      Shape wanted(known.rank());
      wanted[0] = known[0].isKnown() ? known[0] : extent;
      return scope.refineInput(operand, wanted);
    };
    return failure(failed(learn(first, one, two[0])) || failed(learn(other, two, one[0])));
  }
  static LogicalResult checkCondition(ShapeScope &scope, const Shape &shape) {
    if (!shape.isFullyKnown() || shape.product(0, shape.rank(), scope.context()).isStatic(1))
      return success();
    return scope.error() << "the condition has shape " << shape.str() << ", needs one element";
  }
};

// Where the two disagree the node that is inferred again reports it.
bool mergeShapes(Shape &known, const Shape &more) {
  if (!known.isRanked()) {
    known = more;
    return more.isRanked();
  }
  bool learnt = false;
  for (size_t i = 0; more.isRanked() && more.rank() == known.rank() && i < known.rank(); ++i)
    if (!known[i].isKnown() && more[i].isKnown()) {
      known[i] = more[i];
      learnt = true;
    }
  return learnt;
}

class Inference : Sweep<Shape, ShapeScope, mergeShapes> {
public:
  Inference(GraphOp graph, WeightFacts<Shape> &weights, Undecided undecided, Conditions &conditions)
      : Sweep(graph, weights), undecided(undecided), conditions(conditions) {}

  const Shape &argumentFact(unsigned i) { return facts[graph.getBlock().getArgument(i)]; }
  const Shape &headFact(unsigned i) { return facts[head(i)]; }
  void addToArgument(unsigned i, const Shape &shape) {
    add(graph.getBlock().getArgument(i), shape);
  }
  void addToHead(unsigned i, const Shape &shape) { add(head(i), shape); }

  LogicalResult start() {
    collect([](Value value) { return shapeOf(value.getType()); });
    for (BlockArgument argument : graph.getBlock().getArguments())
      if (failed(checkGiven(argument)))
        return failure();
    for (Operation &op : graph.getBlock())
      for (Value result : op.getResults())
        if (failed(checkGiven(result)))
          return failure();
    for (Operation *op : nodes)
      if (failed(checkParams(op)))
        return failure();
    return success();
  }

  LogicalResult settle() {
    auto infer = [&](OperatorInterface node, ShapeScope &scope) -> LogicalResult {
      scope.conditions = &conditions;
      if (!isControlFlow(node))
        return node.inferShape(scope);
      return bodies.infer(node, scope, weights.symbols, [&](GraphOp body) {
        return std::make_unique<Inference>(body, weights, undecided, conditions);
      });
    };
    return sweep(infer);
  }

  // Unknown shapes are reported where the node is called, then inside.
  LogicalResult finish() {
    write([&](Value value, const Shape &shape) {
      return makeTensorType(shape, elementTypeOf(value.getType()), graph.getContext());
    });
    if (undecided == Undecided::Settle && failed(reportUnknown()))
      return failure();
    for (auto &[op, body] : bodies) {
      shareSizes(graph, body->graph);
      if (failed(body->finish()))
        return failure();
    }
    return success();
  }

private:
  // Nodes refine no shape into a bad one; this checks the given types.
  LogicalResult checkGiven(Value value) {
    const Shape &shape = facts[value];
    std::string mistake =
        shape.isRanked() ? badExtents(shape, graph.getDimMax().value_or(ArrayRef<int64_t>())) : "";
    if (mistake.empty())
      return success();
    return emitError(value.getLoc()) << describeValue(value) << " has " << mistake;
  }

  // Parameters by themselves and against each other; the importer has checked them in its files'
  // terms.
  LogicalResult checkParams(Operation *op) {
    const OpInfo *info = infoOf(op);
    if (!info)
      return success();
    ParamView params(*info, paramsOf(op));
    for (const ParamInfo &param : info->params)
      if (Attribute value = paramsOf(op).get(param.name))
        if (std::string message = checkValue(param, value); !message.empty())
          return nodeError(op) << message;
    std::string message = cast<OperatorInterface>(op).checkParams(params);
    if (message.empty())
      return success();
    return nodeError(op) << message;
  }

  // Live inputs need extents even where every result has its own without them.
  bool isUnknownInput(BlockArgument argument) {
    return !facts[argument].isFullyKnown() && !argument.use_empty() &&
           !graph.getArgAttr(argument.getArgNumber(), "sg.optional");
  }

  LogicalResult reportUnknown() {
    size_t unknown = 0;
    for (Operation *op : nodes)
      unknown +=
          llvm::any_of(op->getResults(), [&](Value value) { return !facts[value].isFullyKnown(); });
    bool inputUnknown = llvm::any_of(graph.getBlock().getArguments(), [&](BlockArgument argument) {
      return isUnknownInput(argument);
    });
    ParameterOp weightUnknown;
    for (auto parameter : graph.getBlock().getOps<ParameterOp>())
      if (!weightUnknown && !parameter->use_empty() && !facts[parameter.getResult()].isFullyKnown())
        weightUnknown = parameter;
    if (!unknown && !inputUnknown && !weightUnknown)
      return success();
    auto diagnostic = emitError(graph.getLoc());
    if (unknown)
      diagnostic << "shape inference stopped with " << unknown << " of " << nodes.size()
                 << " nodes unknown";
    else
      diagnostic << "the shape of " << (inputUnknown ? "an input" : "a weight") << " is unknown";
    // Of several first what a node takes for its data: others are rather labels and weights.
    SmallVector<BlockArgument> arguments(graph.getBlock().getArguments());
    llvm::stable_sort(arguments, [](BlockArgument a, BlockArgument b) {
      auto isData = [](BlockArgument argument) {
        return llvm::any_of(argument.getUses(),
                            [](OpOperand &use) { return use.getOperandNumber() == 0; });
      };
      return isData(a) && !isData(b);
    });
    for (BlockArgument argument : arguments)
      if (isUnknownInput(argument)) {
        StringRef name = graph.getInputName(argument.getArgNumber());
        diagnostic.attachNote(argument.getLoc())
            << "it starts at argument '" << name << "', which has "
            << (facts[argument].isRanked() ? "shape " + facts[argument].str() : "no shape")
            << "; pass --shape " << name << "=...";
        return failure();
      }
    if (weightUnknown) {
      StringRef name = weightUnknown.getWeight();
      diagnostic.attachNote(weightUnknown.getLoc())
          << "it starts at weight '" << name
          << "', whose shape is unknown; give the file that holds it, or its __shape__; pass "
             "--shape "
          << name << "=... where it is an input";
      return failure();
    }
    for (Operation *op : nodes)
      for (Value result : op->getResults())
        if (!facts[result].isFullyKnown()) {
          diagnostic.attachNote(op->getLoc())
              << "it starts at node '" << nodeName(op) << "', whose result has shape "
              << facts[result].str();
          return failure();
        }
    return failure();
  }

  Undecided undecided;
  Conditions &conditions; // of the graph that calls the others
  BodyInferences<Inference, Across> bodies;
};

} // namespace

static LogicalResult inferOnce(ModuleOp module, Undecided undecided, size_t *visits) {
  WeightFacts<Shape> weights;
  for (auto weight : module.getOps<WeightOp>())
    weights.facts[weight.getSymName()] = shapeOf(weight.getType());
  // Bodies are inferred with the nodes that call them.
  llvm::DenseSet<GraphOp> bodies;
  bodies.insert_range(bodiesOf(module));
  std::vector<std::unique_ptr<Inference>> inferences;
  std::vector<std::unique_ptr<Conditions>> conditions;
  for (auto graph : module.getOps<GraphOp>())
    if (!bodies.contains(graph)) {
      Conditions &own = *conditions.emplace_back(std::make_unique<Conditions>(graph));
      auto &inference =
          inferences.emplace_back(std::make_unique<Inference>(graph, weights, undecided, own));
      if (failed(inference->start()) || failed(inference->settle()))
        return failure();
    }
  if (visits)
    *visits += weights.visits;
  for (auto &inference : inferences)
    if (failed(inference->finish()))
      return failure();
  for (auto &own : conditions)
    own->write();
  for (auto weight : module.getOps<WeightOp>()) {
    const Shape &shape = weights.facts[weight.getSymName()];
    if (shape.isFullyKnown() && !shape.isStatic())
      return weight.emitError() << "weight '" << weight.getSymName() << "' has shape "
                                << shape.str()
                                << ", which changes with a size that is chosen at run time";
    Type type = makeTensorType(shape, elementTypeOf(weight.getType()), module.getContext());
    weight.setTypeAttr(TypeAttr::get(type));
  }
  return success();
}

// Whether a graph has sizes that a part of an axis may be clipped by.
static bool hasSizes(ModuleOp module) {
  return llvm::any_of(module.getOps<GraphOp>(), [](GraphOp graph) {
    return graph.getDimMin() && !graph.getDimMin()->empty();
  });
}
static bool hasClips(ModuleOp module) {
  return llvm::any_of(module.getOps<GraphOp>(),
                      [](GraphOp graph) { return graph->hasAttr(clipsOfGraph); });
}

// What parts are clipped to is a size of its own, and some consumers need constants: then the
// graph is inferred again with the need that nothing is clipped.
LogicalResult symc::sg::inferShapes(ModuleOp module, Undecided undecided, size_t *visits) {
  if (failed(checkCalls(module)))
    return failure();
  if (!hasSizes(module) || hasClips(module) || module->hasAttr(unclipped))
    return inferOnce(module, undecided, visits);
  OwningOpRef<ModuleOp> before = cast<ModuleOp>(module->clone());
  SmallVector<Diagnostic> errors;
  {
    ScopedDiagnosticHandler keep(module.getContext(), [&](Diagnostic &diagnostic) {
      errors.push_back(std::move(diagnostic));
      return success();
    });
    if (succeeded(inferOnce(module, undecided, visits)))
      return success();
  }
  if (!hasClips(module)) {
    for (Diagnostic &error : errors)
      module.getContext()->getDiagEngine().emit(std::move(error));
    return failure();
  }
  module.getBodyRegion().takeBody(before->getBodyRegion());
  module->setAttr(unclipped, UnitAttr::get(module.getContext()));
  return inferOnce(module, undecided, visits);
}
