/* Runs two models, each of a library of its own, on one pool of the first, and on threads that
 * the application offers through the second. Prints how many tasks each model gave them. */
#include "one.h"
#include "two.h"

#include <stdio.h>
#include <string.h>

static long tasks;

static void inOrder(void *user, void (*body)(void *argument, int64_t index), void *argument,
                    int64_t count) {
  (void)user;
  tasks += count;
  for (int64_t i = 0; i < count; ++i)
    body(argument, i);
}

static float images[16 * 784], expected[2][160], got[160];

typedef int32_t (*predict_fn)(symc_context *, const float *, float *);

static int check(const char *what, const symc_context *context, int which, predict_fn predict) {
  tasks = 0;
  memset(got, 0, sizeof got);
  if (predict((symc_context *)context, images, got))
    return printf("%s: failed\n", what), 1;
  printf("%s: %s bits, %s\n", what, memcmp(got, expected[which], sizeof got) ? "other" : "the same",
         tasks > 1 ? "tasks of the application's threads" : "no task of the application's threads");
  return 0;
}

int main(void) {
  symc_options options;
  symc_context *one, *two;
  symc_pool *pool, *wrapped;
  memset(&options, 0, sizeof options);
  for (int i = 0; i < 16 * 784; ++i)
    images[i] = (float)(i % 29) / 29;
  if (one_create(NULL, &one) || two_create(NULL, &two) || one_predict(one, images, expected[0]) ||
      two_predict(two, images, expected[1]))
    return 1;
  one_destroy(one);
  two_destroy(two);

  if (one_pool_create(3, &pool))
    return 1;
  options.pool = pool;
  if (one_create(&options, &one) || two_create(&options, &two) ||
      check("one on its own pool", one, 0, one_predict) ||
      check("two on the pool of one", two, 1, two_predict))
    return 1;
  one_destroy(one);
  two_destroy(two);
  two_pool_destroy(pool);

  if (two_pool_wrap(inOrder, NULL, 2, &wrapped))
    return 1;
  options.pool = wrapped;
  if (one_create(&options, &one) || two_create(&options, &two) ||
      check("one on the application", one, 0, one_predict) ||
      check("two on the application", two, 1, two_predict))
    return 1;
  one_destroy(one);
  two_destroy(two);
  one_pool_destroy(wrapped);
  return 0;
}
