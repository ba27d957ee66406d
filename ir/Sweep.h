// Sweep.h: what shape and type inference share. A fact about every value of a
// graph (a shape, an element type) is refined node by node, forward and backward,
// until nothing changes. All uses of one weight share one fact through `sync`.
#ifndef SYMC_IR_SWEEP_H
#define SYMC_IR_SWEEP_H

#include "ir/ControlFlow.h"
#include "llvm/ADT/MapVector.h"

namespace symc::sg {

/// Fact: Shape or mlir::Type; Scope: ShapeScope or TypeScope.
template <typename Fact, typename Scope> class Sweep {
public:
  explicit Sweep(GraphOp graph) : graph(graph) {}

protected:
  /// Takes the first facts from `initial` and lists the operators.
  void collect(llvm::function_ref<Fact(mlir::Value)> initial) {
    for (mlir::BlockArgument argument : graph.getBlock().getArguments())
      facts[argument] = initial(argument);
    for (mlir::Operation &op : graph.getBlock()) {
      for (mlir::Value result : op.getResults())
        facts[result] = initial(result);
      if (mlir::isa<OperatorInterface>(op))
        nodes.push_back(&op);
    }
  }

  /// Sweeps until nothing changes. `infer` refines one node's scope, `sync` lets the
  /// uses of weights tell each other what they learnt and says whether they did.
  mlir::LogicalResult
  sweep(llvm::function_ref<mlir::LogicalResult(OperatorInterface, Scope &)> infer,
        llvm::function_ref<bool()> sync) {
    bool changed = true;
    while (changed) {
      changed = sync();
      for (mlir::Operation *op : nodes)
        if (mlir::failed(visit(op, infer, changed)))
          return mlir::failure();
      for (mlir::Operation *op : llvm::reverse(nodes))
        if (mlir::failed(visit(op, infer, changed)))
          return mlir::failure();
      changed |= sync();
    }
    return mlir::success();
  }

  /// Writes `type` of every value and the graph's signature.
  void write(llvm::function_ref<mlir::Type(mlir::Value, const Fact &)> type) {
    for (mlir::BlockArgument argument : graph.getBlock().getArguments())
      argument.setType(type(argument, facts[argument]));
    for (mlir::Operation &op : graph.getBlock())
      for (mlir::Value result : op.getResults())
        result.setType(type(result, facts[result]));
    graph.updateType();
  }

  GraphOp graph;
  llvm::DenseMap<mlir::Value, Fact> facts; // looked up only, never iterated
  llvm::SmallVector<mlir::Operation *> nodes;

  mlir::Value head(unsigned i) { return graph.getBlock().getTerminator()->getOperand(i); }

private:
  mlir::LogicalResult
  visit(mlir::Operation *op,
        llvm::function_ref<mlir::LogicalResult(OperatorInterface, Scope &)> infer, bool &changed) {
    llvm::SmallVector<Fact> inputs, outputs;
    for (mlir::Value value : op->getOperands())
      inputs.push_back(facts[value]);
    for (mlir::Value value : op->getResults())
      outputs.push_back(facts[value]);
    Scope scope(op, inputs, outputs);
    if (mlir::failed(infer(mlir::cast<OperatorInterface>(op), scope)))
      return mlir::failure();
    if (!scope.changed)
      return mlir::success();
    changed = true;
    for (auto [value, fact] : llvm::zip(op->getOperands(), inputs))
      facts[value] = fact;
    for (auto [value, fact] : llvm::zip(op->getResults(), outputs))
      facts[value] = fact;
    return mlir::success();
  }
};

/// The inferences of the graphs that nodes call, each made when its call is first seen.
/// `Across` says what a fact is on the other side of a call: element(fact) of one element
/// along the first axis, gathered(fact, iterations) of `iterations` of them, merge(known, more).
template <typename Inference, typename Across> class BodyInferences {
public:
  /// Lets a node and the graphs that it calls tell each other what they know.
  template <typename Scope, typename Make>
  mlir::LogicalResult infer(mlir::Operation *op, Scope &scope, Make make) {
    mlir::FailureOr<llvm::SmallVector<BodyCall>> calls = bodyCalls(op);
    if (mlir::failed(calls))
      return mlir::failure();
    for (BodyCall &call : *calls) {
      std::unique_ptr<Inference> &body = bodies[call.body];
      if (!body) {
        body = make(call.body);
        if (mlir::failed(body->start()))
          return mlir::failure();
      }
      if (mlir::failed(tell(call, scope, *body)) || mlir::failed(body->settle()) ||
          mlir::failed(ask(call, scope, *body)))
        return mlir::failure();
    }
    return mlir::success();
  }

  auto begin() { return bodies.begin(); }
  auto end() { return bodies.end(); }

private:
  template <typename Scope>
  mlir::LogicalResult tell(BodyCall &call, Scope &scope, Inference &body) {
    for (auto [i, input] : llvm::enumerate(call.inputs)) {
      auto fact = scope.input(input.operand);
      Across::merge(body.argumentFact(i), input.isElement ? Across::element(fact) : fact);
    }
    for (auto [i, head] : llvm::enumerate(call.heads)) {
      if (head.result) {
        auto fact = scope.output(*head.result);
        Across::merge(body.headFact(i), head.isElement ? Across::element(fact) : fact);
      }
      if (head.carriedBy)
        Across::merge(body.headFact(i), scope.input(*head.carriedBy));
    }
    return mlir::success();
  }

  template <typename Scope> mlir::LogicalResult ask(BodyCall &call, Scope &scope, Inference &body) {
    for (auto [i, input] : llvm::enumerate(call.inputs)) {
      auto fact = body.argumentFact(i);
      if (input.isElement)
        fact = Across::gathered(fact, Across::iterations(scope.input(input.operand)));
      if (mlir::failed(scope.refineInput(input.operand, fact)))
        return mlir::failure();
    }
    for (auto [i, head] : llvm::enumerate(call.heads)) {
      auto fact = body.headFact(i);
      if (head.carriedBy && mlir::failed(scope.refineInput(*head.carriedBy, fact)))
        return mlir::failure();
      if (!head.result)
        continue;
      if (head.isElement)
        fact = Across::gathered(
            fact, call.iterations.isKnown() ? call.iterations : Across::iterations(scope.input(0)));
      if (mlir::failed(scope.refineOutput(*head.result, fact)))
        return mlir::failure();
    }
    return mlir::success();
  }

  llvm::MapVector<mlir::Operation *, std::unique_ptr<Inference>> bodies;
};

} // namespace symc::sg

#endif // SYMC_IR_SWEEP_H
