// mxnet_variables.cpp: see mxnet_variables.h.
#include "mxnet_variables.h"

#include "../core/environment.h"

#include <stdio.h>
#include <string.h>

namespace symc {

namespace {
struct Row {
  const char *name;
  int places;
  const char *idle, *own, *equal;
};
const Row rows[] = {
#define SYMC_MXNET_VARIABLE(name, places, idle, own, equal) {#name, places, idle, own, equal},
#include "symc/mxnet_variables.def"
#undef SYMC_MXNET_VARIABLE
};

// Whether an argument is the option that begins the text: "--threads=4" and "--threads N".
bool has_option(const char *text, int argc, char **argv) {
  size_t length = strcspn(text, " ");
  for (int i = 1; i < argc && strncmp(text, "--", 2) == 0; ++i)
    if (strncmp(argv[i], text, length) == 0 && (!argv[i][length] || argv[i][length] == '='))
      return true;
  return false;
}
} // namespace

void note_mxnet_variables(const char *program, int argc, char **argv) {
  for (const Row &row : rows) {
    const char *value = row.places & 1 ? environment(row.name) : nullptr;
    if (value && strcmp(value, row.idle) != 0 && !(*row.own && environment(row.own)) &&
        !has_option(row.equal, argc, argv))
      fprintf(stderr, "%s: note: %s is not read, its equal here is %s\n", program, row.name,
              row.equal);
  }
}

} // namespace symc
