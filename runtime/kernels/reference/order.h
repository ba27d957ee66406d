// order.h: putting places in order by a comparison of what lies there. Stable, of
// n log n comparisons, in memory that the caller brings (scratch_bytes of the kernel).
#ifndef SYMC_RUNTIME_KERNELS_REFERENCE_ORDER_H
#define SYMC_RUNTIME_KERNELS_REFERENCE_ORDER_H

#include <stdint.h>

namespace symc::ref {

// Bytes that order_places() wants for `count` places: they and as many again.
inline constexpr int64_t order_bytes(int64_t count) { return 2 * count * int64_t(sizeof(int64_t)); }

// Merges runs of doubling length, from `places` to `spare` and back. Returns the one that holds
// the result. before(a, b) is a strict order of two places.
template <class Before>
int64_t *order_places(int64_t *places, int64_t *spare, int64_t count, Before before) {
  for (int64_t width = 1; width < count; width *= 2) {
    for (int64_t begin = 0; begin < count; begin += 2 * width) {
      int64_t middle = begin + width < count ? begin + width : count;
      int64_t end = middle + width < count ? middle + width : count;
      int64_t left = begin, right = middle;
      for (int64_t to = begin; to < end; ++to) {
        bool take_right = left == middle || (right < end && before(places[right], places[left]));
        spare[to] = take_right ? places[right++] : places[left++];
      }
    }
    int64_t *sorted = spare;
    spare = places;
    places = sorted;
  }
  return places;
}

// Puts keys in the upper halves of `items` in rising order, from `items` to `spare` and back, byte
// by byte from the last on: stable, of as many steps as there are bytes. Returns the one that
// holds the result.
inline uint64_t *order_keys(uint64_t *items, uint64_t *spare, int64_t count) {
  for (int shift = 32; shift < 64; shift += 8) {
    int64_t begin[256] = {};
    for (int64_t i = 0; i < count; ++i)
      ++begin[items[i] >> shift & 255];
    if (begin[items[0] >> shift & 255] == count)
      continue; // all alike
    int64_t sum = 0;
    for (int64_t &each : begin) {
      int64_t many = each;
      each = sum;
      sum += many;
    }
    for (int64_t i = 0; i < count; ++i)
      spare[begin[items[i] >> shift & 255]++] = items[i];
    uint64_t *sorted = spare;
    spare = items;
    items = sorted;
  }
  return items;
}

// The first `wanted` of `count` places in the same order, in `places`: each place goes where it
// belongs among those before it, if there.
template <class Before>
void first_places(int64_t *places, int64_t wanted, int64_t count, Before before) {
  int64_t held = 0;
  for (int64_t n = 0; n < count; ++n) {
    if (held == wanted && !before(n, places[held - 1]))
      continue;
    int64_t to = held < wanted ? held++ : held - 1;
    for (; to > 0 && before(n, places[to - 1]); --to)
      places[to] = places[to - 1];
    places[to] = n;
  }
}

} // namespace symc::ref
#endif
