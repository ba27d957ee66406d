// KernelPasses.cpp: the passes of codegen/Passes.td over the functions that do
// the work.
#include "codegen/KernelPasses.h"

#include "codegen/conv/Tuning.h"
#include "codegen/cpu/ChannelBands.h"
#include "codegen/cpu/RowBands.h"
#include "codegen/cuda/CudaStep.h"
#include "codegen/cuda/NarrowStorage.h"
#include "codegen/cuda/ProgramText.h"
#include "codegen/cuda/RowLanes.h"
#include "codegen/cuda/ZeroFrames.h"
#include "codegen/lower/Outline.h"
#include "codegen/plan/PlanArena.h"
#include "codegen/plan/PlanChecker.h"
#include "codegen/schedule/CheckShapes.h"
#include "codegen/schedule/ChooseAlgorithms.h"
#include "codegen/schedule/PreparedForms.h"
#include "codegen/schedule/Schedule.h"
#include "codegen/schedule/SplitBytes.h"
#include "codegen/schedule/SplitParts.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace symc::codegen {

#define GEN_PASS_DEF_KERNELCHOOSELAYOUTS
#define GEN_PASS_DEF_KERNELSCHEDULE
#define GEN_PASS_DEF_KERNELSPLITPARTS
#define GEN_PASS_DEF_KERNELCHOOSEALGORITHMS
#define GEN_PASS_DEF_KERNELROWBANDS
#define GEN_PASS_DEF_KERNELDROPFRAMES
#define GEN_PASS_DEF_KERNELSPLITBYTES
#define GEN_PASS_DEF_KERNELNARROWSTORAGE
#define GEN_PASS_DEF_KERNELPLANARENA
#define GEN_PASS_DEF_KERNELCHECKPLAN
#define GEN_PASS_DEF_KERNELMAKEVARIANTS
#define GEN_PASS_DEF_KERNELMAKEPREPAREVARIANT
#define GEN_PASS_DEF_KERNELCHOOSETILES
#define GEN_PASS_DEF_KERNELOUTLINE
#define GEN_PASS_DEF_KERNELPRINTCUDA
#include "codegen/Passes.h.inc"

namespace {

/// The target and mode that options of a pass name; after an error at `op` nothing.
struct TargetAndMath {
  TargetDescription target;
  MathMode math;

  static std::optional<TargetAndMath> get(Operation *op, StringRef pass, StringRef target,
                                          StringRef math = "default") {
    std::optional<TargetDescription> description = TargetDescription::get(target);
    std::optional<MathMode> mode = mathModeNamed(math);
    if (!description || !mode) {
      op->emitError(pass) << ": no target '" << target << "' or no math '" << math << "'";
      return std::nullopt;
    }
    return TargetAndMath{*description, *mode};
  }
};

/// The target of the variant that a program is in, or `target`.
StringRef targetOf(Operation *program, StringRef target) {
  auto variant = program->getParentOfType<kernel::VariantOp>();
  return variant ? variant.getTarget() : target;
}

/// The choices of a tuning file; none without a path. Nothing after an error at `op`.
std::optional<Tuning> readTuning(Operation *op, StringRef pass, StringRef path) {
  Tuning tuning;
  if (path.empty())
    return tuning;
  if (llvm::Error error = tuning.read(path)) {
    op->emitError(pass) << ": " << llvm::toString(std::move(error));
    return std::nullopt;
  }
  return tuning;
}

/// The modules in a module of several batch sizes, or the module itself.
SmallVector<ModuleOp> modulesOf(ModuleOp module) {
  SmallVector<ModuleOp> modules(module.getOps<ModuleOp>());
  if (modules.empty())
    modules.push_back(module);
  return modules;
}

/// A target that is named, or any of the device: all of them share layouts.
std::string targetOr(const std::string &target) {
  return target.empty() ? TargetDescription::names().front() : target;
}

/// What layouts and schedules are made for; after an error at `op` nothing.
struct ScheduleInputs {
  TargetDescription target;
  bool referenceOnly;
  ScheduleOptions options() const { return {&target, referenceOnly}; }

  static std::optional<ScheduleInputs> get(Operation *op, StringRef pass, const std::string &target,
                                           bool referenceOnly) {
    std::optional<TargetAndMath> named = TargetAndMath::get(op, pass, targetOr(target));
    if (!named)
      return std::nullopt;
    return ScheduleInputs{named->target, referenceOnly};
  }
};

/// Whether there is a batch size for each module, or none; an error at `op` where not.
bool fitBatches(Operation *op, StringRef pass, size_t batches, size_t modules) {
  if (batches == 0 || batches == modules)
    return true;
  op->emitError(pass) << ": " << batches << " batch sizes for " << modules << " modules";
  return false;
}

struct ChooseLayoutsPass : impl::KernelChooseLayoutsBase<ChooseLayoutsPass> {
  using KernelChooseLayoutsBase::KernelChooseLayoutsBase;
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<kernel::KernelDialect>();
  }
  void runOnOperation() override {
    auto inputs = ScheduleInputs::get(getOperation(), getArgument(), target, reference);
    if (!inputs)
      return signalPassFailure();
    for (ModuleOp module : modulesOf(getOperation())) {
      if (failed(checkShapes(module)))
        return signalPassFailure();
      chooseLayouts(module, inputs->options());
    }
  }
};

struct SchedulePass : impl::KernelScheduleBase<SchedulePass> {
  using KernelScheduleBase::KernelScheduleBase;
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<kernel::KernelDialect, memref::MemRefDialect, affine::AffineDialect>();
  }
  void runOnOperation() override {
    auto inputs = ScheduleInputs::get(getOperation(), getArgument(), target, reference);
    if (!inputs)
      return signalPassFailure();
    ScheduleOptions options = inputs->options();
    options.openProducts = openProducts;
    if (failed(scheduleModules(modulesOf(getOperation()), options)))
      signalPassFailure();
  }
};

struct SplitPartsPass : impl::KernelSplitPartsBase<SplitPartsPass> {
  void runOnOperation() override {
    for (ModuleOp module : modulesOf(getOperation()))
      for (auto program : module.getOps<kernel::ProgramOp>())
        if (failed(splitParts(program)))
          return signalPassFailure();
  }
};

struct ChooseAlgorithmsPass : impl::KernelChooseAlgorithmsBase<ChooseAlgorithmsPass> {
  using KernelChooseAlgorithmsBase::KernelChooseAlgorithmsBase;
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<kernel::KernelDialect, memref::MemRefDialect, affine::AffineDialect>();
  }
  void runOnOperation() override;
};

struct RowBandsPass : impl::KernelRowBandsBase<RowBandsPass> {
  using KernelRowBandsBase::KernelRowBandsBase;
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<memref::MemRefDialect>();
  }
  void runOnOperation() override {
    std::optional<TargetAndMath> named =
        TargetAndMath::get(getOperation(), getArgument(), targetOf(getOperation(), target));
    if (!named)
      return signalPassFailure();
    BandLimits limits = BandLimits::of(named->target);
    if (largeBytes)
      limits.largeBytes = largeBytes;
    if (bandBytes)
      limits.bandBytes = bandBytes;
    bandRows(getOperation(), limits);
    if (!largeBytes && !bandBytes)
      bandChannels(getOperation(), BandLimits::ofCore(named->target));
  }
};

struct SplitBytesPass : impl::KernelSplitBytesBase<SplitBytesPass> {
  using KernelSplitBytesBase::KernelSplitBytesBase;
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<memref::MemRefDialect, affine::AffineDialect>();
  }
  void runOnOperation() override {
    StringRef name = targetOf(getOperation(), target);
    if (name.empty())
      return;
    std::optional<TargetAndMath> named = TargetAndMath::get(getOperation(), getArgument(), name);
    if (!named)
      return signalPassFailure();
    if (named->target.pairsBytes())
      splitBytes(getOperation(), named->target, named->target.name);
  }
};

struct NarrowStoragePass : impl::KernelNarrowStorageBase<NarrowStoragePass> {
  using KernelNarrowStorageBase::KernelNarrowStorageBase;
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<kernel::KernelDialect, arith::ArithDialect, memref::MemRefDialect>();
    cuda::registerCudaSteps(registry);
  }
  void runOnOperation() override {
    Builder b(&getContext());
    FloatType element = type == "bf16" ? FloatType(b.getBF16Type()) : FloatType(b.getF16Type());
    if (type != "f16" && type != "bf16") {
      getOperation().emitError(getArgument()) << ": type is '" << type << "', needs f16 or bf16";
      return signalPassFailure();
    }
    SmallVector<ModuleOp> modules = modulesOf(getOperation());
    cuda::layRowsAsLanes(modules, element);
    cuda::narrowStorage(modules, element);
    for (ModuleOp module : modules)
      if (failed(placePrepared(module)))
        return signalPassFailure();
  }
};

struct DropFramesPass : impl::KernelDropFramesBase<DropFramesPass> {
  using KernelDropFramesBase::KernelDropFramesBase;
  void runOnOperation() override {
    for (ModuleOp module : modulesOf(getOperation()))
      for (auto variant : module.getOps<kernel::VariantOp>())
        cuda::dropFrames(variant.getEntry()); // others are code of CPUs, which reads the zeros
  }
};

struct PlanArenaPass : impl::KernelPlanArenaBase<PlanArenaPass> {
  using KernelPlanArenaBase::KernelPlanArenaBase;
  void runOnOperation() override {
    if (failed(planArenas(getOperation(), placement)))
      signalPassFailure();
  }
};

struct CheckPlanPass : impl::KernelCheckPlanBase<CheckPlanPass> {
  void runOnOperation() override {
    if (failed(checkPlan(getOperation())))
      signalPassFailure();
  }
};

struct MakeVariantsPass : impl::KernelMakeVariantsBase<MakeVariantsPass> {
  using KernelMakeVariantsBase::KernelMakeVariantsBase;
  void runOnOperation() override;
};

struct MakePrepareVariantPass : impl::KernelMakePrepareVariantBase<MakePrepareVariantPass> {
  using KernelMakePrepareVariantBase::KernelMakePrepareVariantBase;
  void runOnOperation() override;
};

struct ChooseTilesPass : impl::KernelChooseTilesBase<ChooseTilesPass> {
  using KernelChooseTilesBase::KernelChooseTilesBase;
  void getDependentDialects(DialectRegistry &registry) const override {
    registerTunableSteps(registry);
  }
  void runOnOperation() override {
    std::optional<TargetAndMath> named =
        TargetAndMath::get(getOperation(), getArgument(), targetOf(getOperation(), target));
    std::optional<Tuning> choices = readTuning(getOperation(), getArgument(), tuning);
    if (!named || !choices || failed(chooseTiles(getOperation(), named->target, *choices)))
      signalPassFailure();
  }
};

struct OutlinePass : impl::KernelOutlineBase<OutlinePass> {
  using KernelOutlineBase::KernelOutlineBase;
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<LLVM::LLVMDialect, func::FuncDialect, scf::SCFDialect, vector::VectorDialect>();
    registerLowerings(registry);
  }
  void runOnOperation() override;
  LogicalResult outlineVariant(kernel::VariantOp variant);
  LogicalResult outlinePrograms(ModuleOp module);
};

struct PrintCudaPass : impl::KernelPrintCudaBase<PrintCudaPass> {
  void getDependentDialects(DialectRegistry &registry) const override {
    cuda::registerCudaSteps(registry);
  }
  void runOnOperation() override {
    FailureOr<CudaProgram> program = cuda::writeProgram(getOperation(), nullptr);
    if (failed(program))
      return signalPassFailure();
    llvm::outs() << program->source;
  }
};

} // namespace

void ChooseAlgorithmsPass::runOnOperation() {
  ModuleOp module = getOperation();
  SmallVector<ModuleOp> modules = modulesOf(module);
  std::optional<Tuning> choices = readTuning(module, getArgument(), tuning);
  if (!choices || !fitBatches(module, getArgument(), batches.size(), modules.size()))
    return signalPassFailure();
  KernelPolicy policy;
  policy.measured = &*choices;
  policy.forced = convAlgorithmNamed(forceKernel);
  if (!forceKernel.empty() && !policy.forced) {
    module.emitError(getArgument()) << ": no kernel '" << forceKernel << "'";
    return signalPassFailure();
  }
  std::vector<std::optional<TargetAndMath>> named; // of each variant
  for (auto variant : modules.front().getOps<kernel::VariantOp>())
    named.push_back(
        TargetAndMath::get(variant, getArgument(), variant.getTarget(), variant.getMath()));
  bool isOpen = named.empty() && target.empty();
  if (named.empty())
    named.push_back(TargetAndMath::get(module, getArgument(), targetOr(target), math));
  if (llvm::is_contained(named, std::nullopt))
    return signalPassFailure();
  std::vector<SmallVector<KernelPolicy>> policies;
  for (const std::optional<TargetAndMath> &one : named) {
    SmallVector<KernelPolicy> &each = policies.emplace_back(modules.size(), policy);
    for (KernelPolicy &own : each) {
      own.target = isOpen ? nullptr : &one->target;
      own.forced = isOpen ? nullptr : policy.forced;
      own.errorLimit = isOpen ? 0 : errorLimitOf(one->math);
      own.mixing = mayMixPixels(one->math);
    }
    for (auto [own, size] : llvm::zip(each, batches)) {
      own.batches = *batches;
      own.batch = size;
    }
  }
  if (failed(chooseAlgorithms(modules, policies, named.front()->target)))
    signalPassFailure();
}

//===----------------------------------------------------------------------===//
// Variants
//===----------------------------------------------------------------------===//

// `entry` and the programs that it calls, those first, each once.
static void collectPrograms(kernel::ProgramOp entry, SymbolTableCollection &symbols,
                            llvm::SetVector<Operation *> &programs) {
  entry.walk([&](kernel::StepInterface step) {
    if (ArrayAttr called = step.getCalledPrograms())
      for (auto body : called.getAsRange<FlatSymbolRefAttr>())
        if (auto callee =
                symbols.lookupNearestSymbolFrom<kernel::ProgramOp>(entry->getParentOp(), body);
            callee && !programs.contains(callee))
          collectPrograms(callee, symbols, programs);
  });
  programs.insert(entry);
}

static void addVariant(ModuleOp to, const std::string &symbol, StringRef target, StringRef math,
                       ArrayRef<kernel::ProgramOp> programs) {
  OpBuilder builder = OpBuilder::atBlockEnd(to.getBody());
  Location location = kernel::ProgramOp(programs.back()).getLoc();
  auto variant = kernel::VariantOp::create(builder, location, symbol, target, math);
  builder.setInsertionPointToEnd(&variant.getBody().emplaceBlock());
  for (kernel::ProgramOp program : programs)
    builder.clone(*program);
}

void MakeVariantsPass::runOnOperation() {
  ModuleOp module = getOperation();
  SmallVector<ModuleOp> modules = modulesOf(module);
  if (!fitBatches(module, getArgument(), batches.size(), modules.size()))
    return signalPassFailure();
  for (const std::string &name : targets)
    if (!TargetAndMath::get(module, getArgument(), name, math))
      return signalPassFailure();
  for (auto [i, each] : llvm::enumerate(modules)) {
    auto main = each.lookupSymbol<kernel::ProgramOp>("main_program");
    if (!main)
      continue;
    SymbolTableCollection symbols;
    llvm::SetVector<Operation *> collected;
    collectPrograms(main, symbols, collected);
    auto programs = llvm::map_to_vector(
        collected, [](Operation *program) { return cast<kernel::ProgramOp>(program); });
    std::string rows = batches.empty() ? "" : "_rows" + std::to_string(batches[i]);
    for (auto [number, name] : llvm::enumerate(targets))
      addVariant(each, prefix + "_run_" + std::to_string(number) + rows, name, math, programs);
    for (kernel::ProgramOp program : programs)
      program.erase();
  }
}

void MakePrepareVariantPass::runOnOperation() {
  ModuleOp module = getOperation();
  ModuleOp first = modulesOf(module).front();
  if (!TargetAndMath::get(module, getArgument(), target))
    return signalPassFailure();
  // Without prepared weights there is nothing that it would write.
  if (auto own = first.lookupSymbol<kernel::ProgramOp>("prepare_program");
      own && !first.getOps<kernel::PreparedOp>().empty())
    addVariant(first, prefix + "_prepare_program", target, nameOf(MathMode::Portable), own);
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

LogicalResult OutlinePass::outlineVariant(kernel::VariantOp variant) {
  std::optional<TargetAndMath> named =
      TargetAndMath::get(variant, getArgument(), variant.getTarget(), variant.getMath());
  if (!named)
    return failure();
  OwningOpRef<ModuleOp> functions = ModuleOp::create(variant.getLoc());
  OutlineOptions options;
  options.probes = probes && variant.getEntry().getSymName() == "main_program";
  if (failed(lowerProgram(variant.getEntry(), variant.getSymName(), named->target, named->math,
                          *functions, options)))
    return failure();
  variant.getBody().front().push_back(functions.release());
  return success();
}

LogicalResult OutlinePass::outlinePrograms(ModuleOp module) {
  std::optional<TargetAndMath> named = TargetAndMath::get(module, getArgument(), target, math);
  if (!named)
    return failure();
  OwningOpRef<ModuleOp> functions = ModuleOp::create(module.getLoc());
  OutlineOptions options;
  options.probes = probes;
  SmallVector<kernel::ProgramOp> programs(module.getOps<kernel::ProgramOp>());
  for (kernel::ProgramOp program : programs)
    if (failed(lowerProgram(program, program.getSymName(), named->target, named->math, *functions,
                            options)))
      return failure();
  for (kernel::ProgramOp program : programs)
    program.erase();
  module.getBody()->getOperations().splice(module.getBody()->end(),
                                           functions->getBody()->getOperations());
  return success();
}

void OutlinePass::runOnOperation() {
  SmallVector<kernel::VariantOp> variants;
  getOperation()->walk([&](kernel::VariantOp variant) { variants.push_back(variant); });
  auto module = dyn_cast<ModuleOp>(getOperation());
  if (variants.empty() && module && failed(outlinePrograms(module)))
    signalPassFailure();
  for (kernel::VariantOp variant : variants)
    if (failed(outlineVariant(variant)))
      return signalPassFailure();
}

} // namespace symc::codegen
