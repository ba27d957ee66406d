// Emission.h: what a command line does: the stages up to the one that it names, then the files.
// What there is to tell beside the diagnostics goes to the caller, who prints it or keeps it.
#ifndef SYMC_TOOLS_DRIVER_EMISSION_H
#define SYMC_TOOLS_DRIVER_EMISSION_H

#include "tools/driver/CommandLine.h"

namespace symc {

enum class Telling { Error, Warning, Remark, Tuned };

/// Takes a sentence and its note, which may be empty.
using Tell =
    llvm::function_ref<void(Telling kind, const llvm::Twine &message, const llvm::Twine &note)>;

/// Runs the stages up to line.stage, or to the schedule before emitModel, and writes that stage's
/// text. `afterInference` may look at the graph and end it with a status. An ExitStatus: of
/// ExitCompile the diagnostics tell, of others `tell`.
int runStages(const CommandLine &line, Compiler &compiler, Tell tell,
              llvm::function_ref<int()> afterInference);

/// Tells of a scheduled model what is told without being asked for: memory for the largest sizes,
/// layers in reference code. emitModel does so.
void tellOfModel(const CommandLine &line, Compiler &compiler, const codegen::ModelInfo &info,
                 Tell tell);

/// What emitModel found on its way.
struct Emitted {
  codegen::ModelInfo info;
  codegen::CodeBytes code; // where the line asks for a report
  uint64_t weightsBytes = 0;
};

/// Writes the files of a scheduled model. Likewise.
int emitModel(CommandLine &line, Compiler &compiler, Diagnostics &diagnostics, Tell tell,
              Emitted &emitted);

} // namespace symc

#endif // SYMC_TOOLS_DRIVER_EMISSION_H
