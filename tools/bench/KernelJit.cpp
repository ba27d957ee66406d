// KernelJit.cpp: see KernelJit.h. Lowers a layer's module (LayerModule.h), compiles it with
// ORC and runs its tasks.
#include "tools/bench/KernelJit.h"
#include "tools/bench/LayerLayouts.h"
#include "tools/bench/LayerModule.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <thread>

using namespace mlir;
using namespace symc::bench;
using symc::codegen::TargetDescription;

namespace {
using TaskFn = void (*)(float *, const float *, const float *, float *, float *, float *, int32_t *,
                        int64_t, int64_t, int64_t, int64_t);
using CountFn = int64_t (*)(int64_t, int64_t, int64_t);

class JitLayer final : public CompiledLayer {
public:
  int64_t tasks(const Layer &sizes) const override {
    return count(sizes.batch, sizes.rows, sizes.columns);
  }
  void run(const Layer &sizes, Operands &o, int threads) const override {
    int64_t n = tasks(sizes);
    const float *w = aligned(o.transformed.empty() ? o.weights : o.transformed),
                *bias = aligned(o.bias);
    if (o.scratch.empty()) { // NaN: nothing may be read that no task has written
      float *memory = align(o.scratch, scratchElements);
      std::fill(memory, memory + scratchElements, std::nanf(""));
      o.slots.assign(16 * n, 0);
    }
    float *scratch = const_cast<float *>(aligned(o.scratch));
    std::atomic<int64_t> next = 0;
    auto work = [&] {
      for (int64_t t = next++; t < n; t = next++)
        task(o.dataAt, w, bias, o.residualAt, o.outAt, scratch, o.slots.data(), sizes.batch,
             sizes.rows, sizes.columns, t);
    };
    std::vector<std::thread> others;
    for (int i = 1; i < threads; ++i)
      others.emplace_back(work);
    work();
    for (std::thread &thread : others)
      thread.join();
  }
  const std::string &assembly() const override { return text; }
  const std::vector<int64_t> &tile() const override { return chosen; }

  std::unique_ptr<llvm::orc::LLJIT> jit;
  TaskFn task = nullptr;
  CountFn count = nullptr;
  std::string text;
  std::vector<int64_t> chosen;
  int64_t scratchElements = 0;
};
} // namespace

static LogicalResult lowerToLlvm(ModuleOp module) {
  PassManager passes(module.getContext());
  passes.addPass(createCanonicalizerPass());
  passes.addPass(createCSEPass());
  passes.addPass(createSCFToControlFlowPass());
  passes.addPass(createConvertVectorToLLVMPass());
  passes.addPass(createArithToLLVMConversionPass());
  passes.addPass(createConvertMathToLLVMPass());
  passes.addPass(createConvertControlFlowToLLVMPass());
  passes.addPass(createConvertFuncToLLVMPass());
  passes.addPass(createReconcileUnrealizedCastsPass());
  return passes.run(module);
}

static void optimise(llvm::Module &ir, llvm::TargetMachine &tm) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager graph;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder passes(&tm);
  passes.registerModuleAnalyses(modules);
  passes.registerCGSCCAnalyses(graph);
  passes.registerFunctionAnalyses(functions);
  passes.registerLoopAnalyses(loops);
  passes.crossRegisterProxies(loops, functions, graph, modules);
  passes.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3).run(ir, modules);
}

static std::string print(const llvm::Module &ir, llvm::TargetMachine &tm) {
  auto copy = llvm::CloneModule(ir);
  llvm::SmallString<0> text;
  llvm::raw_svector_ostream stream(text);
  llvm::legacy::PassManager passes;
  tm.addPassesToEmitFile(passes, stream, nullptr, llvm::CodeGenFileType::AssemblyFile);
  passes.run(*copy);
  return text.str().str();
}

static std::unique_ptr<CompiledLayer> emit(ModuleOp module, const TargetDescription &target,
                                           std::unique_ptr<JitLayer> result) {
  llvm::InitializeAllTargetInfos();
  llvm::InitializeAllTargets();
  llvm::InitializeAllTargetMCs();
  llvm::InitializeAllAsmPrinters();
  auto llvmContext = std::make_unique<llvm::LLVMContext>();
  std::unique_ptr<llvm::Module> ir = translateModuleToLLVMIR(module, *llvmContext);
  if (!ir)
    return nullptr;
  // Code for another architecture is there to be looked at.
  bool foreign = target.architecture() != TargetDescription::get("native")->architecture();
  llvm::Triple triple(foreign ? target.triple : llvm::sys::getProcessTriple());
  llvm::orc::JITTargetMachineBuilder machine(triple);
  machine.setCPU(target.llvmCpu);
  SmallVector<StringRef> features;
  StringRef(target.features).split(features, ',', -1, false);
  for (StringRef feature : features)
    machine.getFeatures().AddFeature(feature.drop_front(), feature.front() == '+');
  machine.setCodeGenOptLevel(llvm::CodeGenOptLevel::Aggressive);
  machine.getOptions().MCOptions.AsmVerbose = true; // marks spills
  auto tm = machine.createTargetMachine();
  if (!tm) {
    llvm::errs() << llvm::toString(tm.takeError()) << "\n";
    return nullptr;
  }
  ir->setDataLayout((*tm)->createDataLayout());
  ir->setTargetTriple((*tm)->getTargetTriple());
  optimise(*ir, **tm);
  result->text = print(*ir, **tm);
  if (foreign)
    return result;
  auto jit = llvm::orc::LLJITBuilder().setJITTargetMachineBuilder(machine).create();
  if (!jit) {
    llvm::errs() << llvm::toString(jit.takeError()) << "\n";
    return nullptr;
  }
  if (auto error = (*jit)->addIRModule({std::move(ir), std::move(llvmContext)})) {
    llvm::errs() << llvm::toString(std::move(error)) << "\n";
    return nullptr;
  }
  auto task = (*jit)->lookup("task"), count = (*jit)->lookup("count");
  if (!task || !count) {
    llvm::errs() << "internal error: the compiled kernel has no entry points\n";
    return nullptr;
  }
  result->task = task->toPtr<TaskFn>();
  result->count = count->toPtr<CountFn>();
  result->jit = std::move(*jit);
  return result;
}

std::unique_ptr<CompiledLayer> CompiledLayer::compile(const Layer &layer,
                                                      const TargetDescription &target) {
  MLIRContext context;
  loadLayerDialects(context);
  LayerModule built = buildLayerModule(layer, target, context);
  if (!built.module || failed(lowerToLlvm(*built.module)))
    return nullptr;
  auto result = std::make_unique<JitLayer>();
  result->chosen = std::move(built.tile);
  result->scratchElements = built.scratchElements;
  return emit(*built.module, target, std::move(result));
}

bool symc::bench::runsHere(const TargetDescription &target) {
  auto native = TargetDescription::get("native");
  return native && target.runsOn(*native);
}

std::vector<TargetDescription> symc::bench::targetsHere() {
  std::vector<TargetDescription> targets;
  for (const std::string &name : TargetDescription::names()) {
    auto target = TargetDescription::get(name);
    if (target && name != "native" && !target->has("avx512vnni") && runsHere(*target))
      targets.push_back(*target);
  }
  return targets;
}

std::vector<TargetDescription> symc::bench::targetsFor(const Layer &l) {
  std::vector<TargetDescription> targets = targetsHere();
  if (std::getenv("SYMC_ALL_CASES") || targets.empty())
    return targets;
  uint64_t sum = 0;
  for (int64_t number : {l.batch, l.in, l.rows, l.columns, l.out, l.kernelRows, l.kernelColumns,
                         l.stride, l.dilation, l.padRows, l.outHalo, l.winograd})
    sum = sum * 31 + number;
  return {targets[sum % targets.size()]};
}
