// ParseOptions.cpp: see ParseOptions.h.
#include "tools/driver/ParseOptions.h"

#include "llvm/Support/CommandLine.h"

using namespace symc;
using namespace llvm::opt;

InputArgList symc::parseOptions(const OptTable &table, unsigned unknown, llvm::StringRef program,
                                llvm::SmallVectorImpl<const char *> &words,
                                llvm::BumpPtrAllocator &memory, Complain complain) {
  llvm::cl::ExpansionContext expansion(memory, llvm::cl::TokenizeGNUCommandLine);
  if (llvm::Error error = expansion.expandResponseFiles(words))
    complain(llvm::toString(std::move(error)), "");
  unsigned missingIndex, missingCount;
  InputArgList args = table.ParseArgs(words, missingIndex, missingCount);
  if (missingCount)
    complain("option '" + llvm::StringRef(args.getArgString(missingIndex)) + "' needs a value", "");
  for (const Arg *arg : args.filtered(unknown)) {
    std::string nearest, text = arg->getAsString(args);
    bool close = table.findNearest(text, nearest) <= 3;
    complain("unknown option '" + text + "'", close
                                                  ? "did you mean '" + nearest + "'?"
                                                  : (program + " --help lists the options").str());
  }
  return args;
}
