// ControlGradient.cpp: gradients of loops and choices. The gradient of a loop is a loop from the
// last iteration to the first one, whose graph computes the forward graph again and its gradient
// behind it (ir/BodyGradient.h):
//
//   %ys, %s = sg.foreach(%xs, %s0, %w) @body
//
//   %ys, %before, %s = sg.foreach(%xs, %s0, %w) @body_states     where the gradient reads states
//   %dxs, %ds0, %dw = sg.foreach(%xs, %before, %dys, %ds, %zeros, %w) {backwards} @body_gradient
//
// Gradients of carried values are carried, and so are those of what each iteration reads as it is:
// they are sums. A while_loop counts its iterations in one carried value more, and its gradient
// goes through as many. Both run iteration t under the number t, so that random numbers are those
// of the forward iteration. The gradient of a choice chooses again, between the gradients of its
// branches.
#include "ir/BodyGradient.h"
#include "ir/ControlFlow.h"
#include "ir/Gradient.h"
#include "ir/ops/Control.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace symc;
using namespace symc::sg;

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

namespace {

class LoopRule {
public:
  LoopRule(Operation *op, BodyCall &call, bool counts, GradientScope &scope)
      : op(op), call(call), counts(counts), scope(scope), builder(op->getContext()) {}

  LogicalResult build() {
    for (const BodyCall::Input &input : call.inputs)
      wanted.push_back(scope.needs(input.operand));
    for (auto [h, head] : llvm::enumerate(call.heads)) {
      arrives.push_back(scope.arrives(*head.result));
      for (auto [i, input] : llvm::enumerate(call.inputs))
        if (input.isCarried && head.carriedBy == input.operand)
          carried.push_back({static_cast<unsigned>(i), static_cast<unsigned>(h)});
    }
    closeLoop(call.body, carried, wanted, arrives);
    SmallVector<unsigned> summed;
    for (unsigned i = 0; i < wanted.size(); ++i)
      if (wanted[i] && isRead(i))
        summed.push_back(i);
    FailureOr<BodyGradient> made = BodyGradient::make(call.body, wanted, arrives, summed);
    if (failed(made))
      return failure();
    body = *made;
    addHeads();
    if (failed(addUpdates()))
      return failure();
    if (elementHeads.empty() && stateHeads.empty()) {
      body.graph.erase();
      return success();
    }
    SmallVector<Value> heads(elementHeads);
    llvm::append_range(heads, stateHeads);
    body.finish(heads);
    addInputs();
    createLoop();
    return success();
  }

private:
  // What a result of the new loop is the gradient, or the new value, of.
  struct Meaning {
    unsigned operand;
    bool isUpdate;
  };
  struct Input {
    Value inBody, outside;
  };

  bool isRead(unsigned i) const { return !call.inputs[i].isElement && !call.inputs[i].isCarried; }

  SmallVector<unsigned> inputsOf(unsigned operand) const {
    SmallVector<unsigned> found;
    for (auto [i, input] : llvm::enumerate(call.inputs))
      if (input.operand == operand)
        found.push_back(i);
    return found;
  }

  void addState(Value inBody, Value first, Value next, Meaning meaning) {
    states.push_back({inBody, first});
    stateHeads.push_back(next);
    stateMeanings.push_back(meaning);
  }

  // Gradients that are gathered and those that are carried.
  void addHeads() {
    // Sums first, since other gradients may read them.
    SmallVector<std::pair<unsigned, Value>> sums;
    for (unsigned i = 0; i < call.inputs.size(); ++i)
      if (body.gradients[i] && isRead(i))
        sums.emplace_back(i, body.addUp(i));
    for (auto [i, next] : sums) {
      unsigned operand = call.inputs[i].operand;
      Value first = inputsOf(operand).size() == 1 ? scope.takeSum(operand) : Value();
      addState(body.sums[i].before, first ? first : scope.zerosLike(operand), next,
               {operand, false});
    }
    for (auto [i, input] : llvm::enumerate(call.inputs))
      if (body.gradients[i] && input.isElement) {
        elementHeads.push_back(body.gradients[i]);
        elementMeanings.push_back({input.operand, false});
      }
    for (auto [h, head] : llvm::enumerate(call.heads)) {
      Value arriving = body.arriving[h];
      if (!arriving)
        continue;
      bool isThere = scope.arrives(*head.result);
      if (head.isElement) {
        elements.push_back({arriving, scope.of(*head.result)});
        continue;
      }
      Value first = isThere ? scope.of(*head.result)
                            : scope.core.zerosLike(scope.operation()->getResult(*head.result));
      Value next = body.sumOf(inputsOf(*head.carriedBy));
      addState(arriving, first, next ? next : body.core().zerosLike(arriving),
               {*head.carriedBy, false});
    }
  }

  // States that the graph's gradient changes go from iteration to iteration.
  LogicalResult addUpdates() {
    for (auto [input, value] : body.updates) {
      unsigned operand = call.inputs[input].operand;
      if (!isRead(input))
        return nodeError(op) << "changes an auxiliary state that is no input of all iterations, "
                                "which cannot be compiled";
      addState(body.graph.getBlock().getArgument(input), op->getOperand(operand), value,
               {operand, true});
      updated.insert(input);
    }
    return success();
  }

  // What the graph still reads of its own inputs.
  void addInputs() {
    SmallVector<unsigned> before;
    for (auto [i, input] : llvm::enumerate(call.inputs)) {
      Value inBody = body.graph.getBlock().getArgument(i);
      if (inBody.use_empty() || updated.contains(i))
        continue;
      if (input.isCarried)
        before.push_back(i);
      else
        (input.isElement ? elements : reads).push_back({inBody, op->getOperand(input.operand)});
    }
    if (elements.empty() && before.empty() && !counts) { // which count the iterations
      auto data = llvm::find_if(call.inputs, [](const BodyCall::Input &i) { return i.isElement; });
      unsigned place = data - call.inputs.begin();
      Value inBody = body.graph.getBlock().getArgument(place);
      elements.push_back({inBody, op->getOperand(data->operand)});
    }
    if (before.empty() && !counts)
      return;
    SmallVector<Value> gathered = extendForward(before);
    for (auto [i, value] : llvm::zip_equal(before, gathered))
      elements.push_back({body.graph.getBlock().getArgument(i), value});
  }

  // Puts a loop in the place of this one that gathers these inputs, too, and counts its iterations.
  SmallVector<Value> extendForward(ArrayRef<unsigned> before) {
    GraphOp longer = copyGraph(call.body, "_states");
    Block &block = longer.getBlock();
    SmallVector<Value> heads(block.getTerminator()->getOperands()), added,
        operands(op->getOperands());
    SmallVector<Type> types(op->getResultTypes()), more;
    size_t outs = llvm::count_if(call.heads, [](const BodyCall::Head &h) { return h.isElement; });
    Dim steps = call.iterations.isKnown() ? call.iterations : shapeOf(operands[0].getType())[0];
    for (unsigned i : before) {
      Value input = block.getArgument(i);
      Shape shape = shapeOf(input.getType()), all({steps});
      for (size_t axis = 0; axis < shape.rank(); ++axis)
        all.push_back(shape[axis]);
      added.push_back(input);
      more.push_back(scope.core.withShape(input, all));
    }
    heads.insert(heads.begin() + outs, added.begin(), added.end());
    types.insert(types.begin() + outs, more.begin(), more.end());
    NamedAttrList attributes(op->getAttrs());
    if (counts) {
      CoreBuilder outside(OpBuilder(op), op->getLoc());
      Value zero = outside.zeros(outside.typeOf(Shape({outside.dim(1)}), builder.getI64Type()));
      CoreBuilder inside(OpBuilder(block.getTerminator()), op->getLoc());
      Value done = addInput(longer, zero.getType());
      heads.push_back(inside.scalar("add", done, 1));
      auto loop = cast<WhileLoopOp>(op);
      appendTo(attributes, loop.getFuncInputLocsAttrName(), loop.getFuncInputLocs(),
               operands.size());
      appendTo(attributes, loop.getFuncVarLocsAttrName(), loop.getFuncVarLocs(),
               block.getNumArguments() - 1);
      operands.push_back(zero);
      types.push_back(zero.getType());
    }
    setHeads(longer, heads);
    auto bodies = llvm::to_vector(*cast<ControlFlowInterface>(op).getBodies());
    bodies.back() = FlatSymbolRefAttr::get(longer);
    attributes.set("bodies", builder.getArrayAttr(bodies));
    attributes.set("num_args", builder.getI64IntegerAttr(operands.size() + bodies.size()));
    attributes.set("num_outputs", builder.getI64IntegerAttr(types.size()));
    attributes.set("num_out_data", builder.getI64IntegerAttr(outs + before.size()));
    OperationState state(op->getLoc(), op->getName(), operands, types, attributes);
    Operation *made = OpBuilder(op).create(state);
    SmallVector<Value> results(made->getResults());
    SmallVector<Value> gathered(results.begin() + outs, results.begin() + outs + before.size());
    results.erase(results.begin() + outs, results.begin() + outs + before.size());
    if (counts)
      count = results.pop_back_val();
    scope.replace(results);
    return gathered;
  }

  void appendTo(NamedAttrList &attributes, StringAttr name, ArrayRef<int64_t> list, int64_t more) {
    SmallVector<int64_t> longer(list);
    longer.push_back(more);
    attributes.set(name, builder.getDenseI64ArrayAttr(longer));
  }

  void createLoop() {
    SmallVector<Value> operands;
    SmallVector<int64_t> places[3];
    SmallVector<Value> kept;
    llvm::BitVector unread(body.graph.getBlock().getNumArguments(), true);
    for (ArrayRef<Input> list : {ArrayRef(elements), ArrayRef(states), ArrayRef(reads)})
      for (const Input &input : list)
        unread.reset(cast<BlockArgument>(input.inBody).getArgNumber());
    (void)body.graph.eraseArguments(unread);
    for (auto [kind, list] : llvm::enumerate(ArrayRef<ArrayRef<Input>>{elements, states, reads}))
      for (const Input &input : list) {
        places[kind].push_back(cast<BlockArgument>(input.inBody).getArgNumber());
        operands.push_back(input.outside);
      }
    body.graph.updateType();
    if (counts)
      operands.push_back(count);
    SmallVector<Type> types;
    for (Meaning meaning : elementMeanings)
      types.push_back(op->getOperand(meaning.operand).getType());
    for (Value head : stateHeads)
      types.push_back(head.getType());
    CoreBuilder &core = scope.core;
    OperationState state(core.loc, ForeachOp::getOperationName());
    state.addOperands(operands);
    state.addTypes(types);
    state.addAttributes(
        {core.number("num_args", operands.size() + 1), core.number("num_outputs", types.size()),
         core.number("num_out_data", elementHeads.size()), core.numbers("in_data_locs", places[0]),
         core.numbers("in_state_locs", places[1]), core.numbers("remain_locs", places[2]),
         core.flag("backwards", true), core.flag("counted", counts),
         core.b.getNamedAttr("bodies", core.b.getArrayAttr(FlatSymbolRefAttr::get(body.graph)))});
    Operation *made = core.b.create(state);
    llvm::MapVector<unsigned, Value> given; // several inputs may read one operand
    for (auto [meaning, result] : llvm::zip_equal(
             llvm::concat<const Meaning>(elementMeanings, stateMeanings), made->getResults()))
      if (meaning.isUpdate)
        scope.update(meaning.operand, result);
      else if (Value &sum = given[meaning.operand])
        sum = core.binary("add", sum, result);
      else
        sum = result;
    for (auto [operand, value] : given)
      scope.give(operand, value);
  }

  Operation *op;
  BodyCall &call;
  bool counts; // iterations, which the condition decides
  GradientScope &scope;
  Builder builder;
  SmallVector<bool> wanted, arrives;
  SmallVector<CarriedValue> carried;
  BodyGradient body;
  SmallVector<Input> elements, states, reads;
  SmallVector<Value> elementHeads, stateHeads;
  SmallVector<Meaning> elementMeanings, stateMeanings;
  llvm::SmallDenseSet<unsigned> updated; // inputs
  Value count;
};

} // namespace

LogicalResult ForeachOp::buildGradient(GradientScope &scope) {
  FailureOr<SmallVector<BodyCall>> calls = bodyCalls(*this);
  return failed(calls) ? failure() : LoopRule(*this, calls->front(), false, scope).build();
}

LogicalResult WhileLoopOp::buildGradient(GradientScope &scope) {
  FailureOr<SmallVector<BodyCall>> calls = bodyCalls(*this);
  return failed(calls) ? failure() : LoopRule(*this, calls->back(), true, scope).build();
}

//===----------------------------------------------------------------------===//
// Choices
//===----------------------------------------------------------------------===//

namespace {

class CondRule {
public:
  CondRule(CondOp op, ArrayRef<BodyCall> calls, GradientScope &scope)
      : op(op), calls(calls), scope(scope) {}

  LogicalResult build() {
    std::vector<Branch> branches;
    for (const BodyCall &call : calls.drop_front())
      if (failed(differentiate(call, branches)))
        return failure();
    SmallVector<unsigned> given, updated;
    for (unsigned operand = 0; operand < op->getNumOperands(); ++operand) {
      if (llvm::any_of(branches, [&](Branch &b) { return b.gradients.contains(operand); }))
        given.push_back(operand);
      if (llvm::any_of(branches, [&](Branch &b) { return b.updates.contains(operand); }))
        updated.push_back(operand);
    }
    if (given.empty() && updated.empty()) {
      for (Branch &branch : branches)
        branch.body.graph.erase();
      return success();
    }
    for (Branch &branch : branches)
      addHeads(branch, given, updated);
    Operation *made = create(branches, given, updated);
    for (auto [operand, result] : llvm::zip(given, made->getResults()))
      scope.give(operand, result);
    for (auto [operand, result] :
         llvm::zip_equal(updated, made->getResults().drop_front(given.size())))
      scope.update(operand, result);
    return success();
  }

private:
  struct Branch {
    Branch(const BodyCall &call, const BodyGradient &body) : call(call), body(body) {}
    const BodyCall &call;
    BodyGradient body;
    llvm::DenseMap<unsigned, Value> gradients, updates; // by operand; looked up only
    SmallVector<std::pair<Value, Value>> inputs;        // and what they are outside
  };

  LogicalResult differentiate(const BodyCall &call, std::vector<Branch> &branches) {
    SmallVector<bool> wanted, arrives;
    for (const BodyCall::Input &input : call.inputs)
      wanted.push_back(scope.needs(input.operand));
    for (const BodyCall::Head &head : call.heads)
      arrives.push_back(scope.arrives(*head.result));
    closeLoop(call.body, {}, wanted, arrives);
    FailureOr<BodyGradient> made = BodyGradient::make(call.body, wanted, arrives, {});
    if (failed(made))
      return failure();
    Branch branch(call, *made);
    for (auto [i, input] : llvm::enumerate(call.inputs))
      if (Value gradient = branch.body.gradients[i]) {
        Value &sum = branch.gradients[input.operand];
        sum = sum ? branch.body.core().binary("add", sum, gradient) : gradient;
      }
    for (auto [input, value] : branch.body.updates)
      branch.updates[call.inputs[input].operand] = value;
    branches.push_back(std::move(branch));
    return success();
  }

  // What the other branch has a gradient of is zero here, and what it changes stays.
  void addHeads(Branch &branch, ArrayRef<unsigned> given, ArrayRef<unsigned> updated) {
    SmallVector<Value> heads;
    for (unsigned operand : given) {
      Value own = branch.gradients.lookup(operand), outside = op->getOperand(operand);
      if (!own && hasOpenExtent(outside.getType())) {
        Value like = branch.body.addInput(outside.getType());
        branch.inputs.emplace_back(like, outside);
        own = branch.body.core().zerosLike(like);
      }
      heads.push_back(own ? own : branch.body.core().zeros(outside.getType()));
    }
    for (unsigned operand : updated) {
      Value own = branch.updates.lookup(operand), outside = op->getOperand(operand);
      if (!own) {
        own = branch.body.addInput(outside.getType());
        branch.inputs.emplace_back(own, outside);
      }
      heads.push_back(own);
    }
    branch.body.finish(heads);
    GraphOp graph = branch.body.graph;
    llvm::BitVector unread(graph.getBlock().getNumArguments());
    for (auto [i, input] : llvm::enumerate(branch.call.inputs))
      branch.inputs.emplace_back(graph.getBlock().getArgument(i), op->getOperand(input.operand));
    for (auto [i, value] : llvm::enumerate(branch.body.arriving))
      if (value)
        branch.inputs.emplace_back(value, scope.of(i));
    llvm::erase_if(branch.inputs, [&](auto &input) {
      if (input.first.use_empty())
        unread.set(cast<BlockArgument>(input.first).getArgNumber());
      return input.first.use_empty();
    });
    (void)graph.eraseArguments(unread);
    graph.updateType();
    llvm::sort(branch.inputs, [](auto &a, auto &b) {
      return cast<BlockArgument>(a.first).getArgNumber() <
             cast<BlockArgument>(b.first).getArgNumber();
    });
  }

  Operation *create(const std::vector<Branch> &branches, ArrayRef<unsigned> given,
                    ArrayRef<unsigned> updated) {
    llvm::SetVector<Value> operands;
    auto placeOf = [&](Value value) -> int64_t {
      operands.insert(value);
      return llvm::find(operands, value) - operands.begin();
    };
    SmallVector<int64_t> places[3];
    for (const BodyCall::Input &input : calls[0].inputs)
      places[0].push_back(placeOf(op->getOperand(input.operand)));
    SmallVector<Attribute> bodies{FlatSymbolRefAttr::get(calls[0].body)};
    for (auto [i, branch] : llvm::enumerate(branches)) {
      for (auto [inBody, outside] : branch.inputs)
        places[i + 1].push_back(placeOf(outside));
      bodies.push_back(FlatSymbolRefAttr::get(branch.body.graph));
    }
    SmallVector<Type> types;
    for (ArrayRef<unsigned> list : {given, updated})
      for (unsigned operand : list)
        types.push_back(op->getOperand(operand).getType());
    CoreBuilder &core = scope.core;
    OperationState state(core.loc, CondOp::getOperationName());
    state.addOperands(operands.getArrayRef());
    state.addTypes(types);
    state.addAttributes(
        {core.number("num_args", operands.size() + bodies.size()),
         core.number("num_outputs", types.size()), core.numbers("cond_input_locs", places[0]),
         core.numbers("then_input_locs", places[1]), core.numbers("else_input_locs", places[2]),
         core.b.getNamedAttr("bodies", core.b.getArrayAttr(bodies))});
    return core.b.create(state);
  }

  CondOp op;
  ArrayRef<BodyCall> calls;
  GradientScope &scope;
};

} // namespace

LogicalResult CondOp::buildGradient(GradientScope &scope) {
  FailureOr<SmallVector<BodyCall>> calls = bodyCalls(*this);
  return failed(calls) ? failure() : CondRule(*this, *calls, scope).build();
}
