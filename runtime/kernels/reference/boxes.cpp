// boxes.cpp: reference kernels of anchors, overlaps and coding of boxes. Anchors are computed in
// 32-bit floats whatever data's type, as MXNet does.
#include "scalar_primitives.h"
#include "symc/generated/op_params/Detection.h"
#include "walk.h"

using namespace symc::ref;

namespace {

template <class E> int32_t multibox_prior(const symc_kernel_args *args) {
  const auto &params = params_of<symc_multibox_prior_params>(args);
  const symc_tensor &data = args->inputs[0];
  int64_t rows = data.shape[2], columns = data.shape[3];
  float step_y = float(params.steps.v[0]), step_x = float(params.steps.v[1]);
  if (step_y <= 0 || step_x <= 0) {
    step_y = 1.0f / float(rows);
    step_x = 1.0f / float(columns);
  }
  auto *out = target_of<E>(args->outputs[0]);
  int64_t kinds = params.sizes.n + params.ratios.n - 1;
  for (int64_t kind = 0; kind < kinds; ++kind) {
    int64_t other = kind - params.sizes.n + 1; // the ratio, once the sizes are through
    float size = float(params.sizes.v[other > 0 ? 0 : kind]);
    float ratio = __builtin_sqrtf(float(params.ratios.v[other > 0 ? other : 0]));
    float width = size * float(rows) / float(columns) * ratio / 2, height = size / ratio / 2;
    each_of(rows * columns, [&](int64_t place) {
      float y = (float(place / columns) + float(params.offsets.v[0])) * step_y;
      float x = (float(place % columns) + float(params.offsets.v[1])) * step_x;
      const float box[4] = {x - width, y - height, x + width, y + height};
      for (int i = 0; i < 4; ++i) {
        float value = params.clip ? (box[i] < 0 ? 0.0f : box[i] > 1 ? 1.0f : box[i]) : box[i];
        out[(place * kinds + kind) * 4 + i] = E::store(value);
      }
    });
  }
  return SYMC_STATUS_OK;
}

// The extent that two boxes share along an axis; `at` is 0 or 1.
template <class E, class N>
N shared_extent(const typename E::Storage *a, const typename E::Storage *b, bool center) {
  N a_low = E::load(a[0]), a_high = E::load(a[2]), b_low = E::load(b[0]), b_high = E::load(b[2]);
  if (center) {
    N a_half = a_high / 2, b_half = b_high / 2;
    a_high = a_low + a_half;
    a_low = a_low - a_half;
    b_high = b_low + b_half;
    b_low = b_low - b_half;
  }
  N extent = (a_high < b_high ? a_high : b_high) - (a_low > b_low ? a_low : b_low);
  return extent > 0 ? extent : N(0);
}

template <class E, class N> N area(const typename E::Storage *box, bool center) {
  N width = E::load(box[2]), height = E::load(box[3]);
  if (!center) {
    width = width - E::load(box[0]);
    height = height - E::load(box[1]);
  }
  return width < 0 || height < 0 ? N(0) : width * height;
}

template <class E> int32_t box_iou(const symc_kernel_args *args) {
  using N = typename E::Number;
  bool center = params_of<symc_box_iou_params>(args).format == SYMC_BOX_IOU_FORMAT_CENTER;
  const auto *lhs = data_of<E>(args->inputs[0]), *rhs = data_of<E>(args->inputs[1]);
  int64_t left = count_of(args->inputs[0]) / 4, right = count_of(args->inputs[1]) / 4;
  return run_rows(args, {left, 16 * right}, [&](const RowRange &range) -> int32_t {
    auto *out = target_of<E>(args->outputs[0]) + range.first * right;
    for (int64_t l = range.first; l < range.end; ++l)
      for (int64_t r = 0; r < right; ++r) {
        const auto *a = lhs + l * 4, *b = rhs + r * 4;
        N shared = shared_extent<E, N>(a, b, center) * shared_extent<E, N>(a + 1, b + 1, center);
        N common = area<E, N>(a, center) + area<E, N>(b, center) - shared;
        *out++ = E::store(shared <= 0 ? N(0) : shared / common);
      }
    return SYMC_STATUS_OK;
  });
}

float log_of(float value) { return __builtin_logf(value); }
double log_of(double value) { return __builtin_log(value); }

template <class E> int32_t box_encode(const symc_kernel_args *args) {
  using N = typename E::Number;
  const symc_tensor &anchors = args->inputs[2], &refs = args->inputs[3];
  int64_t per_item = anchors.shape[1], boxes = refs.shape[1];
  N means[4], stds[4];
  for (int k = 0; k < 4; ++k) {
    means[k] = E::load(data_of<E>(args->inputs[4])[k]);
    stds[k] = E::load(data_of<E>(args->inputs[5])[k]);
  }
  auto *out = target_of<E>(args->outputs[0]), *mask = target_of<E>(args->outputs[1]);
  int64_t count = anchors.shape[0] * per_item;
  return run_rows(args, {count, 64}, [&](const RowRange &range) -> int32_t {
    for (int64_t i = range.first; i < range.end; ++i) {
      int64_t match = integer_of(E::load(data_of<E>(args->inputs[1])[i]));
      match = match < 0 ? 0 : match >= boxes ? boxes - 1 : match;
      const auto *box = data_of<E>(refs) + (i / per_item * boxes + match) * 4;
      const auto *anchor = data_of<E>(anchors) + i * 4;
      if (!(E::load(data_of<E>(args->inputs[0])[i]) > N(0.5))) { // no sample of a box
        for (int64_t k = i * 4; k < i * 4 + 4; ++k)
          out[k] = mask[k] = E::store(N(0));
        continue;
      }
      for (int axis = 0; axis < 2; ++axis) {
        N low = E::load(box[axis]), extent = E::load(box[2 + axis]) - low;
        N own_low = E::load(anchor[axis]), own = E::load(anchor[2 + axis]) - own_low;
        N moved = ((low + extent / 2) - (own_low + own / 2)) / own;
        N grown = log_of(extent / own);
        N values[2] = {(moved - means[axis]) / stds[axis],
                       (grown - means[2 + axis]) / stds[2 + axis]};
        for (int k = 0; k < 2; ++k) {
          out[i * 4 + 2 * k + axis] = E::store(values[k]);
          mask[i * 4 + 2 * k + axis] = E::store(N(1));
        }
      }
    }
    return SYMC_STATUS_OK;
  });
}

template <class E> int32_t box_decode(const symc_kernel_args *args) {
  using N = typename E::Number;
  const auto &params = params_of<symc_box_decode_params>(args);
  const symc_tensor &data = args->inputs[0];
  const N factors[4] = {N(float(params.std0)), N(float(params.std1)), N(float(params.std2)),
                        N(float(params.std3))};
  const N clip = N(float(params.clip));
  const auto *in = data_of<E>(data), *anchors = data_of<E>(args->inputs[1]);
  auto *out = target_of<E>(args->outputs[0]);
  const bool corners = params.format == SYMC_BOX_DECODE_FORMAT_CORNER;
  auto growth_of = [](N grown) {
    if constexpr (is_same<N, float>)
      return N(symc::scalar::exp_for_float(double(grown)));
    else
      return N(__builtin_exp(grown));
  };
  const int64_t boxes = data.shape[1];
  constexpr int64_t kTogether = kOnDevice ? 1 : 32; // their exponentials are vectors
  return run_rows(args, {data.shape[0] * boxes, 32}, [&](const RowRange &range) -> int32_t {
    for (int64_t first = range.first; first < range.end; first += kTogether) {
      int64_t count = range.end - first < kTogether ? range.end - first : kTogether;
      N growths[2 * kTogether] = {};
      for (int64_t i = 0; i < 2 * count; ++i) {
        N grown = E::load(in[(first + i / 2) * 4 + 2 + i % 2]) * factors[2 + i % 2];
        growths[i] = clip > 0 && !(grown < clip) ? clip : grown;
      }
      for (N &growth : growths)
        growth = growth_of(growth);
      int64_t box = first % boxes;
      for (int64_t i = 0; i < count; ++i, box = box + 1 == boxes ? 0 : box + 1)
        for (int axis = 0; axis < 2; ++axis) {
          N place = E::load(anchors[box * 4 + axis]), extent = E::load(anchors[box * 4 + 2 + axis]);
          if (corners) {
            extent = extent - place;
            place = place + extent / 2;
          }
          const int64_t to = (first + i) * 4 + axis;
          N center = E::load(in[to]) * factors[axis] * extent + place;
          N half = growths[2 * i + axis] * extent / 2;
          out[to] = E::store(center - half);
          out[to + 2] = E::store(center + half);
        }
    }
    return SYMC_STATUS_OK;
  });
}

} // namespace

SYMC_REFERENCE_FLOATS(multibox_prior, multibox_prior)
SYMC_REFERENCE_FLOATS(box_iou, box_iou)
SYMC_REFERENCE_FLOATS(box_encode, box_encode)
SYMC_REFERENCE_FLOATS(box_decode, box_decode)

SYMC_ON_GRID(multibox_prior, box_iou, box_encode, box_decode)
