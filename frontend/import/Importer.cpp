//===- Importer.cpp - symbol -> sg dialect --------------------------------===//
//
// The checks of nodes: unknown operators (all in one message), attributes,
// numbers of inputs, indices of outputs. Later checks look only at nodes that
// passed the earlier ones. A node of which the graph names a hidden output gets
// parameters that show it. A sum of gradients is add_n.
//
//===----------------------------------------------------------------------===//
#include "frontend/import/FusedNodes.h"
#include "frontend/import/Plan.h"
#include "frontend/import/TableCatalog.h"
#include "frontend/import/UnknownLabels.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;
using namespace mlir;

namespace symc::importer {

namespace {

class NodeChecker {
public:
  explicit NodeChecker(Plan &plan) : plan(plan), graph(plan.graph) {}

  bool run() {
    for (uint32_t id : plan.order)
      if (graph.nodes[id].kind == symbol::NodeKind::Operator)
        checkNode(id, graph.nodes[id]);
      else if (graph.nodes[id].kind == symbol::NodeKind::GradientSum)
        checkSum(id);
    reportUnknown();
    for (uint32_t id : plan.order)
      if (good && graph.nodes[id].kind == symbol::NodeKind::Backward)
        good = planBackward(plan, id);
    if (good)
      checkEntries();
    return good;
  }

private:
  Diagnostic &fail(SourcePos pos, const Twine &message) {
    good = false;
    return plan.error(pos, message);
  }

  // What a sum of gradients is: the sum of its inputs.
  void checkSum(uint32_t id) {
    symbol::Node sum = graph.nodes[id];
    sum.op = "add_n";
    sum.attrs = {};
    symbol::Attribute count;
    count.key = "num_args";
    count.value = std::to_string(sum.inputs.size());
    sum.attrs.append(std::move(count));
    checkNode(id, sum);
  }

  void checkNode(uint32_t id, const symbol::Node &node) {
    PlannedNode &planned = plan.nodes[id];
    planned.op = operatorOf(node.op, node.attrs);
    if (!planned.op) {
      unknown[node.op].push_back(id);
      return;
    }
    if (!node.subgraphs.empty() && !planned.op->info->ownsGraphs) {
      fail(node.opPos, "node " + nodeText(node) + " has subgraphs, but the operator owns none");
      return;
    }
    planBodies(node, planned);
    auto attributes = parseAttributes(&graph, node, *planned.op, &plan.context, &plan.diagnostics);
    if (!attributes) {
      good = false;
      return;
    }
    planned.attributes = std::move(*attributes);
    const sg::OpInfo &info = *planned.op->info;
    DictionaryAttr params = planned.attributes.params.getDictionary(&plan.context);
    std::string message = checkParams(info, params);
    if (!message.empty()) {
      // The message opens with the parameter's name in quotes.
      StringRef name = StringRef(message).split('\'').second.split('\'').first;
      const symbol::Attribute *attribute = node.attrs.find(name);
      fail(attribute ? attribute->valuePos : node.opPos, message + " in node " + nodeText(node));
      return;
    }
    auto signature = signatureOf(info, params, node.inputs.size(), message);
    if (!signature) {
      fail(node.opPos, "node " + nodeText(node) + ": " + message);
      return;
    }
    planned.signature = std::move(*signature);
    checkInputCount(node, planned.signature);
  }

  // Subgraphs, whose variables are all inputs. Their nesting is as deep as the reader allows.
  void planBodies(const symbol::Node &node, PlannedNode &planned) {
    for (const symbol::Graph &subgraph : node.subgraphs) {
      auto body = std::make_unique<Plan>(subgraph, plan.options, plan.context, plan.diagnostics);
      good &= checkNodes(*body);
      body->live.assign(subgraph.nodes.size(), true);
      planned.bodies.push_back(std::move(body));
    }
  }

  void checkInputCount(const symbol::Node &node, const Signature &signature) {
    size_t wanted = signature.operands.size(), found = node.inputs.size();
    if (wanted == found)
      return;
    std::vector<std::string> names;
    for (const Signature::Operand &operand : signature.operands)
      names.push_back(operand.name);
    Diagnostic &error = fail(
        node.namePos,
        "node " + nodeText(node) + " has " + Twine(found) + (found == 1 ? " input" : " inputs") +
            ", needs " + Twine(wanted) +
            (signature.counter.empty() ? Twine() : " (parameter '" + signature.counter + "')"));
    if (found < wanted && signature.counter.empty())
      error.note("lacks " +
                 plan.diagnostics.nameList(ArrayRef<std::string>(names).drop_front(found)));
    else if (signature.counter.empty())
      error.note("its inputs are " + plan.diagnostics.nameList(names));
  }

  void reportUnknown() {
    if (unknown.empty())
      return;
    // Operators of MXNet that no compiled model can hold, else the nearest name.
    auto advice = [](const symbol::Node &node) -> std::string {
      if (node.op == "Custom")
        return "; its op_type " + inQuotes(node.attrs.get("op_type").value_or("")) +
               " is no loaded operator (--custom-op), and Python code cannot be compiled";
      if (llvm::is_contained({"_contrib_fft", "_contrib_ifft", "_contrib_count_sketch",
                              "_contrib_mrcnn_mask_target"},
                             StringRef(node.op)))
        return "; MXNet computes it on GPUs only";
      StringRef nearest = sg::suggestOp(node.op);
      return nearest.empty() ? std::string() : "; did you mean '" + nearest.str() + "'?";
    };
    if (unknown.size() == 1) {
      auto &[op, ids] = *unknown.begin();
      const symbol::Node &node = graph.nodes[ids.front()];
      std::string more = ids.size() == 1 ? "" : " and " + std::to_string(ids.size() - 1) + " more";
      fail(node.opPos, "unknown operator " + inQuotes(op) + " in node " + inQuotes(node.name) +
                           more + advice(node));
      return;
    }
    std::vector<std::string> ops;
    for (auto &[op, ids] : unknown)
      ops.push_back(inQuotes(op) + " (" + std::to_string(ids.size()) +
                    (ids.size() == 1 ? " node)" : " nodes)"));
    Diagnostic &error =
        fail(graph.nodes[unknown.begin()->second.front()].opPos,
             Twine(unknown.size()) + " unknown operators: " + plan.diagnostics.list(ops));
    for (auto &[op, ids] : unknown) {
      if (error.notes.size() == plan.diagnostics.shown(unknown.size()))
        break;
      const symbol::Node &node = graph.nodes[ids.front()];
      error.note(node.opPos,
                 inQuotes(op) + " first stands in node " + inQuotes(node.name) + advice(node));
    }
  }

  // Makes the outputs that MXNet does not list results of the operation, where it has them.
  bool showHidden(PlannedNode &node) {
    const sg::OpInfo &info = *node.op->info;
    for (StringRef text : info.showHidden) {
      auto [name, value] = text.split('=');
      std::string message;
      node.attributes.params.set(name,
                                 parseParam(*info.findParam(name), value, &plan.context, message));
    }
    return node.signature.hiddenShown = !info.showHidden.empty();
  }

  void checkEntries() {
    auto check = [&](const symbol::Entry &entry, const Twine &what) {
      const symbol::Node &source = graph.nodes[entry.node];
      int64_t visible = 1, total = 1;
      if (!source.isVariable()) {
        visible = plan.nodes[entry.node].signature.visibleResults;
        total = plan.nodes[entry.node].signature.totalResults;
      }
      if (entry.index < visible || (entry.index < total && showHidden(plan.nodes[entry.node])))
        return;
      fail(entry.pos,
           what + " is output " + Twine(entry.index) + " of " + describe(source) +
               (entry.index < total
                    ? Twine(", which MXNet hides and symc does not compute")
                    : ", which has " + Twine(visible) + (visible == 1 ? " output" : " outputs")));
    };
    // What a backward node takes of its forward node, which may be hidden, the rule finds itself.
    for (uint32_t id : plan.order)
      for (auto [i, entry] : enumerate(graph.nodes[id].inputs))
        if (graph.nodes[id].backwardSource != entry.node)
          check(entry, "input " + Twine(i) + " of " + describe(graph.nodes[id]));
    for (auto [i, entry] : enumerate(graph.heads))
      check(entry, "head " + Twine(i));
  }

  Plan &plan;
  const symbol::Graph &graph;
  MapVector<StringRef, std::vector<uint32_t>> unknown;
  bool good = true;
};

} // namespace

std::string Plan::outputName(uint32_t id, int64_t index) const {
  const symbol::Node &node = graph.nodes[id];
  if (node.isVariable())
    return node.name;
  std::string result;
  if (node.kind == symbol::NodeKind::Backward) {
    const symbol::Node &forward = graph.nodes[node.backwardSource];
    auto facts = TableCatalog(context).lookup(forward.op, forward.attrs);
    result = facts && facts->inputs ? (*facts->inputs)[index]
                                    : nodes[node.backwardSource].signature.operands[index].name;
  } else {
    result = nodes[id].signature.resultName(*nodes[id].op->info, index);
  }
  return node.name.empty() ? result : node.name + "_" + result;
}

bool checkNodes(Plan &plan) { return NodeChecker(plan).run(); }

} // namespace symc::importer

namespace symc {

OwningOpRef<ModuleOp> importGraph(const symbol::Graph &graph, const ImportOptions &options,
                                  MLIRContext &context, Diagnostics &diagnostics) {
  context.loadDialect<sg::SGDialect>();
  importer::ExpandedGraph expanded(graph, diagnostics);
  std::optional<importer::LabelledGraph> labelled;
  if (!options.training)
    labelled = importer::withoutUnknownLabels(expanded.get());
  importer::Plan plan(labelled ? labelled->graph : expanded.get(), options, context, diagnostics);
  if (labelled)
    plan.noLabel = std::move(labelled->noLabel);
  if (!expanded.isSound() || !importer::checkNodes(plan) || !importer::assignVariables(plan))
    return nullptr;
  return importer::buildModule(plan);
}

} // namespace symc
