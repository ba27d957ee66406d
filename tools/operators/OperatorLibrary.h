// OperatorLibrary.h: shared libraries that describe operators (symc/custom_op.h). A library that
// was opened stays, with its operators in the op table, for the length of the process.
#ifndef SYMC_TOOLS_OPERATORS_OPERATORLIBRARY_H
#define SYMC_TOOLS_OPERATORS_OPERATORLIBRARY_H

#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace symc {

struct OperatorLibrary {
  std::string file; // as it was named
  std::string path; // absolute; a compiled model opens this file, or one of its name beside itself
  /// Object files and archives of the kernels; with any, compiled models hold the kernels
  /// themselves and open nothing.
  std::vector<std::string> objects;
};

/// Opens the shared library at `path`, checks what it describes and adds its operators to the op
/// table, as `library`, whose `file` messages name. Returns the mistake, or "", also where the
/// same library was opened before with the same objects.
std::string openOperators(llvm::StringRef path, OperatorLibrary library);

/// The library of that number (sg::CustomOperator::library). Thread-safe.
const OperatorLibrary &operatorLibrary(size_t number);

} // namespace symc

#endif // SYMC_TOOLS_OPERATORS_OPERATORLIBRARY_H
