// box_nms.cpp: kernels that order boxes or pairs by score and let the better one exclude others.
// A box whose score is NaN never counts, a pair whose score is NaN comes last.
#include "../reference/order.h"
#include "../reference/walk.h"
#include "suppression.h"
#include "symc/generated/op_params/Detection.h"

using namespace symc::ref;
using namespace symc::irregular;

namespace {

// The box of a row, and its class where classes count.
template <class E>
Box<typename E::Number> box_of(const typename E::Storage *at, bool center, int32_t kind) {
  using N = typename E::Number;
  Box<N> box;
  N v[4];
  for (int k = 0; k < 4; ++k)
    v[k] = E::load(at[k]);
  for (int axis = 0; axis < 2; ++axis) {
    N half = v[2 + axis] / 2;
    box.low[axis] = center ? v[axis] - half : v[axis];
    box.high[axis] = center ? v[axis] + half : v[2 + axis];
  }
  N width = center ? v[2] : v[2] - v[0], height = center ? v[3] : v[3] - v[1];
  box.area = width < 0 || height < 0 ? N(0) : width * height;
  box.kind = kind;
  return box;
}

// A box in the other form, unless its first coordinate is below 0.
template <class E> void change_form(typename E::Storage *at, bool to_center) {
  using N = typename E::Number;
  N v[4];
  for (int i = 0; i < 4; ++i)
    v[i] = E::load(at[i]);
  if (v[0] < 0)
    return;
  for (int axis = 0; axis < 2; ++axis) {
    N first = v[axis], second = v[2 + axis];
    at[axis] = E::store(to_center ? (first + second) / 2 : first - second / 2);
    at[2 + axis] = E::store(to_center ? second - first : first + second / 2);
  }
}

// Calls body(list, stay, kept) for each list of data's boxes: which stay, the best first. At most
// `wanted` of them are looked for.
template <class E, class Params, class Body>
int32_t each_suppressed(const symc_kernel_args *args, const Params &params, int64_t wanted,
                        const Body &body) {
  using N = typename E::Number;
  const symc_tensor &data = args->inputs[0];
  int64_t boxes = data.shape[data.rank - 2], width = data.shape[data.rank - 1];
  int64_t lists = boxes * width ? count_of(data) / (boxes * width) : 0;
  int64_t looked_at = params.topk < 0 || params.topk > boxes ? boxes : params.topk;
  const bool center = params.in_format != 0; // else corner
  const float limit = float(params.overlap_thresh);
  Rows rows = {lists, 16 * boxes, Staying<N>::bytes(boxes) + 2 * Scratch::bytes_of<int64_t>(boxes)};
  return run_rows_by_blocks(args, rows, [&](const RowRange &range) -> int32_t {
    Scratch scratch(range);
    const Staying<N> none(scratch, boxes, N(limit));
    auto *places = scratch.take<int64_t>(boxes), *spare = scratch.take<int64_t>(boxes);
    if (!scratch.enough)
      return refuse(Refusal::SCRATCH);
    for (int64_t list = range.first; list < range.end; ++list) {
      const auto *in = data_of<E>(data) + list * boxes * width;
      auto score = [&](int64_t box) { return E::load(in[box * width + params.score_index]); };
      auto id = [&](int64_t box) { return E::load(in[box * width + params.id_index]); };
      int64_t count = gather_in_block(boxes, places, [&](int64_t box) {
        return score(box) > float(params.valid_thresh) &&
               (params.id_index < 0 || id(box) != N(params.background_id));
      });
      int64_t *order = order_by_score<E>(places, spare, count, score);
      count = count < looked_at ? count : looked_at;
      int64_t *stay = order == places ? spare : places;
      bool classes = !params.force_suppress && params.id_index >= 0;
      Staying<N> staying = none;
      for (int64_t i = 0; i < count && staying.count < wanted; ++i) {
        Box<N> box = box_of<E>(in + order[i] * width + params.coord_start, center,
                               classes ? short_integer_of(double(id(order[i]))) : 0);
        if (!staying.have_room(box, [&](N shared, N common) { return shared / common > limit; }))
          continue;
        if (block_thread() == 0)
          stay[staying.count] = order[i];
        staying.add(box);
      }
      body(list, stay, staying.count);
    }
    return SYMC_STATUS_OK;
  });
}

template <class E> int32_t box_nms(const symc_kernel_args *args) {
  using N = typename E::Number;
  const auto &params = params_of<symc_box_nms_params>(args);
  const symc_tensor &data = args->inputs[0];
  int64_t boxes = data.shape[data.rank - 2], width = data.shape[data.rank - 1];
  bool center = params.in_format == SYMC_BOX_NMS_IN_FORMAT_CENTER;
  bool to_center = params.out_format == SYMC_BOX_NMS_OUT_FORMAT_CENTER;
  if (params.topk == 0 || boxes < 1) {
    move_bytes(args->outputs[0].data, data.data,
               count_of(data) * int64_t(sizeof(typename E::Storage)));
    return SYMC_STATUS_OK;
  }
  return each_suppressed<E>(args, params, params.rows < 0 ? boxes : params.rows,
                            [&](int64_t list, const int64_t *stay, int64_t kept) {
                              const auto *in = data_of<E>(data) + list * boxes * width;
                              auto *out = target_of<E>(args->outputs[0]) + list * boxes * width;
                              each_of_block(boxes, [&](int64_t k) {
                                auto *target = out + k * width;
                                for (int64_t i = 0; i < width; ++i)
                                  target[i] = k < kept ? in[stay[k] * width + i] : E::store(N(-1));
                                if (k < kept && center != to_center)
                                  change_form<E>(target + params.coord_start, to_center);
                              });
                            });
}

// What a row became has its gradient, whatever its form.
template <class E> int32_t box_nms_gradient(const symc_kernel_args *args) {
  const auto &params = params_of<symc_box_nms_gradient_params>(args);
  const symc_tensor &data = args->inputs[0], &gradient = args->inputs[1];
  int64_t boxes = data.shape[data.rank - 2], width = data.shape[data.rank - 1];
  if (params.topk == 0 || boxes < 1) {
    move_bytes(args->outputs[0].data, gradient.data,
               count_of(data) * int64_t(sizeof(typename E::Storage)));
    return SYMC_STATUS_OK;
  }
  return each_suppressed<E>(
      args, params, boxes, [&](int64_t list, const int64_t *stay, int64_t kept) {
        const auto *slopes = data_of<E>(gradient) + list * boxes * width;
        auto *out = target_of<E>(args->outputs[0]) + list * boxes * width;
        each_of_block(boxes * width, [&](int64_t i) { out[i] = E::store(typename E::Number(0)); });
        each_of_block(kept * width,
                      [&](int64_t i) { out[stay[i / width] * width + i % width] = slopes[i]; });
      });
}

template <class E> int32_t bipartite_matching(const symc_kernel_args *args) {
  using N = typename E::Number;
  const auto &params = params_of<symc_bipartite_matching_params>(args);
  const symc_tensor &data = args->inputs[0];
  int64_t rows = data.shape[data.rank - 2], columns = data.shape[data.rank - 1];
  int64_t lists = product(data.shape, 0, data.rank - 2); // without rows, columns are unmatched
  const float limit = float(params.threshold);
  bool rising = params.is_ascend;
  Rows each = {lists, 16 * rows * columns, 2 * Scratch::bytes_of<int64_t>(rows * columns)};
  return run_rows_by_blocks(args, each, [&](const RowRange &range) -> int32_t {
    Scratch scratch(range);
    auto *places = scratch.take<int64_t>(rows * columns),
         *spare = scratch.take<int64_t>(rows * columns);
    if (!scratch.enough)
      return refuse(Refusal::SCRATCH);
    for (int64_t list = range.first; list < range.end; ++list) {
      const auto *in = data_of<E>(data) + list * rows * columns;
      auto *row_match = target_of<E>(args->outputs[0]) + list * rows;
      auto *column_match = target_of<E>(args->outputs[1]) + list * columns;
      each_of_block(rows, [&](int64_t i) { row_match[i] = E::store(N(-1)); });
      each_of_block(columns, [&](int64_t i) { column_match[i] = E::store(N(-1)); });
      each_of_block(rows * columns, [&](int64_t i) { places[i] = i; });
      const int64_t *order = order_places(places, spare, rows * columns, [&](int64_t a, int64_t b) {
        N x = E::load(in[a]), y = E::load(in[b]);
        return x != x || y != y ? x == x && y != y : rising ? x < y : x > y;
      });
      int64_t pairs = 0;
      for (int64_t i = 0; block_thread() == 0 && i < rows * columns; ++i) {
        int64_t row = order[i] / columns, column = order[i] % columns;
        N score = E::load(in[order[i]]);
        if (E::load(row_match[row]) != N(-1) || E::load(column_match[column]) != N(-1))
          continue;
        if (!(rising ? score < limit : score > limit))
          break;
        row_match[row] = E::store(column);
        column_match[column] = E::store(row);
        if (params.topk > 0 && ++pairs > params.topk)
          break;
      }
      wait_for_block();
    }
    return SYMC_STATUS_OK;
  });
}

} // namespace

SYMC_REFERENCE_FLOATS(box_nms, box_nms)
SYMC_REFERENCE_FLOATS(box_nms_gradient, box_nms_gradient)
SYMC_REFERENCE_FLOATS(bipartite_matching, bipartite_matching)

SYMC_ON_BLOCKS(box_nms, box_nms_gradient, bipartite_matching)
