/* lifecycle.c LIBRARY: a model's library where processes and threads come and go: a child of
 * fork, a thread with a small stack, and dlclose while the pool's threads sleep. */
#include HEADER
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int32_t (*create)(const symc_options *, symc_context **);
static int32_t (*run)(symc_context *, const symc_tensor *, int32_t, const symc_tensor *, int32_t);
static void (*destroy)(symc_context *);
static float input[784], wanted[10];

static int32_t predict(symc_context *context, float *output) {
  static const int64_t data[] = {1, 1, 28, 28}, table[] = {1, 10};
  symc_tensor in = {input, data, 4, SYMC_F32, 0, 0}, out = {output, table, 2, SYMC_F32, 0, 0};
  return run(context, &in, 1, &out, 1);
}

static int agrees(symc_context *context) {
  float output[10];
  return predict(context, output) == 0 && memcmp(output, wanted, sizeof wanted) == 0;
}

static void *on_small_stack(void *unused) {
  symc_options options = {0};
  symc_context *context;
  (void)unused;
  if (create(&options, &context) || !agrees(context))
    return "a wrong answer";
  destroy(context);
  return "the same answer";
}

int main(int argc, char **argv) {
  void *library = dlopen(argv[argc - 1], RTLD_NOW);
  symc_options options = {.threads = 3};
  symc_context *context;
  pthread_attr_t small;
  pthread_t thread;
  void *said;
  int status;

  *(void **)&create = dlsym(library, "digits_create");
  *(void **)&run = dlsym(library, "digits_run");
  *(void **)&destroy = dlsym(library, "digits_destroy");
  for (int i = 0; i < 784; ++i)
    input[i] = (float)(i % 7);
  if (create(&options, &context) || predict(context, wanted))
    return 1;

  pid_t child = fork();
  if (child == 0) {
    alarm(20);
    status = agrees(context) && agrees(context) ? 0 : 1;
    destroy(context);
    _exit(status);
  }
  waitpid(child, &status, 0);
  printf("fork: %s, the parent %s\n", status == 0 ? "the same answer" : "a wrong answer",
         agrees(context) ? "goes on" : "does not");

  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 65536);
  pthread_create(&thread, &small, on_small_stack, NULL);
  pthread_join(thread, &said);
  printf("64 kB of stack: %s\n", (char *)said);

  dlclose(library); /* the context is not destroyed */
  usleep(100000);
  printf("dlclose: goes on\n");
  return 0;
}
