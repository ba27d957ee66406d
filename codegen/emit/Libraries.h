// Libraries.h: the shared libraries that kernels call, as runtime/include/symc/libraries.def
// lists them.
#ifndef SYMC_CODEGEN_EMIT_LIBRARIES_H
#define SYMC_CODEGEN_EMIT_LIBRARIES_H

#include "codegen/emit/ModelInfo.h"
#include <optional>

namespace symc::codegen {

/// The library of that id ("lapack"), as operators name it in the op table.
std::optional<LibraryInfo> libraryNamed(const std::string &id);

/// What messages call a shared library that a context of the model opens; "" where there is none.
/// A program of such a model needs a dynamic loader.
std::string openedLibrary(const ModelInfo &model);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_EMIT_LIBRARIES_H
