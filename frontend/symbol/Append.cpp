//===- Append.cpp - operators and a loss behind a graph --------------------===//
//
// Each call becomes a node and the variables that it reads beside the output before it.
//
//===----------------------------------------------------------------------===//
#include "frontend/symbol/Append.h"

#include "frontend/symbol/OperatorCall.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;

namespace symc::symbol {

namespace {

struct Loss {
  StringLiteral shortName, op;
};

constexpr Loss losses[] = {{"softmax", "SoftmaxOutput"},   {"linear", "LinearRegressionOutput"},
                           {"mae", "MAERegressionOutput"}, {"logistic", "LogisticRegressionOutput"},
                           {"svm", "SVMOutput"},           {"make_loss", "MakeLoss"}};

class Appender {
public:
  Appender(Graph &graph, const OperatorCatalog &catalog, Diagnostics &diagnostics, StringRef option)
      : graph(graph), catalog(catalog), diagnostics(diagnostics), option(option) {
    for (const Node &node : graph.nodes)
      names.insert(node.name);
  }

  std::optional<OperatorCall> read(StringRef text) {
    std::string message;
    std::optional<OperatorCall> call = parseOperatorCall(text, message);
    if (!call)
      fail(message).note("write " + option + " 'NAME(parameter=value, ...)'");
    return call;
  }

  bool hasOneOutput() {
    if (graph.heads.size() != 1)
      fail("needs a graph with one output, found " + Twine(graph.heads.size()))
          .note("--outputs chooses one");
    return graph.heads.size() == 1;
  }

  // The node is called as the parameter `name` states, else `preferred` if that is free, else by
  // `hint` and the first free number.
  bool append(OperatorCall call, std::string preferred, StringRef hint) {
    std::string name = std::move(preferred);
    if (std::optional<StringRef> given = call.attributes.get("name")) {
      name = given->str();
      call.attributes.erase("name");
    } else {
      for (unsigned i = 0; name.empty() || names.contains(name); ++i)
        name = (hint + Twine(i)).str();
    }
    if (names.contains(name)) {
      fail("calls a node '" + name + "', and the graph has one of that name");
      return false;
    }
    if (std::string complaint = catalog.complaint(call.op, call.attributes); !complaint.empty()) {
      fail(complaint).note("symc --list-op " + call.op + " prints its parameters and inputs");
      return false;
    }
    OperatorFacts facts = *catalog.lookup(call.op, call.attributes);
    std::vector<Entry> inputs = graph.heads;
    if (!facts.inputs || facts.inputs->empty() || facts.visibleOutputs.value_or(1) != 1) {
      fail("operator '" + call.op + "' does not compute one output of what is before it");
      return false;
    }
    for (const std::string &input : drop_begin(*facts.inputs)) {
      std::string variable = name + "_" + input;
      if (!names.insert(variable).second) {
        fail("needs a variable '" + variable + "', and the graph has a node of that name")
            .note("give another name: " + call.op + "(..., name=head)");
        return false;
      }
      inputs.push_back(graph.addVariable(variable));
    }
    names.insert(name);
    Entry entry = graph.addNode(facts.canonicalName, name, inputs);
    graph.nodes[entry.node].attrs = std::move(call.attributes);
    graph.heads = {entry};
    return true;
  }

  // Of a softmax or a sigmoid that the loss computes itself, its input becomes the output.
  bool replaceOutput(StringRef loss) {
    const Node &node = graph.nodes[graph.heads.front().node];
    std::optional<OperatorFacts> facts;
    if (node.kind == NodeKind::Operator)
      facts = catalog.lookup(node.op, node.attrs);
    if (!facts)
      return true;
    StringRef op = facts->canonicalName;
    if (any_of(losses, [&](const Loss &other) { return other.op == op; })) {
      fail("the graph ends in a loss already: " + describe(node)).note("leave --loss out");
      return false;
    }
    auto is = [&](StringRef key, ArrayRef<StringRef> values) {
      return is_contained(values, node.attrs.get(key).value_or(values.front()));
    };
    bool isSoftmax = op == "softmax" || op == "log_softmax" || op == "SoftmaxActivation";
    bool isSigmoid = op == "sigmoid" ||
                     (op == "Activation" && node.attrs.get("act_type") == StringRef("sigmoid"));
    if (loss == "LogisticRegressionOutput" ? !isSigmoid : loss != "SoftmaxOutput" || !isSoftmax)
      return true;
    if (isSoftmax && (!is("axis", {"-1"}) || !is("temperature", {"None", "1", "1.0"}) ||
                      !is("mode", {"instance"}) || !is("use_length", {"False", "false", "0"}))) {
      fail("the output is a softmax that SoftmaxOutput does not compute: " + describe(node))
          .note("--outputs chooses what the softmax reads");
      return false;
    }
    graph.heads = {node.inputs.front()};
    return true;
  }

  Diagnostic &fail(const Twine &message) {
    return diagnostics.error(graph.name, {}, option + ": " + message);
  }

private:
  Graph &graph;
  const OperatorCatalog &catalog;
  Diagnostics &diagnostics;
  StringRef option;
  StringSet<> names;
};

} // namespace

bool appendOperators(Graph &graph, ArrayRef<std::string> calls, const OperatorCatalog &catalog,
                     Diagnostics &diagnostics) {
  Appender appender(graph, catalog, diagnostics, "--append");
  return calls.empty() || (appender.hasOneOutput() && all_of(calls, [&](StringRef text) {
                             std::optional<OperatorCall> call = appender.read(text);
                             std::string hint = call ? StringRef(call->op).lower() : "";
                             return call && appender.append(std::move(*call), "", hint);
                           }));
}

bool appendLoss(Graph &graph, StringRef text, const OperatorCatalog &catalog,
                Diagnostics &diagnostics) {
  Appender appender(graph, catalog, diagnostics, "--loss");
  std::optional<OperatorCall> call = appender.read(text);
  if (!call)
    return false;
  const Loss *loss = find_if(
      losses, [&](const Loss &one) { return call->op == one.shortName || call->op == one.op; });
  if (loss == std::end(losses)) {
    appender.fail("no loss is called '" + call->op + "'")
        .note("use softmax, linear, mae, logistic, svm or make_loss");
    return false;
  }
  call->op = loss->op.str();
  return appender.hasOneOutput() && appender.replaceOutput(loss->op) &&
         appender.append(std::move(*call), loss->shortName.str(), loss->shortName);
}

} // namespace symc::symbol
