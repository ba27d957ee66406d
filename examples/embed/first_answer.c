/* Looks at one picture of 28 x 28 and prints the class that a network finds in it, and when it had
 * the answer: nanoseconds of the monotonic clock, which a program that started this one compares
 * with its own (tools/bench/first_answer). net.h is what symc wrote beside the network. */
#include "net.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static long long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (long long)time.tv_sec * 1000000000 + time.tv_nsec;
}

int main(int argc, char **argv) {
  float picture[28 * 28], answers[10];
  symc_context *context;
  symc_options options = {0};
  char why[256];
  options.error = why;
  options.error_bytes = sizeof why;
  options.threads = argc > 1 ? atoi(argv[1]) : 1;
  for (int i = 0; i < 28 * 28; ++i)
    picture[i] = (float)(i % 28) / 28;
  if (net_create(&options, &context)) {
    fprintf(stderr, "first_answer: %s\n", why);
    return 1;
  }
  long long created = now();
  if (net_predict(context, picture, answers)) {
    fprintf(stderr, "first_answer: %s\n", net_last_error(context));
    return 1;
  }
  long long answered = now();
  int best = 0;
  for (int i = 1; i < 10; ++i)
    if (answers[i] > answers[best])
      best = i;
  printf("%d %.9g %lld %lld\n", best, answers[best], created, answered);
  net_destroy(context);
  return 0;
}
