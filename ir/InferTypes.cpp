// InferTypes.cpp: element types of a module's graphs (InferGraph.h).
//
// The same sweeps as InferShapes.cpp, over element types. A value that nothing
// decides becomes float32, MXNet's default, and inference goes on from there; or it
// stays undecided.
// A weight that comes from a file takes part without its type: what the graph
// computes in decides, the file's type only where nothing does. Where the two
// differ the weight keeps the file's as `stored`, from which sg-hoist-prepare makes a
// cast: MXNet converts the value when it sets parameters.
#include "ir/InferGraph.h"
#include "ir/Sweep.h"

using namespace mlir;
using namespace symc::sg;

namespace {

// What an element type is on the other side of a call: the same.
struct Across {
  static Type element(Type type) { return type; }
  static Type gathered(Type type, Dim) { return type; }
  static Dim iterations(Type) { return Dim(); }
  static void merge(Type &known, Type more) { known = known ? known : more; }
};

class Inference : Sweep<Type, TypeScope> {
public:
  Inference(GraphOp graph, llvm::StringMap<Type> &weights, const llvm::StringMap<Type> &stored,
            Undecided undecided)
      : Sweep(graph), weights(weights), stored(stored), undecided(undecided) {}

  Type &argumentFact(unsigned i) { return facts[graph.getBlock().getArgument(i)]; }
  Type &headFact(unsigned i) { return facts[head(i)]; }

  LogicalResult run() {
    (void)start();
    do {
      if (failed(settle()))
        return failure();
    } while (decideOne());
    return success();
  }

  LogicalResult start() {
    collect([&](Value value) {
      auto parameter = value.getDefiningOp<ParameterOp>();
      bool fromFile = parameter && stored.count(parameter.getWeight());
      return fromFile ? Type() : elementTypeOf(value.getType());
    });
    return success();
  }

  LogicalResult settle() {
    auto infer = [&](OperatorInterface node, TypeScope &scope) -> LogicalResult {
      if (!isControlFlow(node))
        return node.inferType(scope);
      return bodies.infer(node, scope, [&](GraphOp body) {
        return std::make_unique<Inference>(body, weights, stored, undecided);
      });
    };
    return sweep(infer, [&] { return syncWeights(); });
  }

  void finish() {
    write([&](Value value, Type type) {
      return makeTensorType(shapeOf(value.getType()), type, graph.getContext());
    });
    for (auto &[op, body] : bodies)
      body->finish();
  }

private:
  bool syncWeights() {
    bool changed = false;
    for (auto parameter : graph.getBlock().getOps<ParameterOp>()) {
      Type &type = facts[parameter.getResult()];
      Type &shared = weights[parameter.getWeight()];
      changed |= static_cast<bool>(type) != static_cast<bool>(shared);
      type = type ? type : shared;
      shared = shared ? shared : type;
    }
    return changed;
  }

  // The first undecided value, in graph order, becomes what its file says, or float32:
  // inputs first, since MXNet's default for them reaches most weights.
  bool decideOne() {
    Type f32 = undecided == Undecided::Settle ? Float32Type::get(graph.getContext()) : Type();
    for (BlockArgument argument : graph.getBlock().getArguments())
      if (f32 && !facts[argument])
        return facts[argument] = f32, true;
    for (auto parameter : graph.getBlock().getOps<ParameterOp>())
      if (!facts[parameter.getResult()])
        if (Type type = stored.lookup(parameter.getWeight()))
          return facts[parameter.getResult()] = type, true;
    for (Operation &op : graph.getBlock())
      for (Value result : op.getResults())
        if (f32 && !facts[result])
          return facts[result] = f32, true;
    for (auto &[op, body] : bodies)
      if (body->decideOne())
        return true;
    return false;
  }

  llvm::StringMap<Type> &weights;
  const llvm::StringMap<Type> &stored; // of weights that come from a file
  Undecided undecided;
  BodyInferences<Inference, Across> bodies;
};

} // namespace

LogicalResult symc::sg::inferTypes(ModuleOp module, Undecided undecided) {
  llvm::StringMap<Type> weights, stored;
  for (auto weight : module.getOps<WeightOp>()) {
    Type type = elementTypeOf(weight.getType());
    if (weight.getFile() && type)
      stored[weight.getSymName()] = weight.getStored().value_or(type);
    else
      weights[weight.getSymName()] = type;
  }
  SmallVector<GraphOp> bodies = bodiesOf(module);
  std::vector<std::unique_ptr<Inference>> inferences;
  for (auto graph : module.getOps<GraphOp>())
    if (!llvm::is_contained(bodies, graph)) {
      auto &inference =
          inferences.emplace_back(std::make_unique<Inference>(graph, weights, stored, undecided));
      if (failed(inference->run()))
        return failure();
    }
  for (auto &inference : inferences)
    inference->finish();
  for (auto weight : module.getOps<WeightOp>()) {
    Type type = weights[weight.getSymName()], inFile = stored.lookup(weight.getSymName());
    if (!type)
      type = inFile ? inFile : elementTypeOf(weight.getType());
    if (inFile && inFile != type)
      weight.setStoredAttr(TypeAttr::get(inFile));
    weight.setTypeAttr(
        TypeAttr::get(makeTensorType(shapeOf(weight.getType()), type, module.getContext())));
  }
  return success();
}
