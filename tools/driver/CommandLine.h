// CommandLine.h: the request to symc, parsed and checked: by the arguments of the program, or by
// the options that a caller of libsymc gives beside a model of its own.
#ifndef SYMC_TOOLS_DRIVER_COMMANDLINE_H
#define SYMC_TOOLS_DRIVER_COMMANDLINE_H

#include "codegen/emit/Emit.h"
#include "tools/driver/CompileOptions.h"

namespace symc {

/// Exit statuses, also in `symc --help` and docs.
enum ExitStatus {
  ExitOk = 0,
  ExitCompile = 1, // the model cannot be compiled
  ExitUsage = 2,   // the command line is wrong
  ExitOutput = 3,  // an output cannot be written
};

enum class Stage { Sg, SgOpt, Schedule, Loops, Kernels, DeviceCode, Emit };

/// What the program prints instead of compiling.
enum class Page { None, Usage, Help, TrainHelp, Version, Operators, OnnxOperators, Architectures };

struct CommandLine {
  Page page = Page::None;
  std::string operatorName; // of Page::Operators; empty: all of them
  CompileRequest request;
  Stage stage = Stage::Emit;
  DeviceForm deviceForm = DeviceForm::Ptx; // of Stage::DeviceCode
  std::vector<std::string> deviceArchs;    // likewise, a file for each
  codegen::EmitOptions emit;
  codegen::WeightsInfo::Place weights = codegen::WeightsInfo::Embedded;
  std::map<std::string, std::string> preprocess; // input -> steps
  std::string labelsFile, graphDot, memoryPlan;
  std::vector<std::string> customOperators; // files of --custom-op
  RemarkKinds remarks;
  std::vector<std::string> reportShapes; // NAME=D,D,... of --report-shape
  bool onlyLooks = false;                // a report or a picture was requested, and no output
  std::vector<std::string> explain;      // nodes to describe instead of writing an output
  std::optional<bool> images;            // nothing: where an input can be a picture
  bool freeLinkage = true;               // neither -static nor -dynamic nor a triple was requested
  bool verbose = false, timePasses = false, report = false, dependencies = false;
};

/// Where Stage::DeviceCode writes the code for an architecture: to the output, or where there are
/// several to files with the architecture before the ending, net.sm_80.cubin.
std::string deviceFile(const CommandLine &line, llvm::StringRef architecture);

/// Where a caller of libsymc needs what is compiled.
enum class Destination {
  File,   // named by -o
  Bytes,  // the caller's memory
  Process // loaded, with the best instruction set that runs here
};

/// A model that a caller of libsymc gives; the arguments are options alone then, of which those
/// that print and those that do not fit the destination are mistakes.
struct GivenModel {
  ModelSource source;
  Destination destination = Destination::File;
};

/// Parses arguments (argv without the program's name), response files (@FILE) among them. Nothing
/// after complaints. `resourceDir` is where share/symc is unless --resource-dir specifies another.
std::optional<CommandLine> parseCommandLine(llvm::ArrayRef<const char *> arguments,
                                            llvm::StringRef resourceDir, Complain complain,
                                            const GivenModel *given = nullptr);

/// Where the program that runs has share/symc: in ../share/symc from its own folder.
std::string resourcesOfProgram();

/// All options, for a page of help.
const llvm::opt::OptTable &commandOptions();
/// Those without a use in symc train, by name, which its page leaves out.
std::vector<std::string> optionsOfPrediction();

} // namespace symc

#endif // SYMC_TOOLS_DRIVER_COMMANDLINE_H
