// KernelParts.cpp: see KernelParts.h.
#include "codegen/emit/KernelParts.h"

#include "codegen/lower/StepTable.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace symc::codegen;

static constexpr const char *linkageName = "llvm.linkage";

// Operations of a kernel; 0 for what is none.
static int64_t operationsOfKernel(func::FuncOp function) {
  auto linkage = function->getAttrOfType<LLVM::LinkageAttr>(linkageName);
  if (function.isDeclaration() || !linkage || linkage.getLinkage() != LLVM::Linkage::Internal)
    return 0;
  int64_t count = 0;
  bool closed = true;
  function.getBody().walk([&](Operation *op) {
    ++count;
    closed &= !isa<SymbolUserOpInterface>(op);
  });
  return closed ? count : 0;
}

static void makeExternal(func::FuncOp kernel) {
  kernel->setAttr(linkageName,
                  LLVM::LinkageAttr::get(kernel.getContext(), LLVM::Linkage::External));
}

// Leaves a declaration in the place of `kernel`.
static void moveInto(ModuleOp part, func::FuncOp kernel) {
  makeExternal(kernel);
  auto declaration = cast<func::FuncOp>(kernel->cloneWithoutRegions());
  kernel->getBlock()->getOperations().insert(kernel->getIterator(), declaration);
  kernel->moveBefore(part.getBody(), part.getBody()->end());
}

std::vector<OwningOpRef<ModuleOp>> symc::codegen::takeKernels(ModuleOp module) {
  std::vector<SmallVector<func::FuncOp>> groups;
  int64_t inGroup[] = {fullPart, fullPart}; // of kernels with movesName, and of others
  size_t group[] = {0, 0};
  SmallVector<func::FuncOp> shared;
  for (auto function : module.getOps<func::FuncOp>()) {
    int64_t operations = operationsOfKernel(function);
    if (operations == 0)
      continue;
    if (function->removeAttr(sharedName))
      shared.push_back(function);
    bool isOther = !function->hasAttr(movesName);
    if (inGroup[isOther] >= fullPart) {
      group[isOther] = groups.size();
      groups.emplace_back();
      inGroup[isOther] = 0;
    }
    groups[group[isOther]].push_back(function);
    inGroup[isOther] += operations;
  }
  llvm::for_each(shared, makeExternal);
  std::vector<OwningOpRef<ModuleOp>> parts;
  for (SmallVector<func::FuncOp> &kernels : groups) {
    Attribute moves;
    for (func::FuncOp kernel : kernels)
      moves = kernel->removeAttr(movesName);
    if (groups.size() < 2)
      continue;
    parts.push_back(ModuleOp::create(module.getLoc()));
    if (moves)
      (*parts.back())->setAttr(movesName, moves);
    for (func::FuncOp kernel : kernels)
      moveInto(*parts.back(), kernel);
  }
  return parts;
}
