//===- Import.cpp - ONNX model -> sg dialect -------------------------------===//
//
// Walks the nodes with a stack of its own: a frame for the graph, one for each call of a function
// that is being read in its place, and one for each graph that a node calls: in its place too, or
// as a graph of its own (Body.h).
//
//===----------------------------------------------------------------------===//
#include "frontend/onnx/Import.h"

#include "frontend/onnx/Body.h"
#include "frontend/onnx/Inputs.h"
#include "frontend/onnx/Operators.h"
#include "frontend/onnx/Small.h"
#include "frontend/onnx/Widen.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include <cmath>
#include <functional>

using namespace llvm;
using namespace mlir;

namespace symc::onnx {

namespace {

/// Nodes that are read in order, and the names that they see.
struct Frame {
  ArrayRef<Node> nodes;
  ArrayRef<Opset> opsets;
  size_t next = 0;
  StringMap<Operand> names;
  // Of a function in place of its call.
  const Function *function = nullptr;
  const Node *call = nullptr;
  StringMap<const Attribute *> attributes;
  // Of a graph that a node calls: it sees the names around it, and `leave` takes its outputs.
  Frame *outer = nullptr;
  std::unique_ptr<Body> body; // where it is a graph of its own
  std::function<void(Frame &)> leave;
};

/// A node that waits for the graphs that it calls.
struct Pending {
  Frame &frame;
  size_t number;
  SmallVector<DeclaredAttribute> declared;
  NodeScope scope;
  Pending(ImportState &state, Frame &frame, const Node &node, int64_t opset, Location location,
          size_t number)
      : frame(frame), number(number), scope(state, node, opset, location) {}
};
using PendingNode = std::shared_ptr<Pending>;

Operand operandOf(Value value) {
  Operand operand;
  operand.value = value;
  return operand;
}

/// Nodes with one operator that cannot be compiled.
struct Refusals {
  size_t count = 0;
  std::string title, reason;
  size_t number = 0; // of the first node
};

class ModelImporter {
public:
  ModelImporter(std::shared_ptr<const Model> model, const OnnxOptions &options,
                MLIRContext &context, symc::Diagnostics &diagnostics)
      : model(std::move(model)), options(options), diagnostics(diagnostics), state(context) {}

  std::optional<ImportedModel> run() {
    state.weights = std::make_shared<ModelWeights>(model);
    std::optional<InputPlan> plan = planInputs(*model, options, state.context, diagnostics);
    if (!plan)
      return std::nullopt;
    ScopedDiagnosticHandler handler(&state.context, [&](mlir::Diagnostic &message) {
      if (message.getSeverity() == DiagnosticSeverity::Error)
        state.messages.push_back(message.str());
      return success();
    });
    begin(*plan);
    bool good = addInitializers();
    while (good && !frames.empty())
      step();
    if (good)
      addOutputs();
    tellRefusals();
    if (diagnostics.hasErrors())
      return std::nullopt;
    finish(*plan);
    widenIntegers(*module);
    return ImportedModel{std::move(module), state.weights};
  }

private:
  static constexpr size_t mostFrames = 64;

  Location locationOf(StringRef title) {
    return NameLoc::get(StringAttr::get(&state.context, title), UnknownLoc::get(&state.context));
  }

  void begin(const InputPlan &plan) {
    state.context.loadDialect<sg::SGDialect>();
    module = ModuleOp::create(UnknownLoc::get(&state.context));
    state.module = *module;
    (*module)->setAttr("sg.np_shape", state.builder.getUnitAttr());
    state.builder.setInsertionPointToEnd(module->getBody());
    OperationState graph(UnknownLoc::get(&state.context), sg::GraphOp::getOperationName());
    graph.addRegion()->push_back(new Block);
    graph.addAttribute("sym_name", state.builder.getStringAttr("main"));
    graph.addAttribute("function_type", TypeAttr::get(state.builder.getFunctionType({}, {})));
    if (!plan.sizes.empty()) {
      SmallVector<StringRef> names;
      SmallVector<int64_t> least, most;
      for (const PlannedSize &size : plan.sizes) {
        names.push_back(size.name);
        least.push_back(size.min);
        most.push_back(size.max);
      }
      graph.addAttribute("dim_names", state.builder.getStrArrayAttr(names));
      graph.addAttribute("dim_min", state.builder.getDenseI64ArrayAttr(least));
      graph.addAttribute("dim_max", state.builder.getDenseI64ArrayAttr(most));
    }
    state.main = state.graph = cast<sg::GraphOp>(state.builder.create(graph));
    state.conditions = std::make_unique<sg::Conditions>(state.graph);
    state.builder.setInsertionPointToEnd(&state.graph.getBlock());

    auto &frame = *frames.emplace_back(std::make_unique<Frame>());
    frame.nodes = model->graph->nodes;
    frame.opsets = model->opsets;
    SmallVector<mlir::Attribute> attributes, order;
    for (const PlannedInput &input : plan.inputs) {
      Operand &operand = frame.names[input.name];
      operand.name = input.name;
      if (input.value) {
        operand.value = state.constant(*input.value, input.name, locationOf(input.name));
        if (input.value->count() <= kMostKnown)
          operand.known = std::make_shared<const Known>(*input.value);
        continue;
      }
      SmallVector<int64_t> extents;
      sg::Shape shape = input.shape;
      if (input.small && input.small->perByte() > 1) {
        for (sg::Dim dim : shape.list())
          extents.push_back(dim.get());
        shape = sg::Shape::of(packedExtents(*input.small, extents), &state.context);
      }
      Type type = sg::makeTensorType(shape, input.type, &state.context);
      operand.value = state.graph.getBlock().addArgument(type, locationOf(input.name));
      if (input.small) {
        static const Node none;
        NodeScope scope(state, none, 0, locationOf(input.name));
        operand.small = input.small;
        operand.value = unpacked(scope, operand.value, *input.small, extents);
      }
      NamedAttrList named;
      named.set("sg.name", state.builder.getStringAttr(input.name));
      attributes.push_back(named.getDictionary(&state.context));
      order.push_back(state.builder.getStringAttr(input.name));
    }
    state.graph.setArgAttrsAttr(state.builder.getArrayAttr(attributes));
    state.graph.setArgumentOrderAttr(state.builder.getArrayAttr(order));
  }

  bool addInitializers() {
    bool good = true;
    for (const Tensor &tensor : model->graph->initializers) {
      Operand &operand = frames.front()->names[tensor.name];
      if (operand.value) // an input whose shape or value the caller gives
        continue;
      std::string mistake;
      operand = readTensor(tensor, tensor.name, mistake);
      if (mistake.empty())
        continue;
      good = false;
      diagnostics.error(model->path, {}, "initializer " + inQuotes(tensor.name) + " " + mistake);
    }
    for (StringRef name : model->graph->sparse) {
      good = false;
      diagnostics.error(model->path, {},
                        "initializer " + inQuotes(name) + " is a sparse tensor, which is not read");
    }
    return good;
  }

  Operand readTensor(const Tensor &tensor, StringRef name, std::string &mistake) {
    return importTensor(state, tensor, name, locationOf(name), mistake);
  }

  // The next node of the innermost frame, or what it leaves.
  void step() {
    Frame &frame = *frames.back();
    if (frame.next == frame.nodes.size()) {
      if (frames.size() == 1) {
        top = std::move(frames.back());
        frames.pop_back();
        return;
      }
      leave();
      return;
    }
    size_t number = frame.next++;
    importNode(frame, frame.nodes[number], number);
  }

  void leave() {
    std::unique_ptr<Frame> inner = std::move(frames.back());
    frames.pop_back();
    if (inner->leave)
      return inner->leave(*inner);
    Frame &outer = *frames.back();
    for (auto [i, name] : enumerate(inner->call->outputs))
      if (!name.empty() && i < inner->function->outputs.size()) {
        Operand result = inner->names.lookup(inner->function->outputs[i]);
        result.name = name;
        outer.names[name] = result;
      }
  }

  const Function *functionOf(const Node &node) const {
    for (const Function &function : model->functions)
      if (function.name == node.op && function.domain == node.domain &&
          function.overload == node.overload)
        return &function;
    return nullptr;
  }

  // What a name means in a frame; a value of the graph around becomes an argument of a body.
  static Operand lookup(const Frame &frame, StringRef name) {
    if (auto found = frame.names.find(name); found != frame.names.end())
      return found->second;
    Operand operand = frame.outer ? lookup(*frame.outer, name) : Operand();
    if (frame.body && operand.value)
      operand.value = frame.body->capture(operand.value);
    if (frame.body && operand.sequence) {
      std::vector<Operand> elements = *operand.sequence;
      for (Operand &each : elements)
        each.value = frame.body->capture(each.value);
      operand.sequence = std::make_shared<const std::vector<Operand>>(std::move(elements));
    }
    return operand;
  }

  void importNode(Frame &frame, const Node &node, size_t number) {
    Location location = locationOf(nodeTitle(node));
    if (const Function *function = functionOf(node)) {
      enter(frame, node, number, *function);
      return;
    }
    int64_t opset = opsetOf(frame.opsets, node.domain);
    const OperatorRow *row = findOperator(node.domain, node.op, opset);
    auto pending = std::make_shared<Pending>(state, frame, node, opset, location, number);
    NodeScope &scope = pending->scope;
    bool isReady = true; // all operands are there
    for (StringRef name : node.inputs) {
      Operand operand = name.empty() ? Operand() : lookup(frame, name);
      operand.name = name;
      isReady &= name.empty() || operand.exists();
      scope.operands.push_back(operand);
    }
    if (!row || row->isRefused()) {
      scope.refuse(row ? row->attributes.str() : unknownReason(node, opset));
    } else {
      pending->declared = declaredAttributes(*row);
      scope.declared = pending->declared;
      // What follows a refused node has no operands to look at.
      if (checkAttributes(frame, scope, *row) && checkCount(scope, *row) && isReady) {
        for (size_t i = 0; row->hasBodies && i < scope.count(); ++i)
          if (scope.sequence(i))
            scope.refuse("operand " + Twine(i) + " is a sequence, which it does not carry");
        if (row->hasBodies && scope.reason.empty() && callGraphs(pending))
          return; // its graphs end it
        if (!row->hasBodies)
          buildSmall(scope, *row);
      }
    }
    endNode(*pending, isReady);
  }

  // Names for what a node made, or nothing of a refused one.
  void endNode(Pending &pending, bool isReady = true) {
    NodeScope &scope = pending.scope;
    for (auto [i, name] : enumerate(scope.node.outputs)) {
      if (name.empty())
        continue;
      Operand result = i < scope.results.size() ? scope.results[i] : Operand();
      result.name = name;
      if (scope.reason.empty() && isReady && !result.exists())
        scope.refuse("output " + Twine(i) + " is not computed");
      if (!scope.reason.empty())
        result = Operand();
      pending.frame.names[name] = result;
    }
    if (!scope.reason.empty())
      noteRefusal(scope, pending.number);
  }

  // Operands of types of one byte or less are codes: what moves elements moves them, few operators
  // read them, for all others they are of a type that they do not compute.
  void buildSmall(NodeScope &scope, const OperatorRow &row) {
    static constexpr StringLiteral readers[] = {"Cast",           "CastLike", "DequantizeLinear",
                                                "QuantizeLinear", "Shape",    "Size"};
    static constexpr StringLiteral movers[] = {
        "Concat",  "Expand", "Flatten", "Gather",  "GatherElements", "GatherND",  "Identity",
        "Reshape", "Slice",  "Split",   "Squeeze", "Tile",           "Transpose", "Unsqueeze"};
    static constexpr StringLiteral lists[] = {"SequenceInsert", "SequenceErase",      "SequenceAt",
                                              "SequenceLength", "ConcatFromSequence", "Identity"};
    for (size_t i = 0; i < scope.count(); ++i)
      if (scope.sequence(i) && (i != 0 || !llvm::is_contained(lists, scope.node.op)))
        return void(scope.refuse("operand " + Twine(i) + " is a sequence, which it does not read"));
    const SmallType *moved = scope.count() > 0 ? scope.small(0) : nullptr;
    bool reads = llvm::is_contained(readers, scope.node.op),
         moves = moved && llvm::is_contained(movers, scope.node.op);
    for (size_t i = 0; i < scope.count(); ++i)
      if (const SmallType *each = scope.small(i);
          each && !reads && !(moves && (i == 0 || scope.node.op == "Concat") && each == moved))
        return void(scope.refuse("operand " + Twine(i) + " holds elements of type " +
                                 nameOf(each->dataType) + ", which it does not compute"));
    buildNode(scope, row);
    if (moves)
      for (Operand &result : scope.results) {
        result.small = moved;
        result.known.reset();
      }
  }

  void buildNode(NodeScope &scope, const OperatorRow &row) {
    if (row.build(scope) || !scope.reason.empty())
      return;
    scope.refuse("internal error: its builder gave no reason");
  }

  std::string unknownReason(const Node &node, int64_t opset) const {
    StringRef domain = node.domain.empty() ? "ai.onnx" : node.domain;
    if (opset == 0 && !node.domain.empty() && findOperator(node.domain, node.op, 1))
      return ("the model imports no opset of " + inQuotes(domain));
    std::string ranges;
    for (const OperatorRow &each : operatorRows())
      if (each.domain == node.domain && each.name == node.op && each.build)
        ranges += (ranges.empty() ? "" : ", ") + std::to_string(each.first) + " to " +
                  std::to_string(each.last);
    if (!ranges.empty())
      return "it is read of opsets " + ranges + ", the model has " + std::to_string(opset) +
             " of " + inQuotes(domain);
    if (node.domain.empty())
      return "ONNX has no operator of this name in opset " + std::to_string(opset);
    return "of other domains no operator is known";
  }

  static StringRef kindOf(const Attribute &attribute) {
    static constexpr StringLiteral kinds[] = {
        "undefined", "float",   "int",    "string", "tensor",  "graph", "floats", "ints",
        "strings",   "tensors", "graphs", "sparse", "sparses", "type",  "types"};
    return kinds[static_cast<int64_t>(attribute.type)];
  }

  bool checkAttributes(Frame &frame, NodeScope &scope, const OperatorRow &row) {
    for (const Attribute &written : scope.node.attributes) {
      const Attribute *attribute = &written;
      if (!written.reference.empty()) {
        attribute = frame.attributes.lookup(written.reference);
        if (!attribute)
          continue; // the call has none, and so has the node
      }
      const auto *declared = llvm::find_if(
          scope.declared, [&](const DeclaredAttribute &each) { return each.name == written.name; });
      if (declared == scope.declared.end())
        return scope.refuse("it has no attribute " + inQuotes(written.name) + " in opset " +
                            Twine(scope.opset));
      // Files of the first versions leave the type out.
      if (attribute->type != AttributeType::Undefined && kindOf(*attribute) != declared->kind)
        return scope.refuse("attribute " + inQuotes(written.name) + " is of kind " +
                            kindOf(*attribute) + ", needs " + declared->kind);
      if ((declared->kind == "tensor" && !attribute->tensor) ||
          (declared->kind == "graph" && !attribute->graph))
        return scope.refuse("attribute " + inQuotes(written.name) + " has no value");
      scope.attributes[written.name] = attribute;
    }
    for (const DeclaredAttribute &declared : scope.declared)
      if (declared.isRequired && !scope.given(declared.name))
        return scope.refuse("it needs the attribute " + inQuotes(declared.name));
    (void)row;
    return true;
  }

  static bool checkCount(NodeScope &scope, const OperatorRow &row) {
    auto count = static_cast<int64_t>(scope.count());
    if (count < row.least || (row.most >= 0 && count > row.most))
      return scope.refuse("it has " + Twine(count) + (count == 1 ? " operand" : " operands") +
                          ", needs " + Twine(row.least) +
                          (row.most == row.least ? Twine()
                           : row.most < 0        ? Twine(" or more")
                                                 : " to " + Twine(row.most)));
    for (int64_t i = 0; i < row.least; ++i)
      if (scope.node.inputs[i].empty() && row.most >= 0)
        return scope.refuse("operand " + Twine(i) + " is left out");
    return true;
  }

  void enter(Frame &outer, const Node &node, size_t number, const Function &function) {
    NodeScope scope(state, node, 0, locationOf(nodeTitle(node)));
    auto inner = std::make_unique<Frame>();
    if (frames.size() >= mostFrames)
      scope.refuse("functions call each other more than " + Twine(mostFrames) + " deep");
    if (node.inputs.size() > function.inputs.size())
      scope.refuse("it has " + Twine(node.inputs.size()) + " operands, the model's function has " +
                   Twine(function.inputs.size()));
    if (!scope.reason.empty())
      return noteRefusal(scope, number);
    inner->nodes = function.nodes;
    inner->opsets = function.opsets.empty() ? outer.opsets : ArrayRef(function.opsets);
    inner->function = &function;
    inner->call = &node;
    for (auto [i, name] : enumerate(function.inputs)) {
      Operand operand;
      if (i < node.inputs.size() && !node.inputs[i].empty())
        operand = lookup(outer, node.inputs[i]);
      inner->names[name] = operand;
    }
    for (const Attribute &attribute : function.defaults)
      inner->attributes[attribute.name] = &attribute;
    for (const Attribute &attribute : node.attributes)
      if (attribute.reference.empty())
        inner->attributes[attribute.name] = &attribute;
      else if (const Attribute *given = outer.attributes.lookup(attribute.reference))
        inner->attributes[attribute.name] = given;
    frames.push_back(std::move(inner));
  }

  //===--------------------------------------------------------------------===//
  // Graphs that a node calls
  //===--------------------------------------------------------------------===//

  // Reads a graph next, with the given values for its inputs; `leave` follows.
  bool push(Pending &pending, const Graph &graph, ArrayRef<Operand> inputs,
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
  std::optional<SmallVector<Operand>> outputsOf(const Graph &graph, Frame &frame) {
    SmallVector<Operand> outputs;
    for (const ValueInfo &output : graph.outputs) {
      outputs.push_back(lookup(frame, output.name));
      if (!outputs.back().exists() || (frame.body && !outputs.back().value))
        return std::nullopt;
    }
    return outputs;
  }

  // The node has no results, and reports nothing: one inside of it did.
  void endSilently(Pending &pending) {
    pending.scope.results.clear();
    endNode(pending, /*isReady=*/false);
  }

  void endWith(Pending &pending, ArrayRef<Operand> results) {
    pending.scope.results.assign(results.begin(), results.end());
    endNode(pending);
  }

  void endRefused(Pending &pending, const Twine &reason) {
    pending.scope.refuse(reason);
    endNode(pending);
  }

  // True where a graph is read next, whose `leave` ends the node.
  bool callGraphs(const PendingNode &pending) {
    StringRef op = pending->scope.node.op;
    return op == "If"     ? callIf(pending)
           : op == "Loop" ? callLoop(pending)
           : op == "Scan" ? callScan(pending)
                          : callAttention(pending);
  }

  static const Graph &graphOf(NodeScope &scope, StringRef name) { return *scope.find(name)->graph; }

  static bool hasCount(NodeScope &scope, const Graph &graph, size_t least) {
    size_t wanted = scope.node.outputs.size();
    return (graph.outputs.size() >= least && wanted <= graph.outputs.size()) ||
           scope.refuse("its graph has " + Twine(graph.outputs.size()) + " outputs for " +
                        Twine(wanted) + " of the node");
  }

  static std::optional<bool> knownTruth(const Known *known) {
    if (!known || !known->isFixed() || known->count() != 1)
      return std::nullopt;
    return known->at(0) != 0;
  }

  // A condition as a tensor of one element.
  static Value oneElement(NodeScope &scope, Value x) {
    return scope.reshape(x, sg::Shape({scope.dim(1)}));
  }

  bool callIf(const PendingNode &pending) {
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
        return endSilently(*pending);
      finishBody(frame, *outputs);
      std::shared_ptr<Body> one = std::move(frame.body);
      auto second = std::make_unique<Body>(state, pending->scope.location);
      if (!push(*pending, other, {}, std::move(second), [this, pending, &other, one](Frame &frame) {
            auto outputs = outputsOf(other, frame);
            if (!outputs)
              return endSilently(*pending);
            finishBody(frame, *outputs);
            makeCond(*pending, *one, *frame.body);
          }))
        endNode(*pending);
    });
  }

  static void finishBody(Frame &frame, ArrayRef<Operand> outputs) {
    SmallVector<Value> heads;
    for (const Operand &output : outputs)
      heads.push_back(output.value);
    frame.body->finish(heads);
  }

  void makeCond(Pending &pending, Body &then, Body &other) {
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
    made.addAttribute("num_outputs",
                      scope.number("n", int64_t(then.headTypes().size())).getValue());
    made.addAttribute("bodies",
                      state.builder.getArrayAttr({test.symbol(), then.symbol(), other.symbol()}));
    made.addOperands(operands);
    made.addTypes(then.headTypes());
    SmallVector<Operand> results;
    for (Value value : state.builder.create(made)->getResults())
      results.push_back(operandOf(value));
    endWith(pending, results);
  }

  static std::string textOf(Type type) {
    return sg::typeName(sg::elementTypeOf(type)) + " " + sg::shapeOf(type).str();
  }

  static Operand knownOperand(NodeScope &scope, const Known &known) {
    Operand operand = operandOf(scope.constant(known));
    operand.known = std::make_shared<const Known>(known);
    return operand;
  }

  struct LoopPlan {
    const Graph *graph = nullptr;
    std::optional<int64_t> trips;            // nothing: until the condition ends it
    std::optional<bool> begins;              // nothing: a run decides
    SmallVector<Operand> states;             // before the first iteration
    SmallVector<SmallVector<Operand>> scans; // of iterations that are read in place
    size_t scanCount() const { return graph->outputs.size() - 1 - states.size(); }
  };
  static constexpr int64_t kMostUnrolled = 1024;

  bool callLoop(const PendingNode &pending) {
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
      if (const Known *known = scope.known(0); known && known->isFixed() && known->count() == 1)
        plan->trips = std::max<int64_t>(0, known->whole[0].get());
      else if (gathers || !scope.has(1))
        return scope.wanted(0) &&
               scope.refuse(
                   "its number of iterations depends on a size that is chosen at run time");
    }
    if (gathers && !plan->begins)
      return scope.wanted(1) && false;
    if (plan->begins == false)
      plan->trips = 0;
    // Of no iteration too, for the shapes of what it gathers.
    Type count = IntegerType::get(&state.context, 64);
    std::map<std::string, Refusals> refusedBefore = refused;
    auto openBefore = openInputs;
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
                [this, pending, plan, refusedBefore, openBefore](Frame &frame) {
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
                  frame.body.reset();
                  if (!unrolls)
                    return change.empty() ? endSilently(*pending) : endRefused(*pending, change);
                  refused = refusedBefore;
                  openInputs = openBefore;
                  unroll(pending, plan, 0);
                });
  }

  void endLoop(Pending &pending, LoopPlan &plan, Frame &frame, ArrayRef<Operand> outputs) {
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
      Value numbers =
          scope.make("arange", {},
                     {scope.realNumber("start", 0), scope.realNumber("stop", double(*plan.trips)),
                      scope.dtype(count)});
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
      return state.builder.getDenseI64ArrayAttr(
          llvm::to_vector(llvm::seq<int64_t>(0, int64_t(end))));
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
  void endLoopWith(Pending &pending, ArrayRef<Value> made, size_t gathered) {
    SmallVector<Operand> results;
    for (Value value : made.drop_front(gathered))
      results.push_back(operandOf(value));
    for (Value value : made.take_front(gathered))
      results.push_back(operandOf(value));
    endWith(pending, results);
  }

  // Iteration `number` of a loop, read in place.
  void unroll(const PendingNode &pending, const std::shared_ptr<LoopPlan> &plan, int64_t number) {
    NodeScope &scope = pending->scope;
    if (number == *plan->trips)
      return endUnrolled(*pending, *plan);
    Type count = IntegerType::get(&state.context, 64),
         boolean = IntegerType::get(&state.context, 1);
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

  void endUnrolled(Pending &pending, LoopPlan &plan) {
    NodeScope &scope = pending.scope;
    SmallVector<Operand> results(plan.states);
    for (size_t i = 0; i < plan.scanCount(); ++i) {
      SmallVector<Value> parts;
      for (auto &each : plan.scans)
        parts.push_back(scope.expandDims(each[i].value, 0));
      if (parts.empty())
        return endRefused(pending, "it gathers the results of no iteration");
      results.push_back(operandOf(scope.concat(parts, 0)));
    }
    endWith(pending, results);
  }

  bool callScan(const PendingNode &pending) {
    NodeScope &scope = pending->scope;
    bool batched = scope.opset < 9; // [batch, steps, ...] behind an operand of lengths
    size_t firstOperand = batched ? 1 : 0, count = scope.count() - firstOperand;
    int64_t scans = scope.integer("num_scan_inputs");
    if (scans < 1 || scans > int64_t(count))
      return scope.refuse("num_scan_inputs is " + Twine(scans) + " of " + Twine(count) +
                          " operands");
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
      elements.push_back(operandOf(
          body->argument(sg::makeTensorType(sg::Shape(shape.list().drop_front()),
                                            sg::elementTypeOf(each.getType()), &state.context))));
    }
    for (size_t i = 0; i < carried; ++i)
      inputs[i].value = body->argument(states[i].getType());
    llvm::append_range(inputs, elements);
    return push(*pending, graph, inputs, std::move(body),
                [this, pending, &graph, states, data, carried, gathered, batched](Frame &frame) {
                  NodeScope &scope = pending->scope;
                  auto outputs = outputsOf(graph, frame);
                  if (!outputs)
                    return endSilently(*pending);
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
  Value placed(NodeScope &scope, Value x, size_t i) {
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
  bool callAttention(const PendingNode &pending) {
    NodeScope &scope = pending->scope;
    sg::Shape q = scope.shape(0), k = scope.shape(1), v = scope.shape(2);
    if (q.rank() != 4 || k.rank() != 4 || v.rank() != 4 || !q[3].isStatic() || !q[1].isStatic() ||
        !k[1].isStatic() || k[1].get() < 1 || q[1].get() % k[1].get() != 0)
      return scope.refuse("its operands have the shapes " + q.str() + ", " + k.str() + " and " +
                          v.str());
    Type type = scope.type(0),
         precise = type.isF64() ? type : Type(Float32Type::get(&state.context));
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
        Value y =
            scope.make("batch_dot", {scope.cast(shares, precise), scope.cast(values, precise)});
        scope.give(0, scope.cast(y, scope.type(0)));
        endNode(*pending);
        return true;
      });
    });
  }

  // A value through a graph of one input and output, where the node has it.
  bool modified(const PendingNode &pending, StringRef name, Value x,
                std::function<bool(Value)> next) {
    const Attribute *attribute = pending->scope.find(name);
    if (!attribute)
      return next(x);
    const Graph &graph = *attribute->graph;
    if (graph.outputs.size() != 1)
      return pending->scope.refuse(name + " has " + Twine(graph.outputs.size()) +
                                   " outputs, needs one");
    return push(*pending, graph, operandOf(x), nullptr,
                [this, pending, &graph, next](Frame &frame) {
                  auto outputs = outputsOf(graph, frame);
                  if (!outputs)
                    return endSilently(*pending);
                  if (!next(outputs->front().value))
                    endNode(*pending);
                });
  }

  void noteRefusal(const NodeScope &scope, size_t number) {
    if (!scope.openInputs.empty()) {
      for (const std::string &name : scope.openInputs)
        openInputs.insert({name, {nodeTitle(scope.node), scope.node.op.str()}});
      return;
    }
    Refusals &refusals = refused[operatorName(scope.node.domain, scope.node.op)];
    if (refusals.count++ == 0) {
      refusals.title = nodeTitle(scope.node);
      refusals.reason = scope.reason;
      refusals.number = number;
    }
  }

  void tellRefusals() {
    if (!refused.empty()) {
      std::vector<std::string> names;
      for (auto &[name, refusals] : refused)
        names.push_back(inQuotes(name) + " (" + std::to_string(refusals.count) +
                        (refusals.count == 1 ? " node)" : " nodes)"));
      symc::Diagnostic &error = diagnostics.error(
          model->path, {},
          (names.size() == 1 ? Twine("an operator cannot be compiled: ")
                             : Twine(names.size()) + " operators cannot be compiled: ") +
              diagnostics.list(names));
      for (auto &[name, refusals] : refused) {
        if (error.notes.size() == diagnostics.shown(refused.size()))
          break;
        error.note(inQuotes(name) + " first stands in node " + inQuotes(refusals.title) +
                   " (number " + Twine(refusals.number) + "): " + refusals.reason);
      }
    }
    for (auto &[name, node] : openInputs)
      diagnostics
          .error(model->path, {},
                 "the value of input " + inQuotes(name) + " decides a shape in node " +
                     inQuotes(node.first) + " (" + node.second + ")")
          .note("give it when compiling: --value " + name + "=FILE");
  }

  void addOutputs() {
    SmallVector<Value> heads;
    SmallVector<mlir::Attribute> attributes;
    for (const ValueInfo &output : model->graph->outputs) {
      Operand operand = top->names.lookup(output.name);
      if (operand.sequence) {
        diagnostics.error(model->path, {},
                          "output " + inQuotes(output.name) +
                              " is a sequence, programs give tensors");
        return;
      }
      if (!operand.value)
        return; // of a refused node
      if (operand.small) {
        static const Node none;
        NodeScope scope(state, none, 0, locationOf(output.name));
        operand.value = packed(scope, operand.value, *operand.small);
        if (!operand.value) {
          diagnostics.error(model->path, {},
                            "output " + inQuotes(output.name) + ": " + scope.reason);
          return;
        }
        small.insert(output.name);
      }
      heads.push_back(operand.value);
      attributes.push_back(state.builder.getDictionaryAttr(
          state.builder.getNamedAttr("sg.name", state.builder.getStringAttr(output.name))));
    }
    OperationState end(UnknownLoc::get(&state.context), sg::HeadsOp::getOperationName());
    end.addOperands(heads);
    state.builder.create(end);
    state.graph.setResAttrsAttr(state.builder.getArrayAttr(attributes));
    for (auto [output, head] : zip_equal(model->graph->outputs, heads))
      checkDeclared(output, head);
  }

  // A declared shape that contradicts what follows from the operands is worth a warning.
  void checkDeclared(const ValueInfo &output, Value head) {
    sg::Shape shape = sg::shapeOf(head.getType());
    if (!output.shape || output.kind != TypeKind::Tensor || small.contains(output.name))
      return;
    bool differs = output.shape->size() != shape.rank();
    for (size_t i = 0; !differs && i < shape.rank(); ++i)
      differs = (*output.shape)[i].value && shape[i].isStatic() &&
                !shape[i].isStatic(*(*output.shape)[i].value);
    if (differs)
      diagnostics.warning(model->path, {},
                          "the output " + inQuotes(output.name) + " has the shape " + shape.str() +
                              ", which is not the one that the model declares");
  }

  // What nobody reads goes.
  void finish(const InputPlan &) {
    llvm::StringSet<> read;
    for (auto graph : module->getOps<sg::GraphOp>()) {
      for (Operation &op : llvm::make_early_inc_range(llvm::reverse(graph.getBlock())))
        if (op.use_empty() && !op.hasTrait<OpTrait::IsTerminator>() && isOpTriviallyDead(&op))
          op.erase();
      for (auto parameter : graph.getBlock().getOps<sg::ParameterOp>())
        read.insert(parameter.getWeight());
    }
    for (auto weight : llvm::make_early_inc_range(module->getOps<sg::WeightOp>()))
      if (!read.contains(weight.getSymName()))
        weight.erase();
    for (BlockArgument argument : state.graph.getBlock().getArguments())
      if (argument.use_empty())
        state.graph.setArgAttr(argument.getArgNumber(), "sg.optional", state.builder.getUnitAttr());
    state.graph.updateType();
  }

  std::shared_ptr<const Model> model;
  const OnnxOptions &options;
  symc::Diagnostics &diagnostics;
  ImportState state;
  OwningOpRef<ModuleOp> module;
  std::vector<std::unique_ptr<Frame>> frames;
  llvm::StringSet<> small;    // outputs of types of one byte or less
  std::unique_ptr<Frame> top; // the graph's, when all is read
  std::map<std::string, Refusals> refused;
  std::map<std::string, std::pair<std::string, std::string>> openInputs; // inputs, and the node
};

} // namespace

std::optional<ImportedModel> importModel(std::shared_ptr<const Model> model,
                                         const OnnxOptions &options, MLIRContext &context,
                                         symc::Diagnostics &diagnostics) {
  if (!checkModel(*model, diagnostics))
    return std::nullopt;
  return ModelImporter(std::move(model), options, context, diagnostics).run();
}

} // namespace symc::onnx
