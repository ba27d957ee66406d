// proposal.cpp: the kernel of Proposal and MultiProposal, in 32-bit floats as MXNet has it.
// Extents of boxes count pixels, so right - left + 1 is a width. Boxes are kept in the
// order row, column, anchor.
#include "../reference/order.h"
#include "../reference/refusal.h"
#include "suppression.h"
#include "symc/generated/op_params/Detection.h"

using namespace symc::ref;
using namespace symc::irregular;

namespace {

inline float limit_to(float value, float greatest) {
  value = greatest < value ? greatest : value;
  return value < 0 ? 0.0f : value;
}

// The box of one ratio and scale around the first place.
void make_anchor(const symc_proposal_params &params, int64_t anchor, float *box) {
  float ratio = float(params.ratios.v[anchor / params.scales.n]);
  float scale = float(params.scales.v[anchor % params.scales.n]);
  float side = float(params.feature_stride), center = 0.5f * (side - 1);
  float area = __builtin_floorf(side * side / ratio);
  float width = __builtin_floorf(__builtin_sqrtf(area) + 0.5f) * scale;
  float height = __builtin_floorf(width / scale * ratio + 0.5f) * scale;
  box[0] = center - 0.5f * (width - 1);
  box[1] = center - 0.5f * (height - 1);
  box[2] = center + 0.5f * (width - 1);
  box[3] = center + 0.5f * (height - 1);
}

// Moves a box by its offsets.
void move_box(bool corners, const float *by, float *box) {
  if (corners) {
    for (int i = 0; i < 4; ++i)
      box[i] += by[i];
    return;
  }
  for (int axis = 0; axis < 2; ++axis) {
    float extent = box[2 + axis] - box[axis] + 1;
    float center = float(box[axis] + 0.5 * (extent - 1.0));
    center = by[axis] * extent + center;
    extent = __builtin_expf(by[2 + axis]) * extent;
    box[axis] = float(center - 0.5 * (extent - 1.0));
    box[2 + axis] = float(center + 0.5 * (extent - 1.0));
  }
}

Box<float> pixels_of(const float *v) {
  return {{v[0], v[1]}, {v[2], v[3]}, (v[2] - v[0] + 1) * (v[3] - v[1] + 1), 0};
}

int32_t proposal(const symc_kernel_args *args) {
  const auto &params = params_of<symc_proposal_params>(args);
  const symc_tensor &scores = args->inputs[0];
  int64_t items = scores.shape[0], anchors = scores.shape[1] / 2;
  int64_t rows = scores.shape[2], columns = scores.shape[3], plane = rows * columns;
  int64_t count = anchors * plane, wanted = params.rpn_post_nms_top_n;
  int64_t looked_at = params.rpn_pre_nms_top_n;
  looked_at = looked_at > 0 && looked_at < count ? looked_at : count;
  Rows each = {items, 32 * count,
               Scratch::bytes_of<float>(count * 4) + Scratch::bytes_of<float>(count) +
                   Staying<float, 1>::bytes(count) + 2 * Scratch::bytes_of<int64_t>(count)};
  const float threshold = float(params.threshold);
  return run_rows_by_blocks(args, each, [&](const RowRange &range) -> int32_t {
    Scratch scratch(range);
    auto *boxes = scratch.take<float>(count * 4), *score = scratch.take<float>(count);
    const Staying<float, 1> none(scratch, count, threshold);
    auto *places = scratch.take<int64_t>(count), *spare = scratch.take<int64_t>(count);
    if (!scratch.enough)
      return refuse(Refusal::SCRATCH);
    for (int64_t item = range.first; item < range.end; ++item) {
      const float *info = data_of<F32>(args->inputs[2]) + item * 3;
      int64_t real_rows = integer_of(info[0] / float(params.feature_stride));
      int64_t real_columns = integer_of(info[1] / float(params.feature_stride));
      if (real_rows > rows || real_columns > columns) // MXNet stops here too
        return refuse(Refusal::IM_INFO);
      const float *offset = data_of<F32>(args->inputs[1]) + item * anchors * 4 * plane;
      const float *objects = data_of<F32>(scores) + (item * 2 + 1) * anchors * plane;
      float least = float(params.rpn_min_size) * info[2];
      each_of_block(count, [&](int64_t i) {
        int64_t a = i % anchors, column = i / anchors % columns, row = i / anchors / columns;
        int64_t place = row * columns + column;
        float *box = boxes + i * 4, by[4];
        make_anchor(params, a, box);
        for (int k = 0; k < 4; ++k) {
          box[k] += float((k % 2 ? row : column) * params.feature_stride);
          by[k] = offset[(a * 4 + k) * plane + place];
        }
        move_box(params.iou_loss, by, box);
        for (int k = 0; k < 4; ++k)
          box[k] = limit_to(box[k], info[k % 2 ? 0 : 1] - 1.0f);
        score[i] = row >= real_rows || column >= real_columns ? -1.0f : objects[a * plane + place];
        if (box[2] - box[0] + 1 < least || box[3] - box[1] + 1 < least) {
          for (int k = 0; k < 4; ++k)
            box[k] += k < 2 ? -(least / 2) : least / 2;
          score[i] = -1.0f;
        }
        places[i] = i;
      });
      int64_t *order =
          order_by_score<F32>(places, spare, count, [&](int64_t place) { return score[place]; });
      int64_t *chosen = order == places ? spare : places;
      Staying<float, 1> staying = none;
      for (int64_t i = 0; i < looked_at && staying.count < wanted; ++i) {
        Box<float> box = pixels_of(boxes + order[i] * 4);
        if (!staying.have_room(
                box, [&](float shared, float common) { return shared / common > threshold; }))
          continue;
        if (block_thread() == 0)
          chosen[staying.count] = order[i];
        staying.add(box);
      }
      float *out = target_of<F32>(args->outputs[0]) + item * wanted * 5;
      each_of_block(wanted, [&](int64_t i) {
        int64_t own = chosen[i % staying.count];
        out[i * 5] = float(item);
        for (int k = 0; k < 4; ++k)
          out[i * 5 + 1 + k] = boxes[own * 4 + k];
        if (args->n_outputs > 1)
          target_of<F32>(args->outputs[1])[item * wanted + i] = score[own];
      });
    }
    return SYMC_STATUS_OK;
  });
}

} // namespace

SYMC_REFERENCE(proposal, f32, proposal)

SYMC_ON_BLOCKS(proposal)
