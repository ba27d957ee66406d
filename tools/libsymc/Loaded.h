// Loaded.h: models that were compiled into this process, by number. A model's code and weights live
// until its number is freed and its last context is destroyed, which is why symc_create and
// symc_destroy of libsymc stand before the runtime's. Tables are copies that stay for ever, so that
// a freed one is refused instead of read.
#ifndef SYMC_TOOLS_LIBSYMC_LOADED_H
#define SYMC_TOOLS_LIBSYMC_LOADED_H

#include "symc/symc.h"
#include "tools/driver/Compiler.h"

namespace symc::library {

/// Takes a model that the driver loaded, with the weights that it reads.
symc_loaded addLoaded(std::unique_ptr<codegen::InProcess> code, PreparedWeights weights);

/// What loaded code may call of this library.
std::vector<std::pair<std::string, const void *>> hostFunctions();

} // namespace symc::library

#endif // SYMC_TOOLS_LIBSYMC_LOADED_H
