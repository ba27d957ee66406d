// Resources.h: the folder that symc ships its runtime in, share/symc/<triple>/:
// core, main, images, cuda, kernels, optable and builtins, each as .bc and .o, start
// files and libc. The folder's place is the caller's business; a folder of another build than
// this program's is refused.
#ifndef SYMC_CODEGEN_EMIT_RESOURCES_H
#define SYMC_CODEGEN_EMIT_RESOURCES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include <string>

namespace symc::codegen {

class Resources {
public:
  /// `folder` is share/symc, `triple` names a folder in it.
  Resources(llvm::StringRef folder, llvm::StringRef triple);

  /// The path of that file; an error with the way out where it does not exist.
  llvm::Expected<std::string> find(llvm::StringRef name) const;

  /// Links the functions of the named bitcode parts (in this order) that
  /// `module` calls, and makes them internal. Parts that are not shipped count
  /// as empty; the caller sees what stays undefined.
  llvm::Error linkNeeded(llvm::Module &module, llvm::ArrayRef<llvm::StringRef> parts) const;

private:
  llvm::Error checkStamp() const;
  llvm::Expected<std::string> pathOf(llvm::StringRef name) const;

  std::string folder;
};

/// The parts of the runtime that a model in `module` needs beside kernels: core, and before it
/// those of devices that it has code for.
llvm::SmallVector<llvm::StringRef> runtimeParts(const llvm::Module &module);

/// Gives a definition internal linkage, so that it is nobody else's.
void hideSymbol(llvm::GlobalValue &value);

/// An error with a text and no code, as all of codegen/emit reports them.
llvm::Error emitError(const llvm::Twine &message);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_EMIT_RESOURCES_H
