// environment.cpp: see environment.h.
#include "environment.h"

#include <stdlib.h>

namespace symc {

const char *environment(Variable variable) {
  static const char *const names[] = {
#define SYMC_VARIABLE(name, values, meaning) #name,
#include "environment.def"
#undef SYMC_VARIABLE
  };
  const char *value = getenv(names[int(variable)]);
  return value && *value ? value : nullptr;
}

} // namespace symc
