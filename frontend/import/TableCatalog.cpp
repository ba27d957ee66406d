//===- TableCatalog.cpp - the reader's operator facts, from the op table --===//
#include "frontend/import/TableCatalog.h"

#include "frontend/import/Attributes.h"
#include "frontend/import/Signature.h"
#include "mlir/IR/Builders.h"

using namespace llvm;

namespace symc {

std::optional<symbol::OperatorFacts> TableCatalog::lookup(StringRef op,
                                                          const symbol::AttributeMap &attrs) const {
  const sg::OpName *name = sg::lookupOp(op);
  if (!name)
    return std::nullopt;
  symbol::Node node;
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
  facts.canonicalName = name->canonical.str();
  if (!signature->openCount) {
    facts.inputs.emplace();
    for (const auto &operand : signature->operands)
      facts.inputs->push_back(operand.name);
  }
  facts.auxCount = signature->auxCount();
  facts.visibleOutputs = signature->visibleResults;
  facts.totalOutputs = signature->totalResults;
  return facts;
}

std::string TableCatalog::complaint(StringRef op, const symbol::AttributeMap &attrs) const {
  const sg::OpName *name = sg::lookupOp(op);
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
  for (const Diagnostic &said : diagnostics.all())
    if (said.severity == Diagnostic::Severity::Error) // not a key that is ignored
      return said.message;
  mlir::DictionaryAttr params = parsed->params.getDictionary(&context);
  std::string message;
  if (importer::signatureOf(*name->info, params, 0, message))
    message = importer::checkParams(*name->info, params);
  return message.empty() ? "" : message + " in node " + importer::nodeText(node);
}

std::optional<std::string> TableCatalog::inputInit(StringRef op, unsigned index,
                                                   const symbol::AttributeMap &attrs) const {
  const sg::OpName *name = sg::lookupOp(op);
  if (!name)
    return std::nullopt;
  auto facts = lookup(op, attrs);
  if (!facts || !facts->inputs || index >= facts->inputs->size())
    return std::nullopt;
  for (const sg::ValueInfo &operand : name->info->operands)
    if (operand.init && operand.name == (*facts->inputs)[index])
      return operand.init;
  return std::nullopt;
}

} // namespace symc
