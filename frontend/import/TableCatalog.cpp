//===- TableCatalog.cpp - the reader's operator facts, from the op table --===//
#include "frontend/import/TableCatalog.h"

#include "frontend/import/Attributes.h"
#include "frontend/import/Signature.h"
#include "mlir/IR/Builders.h"

using namespace llvm;

namespace symc {

/// Of inputs that a parameter counts: "arg0" by num_args.
static std::string countedName(StringRef counter, unsigned place) {
  StringRef stem = counter == "num_args" ? "arg" : counter == "num_outputs" ? "data_" : "array_";
  return (stem + Twine(place)).str();
}

/// UpSampling counts its inputs for one way of sampling, and names a filter for the other.
static bool takesWeight(const sg::OpName &name, const symbol::AttributeMap &attrs) {
  return name.canonical == "UpSampling" && attrs.get("sample_type") == StringRef("bilinear");
}

/// A maximum over windows of channels-first data keeps where each was found; over all of the data
/// without a window, MXNet requests nothing of oneDNN.
static bool hasWorkspace(const sg::OpName &name, const symbol::AttributeMap &attrs) {
  return name.canonical == "Pooling" && attrs.get("kernel") &&
         attrs.get("pool_type").value_or("max") == "max" &&
         !attrs.get("layout").value_or("").ends_with("C");
}

std::optional<symbol::OperatorFacts> TableCatalog::lookup(StringRef op,
                                                          const symbol::AttributeMap &attrs) const {
  const sg::OpName *name = importer::operatorOf(op, attrs);
  if (!name)
    return std::nullopt;
  symbol::Node node;
  node.op = op.str();
  node.attrs = attrs;
  auto parsed = importer::parseAttributes(nullptr, node, *name, &context, nullptr);
  if (!parsed)
    return std::nullopt;
  std::string message;
  auto signature =
      importer::signatureOf(*name->info, parsed->params.getDictionary(&context), 0, message);
  if (!signature)
    return std::nullopt;
  symbol::OperatorFacts facts;
  bool isCustom = op != name->name; // MXNet's form, which names the operator by an attribute
  facts.canonicalName = isCustom ? op.str() : name->canonical.str();
  if (!signature->openCount) {
    facts.inputs.emplace();
    unsigned place = 0;
    for (const auto &operand : signature->operands)
      facts.inputs->push_back(operand.info->kind == sg::ValueKind::Variadic
                                  ? countedName(name->info->variadicCount, place++)
                                  : name->inputName(operand.name).str());
  }
  if (takesWeight(*name, attrs))
    facts.inputs = {"data", "weight"};
  facts.auxCount = signature->auxCount();
  facts.visibleOutputs = signature->visibleResults;
  facts.totalOutputs = signature->totalResults;
  facts.workspaceOutputs = hasWorkspace(*name, attrs);
  return facts;
}

std::string TableCatalog::complaint(StringRef op, const symbol::AttributeMap &attrs) const {
  const sg::OpName *name = importer::operatorOf(op, attrs);
  if (!name) {
    StringRef nearest = sg::suggestOp(op);
    return "unknown operator " + inQuotes(op) +
           (nearest.empty() ? "" : "; did you mean " + inQuotes(nearest) + "?");
  }
  symbol::Graph graph;
  symbol::Node node;
  node.op = op.str();
  node.attrs = attrs;
  Diagnostics diagnostics;
  auto parsed = importer::parseAttributes(&graph, node, *name, &context, &diagnostics);
  for (const Diagnostic &found : diagnostics.all())
    if (found.severity == Diagnostic::Severity::Error) // not a key that is ignored
      return found.message;
  mlir::DictionaryAttr params = parsed->params.getDictionary(&context);
  std::string message;
  if (importer::signatureOf(*name->info, params, 0, message))
    message = importer::checkParams(*name->info, params);
  return message.empty() ? "" : message + " in node " + importer::nodeText(node);
}

std::optional<std::string> TableCatalog::inputInit(StringRef op, unsigned index,
                                                   const symbol::AttributeMap &attrs) const {
  const sg::OpName *name = importer::operatorOf(op, attrs);
  if (!name)
    return std::nullopt;
  auto facts = lookup(op, attrs);
  if (!facts || !facts->inputs || index >= facts->inputs->size())
    return std::nullopt;
  if (index == 1 && takesWeight(*name, attrs))
    return R"(["bilinear", {}])";
  for (const sg::ValueInfo &operand : name->info->operands)
    if (operand.init && operand.name == (*facts->inputs)[index])
      return operand.init;
  return std::nullopt;
}

std::string TableCatalog::outputName(const symbol::Node &node, unsigned index) const {
  const sg::OpName *name = node.isVariable() ? nullptr : importer::operatorOf(node.op, node.attrs);
  auto parsed =
      name ? importer::parseAttributes(nullptr, node, *name, &context, nullptr) : std::nullopt;
  std::string message;
  auto signature =
      parsed
          ? importer::signatureOf(*name->info, parsed->params.getDictionary(&context), 0, message)
          : std::nullopt;
  if (!signature)
    return OperatorCatalog::outputName(node, index);
  std::string result = signature->resultName(*name->info, index);
  return node.name + (result.empty() ? "" : "_" + result);
}

} // namespace symc
