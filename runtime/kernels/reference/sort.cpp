// sort.cpp: reference kernels of topk, sort and argsort: the places along the axis are
// put in order, in scratch. The order is stable; NaN comes last in either direction.
#include "order.h"
#include "rows.h"
#include "symc/generated/op_params/Index.h"
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
  // The first element of line `line`, in a tensor whose axis has `length` places.
  int64_t first(int64_t line, int64_t length) const {
    return line / inner * length * inner + line % inner;
  }
};

constexpr int64_t kFew = 32; // so many are found in one walk over the line
enum class Ranks { kAll, kFirst };
// Calls begin(first element) for each line, then body(from, to, place) for each of its elements
// whose rank is below `wanted`, with its number in the data and that of its rank in a tensor whose
// axis has `wanted` places. Where all ranks are wanted, there is no code for few of them: a first
// call of a function of mx.nd waits for what is compiled here.
template <class E, Ranks kRanks, class Begin, class Body>
int32_t each_ranked_of(const symc_kernel_args *args, const Lines &lines, const RowRange &range,
                       bool rising, int64_t wanted, const Begin &begin, const Body &body) {
  int64_t *places = static_cast<int64_t *>(range.scratch), extent = lines.extent,
          inner = lines.inner;
  for (int64_t line = range.first; line < range.end; ++line) {
    int64_t start = lines.first(line, extent), to = lines.first(line, wanted);
    const auto *in = data_of<E>(args->inputs[0]) + start;
    const int64_t *ordered = places;
    begin(start);
    using N = typename E::Number;
    auto is_less = [&](N a, N b) { return (a < b) | ((a == a) & (b != b)); };
    auto is_more = [&](N a, N b) { return (a > b) | ((a == a) & (b != b)); };
    auto before = [&](int64_t m, int64_t n) {
      N a = E::load(in[m * inner]), b = E::load(in[n * inner]);
      return rising ? is_less(a, b) : is_more(a, b);
    };
    auto next = [&](int64_t n, int64_t last) {
      if (inner != 1)
        return first_ahead(n, extent, [&](int64_t other) { return before(other, last); });
      N bound = E::load(in[last]);
      return rising
                 ? first_ahead(n, extent, [&](int64_t m) { return is_less(E::load(in[m]), bound); })
                 : first_ahead(n, extent,
                               [&](int64_t m) { return is_more(E::load(in[m]), bound); });
    };
    bool keyed = !kOnDevice && has_keys<E>(extent);
    bool few = kRanks == Ranks::kFirst && wanted <= kFew && wanted < extent;
    if (few) {
      keyed = false;
      first_places(places, wanted, extent, before, next);
    } else if (keyed) {
      ordered = order_keys<E>(places, extent, rising, [&](int64_t n) { return in[n * inner]; });
    } else {
      each_of_block(extent, [&](int64_t n) { places[n] = n; });
      ordered = order_places(places, places + extent, extent, before);
    }
    each_of_block(extent < wanted ? extent : wanted, [&](int64_t rank) {
      int64_t place = keyed ? place_of_key(ordered[rank]) : ordered[rank];
      body(start + place * inner, to + rank * inner, place);
    });
  }
  return SYMC_STATUS_OK;
}
template <class E, Ranks kRanks, class Begin, class Body>
int32_t each_ranked(const symc_kernel_args *args, const Lines &lines, bool rising, int64_t wanted,
                    const Begin &begin, const Body &body) {
  int64_t kept = wanted <= kFew && lines.extent > kFew ? kFew : lines.extent;
  Rows rows = {lines.outer * lines.inner, 16 * lines.extent, 16 * kept};
  return run_rows_by_blocks(args, rows, [&](const RowRange &range) {
    return each_ranked_of<E, kRanks>(args, lines, range, rising, wanted, begin, body);
  });
}

template <class E> int32_t topk(const symc_kernel_args *args) {
  const auto &params = params_of<symc_topk_params>(args);
  const symc_tensor &data = args->inputs[0];
  Lines lines(data, params.axis);
  int64_t k = params.k >= 1 ? params.k : lines.extent;
  const symc_tensor *values = nullptr, *places = nullptr, *mask = nullptr;
  switch (params.ret_typ) {
  case SYMC_TOPK_RET_TYP_VALUE:
    values = &args->outputs[0];
    break;
  case SYMC_TOPK_RET_TYP_INDICES:
    places = &args->outputs[0];
    break;
  case SYMC_TOPK_RET_TYP_MASK:
    mask = &args->outputs[0];
    break;
  default:
    values = &args->outputs[0];
    places = &args->outputs[1];
  }
  auto begin = [&](int64_t start) {
    if (mask)
      each_of_block(lines.extent, [&](int64_t n) {
        target_of<E>(*mask)[start + n * lines.inner] = E::store(int64_t(0));
      });
  };
  return each_ranked<E, Ranks::kFirst>(args, lines, params.is_ascend, k, begin,
                                       [&](int64_t from, int64_t to, int64_t n) {
                                         if (values)
                                           target_of<E>(*values)[to] = data_of<E>(data)[from];
                                         if (places)
                                           store_at(*places, to, n);
                                         if (mask)
                                           target_of<E>(*mask)[from] = E::store(int64_t(1));
                                       });
}

template <class E> int32_t sort(const symc_kernel_args *args) {
  const auto &params = params_of<symc_sort_params>(args);
  const symc_tensor &data = args->inputs[0];
  Lines lines(data, params.axis);
  const auto *in = data_of<E>(data);
  auto *out = target_of<E>(args->outputs[0]);
  return each_ranked<E, Ranks::kAll>(
      args, lines, params.is_ascend, lines.extent, [](int64_t) {},
      [&](int64_t from, int64_t to, int64_t n) {
        out[to] = in[from];
        if (args->n_outputs > 1)
          store_at(args->outputs[1], to, n);
      });
}

template <class E> int32_t argsort(const symc_kernel_args *args) {
  const auto &params = params_of<symc_argsort_params>(args);
  Lines lines(args->inputs[0], params.axis);
  return each_ranked<E, Ranks::kAll>(
      args, lines, params.is_ascend, lines.extent, [](int64_t) {},
      [&](int64_t, int64_t to, int64_t n) { store_at(args->outputs[0], to, n); });
}

} // namespace

SYMC_REFERENCE_NUMBERS(topk, topk)
SYMC_REFERENCE_NUMBERS(sort, sort)
SYMC_REFERENCE_NUMBERS(argsort, argsort)

SYMC_ON_BLOCKS(topk, sort, argsort)
