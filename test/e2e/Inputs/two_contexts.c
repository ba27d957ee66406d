/* Runs the digit classifier in two contexts at once, each with two threads of its own, and, 5,000
 * times each, both with threads that they share. Prints "equal" where every answer has the bits
 * of a run alone. The model and this file are compiled for a race detector. With RACE
 * both contexts write one array, which the detector must see. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "net.h"

static float picture[784], expected[10];

struct Job {
  symc_options options;
  int32_t runs, wrong;
};

static void *work(void *argument) {
  struct Job *job = argument;
  symc_context *context;
  job->wrong = net_create(&job->options, &context);
  for (int run = 0; run < job->runs && !job->wrong; ++run) {
#ifdef RACE
    static float answers[10];
    job->wrong = net_predict(context, picture, answers);
#else
    float answers[10];
    job->wrong = net_predict(context, picture, answers) != 0 ||
                 memcmp(answers, expected, sizeof answers) != 0;
#endif
  }
  net_destroy(context);
  return NULL;
}

/* Two threads, each with a context of its own. */
static int32_t together(const symc_options *options, int32_t runs) {
  struct Job jobs[2] = {{*options, runs, 0}, {*options, runs, 0}};
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i)
    pthread_create(&threads[i], NULL, work, &jobs[i]);
  for (int i = 0; i < 2; ++i)
    pthread_join(threads[i], NULL);
  return jobs[0].wrong | jobs[1].wrong;
}

int main(void) {
  for (int i = 0; i < 784; ++i)
    picture[i] = (float)(i % 29) / 29;
  symc_context *alone;
  if (net_create(NULL, &alone) || net_predict(alone, picture, expected))
    return 1;
  net_destroy(alone);
  symc_options own = {.threads = 2}, shared = {.threads = 0};
  if (net_pool_create(2, &shared.pool))
    return 1;
  int32_t wrong = together(&own, 20) | together(&shared, 5000);
  net_pool_destroy(shared.pool);
  puts(wrong ? "different" : "equal");
  return wrong;
}
