// KernelStore.h: compiled kernels in the cache that compiled models are kept in (ModelCache.h).
#ifndef SYMC_TOOLS_DRIVER_KERNELSTORE_H
#define SYMC_TOOLS_DRIVER_KERNELSTORE_H

#include "codegen/cuda/Nvrtc.h"
#include "tools/cache/ModelCache.h"

namespace symc {

class KernelStore : public codegen::CudaStore {
public:
  /// Opens the cache of the environment, unless it is to keep nothing.
  KernelStore();
  std::optional<std::string> find(llvm::ArrayRef<std::string> key) override;
  void add(llvm::ArrayRef<std::string> key, llvm::StringRef name, llvm::StringRef target,
           llvm::StringRef bytes) override;
  /// Why it keeps nothing, or lately could not; empty if all is well.
  std::string problem() const;

private:
  void note(llvm::Error error);
  std::optional<ModelCache> cache;
  mutable std::mutex lock; // of `sentence`
  std::string sentence;
};

} // namespace symc

#endif // SYMC_TOOLS_DRIVER_KERNELSTORE_H
