// environment.cpp: see environment.h.
#include "environment.h"

#include <stdlib.h>
#include <string.h>

namespace symc {

namespace {
struct Row {
  const char *name, *values;
};
const Row rows[] = {
#define SYMC_VARIABLE(name, values, meaning) {#name, values},
#include "environment.def"
#undef SYMC_VARIABLE
};
} // namespace

const char *environment(const char *name) {
  const char *value = getenv(name);
  return value && *value ? value : nullptr;
}

const char *environment(Variable variable) { return environment(rows[int(variable)].name); }

symc_status check_switches(Text &error) {
  for (const Row &row : rows) {
    const char *value = getenv(row.name);
    if (strcmp(row.values, "0 or 1") != 0 || !value || !*value || strcmp(value, "0") == 0 ||
        strcmp(value, "1") == 0)
      continue;
    error << row.name << ": expected " << row.values << ", got '" << value << "'";
    return SYMC_STATUS_BAD_ARGUMENT;
  }
  return SYMC_STATUS_OK;
}

} // namespace symc
