// multibox.cpp: kernels of the SSD operators that match and suppress boxes. Arithmetic is that of
// data's type, limits are 32-bit floats, and comparisons keep MXNet's order, since they
// decide which boxes stay.
#include "../reference/order.h"
#include "../reference/refusal.h"
#include "suppression.h"
#include "symc/generated/op_params/Detection.h"

using namespace symc::ref;
using namespace symc::irregular;

namespace {

template <class N> N least(N a, N b) { return b < a ? b : a; }
template <class N> N most(N a, N b) { return a < b ? b : a; }
inline float exp_of(float x) { return __builtin_expf(x); }
inline double exp_of(double x) { return __builtin_exp(x); }

//===----------------------------------------------------------------------===//
// multibox_detection
//===----------------------------------------------------------------------===//

// The box at an anchor.
template <class E, class N>
void decode(const typename E::Storage *anchor, const typename E::Storage *offset,
            const symc_multibox_detection_params &params, N *box) {
  const double *v = params.variances.v;
  N left = E::load(anchor[0]), top = E::load(anchor[1]);
  N right = E::load(anchor[2]), bottom = E::load(anchor[3]);
  N width = right - left, height = bottom - top;
  N x = E::load(offset[0]) * N(float(v[0])) * width + (left + right) / 2;
  N y = E::load(offset[1]) * N(float(v[1])) * height + (top + bottom) / 2;
  N half_width = exp_of(E::load(offset[2]) * N(float(v[2]))) * width / 2;
  N half_height = exp_of(E::load(offset[3]) * N(float(v[3]))) * height / 2;
  box[0] = x - half_width;
  box[1] = y - half_height;
  box[2] = x + half_width;
  box[3] = y + half_height;
  for (int i = 0; params.clip && i < 4; ++i) // 32 bits: corners of a box
    box[i] = most(N(0), least(N(1), box[i]));
}

template <class E> int32_t multibox_detection(const symc_kernel_args *args) {
  using N = typename E::Number;
  const auto &params = params_of<symc_multibox_detection_params>(args);
  const symc_tensor &scores = args->inputs[0];
  int64_t items = scores.shape[0], classes = scores.shape[1], anchors = scores.shape[2];
  const auto *anchor = data_of<E>(args->inputs[2]);
  const float limit = float(params.nms_threshold);
  Rows each = {items, anchors * (classes + 16),
               Scratch::bytes_of<N>(anchors * 6) + Staying<N>::bytes(anchors) +
                   2 * Scratch::bytes_of<int64_t>(anchors)};
  return run_rows_by_blocks(args, each, [&](const RowRange &range) -> int32_t {
    Scratch scratch(range);
    auto *rows = scratch.take<N>(anchors * 6);
    const Staying<N> none(scratch, anchors, N(limit));
    auto *places = scratch.take<int64_t>(anchors), *spare = scratch.take<int64_t>(anchors);
    if (!scratch.enough)
      return refuse(Refusal::SCRATCH);
    for (int64_t item = range.first; item < range.end; ++item) {
      const auto *score = data_of<E>(scores) + item * classes * anchors;
      const auto *offset = data_of<E>(args->inputs[1]) + item * anchors * 4;
      auto *out = target_of<E>(args->outputs[0]) + item * anchors * 6;
      // The likeliest class of an anchor and its score; 0 where it is the background.
      auto class_of = [&](int64_t a, N &best) {
        int64_t id = 0;
        best = -1;
        for (int64_t c = 1; c < classes; ++c) {
          N value = E::load(score[c * anchors + a]);
          if (value > best) {
            best = value;
            id = c;
          }
        }
        return best < float(params.threshold) ? int64_t(0) : id;
      };
      auto write_row = [&](int64_t to, int64_t a, int64_t id, N best) {
        N *row = rows + to * 6;
        row[0] = N(id - 1);
        row[1] = best;
        decode<E>(anchor + a * 4, offset + a * 4, params, row + 2);
        places[to] = to;
      };
      int64_t found = 0;
      N best;
      if constexpr (kOnDevice) {
        found = gather_in_block(anchors, spare, [&](int64_t a) { return class_of(a, best) > 0; });
        each_of_block(found, [&](int64_t n) {
          int64_t id = class_of(spare[n], best);
          write_row(n, spare[n], id, best);
        });
      } else {
        for (int64_t a = 0; a < anchors; ++a)
          if (int64_t id = class_of(a, best); id > 0)
            write_row(found++, a, id, best);
      }
      const int64_t *order = places;
      int64_t kept = found;
      bool suppress = found > 0 && limit > 0 && limit <= 1;
      if (suppress) {
        order = order_by_score<E>(places, spare, found, [&](int64_t a) { return rows[a * 6 + 1]; });
        kept = params.nms_topk > 0 ? least(int64_t(params.nms_topk), found) : found;
      }
      // Rows behind the kept ones stay where they were found, with class -1.
      each_of_block(anchors, [&](int64_t i) {
        for (int64_t j = 0; j < 6; ++j)
          out[i * 6 + j] = E::store(i >= found || (i >= kept && j == 0)
                                        ? N(-1)
                                        : rows[(i < kept ? order[i] : i) * 6 + j]);
      });
      Staying<N> staying = none;
      for (int64_t i = 0; suppress && i < kept; ++i) {
        const N *row = rows + order[i] * 6;
        Box<N> box = {{row[2], row[3]},
                      {row[4], row[5]},
                      (row[4] - row[2]) * (row[5] - row[3]),
                      params.force_suppress ? 0 : int32_t(row[0])}; // 32 bits: a class
        if (staying.have_room(box, [&](N shared, N common) {
              return (common <= 0 ? N(0) : shared / common) >= limit;
            }))
          staying.add(box);
        else if (block_thread() == 0)
          out[i * 6] = E::store(N(-1));
      }
      wait_for_block();
    }
    return SYMC_STATUS_OK;
  });
}

//===----------------------------------------------------------------------===//
// multibox_target
//===----------------------------------------------------------------------===//

// The matching of one image's anchors and labels.
struct Matching {
  int64_t anchors, labels;
  const float *overlaps; // [anchors, labels of the image in rows of `stride`]
  int64_t stride;
  int8_t *state;    // of each anchor: 1 taken, 0 background, -1 does not count
  float *best;      // of each anchor: its match's overlap, -1 for none yet
  int64_t *match;   // of each anchor: its label
  uint8_t *matched; // of each label

  void clear() {
    for (int64_t a = 0; a < anchors; ++a) {
      state[a] = -1;
      best[a] = -1;
      match[a] = -1;
    }
    for (int64_t l = 0; l < labels; ++l)
      matched[l] = 0;
  }
  // Gives each label its best free anchor, the best pair first; returns how many got one.
  int64_t take_best_pairs() {
    int64_t taken = 0;
    for (;;) {
      int64_t anchor = -1, label = -1;
      float most_overlap = 1e-6f;
      for (int64_t a = 0; a < anchors; ++a)
        for (int64_t l = 0; state[a] != 1 && l < labels; ++l)
          if (!matched[l] && overlaps[a * stride + l] > most_overlap) {
            anchor = a;
            label = l;
            most_overlap = overlaps[a * stride + l];
          }
      if (anchor < 0)
        return taken;
      best[anchor] = most_overlap;
      match[anchor] = label;
      state[anchor] = 1;
      matched[label] = 1;
      ++taken;
    }
  }
  // The label that overlaps an anchor most.
  void find_match(int64_t anchor) {
    for (int64_t l = 0; l < labels; ++l)
      if (overlaps[anchor * stride + l] > best[anchor]) {
        best[anchor] = overlaps[anchor * stride + l];
        match[anchor] = l;
      }
  }
};

// The probability of the background at an anchor.
template <class E>
typename E::Number background(const typename E::Storage *scores, int64_t classes, int64_t anchors,
                              int64_t anchor) {
  using N = typename E::Number;
  N greatest = E::load(scores[anchor]), sum = 0;
  for (int64_t c = 1; c < classes; ++c)
    greatest = most(greatest, E::load(scores[anchor + anchors * c]));
  for (int64_t c = 0; c < classes; ++c)
    sum += exp_of(E::load(scores[anchor + anchors * c]) - greatest);
  return exp_of(E::load(scores[anchor]) - greatest) / sum;
}

// Marks the anchors that count as background: those that look least like it.
template <class E>
int32_t mine(const symc_multibox_target_params &params, Matching &m, int64_t taken,
             const typename E::Storage *scores, int64_t classes, float *hardness, int64_t *places,
             int64_t *spare) {
  int64_t wanted = int64_t(float(taken) * float(params.negative_mining_ratio)), candidates = 0;
  wanted = least(wanted, m.anchors - taken);
  if (wanted <= 0)
    return SYMC_STATUS_OK;
  for (int64_t a = 0; a < m.anchors; ++a) {
    if (m.state[a] == 1)
      continue;
    if (m.best[a] < 0)
      m.find_match(a);
    if (!(m.best[a] < float(params.negative_mining_thresh)))
      continue;
    hardness[a] = -float(background<E>(scores, classes, m.anchors, a));
    places[candidates++] = a;
  }
  if (candidates < wanted) // MXNet stops here too
    return refuse(Refusal::MINING);
  const int64_t *order = order_places(
      places, spare, candidates, [&](int64_t a, int64_t b) { return hardness[a] > hardness[b]; });
  for (int64_t i = 0; i < wanted; ++i)
    m.state[order[i]] = 0;
  return SYMC_STATUS_OK;
}

// The offsets from an anchor to a box.
inline void encode(const float *anchor, const float *box, const double *variances, float *offset) {
  float width = anchor[2] - anchor[0], height = anchor[3] - anchor[1];
  float x = (anchor[0] + anchor[2]) * 0.5f, y = (anchor[1] + anchor[3]) * 0.5f;
  float box_x = (box[0] + box[2]) * 0.5f, box_y = (box[1] + box[3]) * 0.5f;
  offset[0] = (box_x - x) / width / float(variances[0]);
  offset[1] = (box_y - y) / height / float(variances[1]);
  offset[2] = __builtin_logf((box[2] - box[0]) / width) / float(variances[2]);
  offset[3] = __builtin_logf((box[3] - box[1]) / height) / float(variances[3]);
}

template <class E> int32_t multibox_target(const symc_kernel_args *args) {
  using N = typename E::Number;
  const auto &params = params_of<symc_multibox_target_params>(args);
  const symc_tensor &label = args->inputs[1], &scores = args->inputs[2];
  int64_t items = label.shape[0], rows = label.shape[1], width = label.shape[2];
  int64_t classes = scores.shape[1], anchors = scores.shape[2];
  const auto *anchor = data_of<E>(args->inputs[0]);
  Rows each = {items, anchors * (rows * 8 + classes),
               Scratch::bytes_of<float>(anchors * rows) + 2 * Scratch::bytes_of<float>(anchors) +
                   3 * Scratch::bytes_of<int64_t>(anchors) + Scratch::bytes_of<int8_t>(anchors) +
                   Scratch::bytes_of<uint8_t>(rows)};
  return run_rows(args, each, [&](const RowRange &range) -> int32_t {
    Scratch scratch(range);
    auto *overlaps = scratch.take<float>(anchors * rows);
    auto *best = scratch.take<float>(anchors), *hardness = scratch.take<float>(anchors);
    auto *match = scratch.take<int64_t>(anchors), *places = scratch.take<int64_t>(anchors);
    auto *spare = scratch.take<int64_t>(anchors);
    auto *state = scratch.take<int8_t>(anchors);
    auto *matched = scratch.take<uint8_t>(rows);
    if (!scratch.enough)
      return refuse(Refusal::SCRATCH);
    for (int64_t item = range.first; item < range.end; ++item) {
      auto *offsets = target_of<E>(args->outputs[0]) + item * anchors * 4;
      auto *mask = target_of<E>(args->outputs[1]) + item * anchors * 4;
      auto *target = target_of<E>(args->outputs[2]) + item * anchors;
      const auto *truth = data_of<E>(label) + item * rows * width;
      for (int64_t i = 0; i < anchors * 4; ++i)
        offsets[i] = mask[i] = E::store(N(0));
      for (int64_t a = 0; a < anchors; ++a)
        target[a] = E::store(float(params.ignore_label));
      int64_t labels = 0;
      while (labels < rows && float(E::load(truth[labels * width])) != -1.0f)
        ++labels;
      for (int64_t i = 1; labels < rows && i < 5; ++i)
        if (float(E::load(truth[labels * width + i])) != -1.0f)
          return refuse(Refusal::ROW); // MXNet stops here too
      if (labels == 0)
        continue;
      for (int64_t a = 0; a < anchors; ++a)
        for (int64_t l = 0; l < labels; ++l) {
          N own[4], box[4];
          for (int i = 0; i < 4; ++i) {
            own[i] = E::load(anchor[a * 4 + i]);
            box[i] = E::load(truth[l * width + 1 + i]);
          }
          N w = most(N(0), least(own[2], box[2]) - most(own[0], box[0]));
          N h = most(N(0), least(own[3], box[3]) - most(own[1], box[1]));
          N common =
              (own[2] - own[0]) * (own[3] - own[1]) + (box[2] - box[0]) * (box[3] - box[1]) - w * h;
          overlaps[a * rows + l] = common == 0 ? 0.0f : float(w * h / common);
        }
      Matching m = {anchors, labels, overlaps, rows, state, best, match, matched};
      m.clear();
      int64_t taken = m.take_best_pairs();
      for (int64_t a = 0; params.overlap_threshold > 0 && a < anchors; ++a) {
        if (state[a] == 1)
          continue;
        m.find_match(a);
        if (match[a] >= 0 && best[a] > float(params.overlap_threshold)) {
          state[a] = 1;
          ++taken;
        }
      }
      if (params.negative_mining_ratio > 0) {
        int32_t status = mine<E>(params, m, taken, data_of<E>(scores) + item * classes * anchors,
                                 classes, hardness, places, spare);
        if (status != SYMC_STATUS_OK)
          return status;
      }
      for (int64_t a = 0; a < anchors; ++a) {
        if (state[a] == 1) {
          const auto *row = truth + match[a] * width;
          target[a] = E::store(E::load(row[0]) + 1);
          float own[4], box[4], offset[4];
          for (int i = 0; i < 4; ++i) {
            own[i] = float(E::load(anchor[a * 4 + i]));
            box[i] = float(E::load(row[1 + i]));
          }
          encode(own, box, params.variances.v, offset);
          for (int i = 0; i < 4; ++i) {
            offsets[a * 4 + i] = E::store(offset[i]);
            mask[a * 4 + i] = E::store(N(1));
          }
        } else if (state[a] == 0 || !(params.negative_mining_ratio > 0)) {
          target[a] = E::store(N(0));
        }
      }
    }
    return SYMC_STATUS_OK;
  });
}

} // namespace

SYMC_REFERENCE_FLOATS(multibox_detection, multibox_detection)
SYMC_REFERENCE_FLOATS(multibox_target, multibox_target)

SYMC_ON_BLOCKS(multibox_detection)
