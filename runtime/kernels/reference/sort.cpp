// sort.cpp: reference kernels of topk, sort and argsort: the places along the axis are
// put in order, in scratch. The order is stable; NaN comes last in either direction.
#include "order.h"
#include "walk.h"

using namespace symc::ref;

namespace {

// Lines along an axis, or one line of the flattened data.
struct Lines {
  int64_t outer, extent, inner;

  Lines(const symc_tensor &data, int64_t axis) {
    if (axis == SYMC_NONE_ELEMENT) {
      outer = inner = 1;
      extent = count_of(data);
      return;
    }
    axis = normal_axis(axis, data.rank);
    outer = product(data.shape, 0, axis);
    extent = data.shape[axis];
    inner = product(data.shape, axis + 1, data.rank);
  }
  // Element `n` of line `line`, in a tensor whose axis has `length` places.
  int64_t at(int64_t line, int64_t n, int64_t length) const {
    return (line / inner * length + n) * inner + line % inner;
  }
};

constexpr int64_t kFew = 32; // so many are found in one walk over the line

// Calls body(line, place, rank) for each element whose rank is below `wanted`.
template <class E, class Body>
void each_ranked(const symc_kernel_args *args, const Lines &lines, bool rising, int64_t wanted,
                 Body body) {
  const typename E::Storage *in = data_of<E>(args->inputs[0]);
  int64_t *places = static_cast<int64_t *>(args->scratch);
  for (int64_t line = 0; line < lines.outer * lines.inner; ++line) {
    auto before = [&](int64_t m, int64_t n) {
      auto a = E::load(in[lines.at(line, m, lines.extent)]);
      auto b = E::load(in[lines.at(line, n, lines.extent)]);
      if (a != a || b != b)
        return a == a && b != b;
      return rising ? a < b : a > b;
    };
    const int64_t *ordered = places;
    if (wanted <= kFew && wanted < lines.extent)
      first_places(places, wanted, lines.extent, before);
    else {
      for (int64_t n = 0; n < lines.extent; ++n)
        places[n] = n;
      ordered = order_places(places, places + lines.extent, lines.extent, before);
    }
    for (int64_t rank = 0; rank < lines.extent && rank < wanted; ++rank)
      body(line, ordered[rank], rank);
  }
}

template <class E> int32_t topk(const symc_kernel_args *args) {
  const auto &params = params_of<symc_topk_params>(args);
  const symc_tensor &data = args->inputs[0];
  Lines lines(data, params.axis);
  int64_t k = params.k >= 1 ? params.k : lines.extent;
  const symc_tensor *values = nullptr, *places = nullptr, *mask = nullptr;
  switch (params.ret_typ) {
  case SYMC_TOPK_RET_TYP_VALUE: values = &args->outputs[0]; break;
  case SYMC_TOPK_RET_TYP_INDICES: places = &args->outputs[0]; break;
  case SYMC_TOPK_RET_TYP_MASK: mask = &args->outputs[0]; break;
  default: values = &args->outputs[0]; places = &args->outputs[1];
  }
  if (mask)
    __builtin_memset(mask->data, 0, size_t(count_of(*mask) * symc_dtype_bytes(mask->dtype)));
  each_ranked<E>(args, lines, params.is_ascend, k, [&](int64_t line, int64_t n, int64_t rank) {
    int64_t from = lines.at(line, n, lines.extent), to = lines.at(line, rank, k);
    if (values)
      target_of<E>(*values)[to] = data_of<E>(data)[from];
    if (places)
      store_at(*places, to, n);
    if (mask)
      target_of<E>(*mask)[from] = E::store(int64_t(1));
  });
  return SYMC_STATUS_OK;
}

template <class E> int32_t sort(const symc_kernel_args *args) {
  const auto &params = params_of<symc_sort_params>(args);
  const symc_tensor &data = args->inputs[0];
  Lines lines(data, params.axis);
  each_ranked<E>(args, lines, params.is_ascend, lines.extent,
                 [&](int64_t line, int64_t n, int64_t rank) {
                   target_of<E>(args->outputs[0])[lines.at(line, rank, lines.extent)] =
                       data_of<E>(data)[lines.at(line, n, lines.extent)];
                 });
  return SYMC_STATUS_OK;
}

template <class E> int32_t argsort(const symc_kernel_args *args) {
  const auto &params = params_of<symc_argsort_params>(args);
  Lines lines(args->inputs[0], params.axis);
  each_ranked<E>(args, lines, params.is_ascend, lines.extent,
                 [&](int64_t line, int64_t n, int64_t rank) {
                   store_at(args->outputs[0], lines.at(line, rank, lines.extent), n);
                 });
  return SYMC_STATUS_OK;
}

} // namespace

SYMC_REFERENCE_NUMBERS(topk, topk)
SYMC_REFERENCE_NUMBERS(sort, sort)
SYMC_REFERENCE_NUMBERS(argsort, argsort)
