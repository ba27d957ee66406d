// InferTypes.cpp: sg-infer-types.
//
// The same sweeps as InferShapes.cpp, over element types. A value that nothing
// decides becomes float32, MXNet's default, and inference goes on from there.
// A weight that comes from a file takes part without its type: what the graph
// computes in decides, the file's type only where nothing does. Where the two
// differ the weight's value is converted when it is read, as MXNet does when it
// sets parameters.
#include "ir/GraphDialect.h"
#include "passes/Passes.h"

namespace symc {
#define GEN_PASS_DEF_INFERTYPES
#include "passes/Passes.h.inc"
} // namespace symc

using namespace mlir;
using namespace symc::sg;

namespace {

class Inference {
public:
  Inference(GraphOp graph, llvm::StringMap<Type> &weights, const llvm::StringMap<Type> &stored)
      : graph(graph), weights(weights), stored(stored) {}

  LogicalResult run() {
    for (BlockArgument argument : graph.getBlock().getArguments())
      types[argument] = elementTypeOf(argument.getType());
    for (Operation &op : graph.getBlock()) {
      auto parameter = dyn_cast<ParameterOp>(op);
      bool fromFile = parameter && stored.count(parameter.getWeight());
      for (Value result : op.getResults())
        types[result] = fromFile ? Type() : elementTypeOf(result.getType());
      if (isa<symc::sg::SymbolOpInterface>(op))
        nodes.push_back(&op);
    }
    do {
      if (failed(sweep()))
        return failure();
    } while (decideOne());
    writeTypes();
    return success();
  }

private:
  LogicalResult sweep() {
    bool changed = true;
    while (changed) {
      changed = syncWeights();
      for (Operation *op : nodes)
        if (failed(visit(op, changed)))
          return failure();
      for (Operation *op : llvm::reverse(nodes))
        if (failed(visit(op, changed)))
          return failure();
      changed |= syncWeights();
    }
    return success();
  }

  LogicalResult visit(Operation *op, bool &changed) {
    SmallVector<Type> inputs, outputs;
    for (Value value : op->getOperands())
      inputs.push_back(types[value]);
    for (Value value : op->getResults())
      outputs.push_back(types[value]);
    TypeScope scope(op, inputs, outputs);
    if (failed(cast<symc::sg::SymbolOpInterface>(op).inferType(scope)))
      return failure();
    changed |= scope.changed;
    for (auto [value, type] : llvm::zip(op->getOperands(), inputs))
      types[value] = type;
    for (auto [value, type] : llvm::zip(op->getResults(), outputs))
      types[value] = type;
    return success();
  }

  bool syncWeights() {
    bool changed = false;
    for (auto parameter : graph.getBlock().getOps<ParameterOp>()) {
      Type &type = types[parameter.getResult()];
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
    Type f32 = Float32Type::get(graph.getContext());
    for (BlockArgument argument : graph.getBlock().getArguments())
      if (!types[argument])
        return types[argument] = f32, true;
    for (auto parameter : graph.getBlock().getOps<ParameterOp>())
      if (!types[parameter.getResult()])
        if (Type type = stored.lookup(parameter.getWeight()))
          return types[parameter.getResult()] = type, true;
    for (Operation &op : graph.getBlock())
      for (Value result : op.getResults())
        if (!types[result])
          return types[result] = f32, true;
    return false;
  }

  void writeTypes() {
    auto write = [&](Value value) {
      value.setType(makeTensorType(shapeOf(value.getType()), types[value], graph.getContext()));
    };
    for (BlockArgument argument : graph.getBlock().getArguments())
      write(argument);
    for (Operation &op : graph.getBlock())
      for (Value result : op.getResults())
        write(result);
    graph.updateType();
  }

  GraphOp graph;
  llvm::StringMap<Type> &weights;
  const llvm::StringMap<Type> &stored; // of weights that come from a file
  DenseMap<Value, Type> types; // looked up only, never iterated
  SmallVector<Operation *> nodes;
};

struct InferTypes : symc::impl::InferTypesBase<InferTypes> {
  void runOnOperation() override {
    llvm::StringMap<Type> weights, stored;
    for (auto weight : getOperation().getOps<WeightOp>()) {
      Type type = elementTypeOf(weight.getType());
      if (weight.getFile() && type)
        stored[weight.getSymName()] = weight.getStored().value_or(type);
      else
        weights[weight.getSymName()] = type;
    }
    for (auto graph : getOperation().getOps<GraphOp>())
      if (failed(Inference(graph, weights, stored).run()))
        return signalPassFailure();
    for (auto weight : getOperation().getOps<WeightOp>()) {
      Type type = weights[weight.getSymName()], inFile = stored.lookup(weight.getSymName());
      if (!type)
        type = inFile ? inFile : elementTypeOf(weight.getType());
      if (inFile && inFile != type)
        weight.setStoredAttr(TypeAttr::get(inFile));
      weight.setTypeAttr(
          TypeAttr::get(makeTensorType(shapeOf(weight.getType()), type, &getContext())));
    }
  }
};

} // namespace
