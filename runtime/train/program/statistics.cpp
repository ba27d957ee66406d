// statistics.cpp: see statistics.h.
#include "statistics.h"

#include "network.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

namespace symc::train {

struct Statistics::Entry {
  size_t bytes; // of one rank's message
};

Statistics::~Statistics() { free(memory); }

void Statistics::start(World &of, bool wanted) {
  world = &of;
  keeps = wanted;
}

void Statistics::beginStep() {
  used = 0;
  replays = false;
}

// Without memory nothing is kept: the step cannot be computed again then.
void Statistics::keep(const void *all, size_t bytes) {
  size_t ranks = size_t(world->size()), wanted = sizeof(Entry) + ranks * bytes;
  if (used + wanted > size) {
    void *larger = realloc(memory, 2 * (used + wanted));
    if (!larger)
      return;
    memory = static_cast<uint8_t *>(larger);
    size = 2 * (used + wanted);
  }
  Entry entry = {bytes};
  memcpy(memory + used, &entry, sizeof entry);
  memcpy(memory + used + sizeof entry, all, ranks * bytes);
  used += wanted;
}

const uint8_t *Statistics::find(const void *own, size_t bytes) const {
  for (size_t at = 0; at < used;) {
    Entry entry;
    memcpy(&entry, memory + at, sizeof entry);
    const uint8_t *messages = memory + at + sizeof entry;
    if (entry.bytes == bytes && memcmp(messages, own, sizeof(uint64_t)) == 0)
      return messages;
    at += sizeof entry + size_t(world->size()) * entry.bytes;
  }
  return nullptr;
}

int32_t Statistics::gather(void *user, const void *own, void *all, size_t bytes, char *error,
                           size_t errorBytes) {
  Statistics &self = *static_cast<Statistics *>(user);
  if (self.replays) {
    const uint8_t *kept = self.find(own, bytes);
    if (kept)
      memcpy(all, kept, size_t(self.world->size()) * bytes);
    return kept ? 0 : 1;
  }
  Problem problem;
  if (!self.world->gather(own, all, int(bytes), "statistics of a normalisation", problem)) {
    snprintf(error, errorBytes, "%s", problem.text);
    return 1;
  }
  if (self.keeps)
    self.keep(all, bytes);
  return 0;
}

int Statistics::badRank() const {
  for (size_t at = 0; at < used;) {
    Entry entry;
    memcpy(&entry, memory + at, sizeof entry);
    const uint8_t *messages = memory + at + sizeof entry;
    int bad = -1;
    for (int rank = 0; rank < world->size(); ++rank) {
      const uint8_t *from = messages + size_t(rank) * entry.bytes + sizeof(uint64_t);
      int64_t count = int64_t((entry.bytes - sizeof(uint64_t)) / sizeof(float));
      bool isBad = !all_finite(reinterpret_cast<const float *>(from), count);
      if (isBad && (bad < 0 || rank == world->rank()))
        bad = rank;
    }
    if (bad >= 0)
      return bad;
    at += sizeof entry + size_t(world->size()) * entry.bytes;
  }
  return -1;
}

} // namespace symc::train
