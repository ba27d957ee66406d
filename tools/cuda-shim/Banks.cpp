// Banks.cpp: see Banks.h.
#include "tools/cuda-shim/Banks.h"
#include <algorithm>

using namespace symc::shim;

void Banks::begin() {
  warps.clear();
  all.clear();
}

void Banks::access(unsigned thread, uintptr_t address, unsigned bytes, void *caller) {
  unsigned warp = thread / 32, lane = thread % 32;
  if (warps.size() <= warp)
    warps.resize(warp + 1);
  Place &place = warps[warp][caller];
  unsigned time = place.times[lane]++;
  if (place.accesses.size() <= time)
    place.accesses.push_back({{}, 0, bytes});
  Together &together = place.accesses[time];
  together.addresses[lane] = address;
  together.lanes |= 1u << lane;
}

void Banks::count(const Together &access, BankCount &sum) {
  ++sum.accesses;
  unsigned bytes = std::max(access.bytes, 4u), lanes = 128 / bytes;
  for (unsigned first = 0; first < 32; first += lanes) {
    unsigned words[32] = {}, most = 0;
    uintptr_t seen[32][32]; // of each bank
    for (unsigned lane = first; lane < first + lanes; ++lane)
      for (unsigned at = 0; access.lanes >> lane & 1 && at < bytes; at += 4) {
        uintptr_t word = access.addresses[lane] / 4 + at / 4;
        uintptr_t *row = seen[word % 32];
        unsigned &count = words[word % 32];
        if (std::find(row, row + count, word) == row + count)
          row[count++] = word;
        most = std::max(most, count);
      }
    sum.wavefronts += most;
    sum.ideal += most > 0;
  }
}

void Banks::endWarpInterval(unsigned warp) {
  if (warp >= warps.size())
    return;
  for (auto &[caller, place] : warps[warp])
    if (!place.accesses.empty()) {
      BankCount &sum = all[caller];
      for (const Together &access : place.accesses)
        count(access, sum);
      place.accesses.clear();
      std::fill(std::begin(place.times), std::end(place.times), 0);
    }
}

void Banks::endInterval() {
  for (unsigned warp = 0; warp < warps.size(); ++warp)
    endWarpInterval(warp);
}
