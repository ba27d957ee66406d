// non_max_suppression.cpp: ONNX's choice of boxes: for each image and class the best one, then
// those that overlap none of the chosen ones too much.
#include "../reference/element.h"
#include "../reference/order.h"
#include "symc/generated/op_params/Detection.h"

using namespace symc::ref;

namespace {

struct Corners {
  double low[2], high[2];
};

template <class E> Corners corners_of(const typename E::Storage *at, bool center) {
  Corners box;
  for (int axis = 0; axis < 2; ++axis) {
    // centre, width and height name the column first, corners the row.
    double a = double(E::load(at[axis])), b = double(E::load(at[axis + 2]));
    box.low[axis] = center ? a - b / 2 : a < b ? a : b;
    box.high[axis] = center ? a + b / 2 : a < b ? b : a;
  }
  return box;
}

double area_of(const Corners &box) {
  return (box.high[0] - box.low[0]) * (box.high[1] - box.low[1]);
}

// Common area over that of both; 0 where one has none.
double overlap_of(const Corners &a, const Corners &b) {
  double common = 1;
  for (int axis = 0; axis < 2; ++axis) {
    double low = a.low[axis] > b.low[axis] ? a.low[axis] : b.low[axis];
    double high = a.high[axis] < b.high[axis] ? a.high[axis] : b.high[axis];
    if (!(high > low))
      return 0;
    common *= high - low;
  }
  double both = area_of(a) + area_of(b) - common;
  return area_of(a) > 0 && area_of(b) > 0 && both > 0 ? common / both : 0;
}

template <class E> int32_t non_max_suppression(const symc_kernel_args *args) {
  const auto &params = params_of<symc_non_max_suppression_params>(args);
  const symc_tensor &boxes = args->inputs[0], &scores = args->inputs[1];
  int64_t images = scores.shape[0], classes = scores.shape[1], count = scores.shape[2], found = 0;
  int64_t *out = static_cast<int64_t *>(args->outputs[0].data);
  int64_t *scratch = static_cast<int64_t *>(args->scratch), *chosen = scratch + 2 * count;
  const float limit = float(params.iou_threshold), least = float(params.score_threshold);
  for (int64_t image = 0; image < images; ++image)
    for (int64_t kind = 0; kind < classes; ++kind) {
      const auto *score = data_of<E>(scores) + (image * classes + kind) * count;
      const auto *box = data_of<E>(boxes) + image * count * 4;
      int64_t candidates = 0;
      for (int64_t i = 0; i < count; ++i)
        if (!params.has_score_threshold || float(E::load(score[i])) > least)
          scratch[candidates++] = i;
      const int64_t *order =
          order_places(scratch, scratch + count, candidates,
                       [&](int64_t a, int64_t b) { return E::load(score[a]) > E::load(score[b]); });
      int64_t kept = 0;
      for (int64_t i = 0; i < candidates && kept < params.most; ++i) {
        Corners own = corners_of<E>(box + order[i] * 4, params.center);
        bool stays = true;
        for (int64_t k = 0; k < kept && stays; ++k)
          stays =
              !(float(overlap_of(own, corners_of<E>(box + chosen[k] * 4, params.center))) > limit);
        if (!stays)
          continue;
        chosen[kept++] = order[i];
        const int64_t row[3] = {image, kind, order[i]};
        for (int64_t part : row)
          *out++ = part;
        ++found;
      }
    }
  if (args->frame) // none where a kernel is called by itself
    args->frame->dims[params.size] = found;
  return SYMC_STATUS_OK;
}

} // namespace

SYMC_REFERENCE_FLOATS(non_max_suppression, non_max_suppression)
