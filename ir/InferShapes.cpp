// InferShapes.cpp: shapes of a module's graphs (InferGraph.h), in both directions.
//
//   %0 = sg.fully_connected(%data, %w) {num_hidden = 10} :
//        (tensor<32x64xf32>, tensor<*x!sg.unknown>) -> tensor<*x!sg.unknown>
//   -> weight [10, 64], result [32, 10]
//
// 1. Every value starts with what its type tells; all uses of one weight share
//    one shape.
// 2. Forward sweep, then backward sweep, each node refining operands and
//    results, while something changes.
// 3. What nodes need of extents is judged against the ranges of symbolic sizes on the way; what
//    is open becomes the graph's conditions.
// 4. Types are written; unknown shapes are reported at the arguments where
//    they start, or left.
#include "ir/Conditions.h"
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
  // Where the two disagree the node that is asked back reports it.
  static void merge(Shape &known, const Shape &more) {
    if (!known.isRanked())
      known = more;
    else if (more.isRanked() && more.rank() == known.rank())
      for (size_t i = 0; i < known.rank(); ++i)
        if (!known[i].isKnown())
          known[i] = more[i];
  }
};

class Inference : Sweep<Shape, ShapeScope> {
public:
  Inference(GraphOp graph, llvm::StringMap<Shape> &weights, Undecided undecided,
            Conditions &conditions)
      : Sweep(graph), weights(weights), undecided(undecided), conditions(conditions) {}

  Shape &argumentFact(unsigned i) { return facts[graph.getBlock().getArgument(i)]; }
  Shape &headFact(unsigned i) { return facts[head(i)]; }

  LogicalResult start() {
    collect([](Value value) { return shapeOf(value.getType()); });
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
      return bodies.infer(node, scope, [&](GraphOp body) {
        return std::make_unique<Inference>(body, weights, undecided, conditions);
      });
    };
    return sweep(infer, [&] { return syncWeights(); });
  }

  // Unknown shapes are reported where the node is called, then inside.
  LogicalResult finish() {
    write([&](Value value, const Shape &shape) {
      return makeTensorType(shape, elementTypeOf(value.getType()), graph.getContext());
    });
    if (undecided == Undecided::Settle && failed(reportUnknown()))
      return failure();
    for (auto &[op, body] : bodies)
      if (failed(body->finish()))
        return failure();
    return success();
  }

private:
  // Parameters against each other; the importer has checked them in its files' terms.
  LogicalResult checkParams(Operation *op) {
    const OpInfo *info = lookupMnemonic(op->getName().stripDialect());
    if (!info)
      return success();
    ParamView params(*info, op->getAttrDictionary());
    std::string message = cast<OperatorInterface>(op).checkParams(params);
    if (message.empty())
      return success();
    return nodeError(op) << message;
  }

  // Uses of one weight tell each other what they learnt.
  bool syncWeights() {
    bool changed = false;
    for (auto parameter : graph.getBlock().getOps<ParameterOp>()) {
      Shape &shape = facts[parameter.getResult()];
      Shape &shared = weights[parameter.getWeight()];
      if (!shared.isRanked() && shape.isRanked()) {
        shared = shape;
        changed = true;
      } else if (shared.isRanked() && !shape.isRanked()) {
        shape = shared;
        changed = true;
      } else if (shared.isRanked() && shared.rank() == shape.rank()) {
        for (size_t i = 0; i < shape.rank(); ++i) {
          if (!shared[i].isKnown() && shape[i].isKnown())
            shared[i] = shape[i], changed = true;
          if (shared[i].isKnown() && !shape[i].isKnown())
            shape[i] = shared[i], changed = true;
        }
      }
    }
    return changed;
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
    auto diagnostic = emitError(graph.getLoc()) << "shape inference stopped with " << unknown
                                                << " of " << nodes.size() << " nodes unknown";
    for (BlockArgument argument : graph.getBlock().getArguments())
      if (isUnknownInput(argument)) {
        StringRef name = graph.getInputName(argument.getArgNumber());
        diagnostic.attachNote(argument.getLoc())
            << "it starts at argument '" << name << "', which has "
            << (facts[argument].isRanked() ? "shape " + facts[argument].str() : "no shape")
            << "; pass --shape " << name << "=...";
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
    if (weightUnknown)
      diagnostic.attachNote(weightUnknown.getLoc())
          << "it starts at weight '" << weightUnknown.getWeight()
          << "', whose shape nothing tells; give the file that holds it, or its __shape__";
    return failure();
  }

  llvm::StringMap<Shape> &weights;
  Undecided undecided;
  Conditions &conditions; // of the graph that calls the others
  BodyInferences<Inference, Across> bodies;
};

} // namespace

LogicalResult symc::sg::inferShapes(ModuleOp module, Undecided undecided) {
  llvm::StringMap<Shape> weights;
  for (auto weight : module.getOps<WeightOp>())
    weights[weight.getSymName()] = shapeOf(weight.getType());
  // Bodies are inferred with the nodes that call them.
  SmallVector<GraphOp> bodies = bodiesOf(module);
  std::vector<std::unique_ptr<Inference>> inferences;
  std::vector<std::unique_ptr<Conditions>> conditions;
  for (auto graph : module.getOps<GraphOp>())
    if (!llvm::is_contained(bodies, graph)) {
      Conditions &own = *conditions.emplace_back(std::make_unique<Conditions>(graph));
      auto &inference =
          inferences.emplace_back(std::make_unique<Inference>(graph, weights, undecided, own));
      if (failed(inference->start()) || failed(inference->settle()))
        return failure();
    }
  for (auto &inference : inferences)
    if (failed(inference->finish()))
      return failure();
  for (auto &own : conditions)
    own->write();
  for (auto weight : module.getOps<WeightOp>()) {
    const Shape &shape = weights[weight.getSymName()];
    if (shape.isFullyKnown() && !shape.isStatic())
      return weight.emitError() << "weight '" << weight.getSymName() << "' has shape "
                                << shape.str()
                                << ", which changes with a size that is chosen at run time";
    Type type = makeTensorType(shape, elementTypeOf(weight.getType()), module.getContext());
    weight.setTypeAttr(TypeAttr::get(type));
  }
  return success();
}
