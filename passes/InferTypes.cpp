// InferTypes.cpp: sg-infer-types, which is sg::inferTypes (ir/InferGraph.h) as a pass.
#include "ir/InferGraph.h"
#include "passes/Passes.h"

namespace symc {
#define GEN_PASS_DEF_INFERTYPES
#include "passes/Passes.h.inc"
} // namespace symc

namespace {

struct InferTypes : symc::impl::InferTypesBase<InferTypes> {
  void runOnOperation() override {
    auto infer = [](mlir::ModuleOp module) {
      return mlir::WalkResult(symc::sg::inferTypes(module));
    };
    if (getOperation().walk(infer).wasInterrupted())
      signalPassFailure();
  }
};

} // namespace
