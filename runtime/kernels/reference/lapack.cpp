// lapack.cpp: finds LAPACK in a shared library, once for the process. Any library with
// its Fortran symbols serves: OpenBLAS first, then the system's.
#include "lapack.h"

#include "symc/runtime.h"
#include <dlfcn.h>
#include <pthread.h>

namespace symc::ref {
namespace {

Lapack<float> singles;
Lapack<double> doubles;
int is_open; // read and written atomically

const char *const kLibraries[] = {"libopenblas.so.0", "libopenblas.so", "liblapack.so.3"};

// Calls visit(symbol, place) for each function of a table; false where one is missing.
template <class T, class Find> bool fill(Lapack<T> &table, char kind, Find find) {
  bool complete = true;
#define SYMC_LAPACK_FUNCTION(name, arguments)                                                      \
  {                                                                                                \
    char symbol[] = "?" #name "_";                                                                 \
    symbol[0] = kind;                                                                              \
    void *found = find(symbol);                                                                    \
    complete = complete && found;                                                                  \
    __builtin_memcpy(&table.name, &found, sizeof found);                                           \
  }
  SYMC_LAPACK_FUNCTIONS(SYMC_LAPACK_FUNCTION)
#undef SYMC_LAPACK_FUNCTION
  return complete;
}

bool open_one(const char *library) {
  void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (!handle)
    return false;
  auto find = [&](const char *symbol) { return dlsym(handle, symbol); };
  if (fill(singles, 's', find) && fill(doubles, 'd', find))
    return true;
  dlclose(handle);
  return false;
}

} // namespace

template <> const Lapack<float> *lapack<float>() {
  return __atomic_load_n(&is_open, __ATOMIC_ACQUIRE) ? &singles : nullptr;
}
template <> const Lapack<double> *lapack<double>() {
  return __atomic_load_n(&is_open, __ATOMIC_ACQUIRE) ? &doubles : nullptr;
}

} // namespace symc::ref

extern "C" int32_t symc_open_lapack(void) {
  using namespace symc::ref;
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&lock);
  for (const char *library : kLibraries)
    if (__atomic_load_n(&is_open, __ATOMIC_ACQUIRE))
      break;
    else if (open_one(library))
      __atomic_store_n(&is_open, 1, __ATOMIC_RELEASE);
  pthread_mutex_unlock(&lock);
  return __atomic_load_n(&is_open, __ATOMIC_ACQUIRE) ? SYMC_STATUS_OK : SYMC_STATUS_NO_LIBRARY;
}
