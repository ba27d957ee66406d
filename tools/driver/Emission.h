// Emission.h: what a command line does: the stages up to the one that it names, then the files.
// Messages beside the diagnostics go to the caller, who prints or keeps them.
#ifndef SYMC_TOOLS_DRIVER_EMISSION_H
#define SYMC_TOOLS_DRIVER_EMISSION_H

#include "tools/driver/CommandLine.h"

namespace symc {

enum class MessageKind { Error, Warning, Remark, Tuned };

/// Takes a sentence and its note, which may be empty.
using Notify =
    llvm::function_ref<void(MessageKind kind, const llvm::Twine &message, const llvm::Twine &note)>;

/// Runs the stages up to line.stage, or to the schedule before emitModel, and writes that stage's
/// text. `afterInference` may look at the graph and end it with a status. An ExitStatus: of
/// ExitCompile the diagnostics have the reason, of others `notify`.
int runStages(const CommandLine &line, Compiler &compiler, Notify notify,
              llvm::function_ref<int()> afterInference);

/// Reports of a scheduled model what needs no request: memory for the largest sizes,
/// layers in reference code. emitModel does so.
void reportModel(const CommandLine &line, Compiler &compiler, const codegen::ModelInfo &info,
                 Notify notify);

/// What emitModel found on its way.
struct Emitted {
  codegen::ModelInfo info;
  codegen::CodeBytes code; // where the line requests a report
  uint64_t weightsBytes = 0;
};

/// Writes the files of a scheduled model. Likewise.
int emitModel(CommandLine &line, Compiler &compiler, Diagnostics &diagnostics, Notify notify,
              Emitted &emitted);

} // namespace symc

#endif // SYMC_TOOLS_DRIVER_EMISSION_H
