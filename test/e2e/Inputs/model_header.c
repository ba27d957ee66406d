/* model_header.c: what a model's header has for programs in C: names of statuses, numbers of bytes
 * and elements, flags, and the call on plain arrays, sizes included. */
#include "net.h"

#include <stdio.h>
#include <stdlib.h>

int main(void) {
  symc_context *context;
  symc_options options = {0};
  char why[256];
  float *data = calloc(NET_DATA_COUNT, sizeof *data),
        *out = calloc(NET_Y_OUTPUT_COUNT, sizeof *out);
  int64_t extents[4];
  options.error = why;
  options.error_bytes = sizeof why;
  options.flags = SYMC_VERIFY_WEIGHTS | SYMC_TRUST_WEIGHTS;
  int32_t status = net_create(&options, &context);
  printf("%s: %s\n", net_status_name(status), why);
  options.flags = SYMC_FLUSH_DENORMALS;
  options.arena_bytes = NET_ARENA_BYTES;
  options.arena = aligned_alloc(64, (NET_ARENA_BYTES + 63) / 64 * 64 + 64);
  if (net_create(&options, &context) != SYMC_STATUS_OK)
    return 1;
  for (int i = 0; i < 3 * 5 * 7; ++i)
    data[i] = (float)-i;
  status = net_predict(context, data, 5, 7, out);
  printf("%s: %g %g\n", net_status_name(status), out[0], out[104]);
  if (net_run_extents(context, extents, 4) != SYMC_STATUS_OK)
    return 1;
  printf("%d %d %d %d\n", (int)extents[0], (int)extents[1], (int)extents[2], (int)extents[3]);
  status = net_predict(context, data, 5, 9, out);
  printf("%s: %s\n", net_status_name(status), net_last_error(context));
  status = net_predict(context, out, 5, 7, out);
  printf("%s\n", net_last_error(context));
  net_destroy(context);
  free(options.arena);
  free(data);
  free(out);
  return NET_ARENA_BYTES == NET_ARENA_BYTES_X86_64_V3 ? 0 : 1;
}
