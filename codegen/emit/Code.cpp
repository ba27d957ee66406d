// Code.cpp: see Code.h.
#include "codegen/emit/Code.h"

#include "codegen/cpu/Pipeline.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/Linker/Linker.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
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
  const Target *target = TargetRegistry::lookupTarget(parsed, message);
  if (!target)
    return nullptr;
  TargetOptions options;
  options.FunctionSections = options.DataSections = true;
  options.UniqueSectionNames = true;
  return std::unique_ptr<TargetMachine>(
      target->createTargetMachine(parsed, "", "", options, Reloc::PIC_, CodeModel::Small,
                                  CodeGenOptLevel::Default));
}

Code::Code(StringRef triple)
    : unit(std::make_unique<Module>("symc", context)), machine(makeMachine(triple)) {
  unit->setTargetTriple(Triple(Triple::normalize(triple)));
  if (machine)
    unit->setDataLayout(machine->createDataLayout());
  unit->setPICLevel(PICLevel::BigPIC);
  // Without a handler LLVM ends the process on its first error.
  context.setDiagnosticHandlerCallBack(
      [](const DiagnosticInfo *info, void *said) {
        if (info->getSeverity() != DS_Error)
          return;
        raw_string_ostream os(*static_cast<std::string *>(said));
        DiagnosticPrinterRawOStream printer(os);
        info->print(printer);
      },
      &said);
}

std::string Code::complaints() { return std::exchange(said, std::string()); }

Code::~Code() = default;

bool Code::add(mlir::ModuleOp module, const TargetDescription &target, MathMode math) {
  if (mlir::failed(lowerToLLVM(module, target, math)))
    return false;
  std::unique_ptr<Module> part = translateToLLVM(module, context);
  if (!part)
    return false;
  if (Error error = merge(std::move(part), target)) {
    module.emitError("internal error: ") << toString(std::move(error));
    return false;
  }
  return true;
}

Error Code::merge(std::unique_ptr<Module> part, const TargetDescription &target) {
  for (Function &function : *part) {
    if (function.isDeclaration())
      continue;
    function.addFnAttr("target-cpu", target.llvmCpu);
    if (!target.features.empty())
      function.addFnAttr("target-features", target.features);
    function.addFnAttr("prefer-vector-width", std::to_string(target.vectorBytes * 8));
    function.addFnAttr(Attribute::NoUnwind);
  }
  part->setDataLayout(unit->getDataLayout());
  part->setTargetTriple(unit->getTargetTriple());
  if (Linker::linkModules(*unit, std::move(part)))
    return emitError("modules of one model do not link: " + complaints());
  return Error::success();
}

static void makeInternal(Module &module, ArrayRef<std::string> visible) {
  StringSet<> keep;
  for (const std::string &name : visible)
    keep.insert(name);
  for (GlobalValue &value : module.global_values()) {
    if (value.isDeclaration())
      continue;
    if (keep.contains(value.getName())) {
      value.setLinkage(GlobalValue::ExternalLinkage);
      value.setVisibility(GlobalValue::DefaultVisibility);
    } else {
      hideSymbol(value);
    }
  }
}

Error Code::optimise(ArrayRef<std::string> visible) {
  if (!machine)
    return emitError("LLVM has no code generator for '" + unit->getTargetTriple().str() + "'");
  makeInternal(*unit, visible);
  PipelineTuningOptions tuning;
  tuning.LoopVectorization = tuning.SLPVectorization = tuning.LoopInterleaving = false;
  tuning.LoopUnrolling = true; // of loops without the mark "never" of the lowerings
  PassBuilder builder(machine.get(), tuning);
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager components;
  ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  builder.buildPerModuleDefaultPipeline(OptimizationLevel::O2).run(*unit, modules);
  return Error::success();
}

Expected<SmallVector<char, 0>> Code::generate(CodeGenFileType type) {
  SmallVector<char, 0> bytes;
  raw_svector_ostream os(bytes);
  legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, os, nullptr, type))
    return emitError("internal error: LLVM writes no such file for '" +
                     unit->getTargetTriple().str() + "'");
  passes.run(*unit);
  if (!said.empty())
    return emitError("internal error: " + complaints());
  return bytes;
}
