//===- Build.cpp - planned nodes -> operations ----------------------------===//
//
// Walks the graph in MXNet's order, in which every value stands before its
// users. Assumes a plan without mistakes.
//
//===----------------------------------------------------------------------===//
#include "frontend/import/Plan.h"
#include "ir/CustomOperators.h"
#include "ir/Labels.h"
#include "ir/ops/Backward.h"
#include "ir/ops/Elementwise.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;
using namespace mlir;

namespace symc::importer {

namespace {

class ModuleBuilder {
public:
  explicit ModuleBuilder(Plan &plan, ModuleOp module = {})
      : plan(plan), graph(plan.graph), builder(&plan.context), values(graph.nodes.size()),
        module(module) {}

  OwningOpRef<ModuleOp> run() {
    Location location = placeOf(graph.pos.line ? SourcePos{1, 1, 0} : SourcePos{});
    OwningOpRef<ModuleOp> owned = ModuleOp::create(location);
    module = *owned;
    if (graph.isNumpyShape())
      module->setAttr("sg.np_shape", builder.getUnitAttr());
    builder.setInsertionPointToEnd(module.getBody());
    for (uint32_t id : plan.order)
      if (graph.nodes[id].isVariable() && plan.variables[id].role == Role::Weight)
        buildWeight(id);
    buildGraph(location, "main");
    return owned;
  }

  // The graph alone, behind the bodies of its nodes, for a node that calls it.
  void buildBody(OpBuilder &at, StringRef name) {
    OpBuilder::InsertionGuard guard(builder);
    builder.restoreInsertionPoint(at.saveInsertionPoint());
    bodyPrefix = name.str();
    buildGraph(placeOf(graph.pos), name);
  }

private:
  // Nowhere for what a program made.
  Location placeOf(SourcePos pos) {
    if (pos.line == 0)
      return UnknownLoc::get(&plan.context);
    return FileLineColLoc::get(&plan.context, graph.name, pos.line, pos.column);
  }

  Location locationOf(const symbol::Node &node) {
    return NameLoc::get(builder.getStringAttr(node.name),
                        placeOf(node.namePos.line ? node.namePos : node.pos));
  }

  Type typeOf(const PlannedVariable &variable) {
    return makeTensorType(variable.shape, variable.elementType, &plan.context);
  }

  DictionaryAttr keptAttributes(const symbol::Node &node) {
    NamedAttrList kept;
    for (const symbol::Attribute &attribute : node.attrs)
      if (StringRef key = attribute.key; key.starts_with("__") && key.ends_with("__"))
        kept.set(key, builder.getStringAttr(attribute.value));
    return kept.getDictionary(&plan.context);
  }

  void buildWeight(uint32_t id) {
    const symbol::Node &node = graph.nodes[id];
    const PlannedVariable &variable = plan.variables[id];
    OperationState state(locationOf(node), sg::WeightOp::getOperationName());
    state.addAttribute("sym_name", builder.getStringAttr(variable.symbol));
    state.addAttribute("type", TypeAttr::get(typeOf(variable)));
    if (variable.auxiliary)
      state.addAttribute("aux", builder.getUnitAttr());
    if (variable.source)
      state.addAttribute("file", builder.getStringAttr(variable.source->name()));
    if (variable.array && variable.array->inFile)
      state.addAttribute("offset", builder.getI64IntegerAttr(variable.array->fileOffset));
    if (!variable.array)
      state.addAttribute("random", builder.getI64IntegerAttr(static_cast<int64_t>(
                                       xxh3_64bits(node.name) ^ plan.options.seed)));
    if (!variable.operand.empty())
      state.addAttribute("sg.role", builder.getStringAttr(variable.operand));
    if (DictionaryAttr kept = keptAttributes(node); !kept.empty())
      state.addAttribute("sg.attrs", kept);
    builder.create(state);
  }

  void buildGraph(Location location, StringRef symbol) {
    OperationState state(location, sg::GraphOp::getOperationName());
    state.addRegion()->push_back(new Block);
    Block &block = state.regions.front()->front();
    SmallVector<Attribute> argumentAttrs, argumentOrder;
    for (uint32_t id : plan.order) {
      const symbol::Node &node = graph.nodes[id];
      if (!node.isVariable())
        continue;
      const PlannedVariable &variable = plan.variables[id];
      if (!variable.auxiliary)
        argumentOrder.push_back(builder.getStringAttr(node.name));
      if (variable.role != Role::Input)
        continue;
      values[id].push_back(block.addArgument(typeOf(variable), locationOf(node)));
      NamedAttrList attrs;
      attrs.set("sg.name", builder.getStringAttr(node.name));
      if (!plan.live[id])
        attrs.set("sg.optional", builder.getUnitAttr());
      if (DictionaryAttr kept = keptAttributes(node); !kept.empty())
        attrs.set("sg.attrs", kept);
      if (variable.isParameter) {
        attrs.set("sg.parameter", builder.getUnitAttr());
        attrs.set("sg.role", builder.getStringAttr(variable.operand));
      }
      argumentAttrs.push_back(attrs.getDictionary(&plan.context));
    }
    {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToEnd(&block);
      for (uint32_t id : plan.order)
        if (graph.nodes[id].kind == symbol::NodeKind::Backward)
          buildBackward(id);
        else if (!graph.nodes[id].isVariable())
          buildNode(id);
        else if (plan.variables[id].role == Role::Weight)
          buildParameter(id);
      buildHeads(location);
    }
    SmallVector<Attribute> resultAttrs;
    for (const symbol::Entry &head : graph.heads)
      resultAttrs.push_back(builder.getDictionaryAttr(builder.getNamedAttr(
          "sg.name", builder.getStringAttr(plan.outputName(head.node, head.index)))));
    for (const auto &[id, value] : states)
      resultAttrs.push_back(builder.getDictionaryAttr(
          {builder.getNamedAttr("sg.name", builder.getStringAttr(graph.nodes[id].name)),
           builder.getNamedAttr("sg.state", builder.getStringAttr(plan.variables[id].symbol))}));
    state.addAttribute("sym_name", builder.getStringAttr(symbol));
    state.addAttribute("function_type",
                       TypeAttr::get(builder.getFunctionType(
                           block.getArgumentTypes(), block.getTerminator()->getOperandTypes())));
    state.addAttribute("arg_attrs", builder.getArrayAttr(argumentAttrs));
    state.addAttribute("res_attrs", builder.getArrayAttr(resultAttrs));
    state.addAttribute("argument_order", builder.getArrayAttr(argumentOrder));
    if (plan.training)
      state.addAttribute("training", builder.getUnitAttr());
    addSizes(state);
    builder.create(state);
  }

  void addSizes(OperationState &state) {
    if (plan.sizes.empty())
      return;
    SmallVector<StringRef> names;
    SmallVector<int64_t> least, most;
    for (const Plan::Size &size : plan.sizes) {
      names.push_back(size.name);
      least.push_back(size.min);
      most.push_back(size.max);
    }
    state.addAttribute("dim_names", builder.getStrArrayAttr(names));
    state.addAttribute("dim_min", builder.getDenseI64ArrayAttr(least));
    state.addAttribute("dim_max", builder.getDenseI64ArrayAttr(most));
  }

  void buildParameter(uint32_t id) {
    OperationState state(locationOf(graph.nodes[id]), sg::ParameterOp::getOperationName());
    state.addAttribute("weight", FlatSymbolRefAttr::get(&plan.context, plan.variables[id].symbol));
    state.addTypes(typeOf(plan.variables[id]));
    values[id].push_back(builder.create(state)->getResult(0));
  }

  void buildNode(uint32_t id) {
    const symbol::Node &node = graph.nodes[id];
    PlannedNode &planned = plan.nodes[id];
    const sg::OpInfo &info = *planned.op->info;
    OperationState state(locationOf(node), info.mlirName);
    for (const symbol::Entry &entry : node.inputs)
      state.operands.push_back(values[entry.node][entry.index]);
    state.types.append(planned.signature.builtResults() + info.updates.size(),
                       UnrankedTensorType::get(sg::UnknownType::get(&plan.context)));
    if (sg::customOperator(info)) {
      state.addAttribute("op_type", builder.getStringAttr(planned.op->name));
      state.addAttribute("params", planned.attributes.params.getDictionary(&plan.context));
    } else {
      state.addAttributes(planned.attributes.params);
    }
    if (!planned.attributes.kept.empty())
      state.addAttribute("sg.attrs", planned.attributes.kept.getDictionary(&plan.context));
    if (!plan.noLabel.empty() && plan.noLabel[id])
      state.addAttribute(sg::kNoLabel, builder.getUnitAttr());
    if (!isToldByOperation(*planned.op))
      state.addAttribute("sg.op", builder.getStringAttr(node.op));
    auto name = RegisteredOperationName::lookup(info.mlirName, &plan.context);
    if (name->hasTrait<OpTrait::AttrSizedOperandSegments>())
      state.addAttribute("operandSegmentSizes",
                         builder.getDenseI32ArrayAttr(planned.signature.segments));
    if (!planned.bodies.empty())
      state.addAttribute("bodies", buildBodies(id, planned));
    Operation *op = builder.create(state);
    values[id].append(op->result_begin(), op->result_end());
    for (auto [i, name] : enumerate(info.updates))
      for (auto [operand, entry] : zip(planned.signature.operands, node.inputs))
        if (operand.name == name && graph.nodes[entry.node].isVariable() &&
            plan.variables[entry.node].role == Role::Weight)
          states[entry.node] = op->getResult(planned.signature.builtResults() + i);
  }

  // A gradient that a backward node adds its own one to comes first in the sum, as in MXNet.
  void buildBackward(uint32_t id) {
    const symbol::Node &node = graph.nodes[id];
    const PlannedGradient &planned = plan.nodes[id].gradient;
    auto source = static_cast<uint32_t>(node.backwardSource);
    const Signature &forward = plan.nodes[source].signature;
    OperationState state(locationOf(node), sg::BackwardOp::getOperationName());
    auto take = [&](const symbol::Entry &entry) {
      state.operands.push_back(values[entry.node][entry.index]);
    };
    for_each(planned.operands, take);
    state.operands.append(values[source].begin(), values[source].begin() + forward.visibleResults);
    for_each(planned.arriving, take);
    state.addAttribute("operand_count", builder.getI64IntegerAttr(planned.operands.size()));
    state.addAttribute("result_count", builder.getI64IntegerAttr(forward.visibleResults));
    state.addAttribute("arriving", builder.getDenseI64ArrayAttr(planned.places));
    Type unknown = UnrankedTensorType::get(sg::UnknownType::get(&plan.context));
    state.types.append(planned.operands.size(), unknown);
    Operation *op = builder.create(state);
    for (auto [own, before] : zip_equal(op->getResults(), planned.addedTo)) {
      values[id].push_back(own);
      if (before.node == PlannedGradient::kNone)
        continue;
      OperationState sum(op->getLoc(), sg::AddNOp::getOperationName());
      sum.addOperands({values[before.node][before.index], own});
      sum.addAttribute("num_args", builder.getI64IntegerAttr(2));
      sum.addTypes(unknown);
      values[id].back() = builder.create(sum)->getResult(0);
    }
  }

  // The graphs that a node calls stand before the one that holds it.
  ArrayAttr buildBodies(uint32_t id, PlannedNode &planned) {
    SmallVector<Attribute> symbols;
    for (auto [i, body] : enumerate(planned.bodies)) {
      std::string name = bodyPrefix + "." + std::to_string(id) + "." + std::to_string(i);
      body->sizes = plan.sizes;
      OpBuilder at(&plan.context);
      at.setInsertionPointToEnd(module.getBody());
      ModuleBuilder(*body, module).buildBody(at, name);
      symbols.push_back(FlatSymbolRefAttr::get(&plan.context, name));
    }
    return builder.getArrayAttr(symbols);
  }

  // Whether the operation and its parameters lead back to this name alone.
  static bool isToldByOperation(const sg::OpName &op) {
    auto samePresets = [&](const sg::OpName &other) {
      return std::equal(op.presets.begin(), op.presets.end(), other.presets.begin(),
                        other.presets.end(), [](StringRef a, StringRef b) { return a == b; });
    };
    for (const sg::OpName &other : sg::allOpNames())
      if (other.info == op.info && other.name == other.canonical && samePresets(other) &&
          other.name != op.name)
        return false;
    return op.name == op.canonical;
  }

  void buildHeads(Location location) {
    OperationState state(location, sg::HeadsOp::getOperationName());
    for (const symbol::Entry &head : graph.heads)
      state.operands.push_back(values[head.node][head.index]);
    for (const auto &[id, value] : states)
      state.operands.push_back(value);
    builder.create(state);
  }

  Plan &plan;
  const symbol::Graph &graph;
  OpBuilder builder;
  std::vector<SmallVector<Value, 1>> values; // by node, then output
  std::string bodyPrefix = "body";           // of the names of graphs that nodes call
  MapVector<uint32_t, Value> states;         // the new value of each variable that a node changes
  ModuleOp module;
};

} // namespace

OwningOpRef<ModuleOp> buildModule(Plan &plan) { return ModuleBuilder(plan).run(); }

} // namespace symc::importer
