//===- Import.cpp - ONNX model -> sg dialect -------------------------------===//
#include "frontend/onnx/Import.h"

#include "frontend/onnx/ModelImporter.h"
#include "ir/ops/Init.h"
#include "ir/ops/Nn.h"
#include "ir/ops/NumpyProducts.h"
#include "ir/ops/NumpyShape.h"
#include "ir/ops/Recurrent.h"
#include "ir/ops/Shape.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace llvm;
using namespace mlir;

namespace symc::onnx {

std::optional<ImportedModel> ModelImporter::run() {
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
  reportRefusals();
  if (diagnostics.hasErrors())
    return std::nullopt;
  finish(*plan);
  widenIntegers(*module);
  return ImportedModel{std::move(module), state.weights};
}

Location ModelImporter::locationOf(StringRef title) {
  return NameLoc::get(StringAttr::get(&state.context, title), UnknownLoc::get(&state.context));
}

void ModelImporter::begin(const InputPlan &plan) {
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
  state.required = std::make_unique<sg::Conditions>(state.graph);
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

bool ModelImporter::addInitializers() {
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

Operand ModelImporter::readTensor(const Tensor &tensor, StringRef name, std::string &mistake) {
  return importTensor(state, tensor, name, locationOf(name), mistake);
}

void ModelImporter::step() {
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

void ModelImporter::leave() {
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

const Function *ModelImporter::functionOf(const Node &node) const {
  for (const Function &function : model->functions)
    if (function.name == node.op && function.domain == node.domain &&
        function.overload == node.overload)
      return &function;
  return nullptr;
}

Operand ModelImporter::lookup(const Frame &frame, StringRef name) {
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

void ModelImporter::importNode(Frame &frame, const Node &node, size_t number) {
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

void ModelImporter::endNode(Pending &pending, bool isReady) {
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

void ModelImporter::buildSmall(NodeScope &scope, const OperatorRow &row) {
  static constexpr StringLiteral readers[] = {"Cast",           "CastLike", "DequantizeLinear",
                                              "QuantizeLinear", "Shape",    "Size"};
  static constexpr StringLiteral movers[] = {
      "Concat",         "Expand",    "Flatten",  "Gather",
      "GatherElements", "GatherND",  "Identity", "OptionalGetElement",
      "Reshape",        "Slice",     "Split",    "Squeeze",
      "Tile",           "Transpose", "Unsqueeze"};
  static constexpr StringLiteral lists[] = {"SequenceInsert",    "SequenceErase",      "SequenceAt",
                                            "SequenceLength",    "ConcatFromSequence", "Identity",
                                            "OptionalGetElement"};
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

void ModelImporter::buildNode(NodeScope &scope, const OperatorRow &row) {
  if (row.build(scope) || !scope.reason.empty())
    return;
  scope.refuse("internal error: its builder gave no reason");
}

std::string ModelImporter::unknownReason(const Node &node, int64_t opset) const {
  StringRef domain = node.domain.empty() ? "ai.onnx" : node.domain;
  if (opset == 0 && !node.domain.empty() && findOperator(node.domain, node.op, 1))
    return ("the model imports no opset of " + inQuotes(domain));
  std::string ranges;
  for (const OperatorRow &each : operatorRows())
    if (each.domain == node.domain && each.name == node.op && each.build)
      ranges += (ranges.empty() ? "" : ", ") + std::to_string(each.first) + " to " +
                std::to_string(each.last);
  if (!ranges.empty())
    return "it is read of opsets " + ranges + ", the model has " + std::to_string(opset) + " of " +
           inQuotes(domain);
  if (node.domain.empty())
    return "ONNX has no operator of this name in opset " + std::to_string(opset);
  return "of " + inQuotes(domain) +
         " no operator of this name is known; --list-onnx-ops lists those that are";
}

StringRef ModelImporter::kindOf(const Attribute &attribute) {
  static constexpr StringLiteral kinds[] = {"undefined", "float",  "int",     "string",  "tensor",
                                            "graph",     "floats", "ints",    "strings", "tensors",
                                            "graphs",    "sparse", "sparses", "type",    "types"};
  return kinds[static_cast<int64_t>(attribute.type)];
}

bool ModelImporter::checkAttributes(Frame &frame, NodeScope &scope, const OperatorRow &row) {
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

bool ModelImporter::checkCount(NodeScope &scope, const OperatorRow &row) {
  auto count = static_cast<int64_t>(scope.count());
  if (count < row.least || (row.most >= 0 && count > row.most))
    return scope.refuse("it has " + Twine(count) + (count == 1 ? " operand" : " operands") +
                        ", needs " + Twine(row.least) +
                        (row.most == row.least ? Twine()
                         : row.most < 0        ? Twine(" or more")
                                               : " to " + Twine(row.most)));
  // Of any number each is required; those that bodies carry are checked there.
  int64_t required = row.most >= 0 ? row.least : row.hasBodies ? 0 : count;
  for (int64_t i = 0; i < required; ++i)
    if (scope.node.inputs[i].empty())
      return scope.refuse("operand " + Twine(i) + " is left out");
  return true;
}

void ModelImporter::enter(Frame &outer, const Node &node, size_t number, const Function &function) {
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

void ModelImporter::noteRefusal(const NodeScope &scope, size_t number) {
  if (!scope.openInputs.empty()) {
    for (const std::string &name : scope.openInputs)
      needed.insert({name, {nodeTitle(scope.node), scope.node.op.str()}});
    return;
  }
  Refusals &refusals = refused[operatorName(scope.node.domain, scope.node.op)];
  if (refusals.count++ == 0) {
    refusals.title = nodeTitle(scope.node);
    refusals.reason = scope.reason;
    refusals.number = number;
  }
}

void ModelImporter::reportRefusals() {
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
  for (auto &[name, node] : needed)
    diagnostics
        .error(model->path, {},
               "the value of input " + inQuotes(name) + " decides a shape in node " +
                   inQuotes(node.first) + " (" + node.second + ")")
        .note("give it when compiling: --value " + name + "=FILE");
}

void ModelImporter::addOutputs() {
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
        diagnostics.error(model->path, {}, "output " + inQuotes(output.name) + ": " + scope.reason);
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

void ModelImporter::checkDeclared(const ValueInfo &output, Value head) {
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

// Whether a layer reads the value as its weight, as it is or in another order.
static bool isLayersWeight(Value value) {
  SmallVector<Value> values{value};
  while (!values.empty())
    for (OpOperand &use : values.pop_back_val().getUses()) {
      Operation *user = use.getOwner();
      if (isa<sg::TransposeOp, sg::ReshapeOp, sg::NumpyReshapeOp>(user))
        values.push_back(user->getResult(0));
      else if (use.getOperandNumber() > 0 &&
               isa<sg::ConvolutionOp, sg::DeconvolutionOp, sg::FullyConnectedOp, sg::NumpyMatmulOp,
                   sg::RnnOp>(user))
        return true;
    }
  return false;
}

void ModelImporter::storeFilled() {
  for (auto full : llvm::make_early_inc_range(state.main.getBlock().getOps<sg::FullOp>())) {
    if (!isLayersWeight(full.getOutput()) || llvm::is_contained(full.getShape(), sg::kOpenExtent))
      continue;
    Type type = sg::elementTypeOf(full.getType());
    double value = full.getValue().convertToDouble();
    Known one = isa<IntegerType>(type) ? Known::scalar(static_cast<int64_t>(value), type)
                                       : Known::real64({value}, {}, type);
    std::string symbol = state.symbolFor(sg::nodeName(full));
    size_t i = state.weights->addFilled(symbol, dtypeOf(type), full.getShape(), encode(one));
    state.builder.setInsertionPoint(full);
    full.getOutput().replaceAllUsesWith(state.parameter(i, symbol, full.getLoc()));
    full.erase();
  }
}

void ModelImporter::finish(const InputPlan &) {
  storeFilled();
  state.required->write();
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

std::optional<ImportedModel> importModel(std::shared_ptr<const Model> model,
                                         const OnnxOptions &options, MLIRContext &context,
                                         symc::Diagnostics &diagnostics) {
  if (!checkModel(*model, diagnostics))
    return std::nullopt;
  return ModelImporter(std::move(model), options, context, diagnostics).run();
}

} // namespace symc::onnx
