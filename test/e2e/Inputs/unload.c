/* unload.c PROGRAM... LIBRARY NEXT: opens a model's library, runs it, closes it, puts NEXT in the
 * library's place, opens that and runs again. Words before the files: `threads` makes a pool of
 * three for the context, `keep` leaves the context undestroyed while its threads sleep. */
#include "net.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int isMapped(const char *library) {
  FILE *maps = fopen("/proc/self/maps", "r");
  const char *name = strrchr(library, '/') + 1;
  char line[4096];
  int found = 0;
  while (fgets(line, sizeof line, maps))
    found |= strstr(line, name) != NULL;
  fclose(maps);
  return found;
}

static void *answer(const char *path, int threads, int keep) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  int32_t (*create)(const symc_options *, symc_context **);
  int32_t (*run)(symc_context *, const symc_tensor *, int32_t, const symc_tensor *, int32_t);
  void (*destroy)(symc_context *);
  float input[3] = {1, 2, 3}, output[3];
  const int64_t shape[] = {1, 3};
  symc_tensor in = {input, shape, 2, SYMC_F32, 0, 0}, out = {output, shape, 2, SYMC_F32, 0, 0};
  symc_options options = {0};
  symc_context *context;
  if (!library) {
    fprintf(stderr, "%s\n", dlerror());
    exit(1);
  }
  *(void **)&create = dlsym(library, "net_create");
  *(void **)&run = dlsym(library, "net_run");
  *(void **)&destroy = dlsym(library, "net_destroy");
  options.threads = threads;
  if (create(&options, &context) || run(context, &in, 1, &out, 1))
    exit(1);
  printf("%g %g %g\n", output[0], output[1], output[2]);
  if (!keep)
    destroy(context);
  return library;
}

int main(int argc, char **argv) {
  int threads = strcmp(argv[1], "alone") ? 3 : 0, keep = !strcmp(argv[1], "keep");
  const char *path = argv[argc - 2];
  void *library = answer(path, threads, keep);
  if (threads)
    usleep(20000); /* the threads fall asleep */
  dlclose(library);
  printf("after dlclose: %s\n", isMapped(path) ? "mapped" : "unmapped");
  if (threads)
    usleep(20000);
  if (rename(argv[argc - 1], path))
    return 1;
  dlclose(answer(path, threads, keep));
  return 0;
}
