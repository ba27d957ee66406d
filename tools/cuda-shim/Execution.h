// Execution.h: a launch on the processor. Blocks run one after the other, the threads of a block
// as fibres: each runs until it waits at a barrier or in a warp function, and the next one goes on.
// Where none waits, one fibre runs them all. What a launch does wrong ends it with a sentence.
#ifndef SYMC_TOOLS_CUDA_SHIM_EXECUTION_H
#define SYMC_TOOLS_CUDA_SHIM_EXECUTION_H

#include "tools/cuda-shim/Arrivals.h"
#include "tools/cuda-shim/Banks.h"
#include "tools/cuda-shim/Fibre.h"
#include "tools/cuda-shim/Memory.h"
#include "tools/cuda-shim/Module.h"
#include <deque>

namespace symc::shim {

struct Extents {
  unsigned x, y, z;
  unsigned count() const { return x * y * z; }
};

/// What all lanes of a warp that `mask` names compute together, of the operands that each brought
/// (null: not named). One function is called once for all of them.
using WarpFunction = void (*)(void **lanes, unsigned mask);

/// A copy to shared memory that its thread has not waited for.
struct PendingCopy {
  void *shared;
  unsigned bytes;
  char data[16];
};

/// Of one thread: groups in order, and copies that are in none yet.
struct Copies {
  std::vector<std::vector<PendingCopy>> groups;
  std::vector<PendingCopy> open;
};

/// Bytes of shared memory that a product of a group of warps reads until somebody waits for it.
struct OperandOfGroup {
  uintptr_t begin;
  size_t bytes;
  uint64_t hash = 0; // of them, when it was started
};

/// Of a kernel's launches.
struct KernelBanks {
  BankCount count;
  uint64_t worst = 0; // extra wavefronts of one place in the code, the most of any
  std::string line;   // of that place; empty if there is none or it is not known
};

class Execution {
public:
  /// Runs a kernel: `false`, and a sentence in failure(), if it did what it must not.
  bool run(const Module &code, const std::string &kernel, Extents grid, Extents block,
           size_t sharedBytes, void **arguments);
  const std::string &failure() const { return message; }
  void setFailure(const std::string &what) { message = what; }

  Memory memory;
  bool countBanks = false;
  std::map<std::string, KernelBanks> banksOf; // by kernel

  // What kernels call. `caller` is the address they called from.
  void access(uintptr_t address, size_t bytes, Access kind, void *caller);
  /// Of shared memory and no other. `again`: no access of a warp, such as what comes behind that
  /// of a copy.
  void accessShared(uintptr_t address, size_t bytes, Access kind, void *caller, bool again = false);
  Copies &copiesOfCurrent() { return copies[current - threads.data()]; }
  // Copies by the engine (Arrivals.cpp). An mbarrier is made, and published with all others that
  // the thread made; a copy goes from `first` on of a tensor map; a wait is for the phase of a
  // parity.
  void openArrival(uintptr_t address, bool checked, void *caller);
  void publishArrivals();
  void expectBytes(uintptr_t address, unsigned bytes, bool checked, void *caller);
  void fetch(uintptr_t shared, const void *map, const int *first, const int *offsets,
             uintptr_t arrival, bool checked, void *caller);
  void waitArrival(uintptr_t address, unsigned parity, bool checked, void *caller);
  /// A product of a group of warps, and the end of all but the last `pending` ones.
  void startGroup(std::vector<OperandOfGroup> operands);
  void waitGroups(unsigned pending, void *caller);
  /// Waits for all threads of the block; how many of them brought a predicate that holds.
  int barrier(bool predicate, void *caller);
  void warp(unsigned mask, WarpFunction function, void *operands, void *caller);
  void syncWarp(unsigned mask, void *caller);
  /// Ends the launch.
  [[noreturn]] void fail(std::string what, void *caller);
  Extents threadIndex() const { return current->index; }
  Extents blockIndex{}, blockExtents{}, gridExtents{};
  void *dynamicShared() const { return dynamicMemory; }
  unsigned laneOfCurrent() const { return (current - threads.data()) & 31; }

private:
  enum class State : uint8_t { Running, AtBarrier, AtArrival, InWarpFunction, Ended };
  struct Thread {
    Extents index;
    Fibre *fibre;
    State state;
    bool predicate;
    unsigned mask;
    WarpFunction function;
    void *operands;
    void *caller;
    uintptr_t arrival = 0; // that it waits at
  };

  bool runBlock();
  void keepBanks();
  void check(uintptr_t address, size_t bytes, Access kind, void *caller);
  void runThreads();
  void setCurrent(unsigned thread);
  void wait(State state, void *caller);
  void completeWarp(unsigned warp, unsigned mask);
  void describeDeadlock();
  Arrival &arrivalAt(uintptr_t address, bool checked, void *caller);
  void endPhase(Arrival &arrival, void *caller);
  void wakeArrived(uintptr_t address);
  std::string nameOf(const Thread &thread) const;
  std::string whereabouts(const Thread &thread) const;
  void setMessage(const Thread *thread, const std::string &what, void *caller);
  static void fibreMain();

  const Module *module = nullptr;
  std::string kernel, message;
  void (*entry)(void **) = nullptr;
  void **arguments = nullptr;
  void *dynamicMemory = nullptr;
  Banks banks; // of the launch

  std::vector<Thread> threads;
  std::vector<Copies> copies; // of each thread
  Arrivals arrivals;
  std::map<unsigned, std::vector<std::vector<OperandOfGroup>>> groups; // of threads, under way
  Thread *current = nullptr;
  unsigned started = 0, ended = 0, waiting = 0; // waiting at the barrier
  int predicates = 0, barrierResult = 0;
  std::deque<unsigned> ready;
  std::vector<std::unique_ptr<Fibre>> fibres;
  std::vector<Fibre *> idle;
  Fibre *running = nullptr;
};

/// The one of this process, whose callers wait for each other.
Execution &execution();

} // namespace symc::shim

#endif // SYMC_TOOLS_CUDA_SHIM_EXECUTION_H
