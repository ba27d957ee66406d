// CompileOptions.h: the options that specify how a model is compiled (CompileOptions.td),
// read in one place for every tool that has them.
#ifndef SYMC_TOOLS_DRIVER_COMPILEOPTIONS_H
#define SYMC_TOOLS_DRIVER_COMPILEOPTIONS_H

#include "tools/driver/Compiler.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Option/OptTable.h"

namespace symc {

/// Takes a mistake of the command line and the way out, which may be empty.
using Complain = llvm::function_ref<void(const llvm::Twine &message, const llvm::Twine &note)>;

/// The numbers that a tool's table gives to the options of CompileOptions.td.
struct CompileOptionIds {
  unsigned shape, size, grow, value, dtype, outputs, append, gradients, gradReq, recompute,
      randomWeights, randomWeightsSeed, targetCpu, math;
  unsigned forceKernel; // 0: it is of another device
  unsigned batch = 0;   // 0: the tool has none
};

/// Reads these options into the request; complains of each mistake.
void readCompileOptions(const llvm::opt::InputArgList &args, const CompileOptionIds &ids,
                        CompileRequest &request, Complain complain);

/// The folder of the option `resourceDir`, else ../share/symc beside this program's.
std::string resourceFolder(const llvm::opt::InputArgList &args, unsigned resourceDir);

/// The files of all options `customOp`, and their operators into the op table.
std::vector<std::string> operatorFiles(const llvm::opt::InputArgList &args, unsigned customOp);
void loadOperators(const llvm::opt::InputArgList &args, unsigned customOp,
                   const std::string &resourceDir, Complain complain);

/// The options' part of a help page. `table` holds CompileOptions.td, whose @ALGORITHMS@
/// become the names of convAlgorithms. Options `without` are left out.
void printOptions(const llvm::opt::OptTable &table, llvm::raw_ostream &os, llvm::StringRef usage,
                  llvm::StringRef title, llvm::ArrayRef<std::string> without = {});

/// NAME=VALUE of a repeatable option; false after a complaint.
bool splitNamed(const llvm::opt::Arg &arg, llvm::StringRef &name, llvm::StringRef &value,
                Complain complain);

} // namespace symc

#endif // SYMC_TOOLS_DRIVER_COMPILEOPTIONS_H
