//===- NodeReader.cpp - the object of one node ----------------------------===//
//
// Members are looked up by name first and then read in a fixed order, so that
// messages can name the node whatever the order in the file is.
//
//===----------------------------------------------------------------------===//
#include "frontend/json/NodeReader.h"

#include "llvm/ADT/STLExtras.h"
#include <limits>
#include <tuple>

using namespace llvm;

namespace symc::json {

using namespace symbol;

void NodeReader::readAttributes(Value object, AttributeOwner owner, Node &node) {
  size_t before = node.attrs.count();
  object.forEachMember([&](Value key, Value value) {
    Attribute attribute;
    attribute.key = key.string();
    attribute.keyPos = key.pos();
    attribute.valuePos = value.pos();
    attribute.owner = owner;
    if (!value.is(TokenKind::String)) {
      Diagnostic &error = fail(
          value.pos(), "expected a string as attribute " + inQuotes(attribute.key) + " of node " +
                           inQuotes(node.name) + ", got " + describe(value.kind()));
      if (!value.is(TokenKind::Object) && !value.is(TokenKind::Array))
        error.note("attribute values are strings: write \"" + value.raw() + "\"");
      return;
    }
    attribute.value = value.string();
    node.attrs.append(std::move(attribute));
  });
  if (node.attrs.count() > before)
    dropRepeatedAttributes(node, before);
  if (node.attrs.count() > AttributeMap::MaxAttributes)
    fail(object.pos(), "expected at most " + Twine(AttributeMap::MaxAttributes) +
                           " attributes in node " + inQuotes(node.name) + ", got " +
                           Twine(node.attrs.count()));
}

/// Keys are unique within one object, which begins at attribute `before`; of
/// two objects the one read first wins. Sorts instead of comparing in pairs: a
/// file may have very many keys.
void NodeReader::dropRepeatedAttributes(Node &node, size_t before) {
  SmallVector<const Attribute *, 32> keys;
  for (const Attribute &attribute : node.attrs)
    keys.push_back(&attribute);
  llvm::sort(keys, [](auto *a, auto *b) { return std::tie(a->key, a) < std::tie(b->key, b); });
  std::vector<bool> drop(keys.size());
  bool anyDropped = false;
  const Attribute *first = &*node.attrs.begin();
  for (size_t i = 1; i < keys.size(); ++i) {
    if (keys[i]->key != keys[i - 1]->key)
      continue;
    if (static_cast<size_t>(keys[i - 1] - first) >= before)
      fail(keys[i]->keyPos,
           "attribute " + inQuotes(keys[i]->key) + " is given twice in node " + inQuotes(node.name))
          .note(keys[i - 1]->keyPos, "the first one is here");
    drop[keys[i] - first] = anyDropped = true;
  }
  if (!anyDropped)
    return;
  AttributeMap kept;
  size_t at = 0;
  for (const Attribute &attribute : node.attrs)
    if (!drop[at++])
      kept.append(attribute);
  node.attrs = std::move(kept);
}

void NodeReader::setKind(Node &node, std::optional<Value> backwardSource) {
  if (backwardSource) {
    auto id = backwardSource->integer();
    if (!id || *id < -1 || *id > std::numeric_limits<uint32_t>::max())
      fail(backwardSource->pos(), "expected a node id, or -1, as backward_source_id of node " +
                                      inQuotes(node.name) + ", got " + backwardSource->raw());
    else
      node.backwardSource = *id;
  }
  if (node.op != "null") {
    node.kind = NodeKind::Operator;
    if (node.op.empty())
      fail(node.opPos, "node " + inQuotes(node.name) + " has an empty operator name")
          .note("an operator has a name such as \"Convolution\"; a variable has \"null\"");
    if (node.backwardSource >= 0)
      fail(backwardSource->pos(), "node " + inQuotes(node.name) + " has backward_source_id " +
                                      Twine(node.backwardSource) + " and operator " +
                                      inQuotes(node.op))
          .note("the operator of a backward node is \"null\"");
    return;
  }
  if (node.backwardSource >= 0)
    node.kind = NodeKind::Backward;
  else if (layout == Layout::StaticGraph && !node.inputs.empty())
    node.kind = NodeKind::GradientSum;
  else
    node.kind = NodeKind::Variable;
}

void NodeReader::readNode(Value value, uint32_t id, Node &node,
                          SmallVectorImpl<Pending> &subgraphs) {
  static constexpr StringLiteral Names[] = {"op",           "name",      "inputs",
                                            "attrs",        "attr",      "param",
                                            "control_deps", "subgraphs", "backward_source_id"};
  enum { Op, Name, Inputs, Attrs, Attr, Param, ControlDeps, Subgraphs, BackwardSource };
  node.pos = node.opPos = node.namePos = value.pos();
  if (!expect(value, TokenKind::Object, "node " + Twine(id)))
    return;
  Members members;
  readMembers(value, Names, ("node " + Twine(id)).str(), members);

  std::string title = ("node " + Twine(id)).str();
  if (members[Name]) {
    node.namePos = members[Name]->pos();
    node.name = readString(*members[Name], "name of " + Twine(title));
    title = "node " + inQuotes(node.name);
  }
  require(value, Names, {Op, Name, Inputs}, members, title);
  if (members[Op]) {
    node.opPos = members[Op]->pos();
    node.op = readString(*members[Op], "operator of " + Twine(title));
  }
  for (unsigned field : {Attrs, Attr, Param}) {
    AttributeOwner owner = field == Param                  ? AttributeOwner::Operator
                           : layout == Layout::StaticGraph ? AttributeOwner::User
                                                           : AttributeOwner::Unknown;
    if (members[field] &&
        expect(*members[field], TokenKind::Object, inQuotes(Names[field]) + " of " + title))
      readAttributes(*members[field], owner, node);
  }
  if (members[Inputs] && expect(*members[Inputs], TokenKind::Array, "inputs of " + Twine(title)))
    for (Value element : *members[Inputs]) {
      Entry entry;
      if (readEntry(element, "input " + Twine(node.inputs.size()) + " of " + title, entry))
        node.inputs.push_back(entry);
    }
  if (members[ControlDeps] &&
      expect(*members[ControlDeps], TokenKind::Array, "control_deps of " + Twine(title)))
    for (Value element : *members[ControlDeps])
      if (auto dependency = readIndex(element, "control dependency of " + Twine(title)))
        node.controlDeps.push_back(*dependency);
  if (members[Subgraphs] &&
      expect(*members[Subgraphs], TokenKind::Array, "subgraphs of " + Twine(title))) {
    node.subgraphs.resize(members[Subgraphs]->count());
    size_t at = 0;
    for (Value element : *members[Subgraphs])
      subgraphs.push_back({&node.subgraphs[at++], element});
  }
  if (members[Op] && members[Op]->is(TokenKind::String))
    setKind(node, members[BackwardSource]);
  if (node.isVariable() && !node.inputs.empty())
    fail(node.inputs.front().pos, "variable " + inQuotes(node.name) + " has " +
                                      Twine(node.inputs.size()) + " inputs, expected none");
}

} // namespace symc::json
