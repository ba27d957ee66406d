// libraries.cpp: finds the shared libraries that a model's kernels call, once for each file
// that the code lies in. A file of this name apart from create.cpp, so that only models that
// call libraries need the dynamic loader.
#include "symc/runtime.h"

#include <dlfcn.h>
#include <pthread.h>

// Writes all addresses but the first, which it returns; NULL where a function is missing.
static void *find_functions(const symc_library &library, void *handle) {
  void *first = nullptr;
  for (int32_t i = 0; i < library.n_symbols; ++i) {
    void *found = dlsym(handle, library.symbols[i]);
    if (!found)
      return nullptr;
    if (i == 0)
      first = found;
    else // a function pointer of its own type for the kernels
      __builtin_memcpy(&library.functions[i], &found, sizeof found);
  }
  return first;
}

int32_t symc_open_library(const symc_library *library) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&lock);
  void *first = __atomic_load_n(&library->functions[0], __ATOMIC_ACQUIRE);
  for (int32_t i = 0; i < library->n_files && !first; ++i) {
    void *handle = dlopen(library->files[i], RTLD_NOW | RTLD_LOCAL);
    if (!handle)
      continue;
    first = find_functions(*library, handle);
    if (first) // whoever sees it sees the others
      __atomic_store_n(&library->functions[0], first, __ATOMIC_RELEASE);
    else
      dlclose(handle);
  }
  pthread_mutex_unlock(&lock);
  return first ? SYMC_STATUS_OK : SYMC_STATUS_NO_LIBRARY;
}
