//===- Symbol.cpp - symbols that a program composes -----------------------===//
//
// Walks over nodes keep a stack of their own: a chain of nodes may be as long as memory allows, to
// build and to give back.
//
//===----------------------------------------------------------------------===//
#include "frontend/symbol/Symbol.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;

namespace symc::symbol {

struct Symbol::Shared {
  Node node; // without inputs and control dependencies, which are numbers of a graph
  std::vector<Output> inputs;
  std::vector<SharedRef> controlDeps;
  uint32_t visibleOutputs = 1;
  uint32_t writes = 0; // of a variable: how many nodes that change it were composed
  bool waits = false;  // an operator that has not been composed

  Shared() = default;
  /// Another node that reads the same.
  Shared(const Shared &other) = default;
  ~Shared();
};

// Gives inputs back one after the other where this node was the last to read them.
Symbol::Shared::~Shared() {
  std::vector<SharedRef> left;
  auto take = [&](Shared &from) {
    for (Output &input : from.inputs)
      left.push_back(std::move(input.node));
    for (SharedRef &dependency : from.controlDeps)
      left.push_back(std::move(dependency));
    from.inputs.clear();
    from.controlDeps.clear();
  };
  take(*this);
  while (!left.empty()) {
    SharedRef node = std::move(left.back());
    left.pop_back();
    if (node && node.use_count() == 1)
      take(*node);
  }
}

//===----------------------------------------------------------------------===//
// Variables, operators, groups
//===----------------------------------------------------------------------===//

Symbol Symbol::variable(StringRef name, AttributeMap attributes) {
  auto made = std::make_shared<Shared>();
  made->node.op = "null";
  made->node.name = name.str();
  made->node.kind = NodeKind::Variable;
  made->node.attrs = std::move(attributes);
  return Symbol(std::move(made));
}

std::optional<Symbol> Symbol::create(StringRef op, AttributeMap attributes,
                                     const OperatorCatalog &catalog, std::string &message) {
  message = catalog.complaint(op, attributes);
  if (!message.empty())
    return std::nullopt;
  OperatorFacts facts = *catalog.lookup(op, attributes);
  auto made = std::make_shared<Shared>();
  made->node.op = facts.canonicalName;
  made->node.attrs = std::move(attributes);
  made->visibleOutputs = facts.visibleOutputs.value_or(1);
  made->waits = true;
  Symbol symbol;
  for (uint32_t i = 0; i < made->visibleOutputs; ++i)
    symbol.outputs.push_back({made, i, 0});
  return symbol;
}

Symbol Symbol::group(ArrayRef<Symbol> symbols) {
  Symbol all;
  for (const Symbol &symbol : symbols)
    append_range(all.outputs, symbol.outputs);
  return all;
}

Symbol::Shared *Symbol::onlyNode() const {
  if (outputs.empty() ||
      any_of(outputs, [&](const Output &output) { return output.node != outputs.front().node; }))
    return nullptr;
  return outputs.front().node.get();
}

bool Symbol::waitsForInputs() const {
  Shared *node = onlyNode();
  return node && node->waits;
}

//===----------------------------------------------------------------------===//
// Composition
//===----------------------------------------------------------------------===//

static std::string listed(ArrayRef<std::string> names) { return Diagnostics().nameList(names); }

std::optional<Symbol> Symbol::compose(StringRef name, ArrayRef<Symbol> inputs, Keywords keywords,
                                      const OperatorCatalog &catalog, std::string &message) const {
  auto canBeRead = [&](const Symbol &input, const std::string &what) {
    if (input.numOutputs() != 1)
      message = what + " has " + std::to_string(input.numOutputs()) + " outputs, needs one of them";
    else if (const Shared &node = *input.outputs.front().node; node.waits)
      message =
          what + " is operator " + inQuotes(node.node.op) + ", which waits for its own inputs";
    else
      return true;
    return false;
  };
  for (auto [i, input] : enumerate(inputs))
    if (!canBeRead(input, "input " + std::to_string(i)))
      return std::nullopt;
  StringSet<> seen;
  for (const auto &[key, input] : keywords) {
    if (!seen.insert(key).second) {
      message = "argument " + inQuotes(key) + " is given twice";
      return std::nullopt;
    }
    if (!canBeRead(input, "argument " + inQuotes(key)))
      return std::nullopt;
  }
  if (waitsForInputs())
    return composeOperator(name, inputs, keywords, catalog, message);
  if (Shared *node = onlyNode(); node && node->node.isVariable()) {
    message = "variable " + inQuotes(node->node.name) + " cannot be composed: it reads nothing";
    return std::nullopt;
  }
  if (!inputs.empty()) {
    message = "a symbol that has its inputs takes others by keyword alone";
    return std::nullopt;
  }
  return replaceVariables(name, keywords, message);
}

// An entry of a variable holds after how many writes it reads; auxiliary states are written.
bool Symbol::setVersions(Shared &made, const OperatorFacts &facts, std::string &message) const {
  size_t count = made.inputs.size(), firstState = facts.inputs ? count - facts.auxCount : count;
  for (size_t i = firstState; i < count; ++i)
    if (const Node &input = made.inputs[i].node->node; !input.isVariable()) {
      message = "input " + inQuotes((*facts.inputs)[i]) + " of " + inQuotes(made.node.op) +
                " is a state, needs a variable, got " + describe(input);
      return false;
    }
  for (auto [i, input] : enumerate(made.inputs))
    if (input.node->node.isVariable())
      input.version = input.node->writes += i >= firstState;
  return true;
}

std::optional<Symbol> Symbol::composeOperator(StringRef name, ArrayRef<Symbol> inputs,
                                              Keywords keywords, const OperatorCatalog &catalog,
                                              std::string &message) const {
  auto made = std::make_shared<Shared>(*onlyNode());
  Node &node = made->node;
  made->waits = false;
  if (!name.empty())
    node.name = name.str();
  std::optional<OperatorFacts> facts = catalog.lookup(node.op, node.attrs);
  if (!facts) { // attributes may have been set since
    message = catalog.complaint(node.op, node.attrs);
    return std::nullopt;
  }
  for (const Symbol &input : inputs)
    made->inputs.push_back(input.outputs.front());
  if (!facts->inputs) {
    if (!keywords.empty()) {
      message = inQuotes(node.op) + " takes any number of inputs, by position alone; " +
                inQuotes(keywords.front().first) + " is given by keyword";
      return std::nullopt;
    }
  } else {
    ArrayRef<std::string> names = *facts->inputs;
    if (inputs.size() > names.size()) {
      message = inQuotes(node.op) + " takes " + std::to_string(names.size()) + " inputs (" +
                listed(names) + "), found " + std::to_string(inputs.size());
      return std::nullopt;
    }
    for (const auto &[key, input] : keywords) {
      auto place = find(names, key);
      if (place == names.end()) {
        message = inQuotes(node.op) + " has no argument " + inQuotes(key) + "; its arguments are " +
                  listed(names);
        return std::nullopt;
      }
      if (size_t(place - names.begin()) < inputs.size()) {
        message = "argument " + inQuotes(key) + " of " + inQuotes(node.op) +
                  " is given by position and by keyword";
        return std::nullopt;
      }
    }
    for (size_t i = inputs.size(); i < names.size(); ++i) {
      auto given =
          find_if(keywords, [&](const auto &keyword) { return keyword.first == names[i]; });
      if (given != keywords.end()) {
        made->inputs.push_back(given->second.outputs.front());
        continue;
      }
      // The operator's attributes go with the variable, as MXNet has it.
      std::string own = node.name.empty() ? names[i] : node.name + "_" + names[i];
      made->inputs.push_back(Symbol::variable(own, node.attrs).outputs.front());
    }
  }
  for (auto [i, input] : enumerate(made->inputs))
    if (Node &variable = input.node->node;
        variable.isVariable() && !variable.attrs.find("__init__"))
      if (auto init = catalog.inputInit(node.op, i, node.attrs))
        variable.attrs.set({"__init__", *init, {}, {}});
  if (!setVersions(*made, *facts, message))
    return std::nullopt;
  Symbol result = *this;
  for (Output &output : result.outputs)
    output.node = made;
  return result;
}

// Nodes that reach none of these variables stay shared.
std::optional<Symbol> Symbol::replaceVariables(StringRef name, Keywords keywords,
                                               std::string &message) const {
  DenseMap<Shared *, Output> changed;
  StringSet<> met;
  std::vector<std::string> variables;
  std::vector<SharedRef> order = postOrder();
  for (const SharedRef &shared : order) {
    if (!shared->node.isVariable())
      continue;
    variables.push_back(shared->node.name);
    for (const auto &[key, input] : keywords)
      if (key == shared->node.name) {
        changed[shared.get()] = input.outputs.front();
        met.insert(key);
      }
  }
  for (const auto &[key, input] : keywords)
    if (!met.contains(key)) {
      message = "the symbol reads no variable " + inQuotes(key) + "; it reads " + listed(variables);
      return std::nullopt;
    }
  Shared *named = name.empty() ? nullptr : onlyNode();
  auto replace = [&](Output &output) {
    auto other = changed.find(output.node.get());
    if (other == changed.end())
      return;
    Output made = other->second;
    if (!output.node->node.isVariable()) // whose replacement is one certain output
      made.index = output.index;
    output = made;
  };
  for (const SharedRef &shared : order) {
    auto isChanged = [&](const SharedRef &node) { return changed.count(node.get()); };
    if (changed.count(shared.get()) ||
        (shared.get() != named && none_of(shared->controlDeps, isChanged) &&
         none_of(shared->inputs, [&](const Output &input) { return isChanged(input.node); })))
      continue;
    auto made = std::make_shared<Shared>(*shared);
    for_each(made->inputs, replace);
    for (SharedRef &dependency : made->controlDeps)
      if (auto other = changed.find(dependency.get()); other != changed.end())
        dependency = other->second.node;
    if (shared.get() == named)
      made->node.name = name.str();
    changed[shared.get()] = {made, 0, 0};
  }
  Symbol result = *this;
  for_each(result.outputs, replace);
  return result;
}

//===----------------------------------------------------------------------===//
// Parts and attributes
//===----------------------------------------------------------------------===//

Symbol Symbol::output(size_t index) const {
  Symbol one;
  one.outputs.push_back(outputs[index]);
  return one;
}

Symbol Symbol::internals() const {
  Symbol all;
  for (const SharedRef &shared : postOrder())
    for (uint32_t i = 0; i < shared->visibleOutputs; ++i)
      all.outputs.push_back({shared, i, 0});
  return all;
}

Symbol Symbol::children() const {
  Symbol all;
  DenseSet<Shared *> seen;
  for (const Output &output : outputs)
    if (seen.insert(output.node.get()).second)
      append_range(all.outputs, output.node->inputs);
  return all;
}

Symbol Symbol::copy() const {
  DenseMap<Shared *, SharedRef> copies;
  for (const SharedRef &shared : postOrder()) {
    auto made = std::make_shared<Shared>(*shared);
    for (Output &input : made->inputs)
      input.node = copies.lookup(input.node.get());
    for (SharedRef &dependency : made->controlDeps)
      dependency = copies.lookup(dependency.get());
    copies[shared.get()] = made;
  }
  Symbol result = *this;
  for (Output &output : result.outputs)
    output.node = copies.lookup(output.node.get());
  return result;
}

bool Symbol::setSubgraphs(std::vector<Graph> subgraphs) {
  if (!waitsForInputs())
    return false;
  onlyNode()->node.subgraphs = std::move(subgraphs);
  return true;
}

Symbol Symbol::cut(StringRef key, const OperatorCatalog &catalog) {
  Symbol outside;
  if (outputs.empty())
    return outside;
  std::optional<StringRef> found = outputs.front().node->node.attrs.get(key);
  if (!found)
    return outside;
  std::string value = found->str();
  auto isInside = [&](const SharedRef &shared) { return shared->node.attrs.get(key) == value; };
  std::map<std::pair<Shared *, uint32_t>, SharedRef> variables;
  for (const SharedRef &shared : postOrder()) {
    if (!isInside(shared))
      continue;
    for (Output &input : shared->inputs) {
      if (isInside(input.node))
        continue;
      SharedRef &variable = variables[{input.node.get(), input.index}];
      if (!variable) {
        outside.outputs.push_back(input);
        variable =
            Symbol::variable(catalog.outputName(input.node->node, input.index)).outputs[0].node;
      }
      input = {variable, 0, 0};
    }
  }
  return outside;
}

std::optional<std::string> Symbol::name() const {
  if (Shared *node = onlyNode())
    return node->node.name;
  return std::nullopt;
}

const AttributeMap *Symbol::attributes() const {
  Shared *node = onlyNode();
  return node ? &node->node.attrs : nullptr;
}

std::optional<std::string> Symbol::attribute(StringRef key) const {
  const AttributeMap *all = attributes();
  std::optional<StringRef> value = all ? all->get(key) : std::nullopt;
  if (all && !value && key == "name")
    return name();
  if (all && !value && key == "op_name")
    return onlyNode()->node.op;
  if (all && !value && key == "_value_index") {
    std::string list;
    for (const Output &output : outputs)
      list += (list.empty() ? "" : ", ") + std::to_string(output.index);
    return list;
  }
  return value ? std::optional(value->str()) : std::nullopt;
}

bool Symbol::setAttribute(StringRef key, StringRef value) {
  Shared *node = onlyNode();
  if (node)
    node->node.attrs.set({key.str(), value.str(), {}, {}});
  return node;
}

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

std::vector<Symbol::SharedRef> Symbol::postOrder() const {
  struct Visit {
    SharedRef node;
    size_t next = 0;
  };
  std::vector<SharedRef> order;
  DenseSet<Shared *> seen;
  std::vector<Visit> stack;
  auto enter = [&](const SharedRef &node) {
    if (seen.insert(node.get()).second)
      stack.push_back({node});
  };
  for (const Output &output : outputs) {
    enter(output.node);
    while (!stack.empty()) {
      SharedRef node = stack.back().node;
      size_t next = stack.back().next++;
      if (next < node->inputs.size()) {
        enter(node->inputs[next].node);
      } else if (next - node->inputs.size() < node->controlDeps.size()) {
        enter(node->controlDeps[next - node->inputs.size()]);
      } else {
        stack.pop_back();
        order.push_back(std::move(node));
      }
    }
  }
  return order;
}

Graph Symbol::toGraph() const {
  Graph graph;
  DenseMap<Shared *, uint32_t> numbers;
  auto entryOf = [&](const Output &output) {
    Entry entry;
    entry.node = numbers.lookup(output.node.get());
    entry.index = output.index;
    entry.version = output.version;
    return entry;
  };
  for (const SharedRef &shared : postOrder()) {
    uint32_t number = graph.nodes.size();
    Node node = shared->node;
    for (const Output &input : shared->inputs)
      node.inputs.push_back(entryOf(input));
    for (const SharedRef &dependency : shared->controlDeps)
      node.controlDeps.push_back(numbers.lookup(dependency.get()));
    if (node.isVariable())
      graph.argNodes.push_back(number);
    graph.nodes.push_back(std::move(node));
    numbers[shared.get()] = number;
  }
  for (const Output &output : outputs)
    graph.heads.push_back(entryOf(output));
  return graph;
}

Symbol Symbol::fromGraph(const Graph &graph, const OperatorCatalog &catalog) {
  std::vector<SharedRef> made(graph.nodes.size());
  for (uint32_t id : symbol::postOrder(graph)) {
    const Node &node = graph.nodes[id];
    made[id] = std::make_shared<Shared>();
    Shared &shared = *made[id];
    shared.node = node;
    shared.node.inputs.clear();
    shared.node.controlDeps.clear();
    for (const Entry &input : node.inputs)
      shared.inputs.push_back({made[input.node], input.index, input.version});
    for (uint32_t dependency : node.controlDeps)
      shared.controlDeps.push_back(made[dependency]);
    if (node.isVariable())
      continue;
    auto facts = catalog.lookup(node.op, node.attrs);
    shared.visibleOutputs =
        facts && facts->visibleOutputs ? *facts->visibleOutputs : node.outputCount.value_or(1);
  }
  Symbol symbol;
  for (const Entry &head : graph.heads)
    symbol.outputs.push_back({made[head.node], head.index, head.version});
  return symbol;
}

std::string NameManager::get(StringRef given, StringRef hint) {
  return prefix +
         (given.empty() ? hint.str() + std::to_string(counters[hint.str()]++) : given.str());
}

} // namespace symc::symbol
