//===- Operators.h - the table of ONNX's operators -------------------------===//
#ifndef SYMC_FRONTEND_ONNX_OPERATORS_H
#define SYMC_FRONTEND_ONNX_OPERATORS_H

#include "frontend/onnx/Scope.h"

namespace symc::onnx {

/// The last opset of ai.onnx that is read.
inline constexpr int64_t kMostOpset = 28;

/// A row of Operators.def.
struct OperatorRow {
  llvm::StringRef domain, name;
  int64_t first, last;
  bool (*build)(NodeScope &node); // null: refused, or has bodies
  llvm::StringRef attributes;     // or the reason
  int64_t least, most;            // operands; most: -1 for any number
  bool hasBodies;                 // of graphs, which the importer walks

  bool isRefused() const { return !build && !hasBodies; }
};

llvm::ArrayRef<OperatorRow> operatorRows();
/// The row of an operator at an opset, or null.
const OperatorRow *findOperator(llvm::StringRef domain, llvm::StringRef name, int64_t opset);
/// The attributes that a row declares.
llvm::SmallVector<DeclaredAttribute> declaredAttributes(const OperatorRow &row);
/// "Conv", "ai.onnx.ml::Scaler".
std::string operatorName(llvm::StringRef domain, llvm::StringRef name);
/// What --list-onnx-ops prints: a line for each row.
std::string listOperators();

namespace ops {
#define ONNX_OPERATOR(domain, name, first, last, builder, attributes, least, most)                 \
  bool builder(NodeScope &node);
#define ONNX_BODIES(domain, name, first, last, attributes, least, most)
#define ONNX_REFUSED(domain, name, first, last, reason)
#include "frontend/onnx/Operators.def"
#undef ONNX_OPERATOR
#undef ONNX_BODIES
#undef ONNX_REFUSED
} // namespace ops

} // namespace symc::onnx

#endif // SYMC_FRONTEND_ONNX_OPERATORS_H
