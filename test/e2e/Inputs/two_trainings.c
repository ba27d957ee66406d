/* Trains the digit classifier in two contexts at once, each with eight threads of its own, and both
 * with eight that they share. Prints "equal" where all parameters behind the last step have the
 * bits of a training by one thread. The model and this file are compiled for a race detector. With
 * RACE both trainings write one array, which the detector must see. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "net.h"

enum { Batch = 12, Steps = 4 };
static float data[Batch * 784], labels[Batch];
#ifdef RACE
static pthread_barrier_t start; /* of what two trainings predict, so that nothing orders it */
#endif

struct Job {
  symc_options options;
  float weights[16 * 8 * 5 * 5], scores[10 * Batch];
  int32_t status;
};

static void *train(void *argument) {
  struct Job *job = argument;
  symc_context *context;
  job->status = net_create(&job->options, &context);
  if (!job->status)
    job->status = net_initialize(context, NULL, 7);
  for (int step = 0; step < Steps && !job->status; ++step)
    job->status = net_train_arrays(context, data, labels, job->scores, NULL);
#ifdef RACE
  static float scores[10 * Batch];
  pthread_barrier_wait(&start);
#else
  float *scores = job->scores;
#endif
  if (!job->status)
    job->status = net_predict_arrays(context, data, NULL, scores);
  if (!job->status)
    job->status = net_get_parameter(context, "conv2_weight", job->weights, sizeof job->weights);
  net_destroy(context);
  return NULL;
}

static struct Job alone, jobs[2];

/* Whether two trainings of these options differ from that of one thread. */
static int32_t together(const symc_options *options) {
  pthread_t threads[2];
  int32_t wrong = 0;
  for (int i = 0; i < 2; ++i) {
    memset(&jobs[i], 0, sizeof jobs[i]);
    jobs[i].options = *options;
    pthread_create(&threads[i], NULL, train, &jobs[i]);
  }
  for (int i = 0; i < 2; ++i) {
    pthread_join(threads[i], NULL);
    wrong |= jobs[i].status | memcmp(jobs[i].weights, alone.weights, sizeof alone.weights) |
             memcmp(jobs[i].scores, alone.scores, sizeof alone.scores);
  }
  return wrong;
}

int main(void) {
  for (int i = 0; i < Batch * 784; ++i)
    data[i] = (float)(i * 7919 % 1000) / 1000;
  for (int i = 0; i < Batch; ++i)
    labels[i] = (float)(i % 10);
#ifdef RACE
  pthread_barrier_init(&start, NULL, 1);
#endif
  train(&alone);
#ifdef RACE
  pthread_barrier_init(&start, NULL, 2);
#endif
  symc_options own = {.threads = 8}, shared = {.threads = 0};
  if (alone.status || net_pool_create(8, &shared.pool))
    return 1;
  int32_t wrong = together(&own) | together(&shared);
  net_pool_destroy(shared.pool);
  puts(wrong ? "different" : "equal");
  return wrong != 0;
}
