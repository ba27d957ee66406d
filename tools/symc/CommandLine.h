// CommandLine.h: what the user asked of symc, parsed and checked.
#ifndef SYMC_TOOLS_SYMC_COMMANDLINE_H
#define SYMC_TOOLS_SYMC_COMMANDLINE_H

#include "codegen/emit/Emit.h"
#include "tools/driver/Compiler.h"

namespace symc {

/// Exit statuses, also in `symc --help` and docs.
enum ExitStatus {
  ExitOk = 0,
  ExitCompile = 1, // the model cannot be compiled
  ExitUsage = 2,   // the command line is wrong
  ExitOutput = 3,  // an output cannot be written
};

enum class Stage { Sg, SgOpt, Schedule, Loops, Kernels, Emit };

struct CommandLine {
  CompileRequest request;
  Stage stage = Stage::Emit;
  codegen::EmitOptions emit;
  codegen::WeightsInfo::Place weights = codegen::WeightsInfo::Embedded;
  std::map<std::string, std::string> preprocess; // input -> steps
  std::string labelsFile, graphDot, memoryPlan;
  std::vector<std::string> customOperators; // files of --custom-op
  RemarkKinds remarks;
  std::vector<std::string> explain; // nodes to tell about instead of writing an output
  std::optional<bool> images;       // nothing: where an input can be a picture
  bool freeLinkage = true;          // neither -static nor -dynamic nor a triple was asked for
  bool verbose = false, timePasses = false, report = false, dependencies = false;
};

/// Parses the arguments (argv without the program's name). Prints help, versions
/// and lists itself; then, and after a mistake, returns nothing and sets `status`.
std::optional<CommandLine> parseCommandLine(llvm::ArrayRef<const char *> arguments,
                                            llvm::StringRef program, int &status);

} // namespace symc

#endif // SYMC_TOOLS_SYMC_COMMANDLINE_H
