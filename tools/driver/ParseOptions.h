// ParseOptions.h: the words of a command line as options of a tool's table, with one message for
// each that is none.
#ifndef SYMC_TOOLS_DRIVER_PARSEOPTIONS_H
#define SYMC_TOOLS_DRIVER_PARSEOPTIONS_H

#include "tools/driver/CompileOptions.h"
#include "llvm/Support/Allocator.h"

namespace symc {

/// Parses `words`, after what the files in @FILE hold has replaced these, by `table`, whose option
/// of words that are none is `unknown`. Complains of files that cannot be read, of options without
/// their value and of unknown ones, with the nearest, or the `program`'s --help. `memory` keeps the
/// words of files.
llvm::opt::InputArgList parseOptions(const llvm::opt::OptTable &table, unsigned unknown,
                                     llvm::StringRef program,
                                     llvm::SmallVectorImpl<const char *> &words,
                                     llvm::BumpPtrAllocator &memory, Complain complain);

/// The same for a program whose first mistake ends it (refuseCommandLine).
llvm::opt::InputArgList parseOptionsOrEnd(const llvm::opt::OptTable &table, unsigned unknown,
                                          llvm::StringRef program, int argc, char **argv,
                                          llvm::BumpPtrAllocator &memory);

/// Prints a mistake of the command line of `program`, and the way out, and ends it with status 2.
[[noreturn]] void refuseCommandLine(llvm::StringRef program, const llvm::Twine &message,
                                    const llvm::Twine &note = "");

/// The number of an option, at least `least`; `otherwise` where it is not given. Refuses others.
int numberOf(const llvm::opt::InputArgList &args, unsigned id, llvm::StringRef program, int least,
             int otherwise);

} // namespace symc

#endif // SYMC_TOOLS_DRIVER_PARSEOPTIONS_H
