// Sweep.h: what shape and type inference share. A fact about every value of a graph (a shape, an
// element type) is refined node by node until nothing changes: forward over all nodes, then
// backward and forward over those beside a value whose fact has changed. A node is visited as
// often as facts beside it change, so that the work is proportional to nodes and edges, whatever
// way knowledge takes through the graph. All uses of one weight share one fact.
#ifndef SYMC_IR_SWEEP_H
#define SYMC_IR_SWEEP_H

#include "ir/ControlFlow.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"
#include <set>

namespace symc::sg {

/// What is known of a module's weights in its graphs. Whoever learns more raises `version`.
template <typename Fact> struct WeightFacts {
  llvm::StringMap<Fact> facts;
  unsigned version = 0;
  size_t visits = 0; // of nodes, in all graphs
  mlir::SymbolTableCollection symbols;
};

/// Fact: Shape or mlir::Type; Scope: ShapeScope or TypeScope; Merge(known, more): adds what `more`
/// has, and returns whether that was anything.
template <typename Fact, typename Scope, bool (*Merge)(Fact &, const Fact &)> class Sweep {
public:
  Sweep(GraphOp graph, WeightFacts<Fact> &weights) : graph(graph), weights(weights) {}

  /// Adds what is known of a value, and returns whether that was anything.
  bool add(mlir::Value value, const Fact &more) {
    if (!Merge(facts[value], more))
      return false;
    touch(value);
    return true;
  }

protected:
  using Infer = llvm::function_ref<mlir::LogicalResult(OperatorInterface, Scope &)>;

  /// Takes the first facts from `initial` and lists the operators.
  void collect(llvm::function_ref<Fact(mlir::Value)> initial) {
    for (mlir::BlockArgument argument : graph.getBlock().getArguments())
      facts[argument] = initial(argument);
    for (mlir::Operation &op : graph.getBlock()) {
      for (mlir::Value result : op.getResults())
        facts[result] = initial(result);
      if (auto parameter = mlir::dyn_cast<ParameterOp>(op))
        parameters[parameter.getWeight()].push_back(parameter.getResult());
      if (!mlir::isa<OperatorInterface>(op))
        continue;
      if (isControlFlow(&op))
        calls.push_back(nodes.size());
      numbers[&op] = nodes.size();
      pending.insert(nodes.size());
      nodes.push_back(&op);
    }
  }

  /// Visits nodes until nothing changes. `infer` refines one node's scope.
  mlir::LogicalResult sweep(Infer infer) {
    do {
      syncWeights();
      while (!pending.empty()) {
        for (auto next = pending.begin(); next != pending.end();) {
          size_t number = *next;
          if (mlir::failed(visit(number, infer)))
            return mlir::failure();
          next = pending.upper_bound(number);
        }
        for (auto next = pending.end(); next != pending.begin();) {
          size_t number = *std::prev(next);
          if (mlir::failed(visit(number, infer)))
            return mlir::failure();
          next = pending.lower_bound(number);
        }
      }
    } while (weights.version != seen);
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

  /// A graph that nodes call has learnt more by itself.
  void wakeCalls() { pending.insert(calls.begin(), calls.end()); }

  mlir::Value head(unsigned i) { return graph.getBlock().getTerminator()->getOperand(i); }

  GraphOp graph;
  WeightFacts<Fact> &weights;
  llvm::DenseMap<mlir::Value, Fact> facts; // looked up only, never iterated
  llvm::SmallVector<mlir::Operation *> nodes;

private:
  // The fact of the value has changed: nodes beside it look again.
  void wakeNeighbours(mlir::Value value) {
    auto wake = [&](mlir::Operation *op) {
      if (auto number = numbers.find(op); number != numbers.end())
        pending.insert(number->second);
    };
    llvm::for_each(value.getUsers(), wake);
    if (mlir::Operation *producer = value.getDefiningOp())
      wake(producer);
  }

  // The same, and other uses of its weight receive it.
  void touch(mlir::Value value) {
    wakeNeighbours(value);
    if (auto parameter = value.getDefiningOp<ParameterOp>())
      syncWeight(parameter.getWeight());
  }

  // Uses of one weight share what they learnt.
  void syncWeight(llvm::StringRef weight) {
    Fact &shared = weights.facts[weight];
    llvm::ArrayRef<mlir::Value> uses = parameters[weight];
    for (mlir::Value use : uses)
      if (Merge(shared, facts[use]))
        ++weights.version;
    for (mlir::Value use : uses)
      if (Merge(facts[use], shared))
        wakeNeighbours(use);
  }

  // Graphs that nodes call may have learnt more of weights, and may receive more.
  void syncWeights() {
    if (seen == weights.version)
      return;
    for (auto &[weight, uses] : parameters)
      syncWeight(weight);
    wakeCalls();
    seen = weights.version;
  }

  mlir::LogicalResult visit(size_t number, Infer infer) {
    pending.erase(number);
    ++weights.visits;
    mlir::Operation *op = nodes[number];
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
    // One value may be several operands, of which each has learnt something else.
    bool learnt = false;
    for (auto [value, fact] : llvm::zip(op->getOperands(), inputs))
      learnt |= add(value, fact);
    for (auto [value, fact] : llvm::zip(op->getResults(), outputs))
      learnt |= add(value, fact);
    if (learnt) // what it learnt last may add to it
      pending.insert(number);
    return mlir::success();
  }

  llvm::DenseMap<mlir::Operation *, size_t> numbers; // places in `nodes`
  std::set<size_t> pending;                          // nodes to visit, by place
  llvm::SmallVector<size_t> calls;                   // nodes that call graphs
  llvm::MapVector<llvm::StringRef, llvm::SmallVector<mlir::Value, 1>> parameters; // by weight
  unsigned seen = ~0u; // version of the weights
};

/// The inferences of the graphs that nodes call, each made when its call is first seen.
/// `Across` states what a fact is on the other side of a call: element(fact) of one element
/// along the first axis, gathered(fact, iterations) of `iterations` of them; and what must hold
/// of a condition, checkCondition(scope, fact), and of data that is gone through together,
/// checkData(scope, first, other).
template <typename Inference, typename Across> class BodyInferences {
public:
  /// Exchanges what is known between a node and the graphs that it calls.
  template <typename Scope, typename Make>
  mlir::LogicalResult infer(mlir::Operation *op, Scope &scope, mlir::SymbolTableCollection &symbols,
                            Make make) {
    auto [known, isFirst] = calls.try_emplace(op);
    if (isFirst) {
      mlir::FailureOr<llvm::SmallVector<BodyCall>> read = bodyCalls(op, &symbols);
      if (mlir::failed(read))
        return mlir::failure();
      known->second = *read;
    }
    for (BodyCall &call : known->second) {
      shareSizes(op->template getParentOfType<GraphOp>(), call.body);
      std::unique_ptr<Inference> &body = bodies[call.body];
      if (!body) {
        body = make(call.body);
        if (mlir::failed(body->start()))
          return mlir::failure();
      }
      if (mlir::failed(giveFacts(call, scope, *body)) || mlir::failed(body->settle()) ||
          mlir::failed(takeFacts(call, scope, *body)))
        return mlir::failure();
    }
    return mlir::success();
  }

  auto begin() { return bodies.begin(); }
  auto end() { return bodies.end(); }

private:
  template <typename Scope>
  mlir::LogicalResult giveFacts(BodyCall &call, Scope &scope, Inference &body) {
    std::optional<unsigned> data;
    for (auto [i, input] : llvm::enumerate(call.inputs)) {
      if (input.isElement) {
        if (mlir::failed(Across::checkData(scope, data.value_or(input.operand), input.operand)))
          return mlir::failure();
        data = data.value_or(input.operand);
      }
      auto fact = scope.input(input.operand);
      body.addToArgument(i, input.isElement ? Across::element(fact) : fact);
    }
    for (auto [i, head] : llvm::enumerate(call.heads)) {
      if (head.result) {
        auto fact = scope.output(*head.result);
        body.addToHead(i, head.isElement ? Across::element(fact) : fact);
      }
      if (head.carriedBy)
        body.addToHead(i, scope.input(*head.carriedBy));
    }
    return mlir::success();
  }

  template <typename Scope>
  mlir::LogicalResult takeFacts(BodyCall &call, Scope &scope, Inference &body) {
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
      if (!head.result) {
        if (mlir::failed(Across::checkCondition(scope, fact)))
          return mlir::failure();
        continue;
      }
      if (head.isElement)
        fact = Across::gathered(
            fact, call.iterations.isKnown() ? call.iterations : Across::iterations(scope.input(0)));
      if (mlir::failed(scope.refineOutput(*head.result, fact)))
        return mlir::failure();
    }
    return mlir::success();
  }

  llvm::MapVector<mlir::Operation *, std::unique_ptr<Inference>> bodies;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<BodyCall>> calls;
};

} // namespace symc::sg

#endif // SYMC_IR_SWEEP_H
