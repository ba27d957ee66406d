// Malloc.cpp: malloc and calloc that never return NULL. MLIR's tables of interfaces build objects
// in what malloc returns, whatever that is (InterfaceSupport.h), and clang makes calloc of those
// that begin with zeros: without memory the compiler would end in a signal instead of a sentence.
// Sanitizers have a malloc of their own, which ends a program.
#include "tools/driver/Process.h"

#include <atomic>
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

// What looks the next one up may allocate memory, too.
extern "C" void *__libc_calloc(size_t count, size_t bytes);
extern "C" void *calloc(size_t count, size_t bytes) noexcept {
  using Function = void *(*)(size_t, size_t);
  static std::atomic<Function> next;
  static thread_local bool looking = false;
  Function function = next;
  if (!function) {
    if (looking)
      return __libc_calloc(count, bytes);
    looking = true;
    next = function = reinterpret_cast<Function>(dlsym(RTLD_NEXT, "calloc"));
    looking = false;
  }
  void *memory = function(count, bytes);
  if (!memory && count && bytes)
    symc::endOutOfMemory();
  return memory;
}
#endif
