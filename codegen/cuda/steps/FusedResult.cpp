// FusedResult.cpp: the results of steps over windows.
#include "codegen/cuda/steps/FusedResult.h"

#include "codegen/cuda/BodyText.h"

using namespace mlir;

namespace symc::codegen::cuda {

FailureOr<SmallVector<View>> viewExtras(KernelWriter &writer, OperandRange extras) {
  SmallVector<View> views;
  for (auto [i, operand] : llvm::enumerate(extras)) {
    FailureOr<View> view = writer.view(operand, "extra" + std::to_string(i));
    if (failed(view))
      return failure();
    views.push_back(*view);
  }
  return views;
}

LogicalResult writeFusedResult(KernelWriter &writer, VectorWalk &walk, const View &out,
                               ArrayRef<std::string> at, ArrayRef<View> extras, Region &body,
                               const std::string &sum, llvm::function_ref<void()> finishSum) {
  VectorWalk::Access result = walk.target(out, at);
  SmallVector<VectorWalk::Access> others;
  for (const View &view : extras)
    others.push_back(walk.fetch(view, at));
  walk.openLanes();
  finishSum();
  SmallVector<std::string> arguments{sum};
  for (const VectorWalk::Access &access : others)
    arguments.push_back(walk.value(access));
  FailureOr<SmallVector<std::string>> value = writeBody(writer, body, arguments);
  if (failed(value))
    return failure();
  walk.set(result, value->front());
  walk.closeLanes();
  walk.flush(result);
  return success();
}

} // namespace symc::codegen::cuda
