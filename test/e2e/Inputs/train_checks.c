// train_checks.c: what functions of a trainer refuse, that refused calls change nothing, and that
// bits depend neither on the number of threads nor on how a step is cut.
#include "net.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = NET_N_PARAMETERS };

// Parameters and momenta, one after the other.
typedef struct Values {
  float numbers[2][64];
  int64_t step;
} Values;

static Values values_of(symc_context *context) {
  Values values;
  memset(&values, 0, sizeof values);
  size_t at = 0;
  for (int32_t i = 0; i < N; ++i) {
    size_t bytes = net_parameter_bytes(i);
    net_get_parameter(context, net_parameter_name(i), values.numbers[0] + at, bytes);
    net_get_optimizer_state(context, net_parameter_name(i), 0, values.numbers[1] + at, bytes);
    at += bytes / sizeof(float);
  }
  values.step = net_get_step(context);
  return values;
}

static void set_values(symc_context *context, const Values *values) {
  size_t at = 0;
  for (int32_t i = 0; i < N; ++i) {
    size_t bytes = net_parameter_bytes(i);
    net_set_parameter(context, net_parameter_name(i), values->numbers[0] + at, bytes);
    net_set_optimizer_state(context, net_parameter_name(i), 0, values->numbers[1] + at, bytes);
    at += bytes / sizeof(float);
  }
  net_set_step(context, values->step);
}

static symc_context *context_of(int32_t threads) {
  symc_options options;
  symc_context *context = NULL;
  memset(&options, 0, sizeof options);
  options.threads = threads;
  if (net_create(&options, &context))
    puts("no context");
  return context;
}

static void say(symc_context *context, int32_t status) {
  printf("%s: %s\n", net_status_name(status) + strlen("SYMC_STATUS_"), net_last_error(context));
}

static void compare(const char *what, Values a, Values b, int64_t step) {
  int same = memcmp(&a, &b, sizeof a) == 0 && b.step == step;
  printf("%s: %s\n", what, same ? "the same bits" : "OTHER BITS");
}

// An allocator whose call `left` gives nothing.
static int left;
static void *allocate(void *user, size_t bytes, size_t alignment) {
  (void)user;
  return left-- == 0 ? NULL : aligned_alloc(alignment, bytes);
}
static void release_memory(void *user, void *memory, size_t bytes) {
  (void)user;
  (void)bytes;
  free(memory);
}

// Each allocation fails once: no context is made, and a sentence states what there is no memory
// for.
static void fail_allocations(void) {
  symc_options options;
  char error[256];
  memset(&options, 0, sizeof options);
  options.allocator.allocate = allocate;
  options.allocator.release = release_memory;
  options.error = error;
  options.error_bytes = sizeof error;
  for (int call = 0;; ++call) {
    symc_context *context;
    left = call;
    if (net_create(&options, &context) == 0) {
      net_destroy(context);
      return;
    }
    printf("allocation %d: %s\n", call, error);
  }
}

static float data[8] = {0, 0, 0, 1, 1, 0, 1, 1}, label[4] = {0, 1, 1, 0};

static void train(symc_context *context, int steps) {
  for (int i = 0; i < steps; ++i)
    if (net_train_arrays(context, data, label, NULL, NULL))
      say(context, 1);
}

int main(void) {
  symc_context *context = context_of(1);
  float numbers[16];
  int64_t rows[2] = {4, 3};
  symc_tensor wide[2] = {{data, rows, 2, 0, 0, 0}, {label, rows, 1, 0, 0, 0}};
  symc_hyper wrong;
  memset(&wrong, 0, sizeof wrong);

  say(context, net_train_arrays(context, data, label, NULL, NULL));
  say(context, net_update(context, NULL));
  say(context, net_get_gradient(context, "fc1_weight", numbers, sizeof numbers));
  net_initialize(context, NULL, 3);
  Values before = values_of(context);
  say(context, net_get_parameter(context, "fc3_weight", numbers, sizeof numbers));
  say(context, net_set_parameter(context, "fc1_weight", numbers, 60));
  say(context, net_set_parameter(context, "fc1_weight", NULL, sizeof numbers));
  say(context, net_get_parameter(context, NULL, numbers, sizeof numbers));
  say(context, net_get_optimizer_state(context, "fc1_weight", 1, numbers, sizeof numbers));
  say(context, net_set_hyper(context, "beta1", 0.9));
  say(context, net_set_hyper(context, "momentum", 1.5));
  say(context, net_set_hyper(context, "learning_rate", NAN));
  say(context, net_set_step(context, -1));
  say(context, net_train_step(context, wide, 2, NULL, 0, NULL));
  say(context, net_train_step(context, wide, 1, NULL, 0, NULL));
  say(context, net_train_arrays(context, data, label, NULL, &wrong));
  say(context, net_predict(context, wide, 1, NULL, 0));
  Values after = values_of(context);
  printf("after refused calls: %s, step %d\n",
         memcmp(&before, &after, sizeof after) ? "OTHER BITS" : "the same bits", (int)after.step);

  for (int i = 0; i < 16; ++i)
    numbers[i] = (float)sin(i);
  numbers[3] = -0.0f;
  float again[16];
  net_set_parameter(context, "fc1_weight", numbers, sizeof numbers);
  net_get_parameter(context, "fc1_weight", again, sizeof again);
  printf("set, then get: %s\n",
         memcmp(numbers, again, sizeof again) ? "OTHER BITS" : "the same bits");

  net_initialize(context, NULL, 3);
  train(context, 10);
  Values trained = values_of(context);
  net_initialize(context, NULL, 3);
  int64_t shape[2] = {4, 2};
  symc_tensor batch[2] = {{data, shape, 2, 0, 0, 0}, {label, shape, 1, 0, 0, 0}};
  for (int i = 0; i < 10; ++i)
    if (net_gradients(context, batch, 2, NULL, 0) || net_update(context, NULL))
      say(context, 1);
  compare("gradients and update, and a step", trained, values_of(context), 10);

  for (int32_t threads = 2; threads <= 8; threads *= 4) {
    symc_context *other = context_of(threads);
    net_initialize(other, NULL, 3);
    train(other, 10);
    Values values = values_of(other);
    if (memcmp(&values, &trained, sizeof values))
      puts("OTHER BITS");
    net_destroy(other);
  }
  puts("1, 2 and 8 threads: the same bits");

  symc_context *second = context_of(1);
  net_initialize(second, NULL, 3);
  train(second, 4);
  Values checkpoint = values_of(second);
  net_initialize(second, "normal", 99);
  set_values(second, &checkpoint);
  train(second, 6);
  compare("gone on from a checkpoint", trained, values_of(second), 10);
  net_destroy(second);
  fail_allocations();
  puts(net_status_message(33));
  net_destroy(context);
  return 0;
}
