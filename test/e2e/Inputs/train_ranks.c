// train_ranks.c: a training by the C functions of a trainer's library and of libsymc, as one
// process or as a rank of several, each with its rows of every batch. As C++ it goes by
// symc::Trainer. Rank 0 writes the parameters to the file that is named. With another argument,
// sums do not begin before backward ends.
#include "net.h"
#include "symc/symc.h"

#include <stdio.h>
#include <stdlib.h>
#ifdef __cplusplus
#include "symc/trainer.hpp"
#endif

enum { WIDE = 1200, ALL = 16 };

static int fail(const char *why) {
  fprintf(stderr, "train_ranks: %s\n", why);
  symc_world_abort(1);
  return 1;
}

int main(int argc, char **argv) {
  int32_t rank, ranks;
  if (argc < 2 || symc_world_start(60) || symc_world_rank(&rank, &ranks))
    return fail(symc_compiler_error());
#ifdef __cplusplus
  auto made = symc::Trainer::create(SYMC_TRAINER(net));
  if (!made)
    return fail(made.status().sentence().c_str());
  symc_context *context = made->handle();
#else
  symc_context *context;
  if (net_create(NULL, &context))
    return fail("no context");
#endif
  int rows = ALL / ranks;
  static float data[ALL * WIDE], labels[ALL];
  unsigned state = 7;
  for (int i = 0; i < ALL * WIDE; ++i)
    data[i] = (float)((state = state * 1103515245u + 12345u) >> 16) / 65536.0f - 0.5f;
  for (int i = 0; i < ALL; ++i)
    labels[i] = (float)(i % 7);
  double scale;
  if (net_initialize(context, NULL, 5) || net_set_seed(context, 5) ||
      net_get_hyper(context, "rescale_grad", &scale) ||
      net_set_hyper(context, "rescale_grad", scale / ranks) ||
      net_share_rows(context, rows, rank * rows) ||
      net_join_ranks(context, ranks, symc_world_gather, NULL) ||
      net_watch_gradients(context, symc_world_ready, NULL))
    return fail(net_last_error(context));
  int64_t shape[2] = {rows, WIDE};
  symc_tensor inputs[2] = {{data + rank * rows * WIDE, shape, 2, SYMC_F32, 0, 0},
                           {labels + rank * rows, shape, 1, SYMC_F32, 0, 0}};
  for (int step = 0; step < 20; ++step) {
    size_t bytes;
    float *gradients = net_gradient_memory(context, &bytes);
    if (argc < 3 && symc_world_begin_sum(gradients, bytes / sizeof(float)))
      return fail(symc_compiler_error());
    if (net_gradients(context, inputs, 2, NULL, 0))
      return fail(net_last_error(context));
    if (symc_world_sum(gradients, bytes / sizeof(float)))
      return fail(symc_compiler_error());
    if (net_update(context, NULL))
      return fail(net_last_error(context));
  }
  int64_t parts, early;
  if (symc_world_overlap(&parts, &early))
    return fail(symc_compiler_error());
  if (rank == 0)
    printf("%d of %d parts of the last sum went out before backward ended\n", (int)early,
           (int)parts);
  FILE *file = rank == 0 ? fopen(argv[1], "wb") : NULL;
  for (int32_t i = 0; file && i < net_parameter_count(); ++i) {
    size_t bytes = (size_t)net_parameter_bytes(i);
    void *values = malloc(bytes);
    if (net_get_parameter(context, net_parameter_name(i), values, bytes) ||
        fwrite(values, 1, bytes, file) != bytes)
      return fail("cannot save");
    free(values);
  }
  if (file && fclose(file))
    return fail("cannot save");
#ifndef __cplusplus
  net_destroy(context);
#endif
  return symc_world_finish() ? fail(symc_compiler_error()) : 0;
}
