// DescribedOperator.h: one description of symc/custom_op.h as an operator of the table.
#ifndef SYMC_TOOLS_OPERATORS_DESCRIBEDOPERATOR_H
#define SYMC_TOOLS_OPERATORS_DESCRIBEDOPERATOR_H

#include "ir/CustomOperators.h"
#include "ir/OperatorSchema.h"
#include "runtime/include/symc/custom_op.h"

namespace symc {

class DescribedOperator : public sg::CustomOperator {
public:
  /// Of op.bytes bytes, at least leastBytes.
  explicit DescribedOperator(const symc_op &op);
  /// Of the first symc_op that there was.
  static constexpr size_t leastBytes = offsetof(symc_op, schema);
  /// What is wrong with the description itself, or "".
  std::string check() const;

  std::string inferShapes(mlir::DictionaryAttr params, sg::CustomNode &node) const override;
  std::string inferTypes(mlir::DictionaryAttr params, sg::CustomNode &node) const override;
  int64_t scratchBytes(mlir::DictionaryAttr params, sg::CustomNode &node) const override;

  /// The operator of its gradient kernels; null without any. It is loaded beside this one, which it
  /// refers to.
  std::unique_ptr<sg::CustomOperator> makeGradient() const;

private:
  void addValues(const symc_op_value *values, std::vector<sg::ValueInfo> &list);
  void addParams();
  void readSchema();
  std::string checkSchema() const;
  /// In front of a mistake at that column of the schema; "" without one.
  std::string at(size_t column) const;
  std::string checkParam(const sg::ParamInfo &param, mlir::MLIRContext &context) const;
  std::string checkValues() const;
  std::string checkKernels(llvm::ArrayRef<Kernel> list) const;

  symc_op op = {};
  std::optional<sg::OperatorSchema> schema;
  std::string schemaMistake;
  bool tooMany = false; // entries of a list
  std::vector<Kernel> gradientKernels;
  std::vector<sg::ValueInfo> inputs, outputs;
  std::vector<sg::ParamInfo> params;
  std::vector<std::vector<const char *>> enums; // of each parameter
};

} // namespace symc

#endif // SYMC_TOOLS_OPERATORS_DESCRIBEDOPERATOR_H
