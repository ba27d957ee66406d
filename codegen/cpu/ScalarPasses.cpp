// ScalarPasses.cpp: cpu-expand-scalar-ops and cpu-call-libm (codegen/Passes.td): what
// becomes of functions that no instruction computes. Which of MLIR's polynomials are
// taken, and what is done with 16-bit types, is decided here.
#include "codegen/KernelPasses.h"

#include "codegen/cpu/DoubleFunctions.h"
#include "codegen/cpu/Polynomials.h"
#include "codegen/kernel/KernelDialect.h"
#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace symc::codegen {

#define GEN_PASS_DEF_CPUEXPANDSCALAROPS
#define GEN_PASS_DEF_CPUCALLLIBM
#include "codegen/Passes.h.inc"

namespace {

// MLIR's polynomials that are as exact as a network needs over the whole range of
// f32: at most 4.5 ULP.
bool hasGoodPolynomial(StringRef name) {
  return llvm::StringSwitch<bool>(name.substr(name.rfind('.') + 1))
      .Cases({"expm1", "log", "log1p", "log2"}, true)
      .Default(false);
}

// A fused multiply-add without an instruction is a library call a lane.
template <typename Op> struct UnfuseMultiplyAdd : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    auto [x, y, z] = std::tuple(op->getOperand(0), op->getOperand(1), op->getOperand(2));
    Value product = arith::MulFOp::create(rewriter, op.getLoc(), x, y);
    rewriter.replaceOpWithNewOp<arith::AddFOp>(op, product, z);
    return success();
  }
};

struct ExpandScalarOps : impl::CpuExpandScalarOpsBase<ExpandScalarOps> {
  using CpuExpandScalarOpsBase::CpuExpandScalarOpsBase;
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<kernel::KernelDialect, arith::ArithDialect, math::MathDialect, scf::SCFDialect,
                    vector::VectorDialect>();
  }
  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet set(context);
    populatePolynomials(set);
    populateDoubleFunctions(set);
    populateMathPolynomialApproximationPatterns(set, hasGoodPolynomial);
    arith::populateCeilFloorDivExpandOpsPatterns(set);
    arith::populateExpandBFloat16Patterns(set);
    if (unfuse)
      set.add<UnfuseMultiplyAdd<math::FmaOp>, UnfuseMultiplyAdd<vector::FMAOp>>(context);
    patterns = std::move(set);
    return success();
  }
  void runOnOperation() override {
    GreedyRewriteConfig config;
    config.enableFolding(true);
    // The emulation of 16-bit types allows its roundings to be folded away;
    // each operation rounds.
    getOperation()->walk([](arith::TruncFOp op) { op.setFastmath(arith::FastMathFlags::none); });
    getOperation()->walk([](arith::ExtFOp op) { op.setFastmath(arith::FastMathFlags::none); });
    divideOnceByLogistic(getOperation());
    if (failed(applyPatternsGreedily(getOperation(), patterns, config)))
      signalPassFailure();
  }
  FrozenRewritePatternSet patterns;
};

struct CallLibm : impl::CpuCallLibmBase<CallLibm> {
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, func::FuncDialect, vector::VectorDialect>();
  }
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateMathToLibmConversionPatterns(patterns);
    ConversionTarget target(getContext());
    target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    target.addIllegalOp<math::AcosOp, math::AcoshOp, math::AsinOp, math::AsinhOp, math::AtanOp,
                        math::Atan2Op, math::AtanhOp, math::CbrtOp, math::CosOp, math::CoshOp,
                        math::ErfOp, math::ErfcOp, math::ExpOp, math::Exp2Op, math::ExpM1Op,
                        math::LogOp, math::Log2Op, math::Log10Op, math::Log1pOp, math::PowFOp,
                        math::SinOp, math::SinhOp, math::TanOp, math::TanhOp>();
    if (failed(applyPartialConversion(getOperation(), target, std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace

} // namespace symc::codegen
