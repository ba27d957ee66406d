// Describe.h: the pages that symc prints without compiling: help, version,
// operators. All from tables that exist anyway.
#ifndef SYMC_TOOLS_SYMC_DESCRIBE_H
#define SYMC_TOOLS_SYMC_DESCRIBE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Option/OptTable.h"

namespace symc {

/// What `symc` alone prints.
void printUsage();
void printHelp(const llvm::opt::OptTable &table);
void printVersion(bool verbose);
/// All operators, or one by any of its names; false (with a message) where
/// there is none of that name.
bool listOperators(llvm::StringRef name);

} // namespace symc

#endif // SYMC_TOOLS_SYMC_DESCRIBE_H
