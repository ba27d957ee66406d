// Execution.cpp: see Execution.h.
#include "tools/cuda-shim/Execution.h"
#include <algorithm>
#include <cstdio>

using namespace symc::shim;

Execution &symc::shim::execution() {
  static Execution all;
  return all;
}

//===-- A launch, a block, a thread ----------------------------------------------------------===//

bool Execution::run(const Module &code, const std::string &name, Extents grid, Extents block,
                    size_t sharedBytes, void **values) {
  module = &code;
  kernel = name;
  message.clear();
  entry = code.entry(name);
  arguments = values;
  gridExtents = grid;
  blockExtents = block;
  memory.setExtents(&block.x, &grid.x);
  threads.assign(block.count(), Thread());
  constexpr size_t aligned = 1024;
  std::vector<char> dynamic(sharedBytes + aligned);
  dynamicMemory = reinterpret_cast<void *>(
      (reinterpret_cast<uintptr_t>(dynamic.data()) + aligned - 1) & ~uintptr_t(aligned - 1));
  if (sharedBytes)
    memory.add(reinterpret_cast<uintptr_t>(dynamicMemory), sharedBytes, true,
               "dynamic shared memory");
  memory.beginLaunch();
  banks.begin();
  bool good = true;
  for (unsigned z = 0; z < grid.z && good; ++z)
    for (unsigned y = 0; y < grid.y && good; ++y)
      for (unsigned x = 0; x < grid.x && good; ++x) {
        blockIndex = {x, y, z};
        good = runBlock();
      }
  if (sharedBytes)
    memory.remove(reinterpret_cast<uintptr_t>(dynamicMemory));
  if (countBanks && good)
    keepBanks();
  return good;
}

void Execution::keepBanks() {
  KernelBanks &all = banksOf[kernel];
  for (auto &[caller, count] : banks.counts()) {
    all.count.accesses += count.accesses;
    all.count.wavefronts += count.wavefronts;
    all.count.ideal += count.ideal;
    if (count.extra() > all.worst) {
      all.worst = count.extra();
      all.line = module->lineOf(caller);
    }
  }
}

bool Execution::runBlock() {
  for (unsigned i = 0; i < threads.size(); ++i)
    threads[i] = {{i % blockExtents.x, i / blockExtents.x % blockExtents.y,
                   i / blockExtents.x / blockExtents.y},
                  nullptr,
                  State::Running,
                  false,
                  0,
                  nullptr,
                  nullptr,
                  nullptr};
  copies.assign(threads.size(), Copies());
  arrivals.clear();
  groups.clear();
  started = ended = waiting = 0;
  predicates = 0;
  ready.clear();
  memory.beginBlock((threads.size() + 31) / 32);
  while (true) {
    if (started < threads.size()) {
      if (idle.empty()) {
        fibres.push_back(std::make_unique<Fibre>());
        fibres.back()->restart(fibreMain);
        idle.push_back(fibres.back().get());
      }
      running = idle.back();
      idle.pop_back();
    } else if (!ready.empty()) {
      setCurrent(ready.front());
      ready.pop_front();
      running = current->fibre;
    } else if (ended == threads.size()) {
      banks.endInterval();
      return true;
    } else {
      describeDeadlock();
    }
    if (message.empty())
      running->enter();
    if (!message.empty()) { // stacks of threads that go no further
      idle.clear();
      for (auto &fibre : fibres) {
        fibre->restart(fibreMain);
        idle.push_back(fibre.get());
      }
      return false;
    }
  }
}

void Execution::fibreMain() {
  while (true)
    execution().runThreads();
}

void Execution::runThreads() {
  Fibre *own = running;
  while (started < threads.size()) {
    setCurrent(started++);
    current->fibre = own;
    entry(arguments);
    current->state = State::Ended;
    ++ended;
    // Lanes that waited for this one may go on without it.
    unsigned thread = current - threads.data(), first = thread & ~31u;
    for (unsigned i = first; i < std::min<size_t>(first + 32, threads.size()); ++i)
      if (threads[i].state == State::InWarpFunction)
        completeWarp(first / 32, threads[i].mask);
  }
  idle.push_back(own);
  own->leave();
}

void Execution::setCurrent(unsigned thread) {
  current = &threads[thread];
  memory.setThread(thread / 32, thread % 32);
}

void Execution::wait(State state, void *caller) {
  Thread *thread = current;
  thread->state = state;
  thread->caller = caller;
  running->leave();
}

//===-- Barriers and warps -------------------------------------------------------------------===//

int Execution::barrier(bool predicate, void *caller) {
  predicates += predicate;
  if (++waiting < threads.size()) {
    wait(State::AtBarrier, caller);
    return barrierResult;
  }
  // The last one releases the others, and waits for its place among them.
  waiting = 0;
  barrierResult = predicates;
  predicates = 0;
  memory.beginInterval();
  banks.endInterval();
  for (unsigned i = 0; i < threads.size(); ++i) {
    threads[i].state = State::Running;
    ready.push_back(i);
  }
  running->leave();
  return barrierResult;
}

void Execution::warp(unsigned mask, WarpFunction function, void *operands, void *caller) {
  if (!(mask >> laneOfCurrent() & 1)) {
    char text[80];
    snprintf(text, sizeof(text), "calls a warp function with mask 0x%08x, which lacks lane %u",
             mask, laneOfCurrent());
    fail(text, caller);
  }
  current->mask = mask;
  current->function = function;
  current->operands = operands;
  current->state = State::InWarpFunction;
  current->caller = caller;
  completeWarp((current - threads.data()) / 32, mask);
  if (current->state == State::InWarpFunction)
    wait(State::InWarpFunction, caller);
  else
    ready.erase(std::find(ready.begin(), ready.end(), unsigned(current - threads.data())));
}

/// Where all lanes of the mask that have not ended call one function with this mask, calls it
/// and lets them go on.
void Execution::completeWarp(unsigned warp, unsigned mask) {
  Thread *first = &threads[warp * 32];
  unsigned lanes = std::min<size_t>(32, threads.size() - warp * 32), active = 0, live = 0;
  WarpFunction function = nullptr;
  void *operands[32] = {};
  for (unsigned i = 0; i < lanes; ++i) {
    live |= unsigned(first[i].state != State::Ended) << i;
    if (!(mask >> i & 1) || first[i].state == State::Ended)
      continue;
    if (first[i].state != State::InWarpFunction || first[i].mask != mask ||
        (active && first[i].function != function))
      return;
    function = first[i].function;
    operands[i] = first[i].operands;
    active |= 1u << i;
  }
  if (active == live)
    banks.endWarpInterval(warp);
  if (function)
    function(operands, active);
  else if (active == live) // __syncwarp; one of some lanes orders nothing here
    memory.beginWarpInterval(warp);
  for (unsigned i = 0; i < lanes; ++i)
    if (active >> i & 1) {
      first[i].state = State::Running;
      ready.push_back(warp * 32 + i);
    }
}

void Execution::syncWarp(unsigned mask, void *caller) {
  unsigned thread = current - threads.data();
  warp(mask, nullptr, nullptr, caller);
  setCurrent(thread);
}

//===-- Checks -------------------------------------------------------------------------------===//

void Execution::access(uintptr_t address, size_t bytes, Access kind, void *caller) {
  check(address, bytes, kind, caller);
  if (!countBanks || kind == Access::Atomic)
    return;
  if (const Region *region = memory.find(address); region && region->shared)
    banks.access(current - threads.data(), address, bytes, caller);
}

void Execution::check(uintptr_t address, size_t bytes, Access kind, void *caller) {
  if (address - running->stackBegin() < Fibre::stackBytes)
    return;
  std::string wrong = memory.access(address, bytes, kind);
  if (wrong.empty() || (!memory.find(address) && module->holds(address)))
    return;
  fail(std::move(wrong), caller);
}

void Execution::accessShared(uintptr_t address, size_t bytes, Access kind, void *caller,
                             bool again) {
  const Region *region = memory.find(address);
  if (!region || !region->shared)
    fail("takes memory for shared that is not", caller);
  again ? check(address, bytes, kind, caller) : access(address, bytes, kind, caller);
}

void Execution::fail(std::string what, void *caller) {
  {
    std::string taken = std::move(what);
    setMessage(current, taken, caller);
  }
  // Nobody enters this fibre again before restart(), and nothing on its stack is destroyed.
  running->leave();
  __builtin_unreachable();
}

std::string Execution::nameOf(const Thread &thread) const {
  return "thread " + triple(&thread - threads.data(), &blockExtents.x);
}

std::string Execution::whereabouts(const Thread &thread) const {
  std::string line = module->lineOf(thread.caller);
  if (thread.state == State::AtBarrier)
    return "waits at a barrier" + (line.empty() ? "" : " (" + line + ")");
  if (thread.state == State::Ended)
    return "has ended";
  if (thread.state == State::AtArrival) {
    const Arrival &arrival = arrivals.at(thread.arrival);
    return "waits at an mbarrier" + (line.empty() ? "" : " (" + line + ")") + ", where " +
           (arrival.announced ? std::to_string(arrival.missing) + " bytes do not come"
                              : "nobody announces bytes");
  }
  char text[48];
  snprintf(text, sizeof(text), "waits in a warp function with mask 0x%08x", thread.mask);
  return text + (line.empty() ? "" : " (" + line + ")");
}

void Execution::describeDeadlock() {
  for (const Thread &thread : threads)
    if (thread.state == State::AtArrival)
      return setMessage(&thread, whereabouts(thread), thread.caller);
  // One that waits in a warp function names what it waits for; else all that live wait at the
  // barrier.
  const Thread *stuck = nullptr, *other = nullptr;
  for (const Thread &thread : threads)
    if (thread.state == State::InWarpFunction || (!stuck && thread.state == State::AtBarrier))
      if (!stuck || stuck->state == State::AtBarrier)
        stuck = &thread;
  bool inWarp = stuck->state == State::InWarpFunction;
  for (const Thread &thread : threads) {
    unsigned number = &thread - threads.data();
    bool awaited = inWarp
                       ? number / 32 == (stuck - threads.data()) / 32u &&
                             (stuck->mask >> (number & 31) & 1) && thread.state != State::Ended &&
                             (thread.state != stuck->state || thread.mask != stuck->mask ||
                              thread.function != stuck->function)
                       : thread.state != State::AtBarrier;
    if (awaited && !other)
      other = &thread;
  }
  setMessage(stuck,
             whereabouts(*stuck) + ", where " + nameOf(*other) + " does not come: it " +
                 whereabouts(*other),
             stuck->caller);
}

void Execution::setMessage(const Thread *thread, const std::string &what, void *caller) {
  std::string line = module->lineOf(caller);
  message = (line.empty() ? "" : line + ": ") + "kernel '" + kernel + "', block " +
            triple(blockIndex.x + gridExtents.x * (blockIndex.y + gridExtents.y * blockIndex.z),
                   &gridExtents.x) +
            ", " + nameOf(*thread) + " " + what;
}
