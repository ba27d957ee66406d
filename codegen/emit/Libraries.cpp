// Libraries.cpp: see Libraries.h.
#include "codegen/emit/Libraries.h"

using namespace symc::codegen;

std::optional<LibraryInfo> symc::codegen::libraryNamed(const std::string &id) {
  LibraryInfo library;
#define SYMC_LIBRARY(row, title)                                                                   \
  if (id == #row) {                                                                                \
    library.name = title;                                                                          \
    library.functionsSymbol = "symc_" #row "_functions";                                           \
  }
#define SYMC_LIBRARY_FILE(row, file)                                                               \
  if (id == #row)                                                                                  \
    library.files.push_back(file);
#include "runtime/include/symc/libraries.def"
  for (std::string kind : {"s", "d"}) {
#define SYMC_FORTRAN_FUNCTION(row, function, arguments)                                            \
  if (id == #row)                                                                                  \
    library.symbols.push_back(kind + #function "_");
#include "runtime/include/symc/libraries.def"
  }
  if (library.name.empty())
    return std::nullopt;
  return library;
}

std::string symc::codegen::openedLibrary(const ModelInfo &model) {
  if (!model.libraries.empty())
    return model.libraries[0].name;
  static const char *const drivers[SYMC_DEVICE_COUNT] = {"", "the CUDA driver"};
  for (const VariantInfo &variant : model.variants)
    if (*drivers[variant.device])
      return drivers[variant.device];
  return "";
}
