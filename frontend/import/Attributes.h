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

/// The operator of a node: that of its name, or of MXNet's "Custom" the one that the attribute
/// op_type names where such an operator is loaded (ir/CustomOperators.h), or "_custom_" and that
/// name, by which one is loaded whose name a built-in operator has. Null where there is none.
const sg::OpName *operatorOf(llvm::StringRef op, const symbol::AttributeMap &attrs);

/// Parses all attributes. With `diagnostics`, reports unknown keys, texts that
/// do not parse, values out of range and missing parameters, each with its
/// place; without, unknown keys are ignored. Nothing comes back after a mistake.
std::optional<NodeAttributes> parseAttributes(const symbol::Graph *graph, const symbol::Node &node,
                                              const sg::OpName &op, mlir::MLIRContext *context,
                                              Diagnostics *diagnostics);

/// "'conv0' ('Convolution')", the end of many messages.
std::string nodeText(const symbol::Node &node);

/// The element of `names` that is nearest to a misspelt one, or "" where more than a third of the
/// characters, or `most`, would change.
std::string nearestName(llvm::StringRef unknown, llvm::ArrayRef<std::string> names,
                        size_t most = 0);

} // namespace symc::importer

#endif // SYMC_FRONTEND_IMPORT_ATTRIBUTES_H
