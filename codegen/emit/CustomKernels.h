// CustomKernels.h: how kernels of custom operators get into a compiled model: as object files
// that are linked with it, or by the addresses in a shared library that it opens.
#ifndef SYMC_CODEGEN_EMIT_CUSTOMKERNELS_H
#define SYMC_CODEGEN_EMIT_CUSTOMKERNELS_H

#include "codegen/emit/Code.h"
#include "codegen/emit/Link.h"
#include "codegen/emit/ModelInfo.h"

namespace symc::codegen {

/// The objects of object files and of archives' members, for `triple`.
llvm::Expected<std::vector<FileBytes>> readKernelObjects(llvm::ArrayRef<std::string> files,
                                                         llvm::StringRef triple);

/// One object of them, which defines the kernels alone, and these for what it is linked with:
/// names of a library's other functions meet those of no other one, of the runtime or of libc, and
/// two models in one program do not meet. `request` is that of the output, whose file serves on
/// the way.
llvm::Expected<FileBytes> joinKernelObjects(const KernelObjects &kernels, LinkRequest request,
                                            const Resources &resources);

/// Defines each kernel that `module` calls and a library of `model` has: a call of the address
/// that symc_create has put in the library's functions. Defines these, too.
void defineOpenedKernels(llvm::Module &module, const ModelInfo &model);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_EMIT_CUSTOMKERNELS_H
