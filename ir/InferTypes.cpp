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
  static LogicalResult checkData(TypeScope &, unsigned, unsigned) { return success(); }
  static LogicalResult checkCondition(TypeScope &, Type) { return success(); }
};

bool mergeTypes(Type &known, const Type &more) {
  bool learns = !known && more;
  known = known ? known : more;
  return learns;
}

class Inference : Sweep<Type, TypeScope, mergeTypes> {
public:
  Inference(GraphOp graph, WeightFacts<Type> &weights, const llvm::StringMap<Type> &stored,
            Undecided undecided)
      : Sweep(graph, weights), stored(stored), undecided(undecided) {}

  Type argumentFact(unsigned i) { return facts[graph.getBlock().getArgument(i)]; }
  Type headFact(unsigned i) { return facts[head(i)]; }
  void addToArgument(unsigned i, Type type) { add(graph.getBlock().getArgument(i), type); }
  void addToHead(unsigned i, Type type) { add(head(i), type); }

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
      return bodies.infer(node, scope, weights.symbols, [&](GraphOp body) {
        return std::make_unique<Inference>(body, weights, stored, undecided);
      });
    };
    return sweep(infer);
  }

  void finish() {
    write([&](Value value, Type type) {
      return makeTensorType(shapeOf(value.getType()), type, graph.getContext());
    });
    for (auto &[op, body] : bodies)
      body->finish();
  }

private:
  // An operator that takes undecided values as float32 (SG_Float32ByDefault) has this one.
  static bool isFloat32ByDefault(Value value) {
    auto takes = [](Operation *op) { return op && op->hasTrait<Float32ByDefault>(); };
    return takes(value.getDefiningOp()) || llvm::any_of(value.getUsers(), takes);
  }

  // The first undecided value, in graph order, becomes what its file specifies, or float32:
  // inputs first, since MXNet's default for them reaches most weights. What shall stay
  // undecided is float32 only where an operator specifies so.
  bool decideOne() {
    Type f32 = Float32Type::get(graph.getContext());
    if (values.empty()) {
      auto parameters = llvm::map_range(graph.getBlock().getOps<ParameterOp>(),
                                        [](ParameterOp op) { return Value(op.getResult()); });
      llvm::append_range(values, graph.getBlock().getArguments());
      firstParameter = values.size();
      llvm::append_range(values, parameters);
      firstResult = values.size();
      for (Operation &op : graph.getBlock())
        llvm::append_range(values, op.getResults());
    }
    // What is known stays known, so that each value is looked at once.
    for (; decided < values.size(); ++decided) {
      Value value = values[decided];
      if (facts[value])
        continue;
      Type type = undecided == Undecided::Settle || isFloat32ByDefault(value) ? f32 : Type();
      if (decided >= firstParameter && decided < firstResult)
        type = stored.lookup(value.getDefiningOp<ParameterOp>().getWeight());
      if (type)
        return add(value, type), true;
    }
    for (auto &[op, body] : bodies)
      if (body->decideOne())
        return wakeCalls(), true;
    return false;
  }

  SmallVector<Value> values; // inputs, parameters, results
  size_t firstParameter = 0, firstResult = 0, decided = 0;
  const llvm::StringMap<Type> &stored; // of weights that come from a file
  Undecided undecided;
  BodyInferences<Inference, Across> bodies;
};

} // namespace

LogicalResult symc::sg::inferTypes(ModuleOp module, Undecided undecided, size_t *visits) {
  if (failed(checkCalls(module)))
    return failure();
  WeightFacts<Type> weights;
  llvm::StringMap<Type> stored;
  for (auto weight : module.getOps<WeightOp>()) {
    Type type = elementTypeOf(weight.getType());
    if (weight.getFile() && type)
      stored[weight.getSymName()] = weight.getStored().value_or(type);
    else
      weights.facts[weight.getSymName()] = type;
  }
  llvm::DenseSet<GraphOp> bodies;
  bodies.insert_range(bodiesOf(module));
  std::vector<std::unique_ptr<Inference>> inferences;
  for (auto graph : module.getOps<GraphOp>())
    if (!bodies.contains(graph)) {
      auto &inference =
          inferences.emplace_back(std::make_unique<Inference>(graph, weights, stored, undecided));
      if (failed(inference->run()))
        return failure();
    }
  if (visits)
    *visits += weights.visits;
  for (auto &inference : inferences)
    inference->finish();
  for (auto weight : module.getOps<WeightOp>()) {
    Type type = weights.facts[weight.getSymName()], inFile = stored.lookup(weight.getSymName());
    if (!type)
      type = inFile ? inFile : elementTypeOf(weight.getType());
    if (inFile && inFile != type)
      weight.setStoredAttr(TypeAttr::get(inFile));
    weight.setTypeAttr(
        TypeAttr::get(makeTensorType(shapeOf(weight.getType()), type, module.getContext())));
  }
  return success();
}
