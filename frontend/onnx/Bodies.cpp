//===- Bodies.cpp - graphs that a node calls --------------------------------===//
//
// If is its branch where the condition is known, else sg.cond; Loop sg.foreach where its condition
// stays true, sg.while_loop where a run ends it, and its iterations in place where carried values
// change their shapes; Scan is sg.foreach.
//
//===----------------------------------------------------------------------===//
#include "frontend/onnx/ModelImporter.h"
#include <cmath>

using namespace llvm;
using namespace mlir;

namespace symc::onnx {

// Reads a graph next, with the given values for its inputs; `leave` follows.
bool ModelImporter::push(Pending &pending, const Graph &graph, ArrayRef<Operand> inputs,
                         std::unique_ptr<Body> body, std::function<void(Frame &)> leave) {
  NodeScope &scope = pending.scope;
  if (frames.size() >= mostFrames)
    return scope.refuse("graphs call each other more than " + Twine(mostFrames) + " deep");
  if (graph.inputs.size() != inputs.size())
    return scope.refuse("its graph has " + Twine(graph.inputs.size()) + " inputs, needs " +
                        Twine(inputs.size()));
  auto inner = std::make_unique<Frame>();
  inner->nodes = graph.nodes;
  inner->opsets = pending.frame.opsets;
  inner->outer = &pending.frame;
  inner->attributes = pending.frame.attributes;
  inner->body = std::move(body);
  inner->leave = std::move(leave);
  for (auto [info, operand] : zip_equal(graph.inputs, inputs))
    inner->names[info.name] = operand;
  for (const Tensor &tensor : graph.initializers) {
    std::string mistake;
    Operand operand = readTensor(tensor, tensor.name, mistake);
    if (!mistake.empty())
      return scope.refuse("initializer " + inQuotes(tensor.name) + " of its graph " + mistake);
    inner->names[tensor.name] = operand;
  }
  if (!graph.sparse.empty())
    return scope.refuse("initializer " + inQuotes(graph.sparse.front()) +
                        " of its graph is a sparse tensor, which is not read");
  frames.push_back(std::move(inner));
  return true;
}

// What a graph gives; nothing where a node of it was refused, which is reported already.
std::optional<SmallVector<Operand>> ModelImporter::outputsOf(const Graph &graph, Frame &frame) {
  SmallVector<Operand> outputs;
  for (const ValueInfo &output : graph.outputs) {
    outputs.push_back(lookup(frame, output.name));
    if (!outputs.back().exists() || (frame.body && !outputs.back().value))
      return std::nullopt;
  }
  return outputs;
}

// Ends a node of whose graph outputsOf() has none: as a refusal where the node is what lacks them.
void ModelImporter::endWithout(Pending &pending, const Graph &graph, Frame &frame) {
  for (auto [i, output] : enumerate(graph.outputs))
    if (frame.body && lookup(frame, output.name).sequence)
      return endRefused(pending,
                        "output " + Twine(i) +
                            " of its graph is a sequence, which no graph of a program gives");
  endSilently(pending);
}

// The node has no results, and reports nothing: one inside of it did.
void ModelImporter::endSilently(Pending &pending) {
  pending.scope.results.clear();
  endNode(pending, /*isReady=*/false);
}

void ModelImporter::endWith(Pending &pending, ArrayRef<Operand> results) {
  pending.scope.results.assign(results.begin(), results.end());
  endNode(pending);
}

void ModelImporter::endRefused(Pending &pending, const Twine &reason) {
  pending.scope.refuse(reason);
  endNode(pending);
}

// True where a graph is read next, whose `leave` ends the node.
bool ModelImporter::callGraphs(const PendingNode &pending) {
  StringRef op = pending->scope.node.op;
  return op == "If"     ? callIf(pending)
         : op == "Loop" ? callLoop(pending)
         : op == "Scan" ? callScan(pending)
                        : callAttention(pending);
}

const Graph &ModelImporter::graphOf(NodeScope &scope, StringRef name) {
  return *scope.find(name)->graph;
}

bool ModelImporter::hasCount(NodeScope &scope, const Graph &graph, size_t least) {
  size_t wanted = scope.node.outputs.size();
  return (graph.outputs.size() >= least && wanted <= graph.outputs.size()) ||
         scope.refuse("its graph has " + Twine(graph.outputs.size()) + " outputs for " +
                      Twine(wanted) + " of the node");
}

std::optional<bool> ModelImporter::knownTruth(const Known *known) {
  if (!known || !known->isFixed() || known->count() != 1)
    return std::nullopt;
  return known->at(0) != 0;
}

// A condition as a tensor of one element.
Value ModelImporter::oneElement(NodeScope &scope, Value x) {
  return scope.reshape(x, sg::Shape({scope.dim(1)}));
}

bool ModelImporter::callIf(const PendingNode &pending) {
  NodeScope &scope = pending->scope;
  const Graph &then = graphOf(scope, "then_branch"), &other = graphOf(scope, "else_branch");
  if (!hasCount(scope, then, 0) || !hasCount(scope, other, 0))
    return false;
  if (std::optional<bool> holds = knownTruth(scope.known(0))) {
    const Graph &graph = *holds ? then : other;
    return push(*pending, graph, {}, nullptr, [this, pending, &graph](Frame &frame) {
      auto outputs = outputsOf(graph, frame);
      if (!outputs)
        return endSilently(*pending);
      outputs->resize(pending->scope.node.outputs.size());
      endWith(*pending, *outputs);
    });
  }
  auto first = std::make_unique<Body>(state, scope.location);
  return push(*pending, then, {}, std::move(first), [this, pending, &then, &other](Frame &frame) {
    auto outputs = outputsOf(then, frame);
    if (!outputs)
      return endWithout(*pending, then, frame);
    finishBody(frame, *outputs);
    std::shared_ptr<Body> one = std::move(frame.body);
    auto second = std::make_unique<Body>(state, pending->scope.location);
    if (!push(*pending, other, {}, std::move(second), [this, pending, &other, one](Frame &frame) {
          auto outputs = outputsOf(other, frame);
          if (!outputs)
            return endWithout(*pending, other, frame);
          finishBody(frame, *outputs);
          makeCond(*pending, *one, *frame.body);
        }))
      endNode(*pending);
  });
}

void ModelImporter::finishBody(Frame &frame, ArrayRef<Operand> outputs) {
  SmallVector<Value> heads;
  for (const Operand &output : outputs)
    heads.push_back(output.value);
  frame.body->finish(heads);
}

void ModelImporter::makeCond(Pending &pending, Body &then, Body &other) {
  NodeScope &scope = pending.scope;
  for (auto [i, types] : enumerate(zip_equal(then.headTypes(), other.headTypes())))
    if (auto [a, b] = types; a != b)
      return endRefused(pending, "its branches give output " + Twine(i) + " as " + textOf(a) +
                                     " and as " + textOf(b) +
                                     ", and its condition is known by a run alone");
  Value condition = oneElement(scope, scope.in(0));
  Body test(state, scope.location);
  test.finish(test.argument(condition.getType()));
  SmallVector<Value> operands{condition};
  auto place = [&](Body &body) {
    SmallVector<int64_t> places;
    for (Value value : body.captured()) {
      places.push_back(int64_t(operands.size()));
      operands.push_back(value);
    }
    return state.builder.getDenseI64ArrayAttr(places);
  };
  OperationState made(scope.location, "sg.cond");
  made.addAttribute("cond_input_locs", state.builder.getDenseI64ArrayAttr({0}));
  made.addAttribute("then_input_locs", place(then));
  made.addAttribute("else_input_locs", place(other));
  made.addAttribute("num_args", scope.number("n", int64_t(operands.size()) + 3).getValue());
  made.addAttribute("num_outputs", scope.number("n", int64_t(then.headTypes().size())).getValue());
  made.addAttribute("bodies",
                    state.builder.getArrayAttr({test.symbol(), then.symbol(), other.symbol()}));
  made.addOperands(operands);
  made.addTypes(then.headTypes());
  SmallVector<Operand> results;
  for (Value value : state.builder.create(made)->getResults())
    results.push_back(operandOf(value));
  endWith(pending, results);
}

std::string ModelImporter::textOf(Type type) {
  return sg::typeName(sg::elementTypeOf(type)) + " " + sg::shapeOf(type).str();
}

Operand ModelImporter::knownOperand(NodeScope &scope, const Known &known) {
  Operand operand = operandOf(scope.constant(known));
  operand.known = std::make_shared<const Known>(known);
  return operand;
}

bool ModelImporter::callLoop(const PendingNode &pending) {
  NodeScope &scope = pending->scope;
  auto plan = std::make_shared<LoopPlan>();
  plan->graph = &graphOf(scope, "body");
  for (size_t i = 2; i < scope.count(); ++i) {
    if (!scope.has(i))
      return scope.refuse("its carried value " + Twine(i - 2) + " is left out");
    plan->states.push_back(scope.operands[i]);
  }
  if (plan->graph->outputs.size() < 1 + plan->states.size() ||
      scope.node.outputs.size() != plan->graph->outputs.size() - 1)
    return scope.refuse("its graph has " + Twine(plan->graph->outputs.size()) + " outputs for " +
                        Twine(scope.node.outputs.size()) + " of the node");
  plan->begins = scope.has(1) ? knownTruth(scope.known(1)) : std::optional<bool>(true);
  bool gathers = plan->scanCount() > 0;
  if (scope.has(0)) {
    if (!scope.hasIntegers(0))
      return false;
    if (const Known *known = scope.known(0); known && known->isFixed() && known->count() == 1)
      plan->trips = std::max<int64_t>(0, known->whole[0].get());
    else if (gathers || !scope.has(1))
      return scope.wanted(0) &&
             scope.refuse("its number of iterations depends on a size that is chosen at run time");
  }
  if (gathers && !plan->begins)
    return scope.wanted(1) && false;
  if (plan->begins == false)
    plan->trips = 0;
  // Of no iteration too, for the shapes of what it gathers.
  Type count = IntegerType::get(&state.context, 64);
  std::map<std::string, Refusals> refusedBefore = refused;
  auto neededBefore = needed;
  auto body = std::make_unique<Body>(state, scope.location);
  SmallVector<Operand> inputs;
  inputs.push_back(
      operandOf(body->argument(sg::makeTensorType(sg::Shape(size_t(0)), count, &state.context))));
  Type boolean = IntegerType::get(&state.context, 1);
  if (plan->begins)
    inputs.push_back(knownOperand(scope, Known::scalar(1, boolean)));
  else
    inputs.push_back(operandOf(body->argument(scope.in(1).getType())));
  for (const Operand &each : plan->states)
    inputs.push_back(operandOf(body->argument(each.value.getType())));
  return push(*pending, *plan->graph, inputs, std::move(body),
              [this, pending, plan, refusedBefore, neededBefore](Frame &frame) {
                auto outputs = outputsOf(*plan->graph, frame);
                bool keeps = outputs.has_value();
                std::string change;
                for (size_t i = 0; keeps && i < plan->states.size(); ++i) {
                  Type from = plan->states[i].value.getType(),
                       to = (*outputs)[i + 1].value.getType();
                  if (from == to)
                    continue;
                  keeps = false;
                  change = "its carried value " + std::to_string(i) + " is " + textOf(from) +
                           " and becomes " + textOf(to);
                }
                if (keeps)
                  return endLoop(*pending, *plan, frame, *outputs);
                // In place of the loop, where its iterations are known.
                bool unrolls = plan->trips && *plan->trips <= kMostUnrolled && plan->begins;
                if (!unrolls)
                  return change.empty() ? endWithout(*pending, *plan->graph, frame)
                                        : endRefused(*pending, change);
                frame.body.reset();
                refused = refusedBefore;
                needed = neededBefore;
                unroll(pending, plan, 0);
              });
}

void ModelImporter::endLoop(Pending &pending, LoopPlan &plan, Frame &frame,
                            ArrayRef<Operand> outputs) {
  NodeScope &scope = pending.scope;
  size_t carried = plan.states.size(), scans = plan.scanCount();
  bool always = plan.begins && knownTruth(outputs[0].known.get()) == true;
  if (scans > 0 && !always)
    return endRefused(pending,
                      "a condition that its graph computes ends it, so that a run decides how "
                      "many results it gathers");
  if (always && !plan.trips)
    return endRefused(pending, "it never ends");
  SmallVector<Value> states, heads;
  for (const Operand &each : plan.states)
    states.push_back(each.value);
  for (size_t i = 0; i < scans; ++i)
    heads.push_back(outputs[1 + carried + i].value);
  if (plan.trips == 0) {
    SmallVector<Operand> results(plan.states);
    for (Value head : heads) {
      sg::Shape shape = sg::shapeOf(head.getType());
      Known none{sg::elementTypeOf(head.getType()), {0}, {}, {}};
      if (!shape.isStatic())
        return endRefused(pending, "it gathers nothing of an extent that is chosen at run time");
      for (sg::Dim dim : shape.list())
        none.dims.push_back(dim.get());
      // The body goes first: constants lie in the graph around it.
      frame.body.reset();
      results.push_back(knownOperand(scope, none));
    }
    frame.body.reset();
    return endWith(pending, results);
  }
  Type count = IntegerType::get(&state.context, 64);
  if (always) {
    for (size_t i = 0; i < carried; ++i)
      heads.push_back(outputs[1 + i].value);
    frame.body->finish(heads);
    Value numbers = scope.make("arange", {},
                               {scope.realNumber("start", 0),
                                scope.realNumber("stop", double(*plan.trips)), scope.dtype(count)});
    if (!numbers)
      return endNode(pending);
    SmallVector<Value> made =
        makeForeach(state, scope.location, *frame.body, {numbers}, states, scans);
    return endLoopWith(pending, made, scans);
  }
  // Carried besides: the number of iterations done, and the condition.
  Value number = frame.body->argumentAt(0), next = scope.scalar("add", number, 1);
  Type boolean = IntegerType::get(&state.context, 1);
  Value goesOn = scope.reshape(outputs[0].value, sg::Shape(size_t(0)));
  SmallVector<Value> stepHeads{next, goesOn};
  for (size_t i = 0; i < carried; ++i)
    stepHeads.push_back(outputs[1 + i].value);
  if (llvm::is_contained(stepHeads, Value()))
    return endNode(pending);
  if (plan.begins) // its graph reads a constant; the loop carries the condition all the same
    frame.body->insertArgument(1,
                               sg::makeTensorType(sg::Shape(size_t(0)), boolean, &state.context));
  frame.body->finish(stepHeads);
  Value first = plan.begins ? scope.constant(Known::scalar(1, boolean))
                            : scope.reshape(scope.in(1), sg::Shape(size_t(0)));
  SmallVector<Value> operands{scope.constant(Known::scalar(0, count)), first};
  llvm::append_range(operands, states);
  Body test(state, scope.location);
  Value at = test.argument(operands[0].getType()), holds = test.argument(first.getType());
  if (plan.trips) {
    Value fewer = scope.compare("lesser", at, scope.constant(Known::scalar(*plan.trips, count)));
    holds = scope.binary("logical_and", holds, fewer);
  }
  test.finish(oneElement(scope, holds));
  llvm::append_range(operands, frame.body->captured());
  OperationState made(scope.location, "sg.while_loop");
  auto numbers = [&](size_t end) {
    return state.builder.getDenseI64ArrayAttr(llvm::to_vector(llvm::seq<int64_t>(0, int64_t(end))));
  };
  size_t variables = carried + 2;
  made.addAttribute("num_args", scope.number("n", int64_t(operands.size()) + 2).getValue());
  made.addAttribute("num_outputs", scope.number("n", int64_t(variables)).getValue());
  made.addAttribute("num_out_data", scope.number("n", 0).getValue());
  made.addAttribute("max_iterations",
                    scope.number("n", plan.trips ? *plan.trips : INT64_MAX).getValue());
  made.addAttribute("cond_input_locs", numbers(2));
  made.addAttribute("func_input_locs", numbers(operands.size()));
  made.addAttribute("func_var_locs", numbers(variables));
  made.addAttribute("bodies", state.builder.getArrayAttr({test.symbol(), frame.body->symbol()}));
  made.addOperands(operands);
  made.addTypes(frame.body->headTypes());
  auto values = state.builder.create(made)->getResults();
  endLoopWith(pending, SmallVector<Value>(values.drop_front(2)), 0);
}

// ONNX names states first, then what is gathered.
void ModelImporter::endLoopWith(Pending &pending, ArrayRef<Value> made, size_t gathered) {
  SmallVector<Operand> results;
  for (Value value : made.drop_front(gathered))
    results.push_back(operandOf(value));
  for (Value value : made.take_front(gathered))
    results.push_back(operandOf(value));
  endWith(pending, results);
}

// Iteration `number` of a loop, read in place.
void ModelImporter::unroll(const PendingNode &pending, const std::shared_ptr<LoopPlan> &plan,
                           int64_t number) {
  NodeScope &scope = pending->scope;
  if (number == *plan->trips)
    return endUnrolled(*pending, *plan);
  Type count = IntegerType::get(&state.context, 64), boolean = IntegerType::get(&state.context, 1);
  SmallVector<Operand> inputs{knownOperand(scope, Known::scalar(number, count)),
                              knownOperand(scope, Known::scalar(1, boolean))};
  llvm::append_range(inputs, plan->states);
  if (!push(*pending, *plan->graph, inputs, nullptr, [this, pending, plan, number](Frame &frame) {
        auto outputs = outputsOf(*plan->graph, frame);
        if (!outputs)
          return endSilently(*pending);
        size_t carried = plan->states.size();
        plan->states.assign(outputs->begin() + 1, outputs->begin() + 1 + carried);
        plan->scans.emplace_back(outputs->begin() + 1 + carried, outputs->end());
        std::optional<bool> goesOn = knownTruth((*outputs)[0].known.get());
        if (!goesOn)
          return endRefused(*pending, "its carried values change their shapes, and a condition "
                                      "that a run decides ends it");
        if (!*goesOn)
          plan->trips = number + 1;
        unroll(pending, plan, number + 1);
      }))
    endNode(*pending);
}

void ModelImporter::endUnrolled(Pending &pending, LoopPlan &plan) {
  NodeScope &scope = pending.scope;
  SmallVector<Operand> results(plan.states);
  for (size_t i = 0; i < plan.scanCount(); ++i) {
    SmallVector<Value> parts;
    for (auto &each : plan.scans) {
      if (each[i].sequence)
        return endRefused(pending, "it gathers sequences, which have no axes");
      parts.push_back(scope.expandDims(each[i].value, 0));
    }
    if (parts.empty())
      return endRefused(pending, "it gathers the results of no iteration");
    results.push_back(operandOf(scope.concat(parts, 0)));
  }
  endWith(pending, results);
}

bool ModelImporter::callScan(const PendingNode &pending) {
  NodeScope &scope = pending->scope;
  bool batched = scope.opset < 9; // [batch, steps, ...] behind an operand of lengths
  size_t firstOperand = batched ? 1 : 0, count = scope.count() - firstOperand;
  int64_t scans = scope.integer("num_scan_inputs");
  if (scans < 1 || scans > int64_t(count))
    return scope.refuse("num_scan_inputs is " + Twine(scans) + " of " + Twine(count) + " operands");
  if (batched && scope.has(0))
    return scope.refuse("lengths of sequences, of opset 8, are not read");
  const Graph &graph = graphOf(scope, "body");
  size_t carried = count - size_t(scans);
  if (graph.outputs.size() < carried || scope.node.outputs.size() != graph.outputs.size())
    return scope.refuse("its graph has " + Twine(graph.outputs.size()) + " outputs for " +
                        Twine(scope.node.outputs.size()) + " of the node");
  size_t gathered = graph.outputs.size() - carried;
  StringRef directions = batched ? "directions" : "scan_input_directions";
  auto numberOf = [&](StringRef name, size_t i) {
    ArrayRef<int64_t> list = scope.integers(name);
    return i < list.size() ? list[i] : 0;
  };
  SmallVector<Value> states, data;
  for (size_t i = 0; i < count; ++i) {
    if (!scope.has(firstOperand + i))
      return scope.refuse("operand " + Twine(firstOperand + i) + " is left out");
    Value x = scope.in(firstOperand + i);
    if (batched) {
      sg::Shape shape = sg::shapeOf(x.getType());
      if (shape.rank() < 1 || !shape[0].isStatic(1))
        return scope.refuse("of opset 8 it is read for a batch of 1, operand " +
                            Twine(firstOperand + i) + " has the shape " + shape.str());
      x = scope.reshape(x, sg::Shape(shape.list().drop_front()));
    }
    if (i < carried) {
      states.push_back(x);
      continue;
    }
    auto rank = int64_t(sg::shapeOf(x.getType()).rank());
    auto axis = scope.axis(numberOf("scan_input_axes", i - carried), rank);
    if (!axis)
      return false;
    SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(0, rank));
    order.erase(order.begin() + *axis);
    order.insert(order.begin(), *axis);
    x = scope.transpose(x, order);
    if (x && numberOf(directions, i - carried) != 0)
      x = scope.make("reverse", x, {scope.list("axis", {0})});
    data.push_back(x);
  }
  if (llvm::is_contained(states, Value()) || llvm::is_contained(data, Value()))
    return false;
  auto body = std::make_unique<Body>(state, scope.location);
  SmallVector<Operand> inputs(carried), elements;
  for (Value each : data) {
    sg::Shape shape = sg::shapeOf(each.getType());
    elements.push_back(operandOf(body->argument(sg::makeTensorType(
        sg::Shape(shape.list().drop_front()), sg::elementTypeOf(each.getType()), &state.context))));
  }
  for (size_t i = 0; i < carried; ++i)
    inputs[i].value = body->argument(states[i].getType());
  llvm::append_range(inputs, elements);
  return push(*pending, graph, inputs, std::move(body),
              [this, pending, &graph, states, data, carried, gathered, batched](Frame &frame) {
                NodeScope &scope = pending->scope;
                auto outputs = outputsOf(graph, frame);
                if (!outputs)
                  return endWithout(*pending, graph, frame);
                for (size_t i = 0; i < carried; ++i)
                  if (Type from = states[i].getType(), to = (*outputs)[i].value.getType();
                      from != to)
                    return endRefused(*pending, "its carried value " + Twine(i) + " is " +
                                                    textOf(from) + " and becomes " + textOf(to));
                SmallVector<Value> heads;
                for (size_t i = 0; i < gathered; ++i)
                  heads.push_back((*outputs)[carried + i].value);
                for (size_t i = 0; i < carried; ++i)
                  heads.push_back((*outputs)[i].value);
                frame.body->finish(heads);
                SmallVector<Value> made =
                    makeForeach(state, scope.location, *frame.body, data, states, gathered);
                for (size_t i = 0; i < gathered; ++i)
                  made[i] = placed(scope, made[i], i);
                if (batched)
                  for (Value &each : made)
                    each = scope.expandDims(each, 0);
                endLoopWith(*pending, made, gathered);
              });
}

// A gathered result with its axis where the node needs it.
Value ModelImporter::placed(NodeScope &scope, Value x, size_t i) {
  auto numberOf = [&](StringRef name) {
    ArrayRef<int64_t> list = scope.integers(name);
    return i < list.size() ? list[i] : 0;
  };
  if (x && numberOf("scan_output_directions") != 0)
    x = scope.make("reverse", x, {scope.list("axis", {0})});
  if (!x)
    return x;
  auto rank = int64_t(sg::shapeOf(x.getType()).rank());
  auto axis = scope.axis(numberOf("scan_output_axes"), rank);
  if (!axis)
    return {};
  SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(1, rank));
  order.insert(order.begin() + *axis, 0);
  return scope.transpose(x, order);
}

// Attention whose scores and shares go through graphs of the model's.
bool ModelImporter::callAttention(const PendingNode &pending) {
  NodeScope &scope = pending->scope;
  sg::Shape q = scope.shape(0), k = scope.shape(1), v = scope.shape(2);
  if (q.rank() != 4 || k.rank() != 4 || v.rank() != 4 || !q[3].isStatic() || !q[1].isStatic() ||
      !k[1].isStatic() || k[1].get() < 1 || q[1].get() % k[1].get() != 0)
    return scope.refuse("its operands have the shapes " + q.str() + ", " + k.str() + " and " +
                        v.str());
  Type type = scope.type(0), precise = type.isF64() ? type : Type(Float32Type::get(&state.context));
  if (scope.given("softmax_precision"))
    precise = typeOf(scope.integer("softmax_precision"), &state.context);
  if (!precise || !isa<FloatType>(precise))
    return scope.refuse("softmax_precision names no type of floats");
  double scale = scope.given("scale") ? scope.real("scale") : 1 / std::sqrt(double(q[3].get()));
  Value keys = scope.in(1), values = scope.in(2);
  if (int64_t often = q[1].get() / k[1].get(); often > 1)
    for (Value *each : {&keys, &values})
      *each =
          scope.make("repeat", *each, {scope.number("repeats", often), scope.number("axis", 1)});
  double root = std::sqrt(scale);
  Value scores = scope.make(
      "batch_dot", {scope.scalar("mul", scope.in(0), root), scope.scalar("mul", keys, root)},
      {scope.flag("transpose_b", true)});
  scores = scope.cast(scores, precise);
  if (!scores)
    return false;
  return modified(pending, "score_mod", scores, [this, pending, values, precise](Value scores) {
    NodeScope &scope = pending->scope;
    Value shares = scope.make("softmax", scope.cast(scores, precise), {scope.number("axis", 3)});
    return modified(pending, "prob_mod", shares, [this, pending, values, precise](Value shares) {
      NodeScope &scope = pending->scope;
      Value y = scope.make("batch_dot", {scope.cast(shares, precise), scope.cast(values, precise)});
      scope.give(0, scope.cast(y, scope.type(0)));
      endNode(*pending);
      return true;
    });
  });
}

// A value through a graph of one input and output, where the node has it.
bool ModelImporter::modified(const PendingNode &pending, StringRef name, Value x,
                             std::function<bool(Value)> next) {
  const Attribute *attribute = pending->scope.find(name);
  if (!attribute)
    return next(x);
  const Graph &graph = *attribute->graph;
  if (graph.outputs.size() != 1)
    return pending->scope.refuse(name + " has " + Twine(graph.outputs.size()) +
                                 " outputs, needs one");
  return push(*pending, graph, operandOf(x), nullptr, [this, pending, &graph, next](Frame &frame) {
    auto outputs = outputsOf(graph, frame);
    if (!outputs)
      return endSilently(*pending);
    if (outputs->front().sequence)
      return endRefused(*pending, "its graph gives a sequence");
    if (!next(outputs->front().value))
      endNode(*pending);
  });
}

} // namespace symc::onnx
