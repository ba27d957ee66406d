// Compiler.cpp: what the stages share (see Compiler.h): the context, messages, times.
#include "tools/driver/Compiler.h"

#include "codegen/conv/Tuning.h"
#include "codegen/cuda/CudaStep.h"
#include "codegen/emit/LLVMLowering.h"
#include "codegen/lower/KernelLowering.h"
#include "ir/GraphDialect.h"
#include "tools/driver/KernelStore.h"
#include "tools/driver/Messages.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/StringExtras.h"
#include <chrono>
#include <set>

using namespace mlir;
using namespace symc;

std::string symc::identifierFrom(StringRef name) {
  std::string identifier;
  for (char c : name)
    identifier += llvm::isAlnum(c) ? c : '_';
  if (identifier.empty() || llvm::isDigit(identifier[0]))
    identifier = "model_" + identifier;
  return identifier;
}

Compiler::Compiler(CompileRequest wanted, Diagnostics &diagnostics)
    : request(std::move(wanted)), diagnostics(diagnostics),
      mlirContext(MLIRContext::Threading::DISABLED) {
  DialectRegistry registry;
  registry.insert<sg::SGDialect, kernel::KernelDialect, memref::MemRefDialect>();
  codegen::registerLoopDialects(registry);
  codegen::registerLowerings(registry);
  codegen::cuda::registerCudaSteps(registry);
  codegen::registerTunableSteps(registry);
  mlirContext.appendDialectRegistry(registry);
  mlirContext.loadAllAvailableDialects();
  mlirContext.printOpOnDiagnostic(false);
  handler = forwardDiagnostics(mlirContext, diagnostics, request.model.name());
  if (request.alsoOnDevice)
    beside = std::make_unique<Compiler>(requestBeside(), messagesBeside);
}

Compiler::~Compiler() = default;

void Compiler::reportRemarks(RemarkKinds kinds, std::function<void(const RemarkText &)> notify) {
  if (beside) // the passes report theirs of the CPU's code
    beside->reportRemarks(kinds, [notify](const RemarkText &remark) {
      if (StringRef(remark.line).contains("[cuda]"))
        notify(remark);
    });
  forwardRemarks(mlirContext, kinds, request.model.name(),
                 [this, notify = std::move(notify),
                  seen = std::set<std::string>()](const RemarkText &remark) mutable {
                   // Of several instruction sets alike: once.
                   if (!trying && seen.insert(remark.line).second)
                     notify(remark);
                 });
}

bool Compiler::begin(StringRef stage) {
  if (onStage)
    onStage(stage);
  if (!mayGoOn || mayGoOn())
    return true;
  return report(codegen::cancelled());
}

bool Compiler::stage(StringRef name, llvm::function_ref<bool()> body) {
  if (!begin(name))
    return false;
  auto begin = std::chrono::steady_clock::now();
  bool ok = body();
  std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  stageTimes.push_back({name.str(), elapsed.count()});
  return ok && !diagnostics.hasErrors();
}

bool Compiler::report(llvm::Error error) {
  if (!error)
    return true;
  diagnostics.error(request.model.name(), {}, llvm::toString(std::move(error)));
  return false;
}

namespace {
struct BehindPasses : PassInstrumentation {
  explicit BehindPasses(const std::function<void(StringRef, Operation *)> &call) : call(call) {}
  void runAfterPass(Pass *pass, Operation *op) override { call(pass->getArgument(), op); }
  const std::function<void(StringRef, Operation *)> &call;
};
} // namespace

bool Compiler::runPasses(Operation *root, llvm::function_ref<void(OpPassManager &)> build) {
  PassManager manager(&mlirContext, root->getName().getStringRef());
  manager.enableVerifier(true);
  if (!request.printAfter.empty())
    manager.enableIRPrinting(
        /*shouldPrintBeforePass=*/nullptr,
        [this](Pass *pass, Operation *) {
          return request.printAfter == "all" || pass->getArgument() == request.printAfter;
        },
        /*printModuleScope=*/false, /*printAfterOnlyOnChange=*/false);
  if (!request.crashReproducer.empty())
    manager.enableCrashReproducerGeneration(request.crashReproducer);
  if (onPass)
    manager.addInstrumentation(std::make_unique<BehindPasses>(onPass));
  build(manager);
  return succeeded(manager.run(root));
}

kernel::ProgramOp Compiler::program(ModuleOp module, StringRef name) {
  return module.lookupSymbol<kernel::ProgramOp>(name);
}
