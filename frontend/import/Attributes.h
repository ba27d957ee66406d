//===- Attributes.h - a node's strings -> attributes ----------------------===//
//
// Parses the attributes of one operator node against its row of the op table.
//
//===----------------------------------------------------------------------===//
#ifndef SYMC_FRONTEND_IMPORT_ATTRIBUTES_H
#define SYMC_FRONTEND_IMPORT_ATTRIBUTES_H

#include "frontend/symbol/Graph.h"
#include "ir/OpTable.h"
#include "mlir/IR/OperationSupport.h"

namespace symc::importer {

struct NodeAttributes {
  /// Parameters that differ from their defaults, those that the operator's name
  /// fixes among them.
  mlir::NamedAttrList params;
  /// Hints and attributes of the user, as strings.
  mlir::NamedAttrList kept;
};

/// Parses all attributes. With `diagnostics`, reports unknown keys, texts that
/// do not parse, values out of range and missing parameters, each with its
/// place; without, unknown keys are ignored. Nothing comes back after a mistake.
std::optional<NodeAttributes> parseAttributes(const symbol::Graph *graph, const symbol::Node &node,
                                              const sg::OpName &op, mlir::MLIRContext *context,
                                              Diagnostics *diagnostics);

/// "'conv0' ('Convolution')", the end of many messages.
std::string nodeText(const symbol::Node &node);

/// The element of `names` that is nearest to a misspelt one, or "".
std::string nearestName(llvm::StringRef unknown, llvm::ArrayRef<std::string> names);

} // namespace symc::importer

#endif // SYMC_FRONTEND_IMPORT_ATTRIBUTES_H
