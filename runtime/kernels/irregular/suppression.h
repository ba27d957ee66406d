// suppression.h: boxes, the best first, of which those stay that overlap none of the staying ones
// too much (non-maximum suppression). Each box is held against those that stay, and against no
// other: what comes behind the last box that is wanted costs nothing.
#ifndef SYMC_RUNTIME_KERNELS_IRREGULAR_SUPPRESSION_H
#define SYMC_RUNTIME_KERNELS_IRREGULAR_SUPPRESSION_H

#include "scratch.h"

namespace symc::irregular {

// First and last edge along two axes. Boxes of different kinds never exclude each other.
template <class N> struct Box {
  N low[2], high[2], area;
  int32_t kind;
};

// The boxes that stay, each number in an array of its own, so that compilers compare a box with
// several at once. Extents exceed the distance of edges by `border`.
template <class N, int border = 0> class Staying { // 32 bits: pixels around a box
  static constexpr int64_t kTogether = 32;
  N *low[2], *high[2], *area; // behind the last box to a multiple of kTogether boxes of nothing
  int32_t *kind;
  N less; // part of the common area that is a little below the limit

  static constexpr int64_t whole(int64_t count) {
    return (count + kTogether - 1) / kTogether * kTogether;
  }
  void set(int64_t k, const Box<N> &box) {
    for (int axis = 0; axis < 2; ++axis) {
      low[axis][k] = box.low[axis];
      high[axis][k] = box.high[axis];
    }
    area[k] = box.area;
    kind[k] = box.kind;
  }
  N shared_with(const Box<N> &box, int64_t k) const {
    N shared[2];
    for (int axis = 0; axis < 2; ++axis) {
      N begin = low[axis][k] > box.low[axis] ? low[axis][k] : box.low[axis];
      N end = high[axis][k] < box.high[axis] ? high[axis][k] : box.high[axis];
      N extent = border ? end - begin + N(border) : end - begin;
      shared[axis] = extent > 0 ? extent : N(0);
    }
    return shared[0] * shared[1];
  }
  N common_with(const Box<N> &box, int64_t k, N shared) const {
    return area[k] + box.area - shared;
  }
  // Whether any of kTogether boxes may be one that overlaps this one too much. Nothing here
  // branches.
  bool may_exclude(const Box<N> &box, int64_t begin) const {
    int32_t any = 0;
    for (int64_t k = begin; k < begin + kTogether; ++k) {
      N shared = shared_with(box, k);
      any |= int32_t(shared > less * common_with(box, k, shared)) & int32_t(kind[k] == box.kind);
    }
    return any;
  }

public:
  int64_t count = 0;

  static int64_t bytes(int64_t most) {
    return 5 * Scratch::bytes_of<N>(whole(most)) + Scratch::bytes_of<int32_t>(whole(most));
  }
  // `limit`: of the shared over the common area.
  Staying(Scratch &scratch, int64_t most, N limit) {
    N **const numbers[] = {&low[0], &low[1], &high[0], &high[1], &area};
    for (N **piece : numbers)
      *piece = scratch.take<N>(whole(most));
    kind = scratch.take<int32_t>(whole(most));
    less = limit - (limit < 0 ? -limit : limit) / 1024;
  }

  // Whether no box that stays overlaps this one too much: too_much(shared, common), which divides,
  // is called where areas come near the limit alone. All threads of a block call it at the same
  // time.
  template <class TooMuch> bool have_room(const Box<N> &box, const TooMuch &too_much) const {
    auto excludes = [&](int64_t k) {
      N shared = shared_with(box, k);
      // 32 bits: a truth value.
      return int32_t(too_much(shared, common_with(box, k, shared))) & int32_t(kind[k] == box.kind);
    };
    int32_t excluded = 0;
    if constexpr (ref::kOnDevice) {
      for (int64_t k = ref::block_thread(); k < count; k += ref::block_threads())
        excluded |= excludes(k);
      return ref::holds_in_block(!excluded);
    }
    for (int64_t begin = 0; begin < count && !excluded; begin += kTogether)
      if (may_exclude(box, begin))
        for (int64_t k = begin; k < begin + kTogether && k < count; ++k)
          excluded |= excludes(k);
    return !excluded;
  }

  void add(const Box<N> &box) {
    if (ref::block_thread() == 0) {
      if (!ref::kOnDevice && count % kTogether == 0)
        for (int64_t k = count; k < count + kTogether; ++k)
          set(k, {{0, 0}, {0, 0}, 0, box.kind});
      set(count, box);
    }
    ++count;
    ref::wait_for_block();
  }
};

} // namespace symc::irregular
#endif
