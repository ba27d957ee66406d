//===- Inputs.h - the inputs of an ONNX model ------------------------------===//
#ifndef SYMC_FRONTEND_ONNX_INPUTS_H
#define SYMC_FRONTEND_ONNX_INPUTS_H

#include "frontend/onnx/Import.h"
#include "frontend/onnx/Scope.h"

namespace symc::onnx {

struct PlannedInput {
  llvm::StringRef name;
  mlir::Type type;
  sg::Shape shape;
  std::optional<Known> value;       // by --value: no input of the program
  const SmallType *small = nullptr; // bytes of its elements then
};

struct PlannedSize {
  std::string name;
  int64_t min, max;
};

struct InputPlan {
  std::vector<PlannedInput> inputs;
  std::vector<PlannedSize> sizes;
};

/// Declared types and shapes, and what the caller gives, of all inputs that no initializer holds.
/// All mistakes are reported; nothing after one.
std::optional<InputPlan> planInputs(const Model &model, const OnnxOptions &options,
                                    mlir::MLIRContext &context, Diagnostics &diagnostics);

/// A tensor of the file as a weight, known where it is small; an empty operand and what is wrong
/// with it ("has ...") where something is.
Operand importTensor(ImportState &state, const Tensor &tensor, llvm::StringRef name,
                     mlir::Location location, std::string &mistake);

} // namespace symc::onnx

#endif // SYMC_FRONTEND_ONNX_INPUTS_H
