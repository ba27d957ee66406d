// Malloc.cpp: malloc that never returns NULL. MLIR's tables of interfaces build objects in what
// malloc returns, whatever that is (InterfaceSupport.h): without memory the compiler would end in
// a signal instead of a sentence. Sanitizers have a malloc of their own, which ends a program.
#include "tools/driver/Process.h"

#include <dlfcn.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||                         \
    __has_feature(memory_sanitizer)
#define SYMC_SANITIZER_MALLOC
#endif
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SYMC_SANITIZER_MALLOC
#endif

#ifndef SYMC_SANITIZER_MALLOC
extern "C" void *malloc(size_t bytes) noexcept {
  using Function = void *(*)(size_t);
  static Function next = reinterpret_cast<Function>(dlsym(RTLD_NEXT, "malloc"));
  void *memory = next(bytes);
  if (!memory)
    symc::endOutOfMemory();
  return memory;
}
#endif
