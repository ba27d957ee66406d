// watched.cpp: which node of a step made the first number that is not finite. The step runs again,
// with a look at the views of each entry of its program's table behind it.
#include "steps.h"
#include "training.h"

#include <stddef.h>
#include <string.h>

using namespace symc;

namespace {

constexpr int64_t mostViewNumbers = 72; // codegen/lower/StepTable.h

// What an entry has of values (codegen/lower/Watched.h, viewRow).
struct View {
  int64_t dtype, rank;
  bool wantsInfinities;
  const int64_t *sizes, *strides;
  int64_t offset, blocks, blockStride, width, channels;

  explicit View(const int64_t *row)
      : dtype(row[0]), rank(row[2]), wantsInfinities(row[1]), sizes(row + 3),
        strides(row + 3 + row[2]) {
    const int64_t *rest = strides + rank;
    offset = rest[0];
    blocks = rest[1];
    blockStride = blocks ? rest[2] : 0;
    width = blocks ? rest[3] : 0;
    channels = blocks ? rest[4] : 0;
  }

  // Whether the element, so many behind the first, is a value of the graph.
  bool isValue(int64_t at) const {
    if (!blocks)
      return true;
    at += offset;
    return at / blockStride % blocks * width + at % width < channels;
  }

  double value(const void *values, int64_t at) const {
    return dtype == SYMC_F64 ? static_cast<const double *>(values)[at]
                             : double(static_cast<const float *>(values)[at]);
  }
};

} // namespace

// Calls `visit` with each value, until it returns true.
template <class Visit>
static bool any_value(const View &view, const void *values, int64_t axis, int64_t at,
                      Visit &visit) {
  if (axis == view.rank)
    return view.isValue(at) && visit(view.value(values, at));
  for (int64_t i = 0; i < view.sizes[axis]; ++i)
    if (any_value(view, values, axis + 1, at + i * view.strides[axis], visit))
      return true;
  return false;
}

// Frames of whole runs are fields of their contexts.
static Watched &watched_of(const symc_frame *frame) {
  const char *at = reinterpret_cast<const char *>(frame) - offsetof(symc_context, frame);
  return reinterpret_cast<const symc_context *>(at)->training->watched;
}

static bool is_nan(double value) { return value != value; }
static bool is_finite(double value) { return value - value == 0; }

// Whether values that a view has make this step the one that is looked for.
static bool has_bad_value(Watched &watched, const void *values, const int64_t *row) {
  View view(row);
  auto isBad = [&](double value) {
    return watched.hasInfinite || view.wantsInfinities ? is_nan(value) : !is_finite(value);
  };
  if (view.wantsInfinities && !watched.hasInfinite) {
    auto isInfinite = [](double value) { return !is_nan(value) && !is_finite(value); };
    watched.hasInfinite = any_value(view, values, 0, 0, isInfinite);
  }
  return any_value(view, values, 0, 0, isBad);
}

// The first node by the numbers that a naming entry left.
static void name_node(Watched &watched, const char *nodes, const void *values, const int64_t *row) {
  int64_t first = 0, count = 0;
  for (const char *node = nodes; *node; node += strlen(node) + 1)
    ++count;
  auto visit = [&](double value) {
    int64_t number = int64_t(value);
    number = watched.hasInfinite ? number / (count + 1) : number % (count + 1);
    first = number && (!first || number < first) ? number : first;
    return false;
  };
  any_value(View(row), values, 0, 0, visit);
  for (const char *node = nodes; first > 0 && *node; node += strlen(node) + 1)
    if (--first == 0)
      watched.node = node;
}

int32_t symc_watch_steps(const symc_frame *frame, const void *entries, void *const *functions,
                         int64_t count, const char *texts) {
  Watched &watched = watched_of(frame);
  Numbers numbers(entries);
  for (int64_t i = 0; i < count; ++i) {
    const uint8_t *end;
    StepEntry entry(*frame, functions[i], numbers, end);
    // A naming entry stands in front of its step.
    bool wanted = !entry.isNaming || (watched.nodes && watched.entry == i + 1);
    if (int32_t status = wanted ? entry.run(*frame) : 0)
      return status;
    for (int64_t n = 0; n < entry.nReports; ++n)
      numbers.next(); // nobody receives gradients of this run
    for (int64_t n = 0; wanted && n < entry.nViews; ++n) {
      const void *values = next_address(*frame, numbers);
      int64_t row[mostViewNumbers];
      int64_t length = numbers.next();
      for (int64_t k = 0; k < length; ++k)
        row[k] = numbers.next();
      if (entry.isNaming) {
        name_node(watched, texts + entry.text, values, row);
      } else if (has_bad_value(watched, values, row)) {
        watched.nodes = texts + entry.text;
        watched.entry = i;
        return SYMC_STATUS_RUN_FAILED;
      }
    }
    if (entry.isNaming && wanted)
      return SYMC_STATUS_RUN_FAILED;
    numbers.goTo(end);
  }
  return SYMC_STATUS_OK;
}

bool symc::find_watched_node(symc_context *context, char *what, size_t bytes) {
  Training *training = training_of(context);
  if (!training)
    return false;
  const symc_training &table = *context->model->training;
  auto turnStates = [&] {
    advance_states(*context, 0);
    advance_states(*context, SYMC_TENSOR_BACKWARD);
  };
  turnStates(); // back to those that the step began with
  --context->frame.iteration;
  int32_t (*code)(const symc_frame *) = table.watched[context->variant - context->model->variants];
  char unused[sizeof context->error];
  Text error(unused, sizeof unused);
  Watched &watched = training->watched;
  watched = {};
  run_code(*context, code, error);
  if (watched.nodes && watched.nodes[strlen(watched.nodes) + 1])
    run_code(*context, code, error); // several nodes: which one of them
  ++context->frame.iteration;
  turnStates();
  context->error[0] = 0;
  if (!watched.nodes)
    return false;
  Text text(what, bytes);
  if (watched.node) {
    text << watched.node;
    return true;
  }
  for (const char *node = watched.nodes; *node; node += strlen(node) + 1)
    text << (node == watched.nodes ? "" : " or ") << node;
  return true;
}
