//===- Import.h - ONNX model -> sg dialect ---------------------------------===//
//
// Makes of a model what importGraph() makes of a symbol: a module with `sg.graph @main`
// and an `sg.weight` for each tensor that it reads. Nodes come in order, so that shapes
// and types are inferred as operations are made, and values that shapes follow from are
// known (Known.h). Calls of the model's functions are read in place. All mistakes are
// reported at once, and so are all operators that cannot be compiled.
//
//===----------------------------------------------------------------------===//
#ifndef SYMC_FRONTEND_ONNX_IMPORT_H
#define SYMC_FRONTEND_ONNX_IMPORT_H

#include "frontend/import/Importer.h"
#include "frontend/onnx/Model.h"

namespace symc::onnx {

struct OnnxOptions {
  /// Shapes of inputs (--shape).
  std::map<std::string, std::vector<DimSpec>> shapes;
  /// Of inputs that become states (--grow): the axis along which they grow, and its size. An axis
  /// that the model names gives the size this name, for all inputs.
  std::map<std::string, std::pair<int64_t, DimSpec>> grown;
  /// NAME=VALUE, where NAME may hold `=`: sizes that declared shapes name, numbers or ranges
  /// (--size).
  std::vector<std::string> sizes;
  /// The same of inputs, which are none of the program then: numbers with commas, or a .npy file
  /// (--value).
  std::vector<std::string> values;
};

struct ImportedModel {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::shared_ptr<params::WeightSource> weights;
};

/// Null after an error.
std::optional<ImportedModel> importModel(std::shared_ptr<const Model> model,
                                         const OnnxOptions &options, mlir::MLIRContext &context,
                                         Diagnostics &diagnostics);

/// Names, their order, opsets and functions: reports every mistake; false if there is one.
bool checkModel(const Model &model, Diagnostics &diagnostics);

/// What messages call a node: its name, or its operator and first output.
std::string nodeTitle(const Node &node);
/// The version of a domain; 0 where the list lacks it.
int64_t opsetOf(llvm::ArrayRef<Opset> opsets, llvm::StringRef domain);

} // namespace symc::onnx

#endif // SYMC_FRONTEND_ONNX_IMPORT_H
