// ParseOptions.cpp: see ParseOptions.h.
#include "tools/driver/ParseOptions.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

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

InputArgList symc::parseOptionsOrEnd(const OptTable &table, unsigned unknown,
                                     llvm::StringRef program, int argc, char **argv,
                                     llvm::BumpPtrAllocator &memory) {
  llvm::SmallVector<const char *> words(argv + 1, argv + argc);
  return parseOptions(table, unknown, program, words, memory,
                      [&](const llvm::Twine &message, const llvm::Twine &note) {
                        refuseCommandLine(program, message, note);
                      });
}

void symc::refuseCommandLine(llvm::StringRef program, const llvm::Twine &message,
                             const llvm::Twine &note) {
  llvm::errs() << program << ": error: " << message << "\n";
  if (std::string text = note.str(); !text.empty())
    llvm::errs() << program << ": note: " << text << "\n";
  exit(2);
}

int symc::numberOf(const InputArgList &args, unsigned id, llvm::StringRef program, int least,
                   int otherwise) {
  const Arg *arg = args.getLastArg(id);
  int number = otherwise;
  if (arg && (llvm::StringRef(arg->getValue()).getAsInteger(10, number) || number < least))
    refuseCommandLine(program, "option '" + arg->getSpelling() + "' needs a number of at least " +
                                   llvm::Twine(least) + ", found '" + arg->getValue() + "'");
  return number;
}
