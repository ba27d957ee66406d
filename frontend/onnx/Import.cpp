//===- Import.cpp - ONNX model -> sg dialect -------------------------------===//
#include "frontend/onnx/Import.h"

#include "frontend/onnx/ModelImporter.h"

namespace symc::onnx {

std::optional<ImportedModel> importModel(std::shared_ptr<const Model> model,
                                         const OnnxOptions &options, MLIRContext &context,
                                         symc::Diagnostics &diagnostics) {
  if (!checkModel(*model, diagnostics))
    return std::nullopt;
  return ModelImporter(std::move(model), options, context, diagnostics).run();
}

} // namespace symc::onnx
