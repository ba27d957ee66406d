//===- Attributes.cpp - a node's strings -> attributes --------------------===//
//
// For each key: a parameter of the operator, a hint, an attribute of the user
// (`__x__`, MXNet's hidden keys, and where the file marks it, whatever else is the
// user's), or a mistake; of an operator without parameters MXNet reads no key, and
// a warning reports that. Values equal to the default are left out, so that two
// files of one meaning give the same operation.
//
//===----------------------------------------------------------------------===//
#include "frontend/import/Attributes.h"

#include "ir/CustomOperators.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;
using namespace mlir;

namespace symc::importer {

namespace {

constexpr StringLiteral CustomNode = "Custom", OpType = "op_type";
constexpr StringLiteral HiddenKeys[] = {"ctx_group", "lr_mult", "wd_mult", "force_mirroring",
                                        "mirror_stage"};

bool isHidden(StringRef key) {
  return any_of(HiddenKeys,
                [&](StringRef hidden) { return key.starts_with(hidden) || key.ends_with(hidden); });
}

bool isUserKey(StringRef key) {
  return key.size() > 4 && key.starts_with("__") && key.ends_with("__");
}

std::optional<StringRef> presetOf(const sg::OpName &op, StringRef key) {
  for (StringRef preset : op.presets) {
    auto [name, value] = preset.split('=');
    if (name == key)
      return value;
  }
  return std::nullopt;
}

class Parser {
public:
  Parser(const symbol::Graph *graph, const symbol::Node &node, const sg::OpName &op,
         MLIRContext *context, Diagnostics *diagnostics)
      : graph(graph), node(node), op(op), context(context), diagnostics(diagnostics) {}

  std::optional<NodeAttributes> run() {
    for (StringRef preset : op.presets) {
      auto [name, value] = preset.split('=');
      std::string message;
      result.params.set(name, parseParam(*op.info->findParam(name), value, context, message));
    }
    for (const symbol::Attribute &attribute : node.attrs)
      take(attribute);
    checkMissing();
    if (!good)
      return std::nullopt;
    return std::move(result);
  }

private:
  void take(const symbol::Attribute &attribute) {
    StringRef key = attribute.key;
    if (node.op == CustomNode && key == OpType) // the operation has it
      return;
    const sg::ParamInfo *param = op.info->findParam(key);
    if (param && isOwn(*param))
      return takeParam(*param, attribute);
    bool isHint = is_contained(op.info->hints, key);
    bool ofUser =
        isUserKey(key) || isHidden(key) || attribute.owner == symbol::AttributeOwner::User;
    if (isHint || ofUser) {
      result.kept.set(key, StringAttr::get(context, attribute.value));
      return;
    }
    std::vector<std::string> names = ownParams();
    if (names.empty() && op.info->hints.empty()) { // MXNet reads none of such an operator
      result.kept.set(key, StringAttr::get(context, attribute.value));
      if (diagnostics)
        diagnostics->warning(graph->name, attribute.keyPos,
                             "parameter " + inQuotes(key) + " in node " + nodeText(node) +
                                 " is ignored: the operator has no parameters");
      return;
    }
    if (!diagnostics)
      return;
    good = false;
    std::string nearest = nearestName(key, names);
    Diagnostic &error =
        diagnostics->error(graph->name, attribute.keyPos,
                           "unknown parameter " + inQuotes(key) + " in node " + nodeText(node) +
                               (nearest.empty() ? "" : "; did you mean '" + nearest + "'?"));
    if (!names.empty())
      error.note("its parameters are " + diagnostics->nameList(names));
  }

  void takeParam(const sg::ParamInfo &param, const symbol::Attribute &attribute) {
    std::string message;
    Attribute value = parseParam(param, attribute.value, context, message);
    if (!message.empty()) {
      good = false;
      if (diagnostics)
        diagnostics->error(graph->name, attribute.valuePos, message + " in node " + nodeText(node));
      return;
    }
    std::string ignored;
    if (value && param.defaultText &&
        value == parseParam(param, param.defaultText, context, ignored))
      return;
    if (value)
      result.params.set(param.name, value);
  }

  void checkMissing() {
    std::vector<std::string> missing;
    for (const sg::ParamInfo &param : op.info->params)
      if (!param.optional && !param.defaultText && !presetOf(op, param.name) &&
          !node.attrs.find(param.name))
        missing.push_back(param.name.str());
    if (missing.empty())
      return;
    good = false;
    if (!diagnostics)
      return;
    Diagnostic &error =
        diagnostics->error(graph->name, node.opPos,
                           "node " + nodeText(node) + " lacks the parameter" +
                               (missing.size() > 1 ? "s " : " ") + diagnostics->nameList(missing));
    for (const std::string &name : missing)
      error.note("'" + name + "': " + op.info->findParam(name)->doc);
  }

  // Whether a file may give it.
  bool isOwn(const sg::ParamInfo &param) const {
    return !param.internal && !presetOf(op, param.name);
  }

  std::vector<std::string> ownParams() const {
    std::vector<std::string> names;
    for (const sg::ParamInfo &param : op.info->params)
      if (isOwn(param))
        names.push_back(param.name.str());
    return names;
  }

  const symbol::Graph *graph;
  const symbol::Node &node;
  const sg::OpName &op;
  MLIRContext *context;
  Diagnostics *diagnostics;
  NodeAttributes result;
  bool good = true;
};

} // namespace

const sg::OpName *operatorOf(StringRef op, const symbol::AttributeMap &attrs) {
  if (op != CustomNode)
    return sg::lookupOp(op);
  std::string name = attrs.get(OpType).value_or("").str();
  for (const std::string &each : {name, "_custom_" + name})
    if (const sg::OpName *named = sg::lookupOp(each); named && sg::customOperator(*named->info))
      return named;
  return nullptr;
}

std::optional<NodeAttributes> parseAttributes(const symbol::Graph *graph, const symbol::Node &node,
                                              const sg::OpName &op, MLIRContext *context,
                                              Diagnostics *diagnostics) {
  return Parser(graph, node, op, context, diagnostics).run();
}

std::string nodeText(const symbol::Node &node) {
  std::string op = inQuotes(node.op);
  return node.name.empty() ? op : inQuotes(node.name) + " (" + op + ")";
}

std::string nearestName(StringRef unknown, ArrayRef<std::string> names, size_t most) {
  unsigned best = std::max<size_t>({1, unknown.size() / 3, most}) + 1;
  std::string nearest;
  for (const std::string &name : names) {
    unsigned distance = unknown.edit_distance(name, true, best);
    if (distance < best) {
      best = distance;
      nearest = name;
    }
  }
  return nearest;
}

} // namespace symc::importer
