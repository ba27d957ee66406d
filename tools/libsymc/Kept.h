// Kept.h: models that were compiled into a process, on disk for the next one: their objects and
// prepared weights, in the cache of compiled models (tools/cache).
#ifndef SYMC_TOOLS_LIBSYMC_KEPT_H
#define SYMC_TOOLS_LIBSYMC_KEPT_H

#include "tools/cache/ModelCache.h"
#include "tools/driver/Compiler.h"

namespace symc::library {

class Kept {
public:
  /// What is compiled, as text: all that its code depends on but the compiler and the processor.
  Kept(std::string prefix, std::string model, std::string options);

  /// The model, with `weights` that it reads; null where the cache has none that can be loaded.
  std::unique_ptr<codegen::InProcess> load(PreparedWeights &weights,
                                           const codegen::InProcessOptions &options) const;
  /// Keeps what was compiled. Without a cache, and where it takes no file, nothing happens.
  void add(llvm::ArrayRef<codegen::FileBytes> objects, const PreparedWeights &weights) const;

private:
  std::string prefix, options, key;
  std::optional<ModelCache> cache;
};

} // namespace symc::library

#endif // SYMC_TOOLS_LIBSYMC_KEPT_H
