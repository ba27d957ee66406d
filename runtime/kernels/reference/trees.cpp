// trees.cpp: the reference kernel of tree_leaves, which walks each tree from its root.
#include "rows.h"

using namespace symc::ref;

namespace {

template <class N> bool holds(int64_t comparison, N value, N split) {
  if (value != value)
    return comparison >= 8 || comparison == 5; // what is no number differs from any
  switch (comparison & 7) {
  case 0:
    return value <= split;
  case 1:
    return value < split;
  case 2:
    return value >= split;
  case 3:
    return value > split;
  case 4:
    return value == split;
  default:
    return value != split;
  }
}

template <class E> int32_t tree_leaves(const symc_kernel_args *args) {
  const symc_tensor *in = args->inputs;
  const auto *data = data_of<E>(in[0]), *splits = data_of<E>(in[1]);
  const auto *nodes = static_cast<const int64_t *>(in[2].data);
  const auto *roots = static_cast<const int64_t *>(in[3].data);
  auto *out = static_cast<int64_t *>(args->outputs[0].data);
  int64_t features = in[0].shape[1], count = in[1].shape[0], trees = in[3].shape[0];
  constexpr int64_t kNodes = 16; // of a walk, as a guess
  return run_rows(args, {in[0].shape[0], kNodes * trees}, [&](const RowRange &range) -> int32_t {
    for (int64_t row = range.first; row < range.end; ++row)
      for (int64_t tree = 0; tree < trees; ++tree) {
        int64_t at = roots[tree];
        for (int64_t steps = 0; at >= 0; ++steps) {
          if (at >= count || steps >= count)
            return refuse(Refusal::OUTSIDE);
          const int64_t *node = nodes + 4 * at;
          if (node[0] < 0 || node[0] >= features)
            return refuse(Refusal::OUTSIDE);
          at = node[holds(node[1], E::load(data[row * features + node[0]]), E::load(splits[at]))
                        ? 2
                        : 3];
        }
        out[row * trees + tree] = -1 - at;
      }
    return SYMC_STATUS_OK;
  });
}

} // namespace

SYMC_REFERENCE(tree_leaves, f32, tree_leaves<F32>)
SYMC_REFERENCE(tree_leaves, f64, tree_leaves<F64>)

SYMC_ON_GRID(tree_leaves)
