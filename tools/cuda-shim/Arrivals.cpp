// Arrivals.cpp: the part of an execution that Arrivals.h describes. Written from NVIDIA's PTX ISA,
// "mbarrier" and "cp.async.bulk.tensor".
#include "tools/cuda-shim/Execution.h"
#include "tools/cuda-shim/TensorMaps.h"
#include <cstring>

using namespace symc::shim;

static constexpr size_t barrierBytes = 8, pieceBytes = 16;

Arrival &Execution::arrivalAt(uintptr_t address, bool checked, void *caller) {
  auto found = arrivals.find(address);
  if (found == arrivals.end())
    fail("uses an mbarrier that nobody made", caller);
  if (checked)
    access(address, barrierBytes, Access::Atomic, caller);
  return found->second;
}

void Execution::openArrival(uintptr_t address, bool checked, void *caller) {
  if (checked)
    accessShared(address, barrierBytes, Access::Write, caller);
  if (arrivals.count(address))
    fail("makes an mbarrier where one is", caller);
  arrivals[address].maker = current - threads.data();
}

void Execution::publishArrivals() {
  unsigned self = current - threads.data();
  for (auto &[address, arrival] : arrivals)
    arrival.published |= arrival.maker == self;
}

/// What the copies of a phase that has all its bytes brought, written by the engine.
void Execution::endPhase(Arrival &arrival, void *caller) {
  Thread *self = current;
  arrival.landed = memory.beginEngineCopy();
  for (const EngineCopy &copy : arrival.copies)
    for (size_t at = 0; at < copy.bytes.size(); at += pieceBytes) {
      uintptr_t place = swizzled(copy.shared, at);
      if (copy.checked)
        check(place, pieceBytes, Access::Write, caller);
      memcpy(reinterpret_cast<void *>(place), copy.bytes.data() + at, pieceBytes);
    }
  setCurrent(self - threads.data());
  arrival.copies.clear();
  arrival.announced = false;
  ++arrival.ended;
}

void Execution::wakeArrived(uintptr_t address) {
  for (unsigned i = 0; i < threads.size(); ++i)
    if (threads[i].state == State::AtArrival && threads[i].arrival == address) {
      threads[i].state = State::Running;
      ready.push_back(i);
    }
}

void Execution::expectBytes(uintptr_t address, unsigned bytes, bool checked, void *caller) {
  Arrival &arrival = arrivalAt(address, checked, caller);
  if (arrival.announced && !arrival.hasEnded())
    fail("announces bytes at an mbarrier that waits for " + std::to_string(arrival.missing),
         caller);
  if (arrival.hasEnded())
    endPhase(arrival, caller);
  arrival.announced = true;
  arrival.missing += bytes;
  wakeArrived(address);
}

void Execution::fetch(uintptr_t shared, const void *opaque, const int *first, const int *offsets,
                      uintptr_t address, bool checked, void *caller) {
  const TensorMap *map = TensorMap::at(opaque);
  if (!map)
    fail("copies by a tensor map that the driver did not make", caller);
  Arrival &arrival = arrivalAt(address, checked, caller);
  if (!arrival.published)
    fail("copies to an mbarrier that no fence published to the engine", caller);
  if (shared % 128 != 0)
    fail("copies by a tensor map to shared memory at no multiple of 128 bytes", caller);
  for (unsigned axis = 1; map->window && axis + 1 < map->axes; ++axis) {
    int64_t end = int64_t(map->sizes[axis]) - 1 + map->upper[axis - 1];
    if (first[axis] < map->lower[axis - 1] || first[axis] > end || offsets[axis - 1] < 0 ||
        offsets[axis - 1] > 31)
      fail("copies from pixel " + std::to_string(first[axis]) + " of axis " + std::to_string(axis) +
               " at tap " + std::to_string(offsets[axis - 1]) + ", outside the window",
           caller);
  }
  Thread *self = current;
  memory.beginEngineCopy();
  EngineCopy copy = {shared, std::vector<char>(map->bytes()), checked};
  size_t at = 0;
  map->forEachPiece(first, offsets, [&](uintptr_t place, size_t inside) {
    size_t step = inside == pieceBytes ? pieceBytes : 2;
    for (size_t read = 0; checked && read < inside; read += step)
      access(place + read, step, Access::Read, caller);
    if (inside)
      memcpy(copy.bytes.data() + at, reinterpret_cast<const void *>(place), inside);
    at += pieceBytes;
  });
  for (at = 0; at < copy.bytes.size() && checked; at += pieceBytes)
    accessShared(shared + at, pieceBytes, Access::Write, caller, /*again=*/true); // no lane's
  setCurrent(self - threads.data());
  memset(reinterpret_cast<void *>(shared), 0xff, copy.bytes.size());
  arrival.missing -= copy.bytes.size();
  arrival.copies.push_back(std::move(copy));
  wakeArrived(address);
}

void Execution::waitArrival(uintptr_t address, unsigned parity, bool checked, void *caller) {
  Arrival &arrival = arrivalAt(address, checked, caller);
  while ((arrival.ended & 1) == (parity & 1)) {
    if (arrival.hasEnded()) {
      endPhase(arrival, caller);
      break;
    }
    current->arrival = address;
    wait(State::AtArrival, caller);
  }
  memory.seeEngineCopy(arrival.landed);
}

//===-- Products of a group of warps that are under way --------------------------------------===//

static uint64_t hashOf(const OperandOfGroup &operand) {
  uint64_t hash = 0xcbf29ce484222325;
  for (size_t at = 0; at < operand.bytes; at += 8) {
    uint64_t word;
    memcpy(&word, reinterpret_cast<const char *>(operand.begin) + at, 8);
    hash = (hash ^ word) * 0x100000001b3;
    hash ^= hash >> 32;
  }
  return hash;
}

void Execution::startGroup(std::vector<OperandOfGroup> operands) {
  for (OperandOfGroup &operand : operands)
    operand.hash = hashOf(operand);
  groups[current - threads.data()].push_back(std::move(operands));
}

void Execution::waitGroups(unsigned pending, void *caller) {
  auto &own = groups[current - threads.data()];
  for (; own.size() > pending; own.erase(own.begin()))
    for (const OperandOfGroup &operand : own.front())
      if (hashOf(operand) != operand.hash)
        fail("waits for a product of its group whose operands in shared memory have been "
             "overwritten",
             caller);
}
