/* Runs sgd of sgd.py in two contexts and prints the weights that it gives, the state, and how
 * often runs allocate. */
#include "sgd.h"

#include <stdio.h>

/* What the library calls, too. */
void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_memalign(size_t alignment, size_t bytes);
static long allocations, allocationsOfRuns;
void *malloc(size_t bytes) { return ++allocations, __libc_malloc(bytes); }
void *calloc(size_t count, size_t bytes) { return ++allocations, __libc_calloc(count, bytes); }
void *aligned_alloc(size_t alignment, size_t bytes) {
  return ++allocations, __libc_memalign(alignment, bytes);
}

static const int64_t four[] = {4};

static symc_tensor tensor(float *data) {
  symc_tensor result = {0};
  result.data = data;
  result.shape = four;
  result.rank = 1;
  result.dtype = SYMC_F32;
  return result;
}

static void print(const char *what, const float *x) {
  printf("%s: %g %g %g %g\n", what, x[0], x[1], x[2], x[3]);
}

static int step(symc_context *context, const char *what) {
  float weight[4] = {10, 10, 10, 10}, grad[4] = {1, 1, 1, 1}, result[4];
  symc_tensor in[] = {tensor(weight), tensor(grad)}, out = tensor(result);
  long before = allocations;
  int32_t status = sgd_run(context, in, 2, &out, 1);
  allocationsOfRuns += allocations - before;
  if (status)
    return fprintf(stderr, "%s\n", sgd_last_error(context)), 1;
  print(what, result);
  return 0;
}

int main(void) {
  symc_context *context, *other;
  float value[4];
  symc_tensor state = tensor(value);
  if (sgd_create(NULL, &context) || sgd_create(NULL, &other))
    return 1;
  if (step(context, "run 1") || step(context, "run 2") || step(context, "run 3") ||
      step(other, "other") || sgd_get_state(context, "mom", &state))
    return 1;
  print("state", value);
  for (int i = 0; i < 4; ++i)
    value[i] = 0;
  if (sgd_set_state(context, "mom", &state) || step(context, "set") ||
      sgd_reset_state(context, NULL) || step(context, "reset"))
    return 1;
  if (sgd_reset_state(context, "mum") != 3)
    return 1;
  printf("%s\n", sgd_last_error(context));
  printf("allocations: %ld in runs, %s elsewhere\n", allocationsOfRuns,
         allocations > allocationsOfRuns ? "some" : "none");
  sgd_destroy(context);
  sgd_destroy(other);
  return 0;
}
