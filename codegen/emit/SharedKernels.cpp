// SharedKernels.cpp: see SharedKernels.h.
#include "codegen/emit/SharedKernels.h"

#include "codegen/emit/KernelParts.h"
#include "codegen/lower/KernelWords.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace symc::codegen;

// Whether elements are so narrow that an instruction set which extends another may have better
// instructions for them.
static bool isNarrow(Type type) {
  Type element = getElementTypeOrSelf(type);
  return element.isIntOrFloat() && !element.isInteger(1) && element.getIntOrFloatBitWidth() < 32;
}

// The words of a kernel that may be shared; nothing of other functions. Code of a kernel without
// narrow elements, for a target that extends another one, uses nothing that the other one lacks.
static std::optional<KernelWords> wordsOf(func::FuncOp function) {
  auto linkage = function->getAttrOfType<LLVM::LinkageAttr>("llvm.linkage");
  if (function.isDeclaration() || !linkage || linkage.getLinkage() != LLVM::Linkage::Internal)
    return std::nullopt;
  bool isShared = true;
  auto attributesOf = [&](Operation &op) {
    isShared &= !isa<SymbolUserOpInterface>(op) && llvm::none_of(op.getResultTypes(), isNarrow) &&
                llvm::none_of(op.getOperandTypes(), isNarrow);
    return op.getAttrDictionary();
  };
  KernelWords words;
  NamedAttrList attributes(function->getAttrDictionary());
  attributes.erase(SymbolTable::getSymbolAttrName());
  words.add(attributes.getDictionary(function.getContext()));
  words.add(function.getBody(), attributesOf);
  return isShared ? std::optional(std::move(words)) : std::nullopt;
}

// Leaves a declaration of `symbol` in the place of a kernel, where there is none yet.
static void declareInPlace(func::FuncOp kernel, StringAttr symbol) {
  if (!SymbolTable::lookupSymbolIn(kernel->getParentOp(), symbol)) {
    auto declaration = cast<func::FuncOp>(kernel->cloneWithoutRegions());
    declaration.setSymNameAttr(symbol);
    declaration->setAttr("llvm.linkage",
                         LLVM::LinkageAttr::get(kernel.getContext(), LLVM::Linkage::External));
    kernel->getBlock()->getOperations().insert(kernel->getIterator(), declaration);
  }
  kernel.erase();
}

// In calls, and in tables of functions.
static void replaceUses(ModuleOp module, const llvm::StringMap<FlatSymbolRefAttr> &replaced) {
  module.walk([&](Operation *op) {
    if (auto call = dyn_cast<func::CallOp>(op)) {
      if (FlatSymbolRefAttr symbol = replaced.lookup(call.getCallee()))
        call.setCalleeAttr(symbol);
    } else if (auto constant = dyn_cast<func::ConstantOp>(op)) {
      if (FlatSymbolRefAttr symbol = replaced.lookup(constant.getValue()))
        constant.setValueAttr(symbol);
    }
  });
}

// Whether `one` is `other` with features beside, all of which compute with narrow elements.
static bool extends(const TargetDescription &one, const TargetDescription &other) {
  return one.triple == other.triple && one.llvmCpu == other.llvmCpu &&
         one.vectorBytes == other.vectorBytes && one.cpuLevel > other.cpuLevel;
}

bool SharedKernels::isPossible() const {
  return llvm::any_of(targets, [&](const auto &one) {
    return llvm::any_of(targets, [&](const auto &other) { return extends(one, other); });
  });
}

void SharedKernels::share(ModuleOp module, const TargetDescription &target, MathMode math) {
  bool takes = llvm::any_of(targets, [&](const auto &other) { return extends(target, other); });
  bool gives = llvm::any_of(targets, [&](const auto &other) { return extends(other, target); });
  if (!takes && !gives)
    return;
  llvm::StringMap<FlatSymbolRefAttr> replaced;
  for (auto function : llvm::make_early_inc_range(module.getOps<func::FuncOp>())) {
    std::optional<KernelWords> words = wordsOf(function);
    if (!words)
      continue;
    // Targets that extend each other are of one CPU.
    std::string key = target.llvmCpu + '\0' + std::to_string(int(math)) + words->key().str();
    auto found = known.find(key);
    if (found == known.end()) {
      if (gives)
        function->setAttr(sharedName, UnitAttr::get(module.getContext()));
      known.try_emplace(key, Known{function.getSymName().str(), target.cpuLevel});
    } else if (found->second.cpuLevel < target.cpuLevel) {
      auto symbol = FlatSymbolRefAttr::get(module.getContext(), found->second.symbol);
      replaced[function.getSymName()] = symbol;
      declareInPlace(function, symbol.getAttr());
    }
  }
  if (!replaced.empty())
    replaceUses(module, replaced);
}
