// MxnetVariables.cpp: see MxnetVariables.h.
#include "tools/driver/MxnetVariables.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include <cstdlib>

using namespace symc;

namespace {
struct Row {
  const char *name;
  int places;
  const char *idle, *own, *equal;
};
constexpr Row rows[] = {
#define SYMC_MXNET_VARIABLE(name, places, idle, own, equal) {#name, places, idle, own, equal},
#include "runtime/include/symc/mxnet_variables.def"
#undef SYMC_MXNET_VARIABLE
};
} // namespace

// The variable's value, "" where it is unset.
static llvm::StringRef valueOf(const char *name) {
  const char *value = *name ? std::getenv(name) : nullptr;
  return value ? value : "";
}

std::vector<std::string> symc::mxnetNotes(MxnetPlace place,
                                          llvm::ArrayRef<const char *> arguments) {
  std::vector<std::string> notes;
  for (const Row &row : rows) {
    llvm::StringRef value = valueOf(row.name), option = llvm::StringRef(row.equal).split(' ').first;
    bool given = option.starts_with("--") && llvm::any_of(arguments, [&](llvm::StringRef argument) {
                   return argument.split('=').first == option;
                 });
    if ((row.places & int(place)) && !value.empty() && value != row.idle &&
        valueOf(row.own).empty() && !given)
      notes.push_back(std::string(row.name) + " is not read, its equal here is " + row.equal);
  }
  return notes;
}
