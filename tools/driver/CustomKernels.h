// CustomKernels.h: custom operators on a command line and in what is compiled.
#ifndef SYMC_TOOLS_DRIVER_CUSTOMKERNELS_H
#define SYMC_TOOLS_DRIVER_CUSTOMKERNELS_H

#include "codegen/emit/InProcess.h"
#include "codegen/emit/ModelInfo.h"
#include "mlir/IR/BuiltinOps.h"

namespace symc {

/// Loads what --custom-op names: FILE[,FILE...]. One of the files may be a shared library, which
/// describes the operators; object files and archives have the kernels that compiled models hold,
/// and describe the operators where no shared library does. Returns the mistake, or "".
std::string loadCustomOperators(llvm::StringRef files, const std::string &resourceDir);

/// The object files and libraries with the kernels that a scheduled module calls.
void addCustomKernels(mlir::ModuleOp module, codegen::ModelInfo &info);

/// The same kernels' addresses in this process, for code that is loaded into it; `info` is freed
/// of the libraries that it would open for them.
void useLoadedKernels(mlir::ModuleOp module, codegen::ModelInfo &info,
                      codegen::InProcessOptions &options);

} // namespace symc

#endif // SYMC_TOOLS_DRIVER_CUSTOMKERNELS_H
