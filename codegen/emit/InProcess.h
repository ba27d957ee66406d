// InProcess.h: a model that is compiled into this process: for @prepare at
// compile time, symc-run and the conformance runner. Code is linked by JITLink;
// nothing is written to disk. Only the host's own machine can run so.
#ifndef SYMC_CODEGEN_EMIT_INPROCESS_H
#define SYMC_CODEGEN_EMIT_INPROCESS_H

#include "codegen/emit/Code.h"
#include "codegen/emit/ModelInfo.h"
#include <functional>
#include <utility>

namespace llvm::orc {
class LLJIT;
}

namespace symc::codegen {

/// Keeps the code alive; whatever came out of it dies with it.
class InProcess {
public:
  ~InProcess();
  /// The address of a visible symbol.
  llvm::Expected<void *> find(llvm::StringRef name);
  /// The table, where one was compiled in (loadModel).
  const symc_model *model() const { return table; }

private:
  friend llvm::Expected<std::unique_ptr<InProcess>>
      loadObjects(llvm::ArrayRef<FileBytes>, llvm::ArrayRef<std::pair<std::string, const void *>>,
                  llvm::StringRef);
  friend struct ModelLoader;
  InProcess();
  std::shared_ptr<std::string> problems; // what the linker reported last
  std::unique_ptr<llvm::orc::LLJIT> jit;
  const symc_model *table = nullptr;
};

struct InProcessOptions {
  /// share/symc; symbols that `host` lacks come from its bitcode. May be empty
  /// where `host` has all of them.
  std::string resourceDir;
  /// Symbols of this program that the code may call, before all others: a
  /// program that carries the runtime itself passes symc_parallel, so that pools
  /// are its own.
  std::vector<std::pair<std::string, const void *>> host;
  /// Called with a model's objects, which loadKept takes, before they are linked.
  std::function<void(llvm::ArrayRef<FileBytes>)> onObjects;
};

/// The triple whose resources and code this process can use.
llvm::StringRef hostTriple();

/// Links object files into the process.
llvm::Expected<std::unique_ptr<InProcess>>
loadObjects(llvm::ArrayRef<FileBytes> objects,
            llvm::ArrayRef<std::pair<std::string, const void *>> symbols,
            llvm::StringRef builtins = "");

/// Optimises and loads functions; `visible` can be found by name afterwards.
llvm::Expected<std::unique_ptr<InProcess>> loadCode(Code &code, llvm::ArrayRef<std::string> visible,
                                                    const InProcessOptions &options);

/// Loads a model with its table. `weights` are the prepared weights
/// (SYMC_ALIGN-aligned) and must outlive the result; null where there are
/// none, or where contexts make them from raw parameters: `weightsBytes` is their
/// size then. `hash` may be 0 where nobody verifies.
llvm::Expected<std::unique_ptr<InProcess>> loadModel(Code &code, const ModelInfo &model,
                                                     const uint8_t *weights, uint64_t weightsBytes,
                                                     uint64_t hash,
                                                     const InProcessOptions &options);

/// Loads the objects that loadModel made of a model of that prefix, here or in another process of
/// the same kind of machine, with the weights that it had.
llvm::Expected<std::unique_ptr<InProcess>> loadKept(llvm::ArrayRef<FileBytes> objects,
                                                    llvm::StringRef prefix, const uint8_t *weights,
                                                    const InProcessOptions &options);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_EMIT_INPROCESS_H
