//===- Check.cpp - what has to hold of an ONNX model -----------------------===//
//
// Names are defined once, before they are read; domains have versions that are read;
// functions do not call themselves. Graphs nest no deeper than the reader allows.
//
//===----------------------------------------------------------------------===//
#include "frontend/onnx/Import.h"
#include "frontend/onnx/Operators.h"

using namespace llvm;

namespace symc::onnx {

std::string nodeTitle(const Node &node) {
  if (!node.name.empty())
    return node.name.str();
  for (StringRef output : node.outputs)
    if (!output.empty())
      return (node.op + ":" + output).str();
  return node.op.str();
}

int64_t opsetOf(ArrayRef<Opset> opsets, StringRef domain) {
  for (const Opset &opset : opsets)
    if (opset.domain == domain || (domain.empty() && opset.domain == "ai.onnx"))
      return opset.version;
  return 0;
}

namespace {

class Checker {
public:
  Checker(const Model &model, Diagnostics &diagnostics) : model(model), diagnostics(diagnostics) {}

  bool run() {
    checkOpsets(model.opsets, "the model");
    for (const Function &function : model.functions) {
      if (!function.opsets.empty())
        checkOpsets(function.opsets, "function " + inQuotes(function.name));
      Names names;
      for (StringRef name : function.inputs)
        define(names, name, "function " + inQuotes(function.name));
      checkNodes(function.nodes, names);
      for (StringRef name : function.outputs)
        need(names, name, "output of function " + inQuotes(function.name));
    }
    Names names;
    checkGraph(*model.graph, names);
    return good;
  }

private:
  // Of a graph, and of those around it.
  struct Names {
    const Names *outer = nullptr;
    StringSet<> own;
    bool has(StringRef name) const {
      for (const Names *names = this; names; names = names->outer)
        if (names->own.contains(name))
          return true;
      return false;
    }
  };

  Diagnostic &fail(const Twine &message) {
    good = false;
    return diagnostics.error(model.path, {}, message);
  }

  void checkOpsets(ArrayRef<Opset> opsets, const std::string &whose) {
    int64_t version = opsetOf(opsets, "");
    for (const Opset &opset : opsets)
      if (opset.version < 1)
        fail(whose + " has version " + Twine(opset.version) + " of the opset " +
             inQuotes(opset.domain.empty() ? "ai.onnx" : opset.domain) + ", needs at least 1");
    if (version > kMostOpset)
      fail(whose + " has version " + Twine(version) + " of the opset 'ai.onnx', known are 1 to " +
           Twine(kMostOpset));
  }

  void define(Names &names, StringRef name, const std::string &by) {
    if (!name.empty() && !names.own.insert(name).second)
      fail("the name " + inQuotes(name) + " is given twice, the second time by " + by);
  }

  void need(const Names &names, StringRef name, const Twine &what) {
    if (!names.has(name))
      fail(what + " is " + inQuotes(name) + ", which nothing defines");
  }

  void checkGraph(const Graph &graph, Names &names) {
    for (const ValueInfo &input : graph.inputs) {
      if (input.name.empty())
        fail("an input has no name");
      define(names, input.name, "an input");
    }
    StringSet<> inputs(names.own), initializers;
    for (const Tensor &tensor : graph.initializers) {
      if (!initializers.insert(tensor.name).second)
        fail("the name " + inQuotes(tensor.name) +
             " is given twice, the second time by an initializer");
      names.own.insert(tensor.name);
    }
    for (StringRef name : graph.sparse)
      names.own.insert(name);
    checkNodes(graph.nodes, names);
    StringSet<> outputs;
    for (const ValueInfo &output : graph.outputs) {
      if (!names.has(output.name))
        fail("the output " + inQuotes(output.name) + " is no value of the graph");
      if (!outputs.insert(output.name).second)
        fail("the output " + inQuotes(output.name) + " is listed twice");
    }
  }

  void checkNodes(ArrayRef<Node> nodes, Names &names) {
    StringSet<> later;
    for (const Node &node : nodes)
      for (StringRef output : node.outputs)
        later.insert(output);
    for (auto [number, node] : enumerate(nodes)) {
      std::string title =
          "node " + inQuotes(nodeTitle(node)) + " (number " + std::to_string(number) + ")";
      if (node.op.empty())
        fail(title + " has no operator");
      for (StringRef input : node.inputs)
        if (!input.empty() && !names.has(input))
          fail(title + " reads " + inQuotes(input) +
               (later.contains(input) ? Twine(", which only a later node makes")
                                      : Twine(", which nothing defines")));
      StringSet<> attributes;
      for (const Attribute &attribute : node.attributes) {
        if (!attributes.insert(attribute.name).second)
          fail(title + " has the attribute " + inQuotes(attribute.name) + " twice");
        if (attribute.graph) {
          Names inner;
          inner.outer = &names;
          checkGraph(*attribute.graph, inner);
        }
      }
      for (StringRef output : node.outputs)
        define(names, output, title);
    }
  }

  const Model &model;
  Diagnostics &diagnostics;
  bool good = true;
};

} // namespace

bool checkModel(const Model &model, Diagnostics &diagnostics) {
  return Checker(model, diagnostics).run();
}

} // namespace symc::onnx
