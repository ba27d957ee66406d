//===- TableCatalog.h - the reader's operator facts, from the op table ----===//
#ifndef SYMC_FRONTEND_IMPORT_TABLECATALOG_H
#define SYMC_FRONTEND_IMPORT_TABLECATALOG_H

#include "frontend/symbol/OperatorCatalog.h"
#include "mlir/IR/MLIRContext.h"

namespace symc {

/// Answers from the op table. The context has the sg dialect loaded.
class TableCatalog : public symbol::OperatorCatalog {
public:
  explicit TableCatalog(mlir::MLIRContext &context) : context(context) {}
  std::optional<symbol::OperatorFacts> lookup(llvm::StringRef op,
                                              const symbol::AttributeMap &attrs) const override;
  std::string complaint(llvm::StringRef op, const symbol::AttributeMap &attrs) const override;
  std::optional<std::string> inputInit(llvm::StringRef op, unsigned index,
                                       const symbol::AttributeMap &attrs) const override;
  std::string outputName(const symbol::Node &node, unsigned index) const override;

private:
  mlir::MLIRContext &context;
};

} // namespace symc

#endif // SYMC_FRONTEND_IMPORT_TABLECATALOG_H
