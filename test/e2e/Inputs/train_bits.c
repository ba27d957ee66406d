// train_bits.c: what a parameter is set to has to come back bit for bit, and two steps of a trainer
// have to give the same parameters and states of the optimizer with 1, 2 and 8 threads, whatever
// bytes its memory begins with (lanes of padding are neither read nor counted), and whether
// parameters change behind backward or within it. train_bits LIBRARY SHAPE-OF-DATA ...
#define _POSIX_C_SOURCE 200112L
#include "net.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1 << 20, LABELS = 64 };

static void *poisoned(void *user, size_t bytes, size_t alignment) {
  void *memory = NULL;
  if (posix_memalign(&memory, alignment < 64 ? 64 : alignment, bytes))
    return NULL;
  return memset(memory, *(unsigned char *)user, bytes);
}

static void release(void *user, void *memory, size_t bytes) {
  (void)user;
  (void)bytes;
  free(memory);
}

typedef struct Library {
  symc_status (*create)(const symc_options *, symc_context **);
  void (*destroy)(symc_context *);
  symc_status (*initialize)(symc_context *, const char *, uint64_t);
  symc_status (*train)(symc_context *, const symc_tensor *, int32_t, const symc_tensor *, int32_t,
                       const symc_hyper *);
  symc_status (*choose)(symc_context *, symc_updates);
  int32_t (*in_backward)(const symc_context *, size_t *);
  symc_status (*get)(const symc_context *, const char *, void *, size_t);
  int32_t (*states)(const symc_context *);
  symc_status (*state)(symc_context *, const char *, int32_t, void *, size_t);
  symc_status (*set)(symc_context *, const char *, const void *, size_t);
  int32_t (*count)(void);
  const char *(*name)(int32_t);
  uint64_t (*bytes)(int32_t);
  const char *(*error)(const symc_context *);
} Library;

static Library open_library(const char *path) {
  void *own = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  Library made;
  if (!own) {
    puts(dlerror());
    exit(1);
  }
  *(void **)&made.create = dlsym(own, "net_create");
  *(void **)&made.destroy = dlsym(own, "net_destroy");
  *(void **)&made.initialize = dlsym(own, "net_initialize");
  *(void **)&made.train = dlsym(own, "net_train_step");
  *(void **)&made.choose = dlsym(own, "net_choose_updates");
  *(void **)&made.in_backward = dlsym(own, "net_updates_in_backward");
  *(void **)&made.states = dlsym(own, "net_optimizer_state_count");
  *(void **)&made.state = dlsym(own, "net_get_optimizer_state");
  *(void **)&made.get = dlsym(own, "net_get_parameter");
  *(void **)&made.set = dlsym(own, "net_set_parameter");
  *(void **)&made.count = dlsym(own, "net_parameter_count");
  *(void **)&made.name = dlsym(own, "net_parameter_name");
  *(void **)&made.bytes = dlsym(own, "net_parameter_bytes");
  *(void **)&made.error = dlsym(own, "net_last_error");
  return made;
}

static symc_context *context_of(const Library *library, int32_t threads, unsigned char *byte) {
  symc_options options;
  symc_context *context = NULL;
  memset(&options, 0, sizeof options);
  options.threads = threads;
  options.allocator.allocate = poisoned;
  options.allocator.release = release;
  options.allocator.user = byte;
  if (library->create(&options, &context)) {
    puts("no context");
    exit(1);
  }
  return context;
}

static void check(const Library *library, symc_context *context, symc_status status) {
  if (!status)
    return;
  puts(library->error(context));
  exit(1);
}

// FNV-1a over all parameters and the optimizer's states of those that train.
static uint64_t hash_of(const Library *library, symc_context *context, unsigned char *memory) {
  uint64_t hash = 14695981039346656037u;
  for (int32_t i = 0; i < library->count(); ++i)
    for (int32_t k = -1; k < library->states(context); ++k) {
      size_t bytes = library->bytes(i);
      if (k >= 0 && library->state(context, library->name(i), k, memory, bytes))
        break; // a moving statistic
      if (k < 0)
        check(library, context, library->get(context, library->name(i), memory, bytes));
      for (size_t at = 0; at < bytes; ++at)
        hash = (hash ^ memory[at]) * 1099511628211u;
    }
  return hash;
}

static int fusedUpdates;

static uint64_t trained(const Library *library, int32_t threads, symc_updates updates,
                        unsigned char byte, float *data, const char *words, float *labels,
                        unsigned char *memory) {
  int64_t shape[4];
  int32_t rank = 0;
  for (char *end; rank < 4 && *words; words = *end ? end + 1 : end)
    shape[rank++] = strtol(words, &end, 10);
  symc_tensor inputs[2] = {{data, shape, rank, 0, 0, 0}, {labels, shape, 1, 0, 0, 0}};
  symc_context *context = context_of(library, threads, &byte);
  check(library, context, library->initialize(context, "xavier", 7));
  check(library, context, library->choose(context, updates));
  for (int step = 0; step < 2; ++step)
    check(library, context, library->train(context, inputs, 2, NULL, 0, NULL));
  fusedUpdates += updates == SYMC_UPDATES_DEFERRED ? 0 : library->in_backward(context, NULL);
  if (updates == SYMC_UPDATES_DEFERRED && library->in_backward(context, NULL))
    puts("updates were NOT deferred");
  uint64_t hash = hash_of(library, context, memory);
  library->destroy(context);
  return hash;
}

// Any bits, those of NaN among them, come back.
static void set_and_get(const Library *library, unsigned char *memory, unsigned char *again) {
  unsigned char byte = 0xff;
  symc_context *context = context_of(library, 1, &byte);
  uint64_t state = 1;
  for (int32_t i = 0; i < library->count(); ++i) {
    size_t bytes = library->bytes(i);
    for (size_t at = 0; at < bytes; ++at) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      memory[at] = (unsigned char)(state >> 56);
    }
    check(library, context, library->set(context, library->name(i), memory, bytes));
    check(library, context, library->get(context, library->name(i), again, bytes));
    if (memcmp(memory, again, bytes)) {
      printf("%s came back with OTHER BITS\n", library->name(i));
      exit(1);
    }
  }
  library->destroy(context);
}

int main(int count, char **words) {
  static float data[MOST], labels[LABELS];
  static unsigned char memory[4 * MOST], again[4 * MOST];
  for (int i = 0; i < MOST; ++i)
    data[i] = (float)sin(i * 0.37);
  for (int i = 0; i < LABELS; ++i)
    labels[i] = (float)(i * 7 % 5);
  for (int at = 1; at + 1 < count; at += 2) {
    Library library = open_library(words[at]);
    set_and_get(&library, memory, again);
    uint64_t hash =
        trained(&library, 1, SYMC_UPDATES_DEFERRED, 0, data, words[at + 1], labels, memory);
    for (int32_t threads = 1; threads <= 8; threads = threads == 2 ? 8 : 2 * threads)
      for (int updates = SYMC_UPDATES_FUSED; updates <= SYMC_UPDATES_WITHOUT_GRADIENTS; ++updates)
        if (trained(&library, threads, (symc_updates)updates, threads == 2 ? 0xff : 0x7f, data,
                    words[at + 1], labels, memory) != hash) {
          printf("%s: OTHER BITS with %d threads, updates %d\n", words[at], threads, updates);
          return 1;
        }
    if (hash ==
        trained(&library, 1, SYMC_UPDATES_DEFERRED, 0, data + 1, words[at + 1], labels, memory)) {
      printf("%s: other data give the same parameters\n", words[at]);
      return 1;
    }
  }
  if (!fusedUpdates)
    puts("NO parameter changed in backward");
  printf("%d trainers: the same bits\n", (count - 1) / 2);
  return 0;
}
