// KernelWords.h: the content of a kernel as a sequence of words, by which kernels are compared.
#ifndef SYMC_CODEGEN_LOWER_KERNELWORDS_H
#define SYMC_CODEGEN_LOWER_KERNELWORDS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"

namespace symc::codegen {

/// Two kernels of one MLIRContext with equal words are the same function: operations in order, what
/// they take, types, regions, and the attributes that were added. Names of values and locations do
/// not count.
class KernelWords {
public:
  /// The attributes of an operation that count.
  using AttributesOf = llvm::function_ref<mlir::DictionaryAttr(mlir::Operation &)>;

  void add(mlir::Attribute attribute) { add(attribute.getAsOpaquePointer()); }
  void add(mlir::Region &region, AttributesOf attributesOf);
  /// As long as these words live.
  llvm::StringRef key() const {
    return {reinterpret_cast<const char *>(words.data()), words.size() * sizeof(words[0])};
  }

private:
  void add(const void *word) { words.push_back(reinterpret_cast<uintptr_t>(word)); }
  void addNumber(size_t number) { words.push_back(number); }
  void define(mlir::Value value);
  void add(mlir::Operation &op, AttributesOf attributesOf);

  llvm::SmallVector<uintptr_t, 0> words;
  llvm::DenseMap<mlir::Value, size_t> numbers;
  llvm::DenseMap<mlir::Block *, size_t> blocks;
};

} // namespace symc::codegen

#endif // SYMC_CODEGEN_LOWER_KERNELWORDS_H
