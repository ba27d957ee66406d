// Pipelines.cpp: how a graph becomes code, pass by pass; each line that could be moved
// states why it is where it is.
//
//   sg ── kernel-choose-layouts ─ kernel-schedule ─ kernel-split-parts ─ kernel-pool-places
//           └─ kernel-make-variants: for each instruction set, on a copy
//                 kernel-choose-algorithms, of all together ─ kernel-narrow-products
//                 kernel-row-bands ─ kernel-split-bytes ─ kernel-pad-rows
//                 kernel-plan-arena ─ kernel-check-plan
//                 kernel-choose-tiles ─ kernel-outline ─ the LLVM pipeline, per object
#include "codegen/Pipelines.h"

#include "codegen/KernelPasses.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;

void symc::codegen::addSchedulePasses(OpPassManager &manager, const CodegenOptions &options) {
  // Before steps: a layout depends on all readers of a value.
  KernelChooseLayoutsOptions layouts;
  layouts.reference = options.reference;
  layouts.target = options.targets.front();
  manager.addPass(createKernelChooseLayouts(layouts));
  KernelScheduleOptions schedule;
  schedule.reference = options.reference;
  schedule.target = options.targets.front();
  schedule.openProducts = options.openProducts;
  manager.addPass(createKernelSchedule(schedule));
  // While each buffer has one purpose; before bands, which join layers of one part.
  manager.addPass(createKernelSplitParts());
  // After parts, so that forward makes what backward reads in the place of an image.
  manager.addPass(createKernelPoolPlaces());
  // Before algorithms, which each instruction set has its own of.
  KernelMakeVariantsOptions variants;
  variants.targets.assign(options.targets.begin(), options.targets.end());
  variants.math = options.math;
  variants.prefix = options.prefix;
  variants.batches = options.batches;
  manager.addPass(createKernelMakeVariants(variants));
  // Of all instruction sets and batch sizes together: they share the forms of weights.
  KernelChooseAlgorithmsOptions algorithms;
  algorithms.forceKernel = options.forceKernel;
  algorithms.tuning = options.tuning;
  algorithms.precision = options.precision;
  algorithms.batches = options.batches;
  manager.addPass(createKernelChooseAlgorithms(algorithms));
}

void symc::codegen::buildSchedulePipeline(OpPassManager &manager, const CodegenOptions &options) {
  addSchedulePasses(manager, options);
  // After algorithms, whose steps decide it; before bands, whose buffers have the types of layers.
  if (!options.precision.empty()) {
    KernelNarrowProductsOptions narrow;
    narrow.type = options.precision;
    manager.addPass(createKernelNarrowProducts(narrow));
  }

  // Several batch sizes are modules in a module; what follows works on each by itself.
  OpPassManager &module = options.batches.empty() ? manager : manager.nest<ModuleOp>();
  // @prepare_program is in no variant.
  auto addToPrograms = [&](llvm::function_ref<std::unique_ptr<Pass>()> create) {
    module.addNestedPass<kernel::ProgramOp>(create());
    module.nest<kernel::VariantOp>().addNestedPass<kernel::ProgramOp>(create());
  };
  KernelRowBandsOptions bands;
  bands.target = options.targets.front();
  addToPrograms([&] { return createKernelRowBands(bands); });
  // After bands, so that rows are split when their piece reads them.
  addToPrograms([] { return createKernelSplitBytes(); });
  // After what makes buffers and gives them types; before the plan, which gives them places.
  addToPrograms([] { return createKernelPadRows(); });
  // After bands, which make images short-lived, and what else makes buffers.
  KernelPlanArenaOptions plan;
  plan.placement = options.placement;
  module.addPass(createKernelPlanArena(plan));
  // Always: a wrong plan is a wrong answer, and nothing later would see it.
  addToPrograms([] { return createKernelCheckPlan(); });

  // After the plan, which it shares; the first of several modules has it for all.
  if (options.prepare) {
    KernelMakePrepareVariantOptions prepare;
    prepare.target = options.targets.back();
    prepare.prefix = options.prefix;
    manager.addPass(createKernelMakePrepareVariant(prepare));
  }

  OpPassManager &again = options.batches.empty() ? manager : manager.nest<ModuleOp>();
  KernelChooseTilesOptions tiles;
  tiles.tuning = options.tuning;
  again.nest<kernel::VariantOp>().addNestedPass<kernel::ProgramOp>(createKernelChooseTiles(tiles));
}

void symc::codegen::buildLoopsPipeline(OpPassManager &manager, const CodegenOptions &options) {
  KernelOutlineOptions outline;
  outline.probes = options.probes;
  manager.addPass(createKernelOutline(outline));
}

void symc::codegen::buildCpuPipeline(OpPassManager &manager, const CodegenOptions &options) {
  buildSchedulePipeline(manager, options);
  buildLoopsPipeline(manager, options);
}

void symc::codegen::buildCudaPipeline(OpPassManager &manager, const CodegenOptions &options) {
  CodegenOptions direct = options;
  direct.targets = {
      TargetDescription::common()}; // whose layouts and forms of weights all targets share
  direct.math = "strict";
  direct.openProducts = false; // channels are constants of its kernels
  direct.forceKernel.clear();
  direct.tuning.clear();
  direct.precision.clear();
  addSchedulePasses(manager, direct);
  // Before the plan, which gives narrow buffers fewer bytes; weights get new places.
  if (!options.storage.empty()) {
    KernelNarrowStorageOptions narrow;
    narrow.type = options.storage;
    manager.addPass(createKernelNarrowStorage(narrow));
  }
  manager.addPass(createKernelDropFrames());
  OpPassManager &module = options.batches.empty() ? manager : manager.nest<ModuleOp>();
  KernelPlanArenaOptions plan;
  plan.placement = options.placement;
  module.addPass(createKernelPlanArena(plan));
  module.addNestedPass<kernel::ProgramOp>(createKernelCheckPlan());
  module.nest<kernel::VariantOp>().addNestedPass<kernel::ProgramOp>(createKernelCheckPlan());
}

void symc::codegen::buildLLVMPipeline(OpPassManager &manager, bool unfuse) {
  // Conversions that look at one function run for all functions in parallel; what adds
  // declarations runs on the module.
  OpPassManager &loops = manager.nestAny();
  loops.addPass(createLowerAffinePass());
  loops.addPass(math::createMathExtendToSupportedTypes());
  arith::ArithEmulateUnsupportedFloatsOptions emulate;
  emulate.sourceTypeStrs = {"bf16"};
  loops.addPass(arith::createArithEmulateUnsupportedFloats(emulate));
  CpuExpandScalarOpsOptions expand;
  expand.unfuse = unfuse;
  loops.addPass(createCpuExpandScalarOps(expand));
  // After polynomials: what is left has none.
  manager.addPass(createCpuCallLibm());

  // scf before vector: loops may carry multi-dimensional vectors.
  OpPassManager &functions = manager.nestAny();
  functions.addPass(createSCFToControlFlowPass());
  functions.addPass(createConvertVectorToLLVMPass());
  functions.addPass(createConvertMathToLLVMPass());
  functions.addPass(createArithToLLVMConversionPass());
  functions.addPass(createConvertIndexToLLVMPass());
  functions.addPass(createUBToLLVMConversionPass());
  manager.addPass(createConvertFuncToLLVMPass());
  manager.addPass(createConvertControlFlowToLLVMPass());
  manager.addPass(createReconcileUnrealizedCastsPass());
}

//===----------------------------------------------------------------------===//
// By name, for symc-opt
//===----------------------------------------------------------------------===//

namespace {
/// CodegenOptions as text.
struct NamedOptions : PassPipelineOptions<NamedOptions> {
  ListOption<std::string> targets{*this, "targets", llvm::cl::desc("instruction sets, best first")};
  Option<std::string> math{*this, "math", llvm::cl::desc("strict, default or fast"),
                           llvm::cl::init("default")};
  Option<std::string> forceKernel{*this, "force-kernel",
                                  llvm::cl::desc("an algorithm wherever it can compute a layer")};
  Option<std::string> tuning{*this, "tuning", llvm::cl::desc("a file of measured choices")};
  ListOption<int64_t> batches{*this, "batches", llvm::cl::desc("of a module of modules")};
  Option<std::string> prefix{*this, "prefix", llvm::cl::desc("of the functions' names"),
                             llvm::cl::init("model")};
  Option<std::string> storage{
      *this, "storage", llvm::cl::desc("of symc-cuda: f16 or bf16, what layers read and write")};
  Option<std::string> precision{*this, "precision",
                                llvm::cl::desc("f16 or bf16, of the factors of products on CPUs")};
  Option<bool> reference{*this, "reference", llvm::cl::desc("reference kernels only")};
  Option<bool> prepare{*this, "prepare", llvm::cl::desc("functions for @prepare_program, too")};
  Option<bool> probes{*this, "probes", llvm::cl::desc("symc_probe around each step")};

  CodegenOptions options() {
    CodegenOptions result;
    if (!targets.empty())
      result.targets.assign((*targets).begin(), (*targets).end());
    result.math = math;
    result.forceKernel = forceKernel;
    result.tuning = tuning;
    result.batches.assign((*batches).begin(), (*batches).end());
    result.prefix = prefix;
    result.storage = storage;
    result.precision = precision;
    result.reference = reference;
    result.prepare = prepare;
    result.probes = probes;
    return result;
  }
};

// The values of a ListOption cannot be read where it is constant.
CodegenOptions optionsOf(const NamedOptions &named) {
  return const_cast<NamedOptions &>(named).options();
}

struct LLVMOptions : PassPipelineOptions<LLVMOptions> {
  Option<bool> unfuse{*this, "unfuse", llvm::cl::desc("round multiply-adds twice")};
};
} // namespace

void symc::codegen::registerCodegenPipelines() {
  PassPipelineRegistration<NamedOptions>(
      "symc-schedule", "optimised sg -> variants of programs with every decision made",
      [](OpPassManager &manager, const NamedOptions &named) {
        buildSchedulePipeline(manager, optionsOf(named));
      });
  PassPipelineRegistration<NamedOptions>("symc-loops", "variants of programs -> functions of loops",
                                         [](OpPassManager &manager, const NamedOptions &named) {
                                           buildLoopsPipeline(manager, optionsOf(named));
                                         });
  PassPipelineRegistration<NamedOptions>("symc-cpu", "optimised sg -> functions of loops",
                                         [](OpPassManager &manager, const NamedOptions &named) {
                                           buildCpuPipeline(manager, optionsOf(named));
                                         });
  PassPipelineRegistration<NamedOptions>("symc-cuda", "optimised sg -> a planned program for CUDA",
                                         [](OpPassManager &manager, const NamedOptions &named) {
                                           buildCudaPipeline(manager, optionsOf(named));
                                         });
  PassPipelineRegistration<LLVMOptions>("symc-llvm", "functions of loops -> LLVM dialect",
                                        [](OpPassManager &manager, const LLVMOptions &named) {
                                          buildLLVMPipeline(manager, named.unfuse);
                                        });
}
