// OperatorLibrary.h: libraries that describe operators (symc/custom_op.h): shared ones, and
// descriptions in this process's own memory. Both stay, with their operators in the op table, for
// the length of the process.
#ifndef SYMC_TOOLS_OPERATORS_OPERATORLIBRARY_H
#define SYMC_TOOLS_OPERATORS_OPERATORLIBRARY_H

#include "runtime/include/symc/custom_op.h"
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
  /// Whether the kernels are functions of this process, which no other one finds.
  bool ofProcess() const { return path.empty() && objects.empty(); }
};

/// Opens the shared library at `path`, checks what it describes and adds its operators to the op
/// table, as `library`, whose `file` messages name. Returns the mistake, or "", also where the
/// same library was opened before with the same objects.
std::string openOperators(llvm::StringRef path, OperatorLibrary library);

/// Checks and adds what `described` has, functions of this process. Returns the mistake, or "".
std::string addOperators(const symc_op_library *described);

/// The library of that number (sg::CustomOperator::library). Thread-safe.
const OperatorLibrary &operatorLibrary(size_t number);

} // namespace symc

#endif // SYMC_TOOLS_OPERATORS_OPERATORLIBRARY_H
