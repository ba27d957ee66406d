// Cache.h: symc cache: the compiled models that programs with libsymc_predict keep on disk.
#ifndef SYMC_TOOLS_SYMC_CACHE_H
#define SYMC_TOOLS_SYMC_CACHE_H

#include "llvm/ADT/ArrayRef.h"

namespace symc {

/// Does what the words behind `symc cache` specify; an ExitStatus.
int manageCache(llvm::ArrayRef<const char *> arguments);

} // namespace symc

#endif // SYMC_TOOLS_SYMC_CACHE_H
