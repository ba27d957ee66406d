// KernelParts.cpp: see KernelParts.h.
#include "codegen/emit/KernelParts.h"

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

// Leaves a declaration in the place of `kernel`.
static void moveInto(ModuleOp part, func::FuncOp kernel) {
  Builder b(kernel.getContext());
  kernel->setAttr(linkageName, LLVM::LinkageAttr::get(b.getContext(), LLVM::Linkage::External));
  auto declaration = cast<func::FuncOp>(kernel->cloneWithoutRegions());
  kernel->getBlock()->getOperations().insert(kernel->getIterator(), declaration);
  kernel->moveBefore(part.getBody(), part.getBody()->end());
}

std::vector<OwningOpRef<ModuleOp>> symc::codegen::takeKernels(ModuleOp module) {
  std::vector<SmallVector<func::FuncOp>> groups;
  int64_t inGroup = fullPart;
  for (auto function : module.getOps<func::FuncOp>()) {
    int64_t operations = operationsOfKernel(function);
    if (operations == 0)
      continue;
    if (inGroup >= fullPart) {
      groups.emplace_back();
      inGroup = 0;
    }
    groups.back().push_back(function);
    inGroup += operations;
  }
  std::vector<OwningOpRef<ModuleOp>> parts;
  if (groups.size() < 2)
    return parts;
  for (ArrayRef<func::FuncOp> group : groups) {
    parts.push_back(ModuleOp::create(module.getLoc()));
    for (func::FuncOp kernel : group)
      moveInto(*parts.back(), kernel);
  }
  return parts;
}
