// Cores.cpp: see Cores.h.
#include "codegen/emit/Cores.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Threading.h"
#include <algorithm>
#include <atomic>
#include <pthread.h>

using namespace llvm;
using namespace symc::codegen;

namespace {
struct Pieces {
  int64_t count;
  function_ref<void(int64_t)> body;
  std::atomic<int64_t> next{0};

  bool runOne() {
    int64_t piece = next.fetch_add(1, std::memory_order_relaxed);
    if (piece >= count)
      return false;
    body(piece);
    return true;
  }
  static void *runAll(void *pieces) {
    while (static_cast<Pieces *>(pieces)->runOne())
      continue;
    return nullptr;
  }
};
} // namespace

void symc::codegen::forEachOnCores(int64_t count, function_ref<void(int64_t)> body,
                                   function_ref<void()> afterOwn) {
  constexpr int64_t mostThreads = 8;
  constexpr size_t stackBytes = 8 << 20; // LLVM's passes recurse
  Pieces pieces{count, body};
  int64_t threads =
      std::min<int64_t>({count, mostThreads, hardware_concurrency().compute_thread_count()});
  SmallVector<pthread_t, mostThreads> others;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, stackBytes);
  pthread_t other;
  while (int64_t(others.size()) + 1 < threads &&
         pthread_create(&other, &attributes, &Pieces::runAll, &pieces) == 0)
    others.push_back(other);
  pthread_attr_destroy(&attributes);
  while (pieces.runOne())
    if (afterOwn)
      afterOwn();
  for (pthread_t thread : others)
    pthread_join(thread, nullptr);
}
