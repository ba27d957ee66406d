/* Reads digits, one at a time: read_digit FILE..., each of 784 floats from 0 (black) to 1. The
 * model is linked in; digits.h is what symc wrote beside it. */
#include "digits.h"

#include <stdio.h>

int main(int argc, char **argv) {
  symc_context *context;
  symc_options options = {0};
  char why[256];
  options.error = why;
  options.error_bytes = sizeof why;
  if (digits_create(&options, &context)) {
    fprintf(stderr, "read_digit: %s\n", why);
    return 1;
  }
  for (int i = 1; i < argc; ++i) {
    float pixels[28 * 28], answers[10];
    FILE *file = fopen(argv[i], "rb");
    size_t got = file ? fread(pixels, sizeof *pixels, 28 * 28, file) : 0;
    if (file)
      fclose(file);
    if (got != 28 * 28) {
      fprintf(stderr, "read_digit: '%s' does not hold 784 floats\n", argv[i]);
      return 1;
    }
    if (digits_predict(context, pixels, answers)) {
      fprintf(stderr, "read_digit: %s\n", digits_last_error(context));
      return 1;
    }
    int best = 0;
    for (int digit = 1; digit < 10; ++digit)
      if (answers[digit] > answers[best])
        best = digit;
    printf("%d %.0f %%\n", best, 100 * answers[best]);
  }
  digits_destroy(context);
  return 0;
}
