// Code.cpp: see Code.h.
#include "codegen/emit/Code.h"

#include "codegen/emit/Cores.h"
#include "codegen/emit/KernelParts.h"
#include "codegen/emit/LLVMLowering.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Threading.h"
#include "llvm/ADT/StringSet.h"
#include <atomic>

using namespace llvm;
using namespace symc::codegen;

Code::Code(StringRef triple) : triple(triple) {
  units.push_back(std::make_unique<CodeUnit>(triple));
}

bool Code::add(mlir::ModuleOp module, const TargetDescription &target, MathMode math) {
  std::vector<mlir::OwningOpRef<mlir::ModuleOp>> parts = takeKernels(module);
  if (parts.empty())
    return units.front()->add(module, target, math);
  std::vector<std::pair<CodeUnit *, mlir::ModuleOp>> work{{units.front().get(), module}};
  for (mlir::OwningOpRef<mlir::ModuleOp> &part : parts) {
    units.push_back(std::make_unique<CodeUnit>(triple));
    work.emplace_back(units.back().get(), *part);
  }
  mlir::MLIRContext *context = module.getContext();
  prepareForThreads(*context, target, math);
  bool threads = context->isMultithreadingEnabled();
  context->enableMultithreading();
  std::vector<char> fine(work.size());
  {
    mlir::ParallelDiagnosticHandler inOrder(context);
    mlir::parallelFor(context, 0, work.size(), [&](size_t i) {
      inOrder.setOrderIDForThread(i);
      fine[i] = work[i].first->add(work[i].second, target, math);
      inOrder.eraseOrderIDForThread();
    });
  }
  context->enableMultithreading(threads);
  return llvm::all_of(fine, [](char one) { return one; });
}

Error symc::codegen::cancelled() { return emitError("compiling was cancelled"); }

Error Code::forEachUnit(function_ref<Error(size_t)> work) {
  std::vector<std::pair<int64_t, size_t>> order; // -instructions, index
  for (auto [i, unit] : llvm::enumerate(units))
    order.emplace_back(-int64_t(unit->module().getInstructionCount()), i);
  llvm::sort(order);
  std::vector<std::string> messages(units.size());
  std::atomic<bool> stop{mayGoOn && !mayGoOn()};
  forEachOnCores(
      units.size(),
      [&](int64_t place) {
        size_t i = order[place].second;
        if (!stop)
          messages[i] = toString(work(i));
      },
      [&] {
        if (mayGoOn && !stop && !mayGoOn())
          stop = true;
      });
  if (stop)
    return cancelled();
  for (const std::string &message : messages)
    if (!message.empty())
      return emitError(message);
  return Error::success();
}

static void showAndHide(Module &module, const StringSet<> &visible) {
  for (GlobalValue &value : module.global_values()) {
    if (value.isDeclaration())
      continue;
    if (visible.contains(value.getName())) {
      value.setLinkage(GlobalValue::ExternalLinkage);
      value.setVisibility(GlobalValue::DefaultVisibility);
    } else {
      hideSymbol(value);
    }
  }
}

// Kernels of a unit are external for module(), but for nobody else.
static void shareKernels(Module &module, Module &kernels) {
  for (Function &kernel : kernels) {
    if (kernel.isDeclaration())
      continue;
    for (GlobalValue *value :
         {module.getNamedValue(kernel.getName()), cast<GlobalValue>(&kernel)}) {
      value->setVisibility(GlobalValue::HiddenVisibility);
      value->setDSOLocal(true);
    }
  }
}

Error Code::optimise(ArrayRef<std::string> visible) {
  StringSet<> names;
  names.insert_range(visible);
  showAndHide(module(), names);
  for (std::unique_ptr<CodeUnit> &unit : llvm::drop_begin(units))
    shareKernels(module(), unit->module());
  return forEachUnit([&](size_t i) { return units[i]->optimise(); });
}

Expected<std::vector<FileBytes>> Code::objects() {
  std::vector<FileBytes> files(units.size());
  Error error = forEachUnit([&](size_t i) -> Error {
    Expected<FileBytes> bytes = units[i]->generate(CodeGenFileType::ObjectFile);
    if (!bytes)
      return bytes.takeError();
    files[i] = std::move(*bytes);
    units[i].reset();
    return Error::success();
  });
  if (error)
    return std::move(error);
  return std::move(files);
}

Error Code::join() {
  for (std::unique_ptr<CodeUnit> &unit : llvm::drop_begin(units)) {
    std::vector<std::string> kernels;
    for (Function &kernel : unit->module())
      if (!kernel.isDeclaration())
        kernels.push_back(kernel.getName().str());
    if (Error error = units.front()->join(*unit))
      return error;
    for (const std::string &kernel : kernels)
      hideSymbol(*module().getNamedValue(kernel));
  }
  units.resize(1);
  return Error::success();
}

Expected<FileBytes> Code::assembly() {
  return units.front()->generate(CodeGenFileType::AssemblyFile);
}
