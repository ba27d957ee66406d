// CommandLine.h: the request to symc-run, parsed and checked.
#ifndef SYMC_TOOLS_SYMC_RUN_COMMANDLINE_H
#define SYMC_TOOLS_SYMC_RUN_COMMANDLINE_H

#include "tools/driver/Compiler.h"

namespace symc::run {

/// Exit statuses, also in `symc-run --help`.
enum ExitStatus {
  ExitOk = 0,
  ExitFailed = 1,   // results differ, a run failed, or an output cannot be written
  ExitUsage = 2,    // the command line is wrong
  ExitBadInput = 3, // a model or an array cannot be read or does not fit
};

struct CommandLine {
  std::string program;            // as the user called it
  std::vector<std::string> words; // all arguments, for "reproduce:"
  std::string library;            // a compiled library; else request specifies what to compile
  std::string op;                 // or one operator: "relu", "Pooling(kernel=(2,2))"
  CompileRequest request;
  std::vector<std::string> inputs; // [NAME=]FILE
  std::vector<std::string> shapes; // NAME=D,D,... of a library's inputs that have no file
  bool randomInputs = false;
  uint64_t inputSeed = 0;
  std::string outputDir, dumpDir, compareFile, traceFile;
  int threads = 1;
  int64_t bench = 0;
  bool describe = false, profile = false, verify = false;
  bool profileSteps = false; // in their order, instead of nodes
  int64_t top = 0;           // nodes of the profile; 0: all
  std::optional<double> tolerance;

  /// The command that does the same again.
  std::string reproduce() const;
};

/// Parses the arguments (argv without the program's name). Prints help and version itself;
/// then, and after a mistake, returns nothing and sets `status`.
std::optional<CommandLine> parseCommandLine(llvm::ArrayRef<const char *> arguments,
                                            llvm::StringRef program, int &status);

/// "symc-run: error: message" and, where there is one, "symc-run: note: way out".
void sayError(const llvm::Twine &message, const llvm::Twine &note = "");

} // namespace symc::run

#endif // SYMC_TOOLS_SYMC_RUN_COMMANDLINE_H
