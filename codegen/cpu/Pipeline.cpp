// Pipeline.cpp: see Pipeline.h. Conversions that look at one function run for
// all functions in parallel; what adds declarations runs on the module.
#include "codegen/cpu/Pipeline.h"

#include "codegen/cpu/Polynomials.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace symc::codegen;

void symc::codegen::registerPipelineDialects(DialectRegistry &registry) {
  registry.insert<affine::AffineDialect, arith::ArithDialect, cf::ControlFlowDialect,
                  func::FuncDialect, index::IndexDialect, LLVM::LLVMDialect, math::MathDialect,
                  memref::MemRefDialect, scf::SCFDialect, ub::UBDialect,
                  vector::VectorDialect>();
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
}

namespace {

// MLIR's polynomials that are as exact as a network needs over the whole range of
// f32: at most 4.5 ULP. Those of sin and cos lose all digits for large
// arguments, so they stay with libm.
bool hasGoodPolynomial(StringRef name) {
  return llvm::StringSwitch<bool>(name.substr(name.rfind('.') + 1))
      .Cases({"expm1", "log", "log1p", "log2", "erf"}, true)
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

// Replaces functions by polynomials, and divisions and 16-bit conversions by
// simpler operations, inside of one function.
struct ExpandScalarOps : PassWrapper<ExpandScalarOps, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ExpandScalarOps)
  explicit ExpandScalarOps(bool unfuse) : unfuse(unfuse) {}
  ExpandScalarOps(const ExpandScalarOps &other) = default;
  StringRef getArgument() const override { return "symc-expand-scalar-ops"; }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, math::MathDialect, vector::VectorDialect>();
  }
  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet set(context);
    populatePolynomials(set);
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
  bool unfuse;
  FrozenRewritePatternSet patterns;
};

// Functions that neither an instruction nor a polynomial computes become calls
// of libm; operations that LLVM has instructions for are left to it.
struct CallLibm : PassWrapper<CallLibm, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CallLibm)
  StringRef getArgument() const override { return "symc-call-libm"; }
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

static void buildPipeline(PassManager &pm, const TargetDescription &target, MathMode math) {
  pm.enableVerifier(false); // once, at the end: the conversion and its input are ours
  OpPassManager &loops = pm.nestAny();
  loops.addPass(createLowerAffinePass());
  loops.addPass(math::createMathExtendToSupportedTypes());
  arith::ArithEmulateUnsupportedFloatsOptions emulate;
  emulate.sourceTypeStrs = {"bf16"};
  loops.addPass(arith::createArithEmulateUnsupportedFloats(emulate));
  loops.addPass(std::make_unique<ExpandScalarOps>(!target.fma && math != MathMode::Portable));
  pm.addPass(std::make_unique<CallLibm>());

  // scf before vector: loops may carry multi-dimensional vectors.
  OpPassManager &functions = pm.nestAny();
  functions.addPass(createSCFToControlFlowPass());
  functions.addPass(createConvertVectorToLLVMPass());
  functions.addPass(createConvertMathToLLVMPass());
  functions.addPass(createArithToLLVMConversionPass());
  functions.addPass(createConvertIndexToLLVMPass());
  functions.addPass(createUBToLLVMConversionPass());
  pm.addPass(createConvertFuncToLLVMPass());
  pm.addPass(createConvertControlFlowToLLVMPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
}

void symc::codegen::prepareForThreads(MLIRContext &context, const TargetDescription &target,
                                      MathMode math) {
  PassManager pm(&context, ModuleOp::getOperationName());
  buildPipeline(pm, target, math);
  DialectRegistry used;
  pm.getDependentDialects(used);
  context.appendDialectRegistry(used);
  for (StringRef name : used.getDialectNames())
    context.getOrLoadDialect(name);
}

LogicalResult symc::codegen::lowerToLLVM(ModuleOp module, const TargetDescription &target,
                                         MathMode math) {
  PassManager pm(module.getContext(), ModuleOp::getOperationName());
  buildPipeline(pm, target, math);
  if (failed(pm.run(module)))
    return failure();
  return mlir::verify(module);
}

std::unique_ptr<llvm::Module> symc::codegen::translateToLLVM(ModuleOp module,
                                                             llvm::LLVMContext &context) {
  return translateModuleToLLVMIR(module, context, "symc", /*disableVerification=*/true);
}
