/* Runs strided-symbol.json, compiled with --prefix net, through its generated header on
 * two ramps and writes the bits of the five outputs to standard output. */
#include <stdio.h>
#include <stdlib.h>

#include "net.h"

enum { most = 1 << 20 }; /* elements of an output */

static float *ramp(int count) {
  float *values = malloc(count * sizeof(float));
  for (int i = 0; i < count; ++i)
    values[i] = i % 29 / 29.0f - 0.5f;
  return values;
}

int main(void) {
  symc_context *context;
  float *out[5];
  for (int i = 0; i < 5; ++i)
    out[i] = calloc(most, sizeof(float));
  if (net_create(NULL, &context) || net_predict(context, ramp(2 * 3 * 33 * 47), ramp(5 * 20 * 21),
                                                out[0], out[1], out[2], out[3], out[4]))
    return 1;
  for (int i = 0; i < 5; ++i)
    if (fwrite(out[i], sizeof(float), most, stdout) != most)
      return 2;
  return 0;
}
