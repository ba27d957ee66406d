// CodeUnit.cpp: see CodeUnit.h.
#include "codegen/emit/CodeUnit.h"

#include "codegen/emit/LLVMLowering.h"
#include "codegen/lower/SizeFunctions.h"
#include "codegen/lower/StepTable.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/Linker/Linker.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Vectorize/LoopVectorize.h"
#include <mutex>

using namespace llvm;
using namespace symc::codegen;

static std::unique_ptr<TargetMachine> makeMachine(StringRef triple) {
  static std::once_flag once;
  std::call_once(once, [] {
    InitializeAllTargetInfos();
    InitializeAllTargets();
    InitializeAllTargetMCs();
    InitializeAllAsmPrinters();
    InitializeAllAsmParsers();
  });
  std::string message;
  Triple parsed(Triple::normalize(triple));
  const llvm::Target *target = TargetRegistry::lookupTarget(parsed, message);
  if (!target)
    return nullptr;
  TargetOptions options;
  options.FunctionSections = options.DataSections = true;
  options.UniqueSectionNames = true;
  return std::unique_ptr<TargetMachine>(target->createTargetMachine(
      parsed, "", "", options, Reloc::PIC_, CodeModel::Small, CodeGenOptLevel::Default));
}

CodeUnit::CodeUnit(StringRef triple)
    : unit(std::make_unique<Module>("symc", context)), machine(makeMachine(triple)) {
  unit->setTargetTriple(Triple(Triple::normalize(triple)));
  if (machine)
    unit->setDataLayout(machine->createDataLayout());
  unit->setPICLevel(PICLevel::BigPIC);
  // Without a handler LLVM ends the process on its first error.
  context.setDiagnosticHandlerCallBack(
      [](const DiagnosticInfo *info, void *messages) {
        if (info->getSeverity() != DS_Error)
          return;
        raw_string_ostream os(*static_cast<std::string *>(messages));
        DiagnosticPrinterRawOStream printer(os);
        info->print(printer);
      },
      &messages);
}

std::string CodeUnit::complaints() { return std::exchange(messages, std::string()); }

CodeUnit::~CodeUnit() = default;

static void markTarget(Function &function, const TargetDescription &target) {
  function.addFnAttr(Attribute::NoUnwind);
  if (function.hasFnAttribute(anyProcessor))
    return;
  function.addFnAttr("target-cpu", target.llvmCpu);
  if (!target.features.empty())
    function.addFnAttr("target-features", target.features);
  function.addFnAttr("prefer-vector-width", std::to_string(target.vectorBytes * 8));
}

// Marks a part whose kernels move memory (movesName of codegen/lower/StepTable.h).
static constexpr char movesOnly[] = "symc.moves_only";

bool CodeUnit::add(mlir::ModuleOp module, const TargetDescription &target, MathMode math) {
  if (module->removeAttr(movesName))
    unit->getOrInsertNamedMetadata(movesOnly);
  if (mlir::failed(lowerToLLVM(module, target, math)))
    return false;
  std::unique_ptr<Module> part = translateToLLVM(module, context);
  if (!part)
    return false;
  for (Function &function : *part)
    if (!function.isDeclaration())
      markTarget(function, target);
  if (!weakest || target.cpuLevel < weakest->cpuLevel)
    weakest = target;
  if (Error error = merge(std::move(part))) {
    module.emitError("internal error: ") << toString(std::move(error));
    return false;
  }
  return true;
}

// Marks a module that calls kernels and has no loops of its own.
static constexpr char callsOnly[] = "symc.calls_only";

static bool hasLoop(const Function &function) {
  SmallVector<std::pair<const BasicBlock *, const BasicBlock *>> edges;
  if (!function.isDeclaration())
    FindFunctionBackedges(function, edges);
  return !edges.empty();
}

Error CodeUnit::addKernels(const Resources &resources) {
  StringSet<> own;
  for (Function &function : *unit)
    if (!function.isDeclaration())
      own.insert(function.getName());
  if (Error error = resources.linkNeeded(*unit, {"kernels", "optimizers"}))
    return error;
  SmallVector<Function *> kernels;
  for (Function &function : *unit)
    if (!function.isDeclaration() && !own.contains(function.getName()))
      kernels.push_back(&function);
  if (!kernels.empty() && llvm::none_of(*unit, [&](const Function &function) {
        return own.contains(function.getName()) && hasLoop(function);
      }))
    unit->getOrInsertNamedMetadata(callsOnly);
  if (!weakest)
    return Error::success();
  for (Function *kernel : kernels)
    markTarget(*kernel, *weakest);
  vectorise(kernels);
  return Error::success();
}

Error CodeUnit::join(CodeUnit &other) {
  SmallVector<char, 0> bytes;
  raw_svector_ostream os(bytes);
  WriteBitcodeToFile(*other.unit, os);
  other.unit.reset();
  auto part =
      parseBitcodeFile(MemoryBufferRef(StringRef(bytes.data(), bytes.size()), "part"), context);
  if (!part)
    return part.takeError();
  return merge(std::move(*part));
}

Error CodeUnit::merge(std::unique_ptr<Module> part) {
  part->setDataLayout(unit->getDataLayout());
  part->setTargetTriple(unit->getTargetTriple());
  if (Linker::linkModules(*unit, std::move(part)))
    return emitError("modules of one model do not link: " + complaints());
  return Error::success();
}

namespace {
/// A builder of passes over one module, with the analyses that they use.
struct Passes {
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager components;
  ModuleAnalysisManager modules;
  PassBuilder builder;

  static PipelineTuningOptions tuning() {
    PipelineTuningOptions tuning;
    tuning.LoopVectorization = tuning.SLPVectorization = tuning.LoopInterleaving = false;
    tuning.LoopUnrolling = true; // of loops without the mark "never" of the lowerings
    return tuning;
  }
  explicit Passes(TargetMachine *machine) : builder(machine, tuning()) {
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(components);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, components, modules);
  }
};
} // namespace

void CodeUnit::vectorise(ArrayRef<Function *> functions) {
  if (!machine)
    return; // optimise() reports it
  Passes passes(machine.get());
  FunctionPassManager manager;
  manager.addPass(LoopVectorizePass());
  for (Function *function : functions)
    passes.functions.invalidate(*function, manager.run(*function, passes.functions));
}

// Of -O2, what changes loops that the lowerings wrote: nothing is inlined in them, their branches
// are few, and each of the other passes costs as much as one of these.
static constexpr char passesOfMoves[] =
    "function(sroa,early-cse<memssa>,simplifycfg,instcombine<no-verify-fixpoint>,"
    "loop-mssa(loop-rotate,licm),simplifycfg,loop(indvars,loop-deletion,loop-unroll-full),sroa,"
    "instcombine<no-verify-fixpoint>,gvn,bdce,dse,loop-mssa(licm),simplifycfg,"
    "instcombine<no-verify-fixpoint>,loop-unroll<O2>,loop-mssa(licm),instsimplify,div-rem-pairs,"
    "simplifycfg)";

Error CodeUnit::optimise() {
  if (!machine)
    return emitError("LLVM has no code generator for '" + unit->getTargetTriple().str() + "'");
  Passes passes(machine.get());
  if (NamedMDNode *mark = unit->getNamedMetadata(movesOnly)) {
    mark->eraseFromParent();
    ModulePassManager manager;
    if (Error error = passes.builder.parsePassPipeline(manager, passesOfMoves))
      return error;
    manager.run(*unit, passes.modules);
    return Error::success();
  }
  // Kernels come from -O2: without loops beside them there is left to fold their parameters.
  OptimizationLevel level = OptimizationLevel::O2;
  if (NamedMDNode *mark = unit->getNamedMetadata(callsOnly)) {
    level = OptimizationLevel::O1;
    mark->eraseFromParent();
  }
  passes.builder.buildPerModuleDefaultPipeline(level).run(*unit, passes.modules);
  return Error::success();
}

Expected<SmallVector<char, 0>> CodeUnit::generate(CodeGenFileType type) {
  SmallVector<char, 0> bytes;
  raw_svector_ostream os(bytes);
  legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, os, nullptr, type))
    return emitError("internal error: LLVM writes no such file for '" +
                     unit->getTargetTriple().str() + "'");
  passes.run(*unit);
  if (!messages.empty())
    return emitError("internal error: " + complaints());
  return bytes;
}
