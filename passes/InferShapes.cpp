// InferShapes.cpp: sg-infer-shapes, which is sg::inferShapes (ir/InferGraph.h) as a pass.
#include "ir/InferGraph.h"
#include "passes/Passes.h"

namespace symc {
#define GEN_PASS_DEF_INFERSHAPES
#include "passes/Passes.h.inc"
} // namespace symc

namespace {

struct InferShapes : symc::impl::InferShapesBase<InferShapes> {
  void runOnOperation() override {
    auto infer = [](mlir::ModuleOp module) {
      return mlir::WalkResult(symc::sg::inferShapes(module));
    };
    if (getOperation().walk(infer).wasInterrupted())
      signalPassFailure();
  }
};

} // namespace
