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
