// order.h: putting places in order by a comparison of what lies there, or by keys of numbers of up
// to 32 bits. Stable, of n log n comparisons or n steps a byte, in memory that the caller brings
// (scratch_bytes of the kernel).
#ifndef SYMC_RUNTIME_KERNELS_REFERENCE_ORDER_H
#define SYMC_RUNTIME_KERNELS_REFERENCE_ORDER_H

#include "threads.h"

namespace symc::ref {

// Bytes that order_places() needs for `count` places: they and as many again.
inline constexpr int64_t order_bytes(int64_t count) { return 2 * count * int64_t(sizeof(int64_t)); }

// Where place number `i` comes when runs of `width` places are merged in pairs: a place of the left
// run is behind those of the right one that are before it, a place of the right run behind those of
// the left one that it is not before.
template <class Before>
int64_t merged_to(const int64_t *places, int64_t i, int64_t width, int64_t count, Before before) {
  int64_t begin = i / (2 * width) * 2 * width;
  int64_t middle = begin + width < count ? begin + width : count;
  int64_t end = middle + width < count ? middle + width : count;
  bool is_left = i < middle;
  int64_t low = is_left ? middle : begin, high = is_left ? end : middle, first = low;
  while (low < high) {
    int64_t other = (low + high) / 2;
    if (is_left ? before(places[other], places[i]) : !before(places[i], places[other]))
      low = other + 1;
    else
      high = other;
  }
  return begin + (is_left ? i - begin : i - middle) + (low - first);
}

// Merges runs of doubling length, from `places` to `spare` and back. Returns the one that holds
// the result. before(a, b) is a strict order of two places. On a device all threads of the block
// call it, at the same time.
template <class Before>
int64_t *order_places(int64_t *places, int64_t *spare, int64_t count, Before before) {
  for (int64_t width = 1; width < count; width *= 2) {
    if constexpr (kOnDevice) {
      each_of_block(
          count, [&](int64_t i) { spare[merged_to(places, i, width, count, before)] = places[i]; });
      int64_t *sorted = spare;
      spare = places;
      places = sorted;
      continue;
    }
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
inline uint64_t *order_items(uint64_t *items, uint64_t *spare, int64_t count) {
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

// Whether order_keys() orders so many numbers; fewer are merged sooner than their keys are counted.
template <class E> constexpr bool has_keys(int64_t count) {
  return sizeof(typename E::Storage) <= 4 && count >= 128 && count <= 0xffffffff;
}

// Keys are in order as the numbers are; -0 is 0, and NaN is last.
inline uint32_t key_of(float value, bool rising) {
  if (value != value)
    return 0xffffffff;
  uint32_t bits;
  value += 0.0f;
  __builtin_memcpy(&bits, &value, sizeof bits);
  bits ^= bits >> 31 ? 0xffffffff : 0x80000000;
  return rising ? bits : ~bits;
}
template <class E> uint32_t key_of(float value, bool rising) { return key_of(value, rising); }
template <class E> uint32_t key_of(double, bool) { return 0; } // of 64 bits: not called
template <class E> uint32_t key_of(int64_t value, bool rising) {
  constexpr int64_t least = typename E::Storage(-1) > 0 ? 0 : -2147483648;
  // 32 bits: a key of an element.
  return rising ? uint32_t(value - least) : ~uint32_t(value - least);
}

// Orders the numbers at(0), at(1) ... by their keys. Returns what place_of_key() gives their places
// of, in `places` or behind it: as many again.
template <class E, class At>
const int64_t *order_keys(int64_t *places, int64_t count, bool rising, At at) {
  auto *items = reinterpret_cast<uint64_t *>(places);
  for (int64_t n = 0; n < count; ++n)
    items[n] = uint64_t(key_of<E>(E::load(at(n)), rising)) << 32 | uint64_t(n);
  return reinterpret_cast<const int64_t *>(order_items(items, items + count, count));
}
// 32 bits: has_keys() bounds places.
inline int64_t place_of_key(int64_t item) { return int64_t(uint32_t(item)); }

// Puts rising places in order of falling score(place), NaN last. Returns the one of `places` and
// `spare` that holds the result.
template <class E, class Score>
int64_t *order_by_score(int64_t *places, int64_t *spare, int64_t count, const Score &score) {
  if (!kOnDevice && has_keys<E>(count) && places[count - 1] <= 0xffffffff) {
    auto *items = reinterpret_cast<uint64_t *>(spare);
    for (int64_t n = 0; n < count; ++n)
      items[n] = uint64_t(key_of<E>(score(places[n]), false)) << 32 | uint64_t(places[n]);
    auto *order = reinterpret_cast<int64_t *>(
        order_items(items, reinterpret_cast<uint64_t *>(places), count));
    for (int64_t n = 0; n < count; ++n)
      order[n] = place_of_key(order[n]);
    return order;
  }
  return order_places(places, spare, count, [&](int64_t a, int64_t b) {
    auto x = score(a), y = score(b);
    return x > y || (x == x && y != y);
  });
}

// The first of the places [n, count) for which ahead() holds, which is computed for a vector's
// worth at once; `count` if there is none.
template <class Ahead> int64_t first_ahead(int64_t n, int64_t count, const Ahead &ahead) {
  constexpr int64_t kTogether = 16;
  for (unsigned any = 0; n + kTogether <= count; n += kTogether) {
#if defined(__clang__) // vectors are made of a loop when a model is compiled, not of 16 copies
#pragma clang loop unroll(disable)
#endif
    for (int64_t i = 0; i < kTogether; ++i)
      any |= unsigned(ahead(n + i));
    if (any)
      break;
  }
  while (n < count && !ahead(n))
    ++n;
  return n;
}

// The first `wanted` of `count` places in the same order, in `places`: each place goes where it
// belongs among those before it, if there. next(n, last) is the first of the places from n on that
// comes before `last`, or `count`.
template <class Before, class Next>
void first_places(int64_t *places, int64_t wanted, int64_t count, Before before, Next next) {
  if constexpr (kOnDevice) { // one after the other: the first of those behind the last one
    auto precedes = [&](int64_t m, int64_t n) { return before(m, n) || (m < n && !before(n, m)); };
    for (int64_t rank = 0, last = -1; rank < wanted; ++rank) {
      int64_t best = -1;
      for (int64_t n = block_thread(); n < count; n += block_threads())
        if ((last < 0 || precedes(last, n)) && (best < 0 || precedes(n, best)))
          best = n;
      last = best_in_block(best, precedes);
      if (block_thread() == 0)
        places[rank] = last;
    }
    return wait_for_block();
  }
  int64_t held = 0;
  for (int64_t n = 0; n < count; ++n) {
    if (held == wanted && (n = next(n, places[held - 1])) == count)
      break;
    int64_t to = held < wanted ? held++ : held - 1;
    for (; to > 0 && before(n, places[to - 1]); --to)
      places[to] = places[to - 1];
    places[to] = n;
  }
}

} // namespace symc::ref
#endif
