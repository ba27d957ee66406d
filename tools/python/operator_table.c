/* operator_table.c: writes the compiler's table of operators as JSON (symc/symc.h) to a file, for
 * the Python package, which lists and documents operators without the compiler's library. */
#include "symc/symc.h"
#include <stdio.h>

int main(int argc, char **argv) {
  const char *json = NULL;
  FILE *file = argc == 2 ? fopen(argv[1], "w") : NULL;
  if (!file || symc_operator_table(&json)) {
    fprintf(stderr, "operator_table: %s\n", file ? symc_compiler_error() : "cannot write the file");
    return 1;
  }
  fputs(json, file);
  return fclose(file) ? 1 : 0;
}
