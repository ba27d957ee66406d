// OperatorSchema.h: what an operator takes and gives in one line, for tools:
//
//   Pooling(Tensor data, *, Shape kernel=(), {max|avg|sum|lp} pool_type=max, ...) -> Tensor
//   BatchNorm(Tensor data, Tensor gamma, ..., Tensor! moving_mean, ...) -> (Tensor output, ...)
//
// Before `*` stand the inputs: `Tensor?` may be left out, `Tensor[]` is any number of them,
// `Tensor!` is an auxiliary state. Behind it stand the parameters: int, uint, float, double, bool,
// str, Shape (whole numbers), Floats or {a|b}; `?` after a type allows None; without `=` one must
// be given. The only output is nameless where it is called "output".
#ifndef SYMC_IR_OPERATORSCHEMA_H
#define SYMC_IR_OPERATORSCHEMA_H

#include "ir/OpTable.h"
#include <optional>
#include <string>
#include <vector>

namespace symc::sg {

struct OperatorSchema {
  struct Tensor {
    std::string name;
    ValueKind kind = ValueKind::Single;
    bool auxiliary = false;
    size_t column = 0; // where its type stands in a text that was read, from 1
  };
  struct Parameter {
    std::string name;
    ParamKind kind = ParamKind::Int;
    bool optional = false;
    std::vector<std::string> values; // of an enumeration
    std::optional<std::string> defaultText;
    size_t column = 0, defaultColumn = 0;
  };

  std::string name;
  std::vector<Tensor> inputs, outputs;
  std::vector<Parameter> parameters;

  std::string str() const;
  /// The schema of such a line. Nothing after a mistake, which `message` describes:
  /// "column 5: needs a type before 'real a) -> Tensor'".
  static std::optional<OperatorSchema> parse(llvm::StringRef text, std::string &message);
};

/// Of an operator of the table, under that name: parameters that the name fixes are left out.
OperatorSchema schemaOf(const OpName &name);

} // namespace symc::sg

#endif // SYMC_IR_OPERATORSCHEMA_H
