// TaskSplit.cpp: see TaskSplit.h.
#include "codegen/lower/TaskSplit.h"

using namespace mlir;
using namespace symc::codegen;

// What an extent that is known only at run time is taken for when choosing the
// dimension to cut (the length of the cut itself is computed at run time).
static constexpr int64_t usualExtent = 32;

TaskSplit symc::codegen::splitTasks(Emission &emit, ArrayRef<OpFoldResult> sizes,
                                    SplitOptions options) {
  OpFoldResult one = emit.constant(1);
  if (sizes.empty())
    return {0, one, one, one};
  // The outermost dimension under which a task's worth of elements, or less, lies.
  unsigned dim = sizes.size() - 1;
  int64_t estimate = options.work;
  while (dim > 0) {
    estimate *= std::max<int64_t>(constantOf(sizes[dim]).value_or(usualExtent), 1);
    if (estimate > taskGrain && dim + options.whole < sizes.size())
      break;
    --dim;
  }
  OpFoldResult inner =
      emit.mul(emit.product(sizes.drop_front(dim + 1)), emit.constant(options.work));
  OpFoldResult chunk = emit.max(emit.floorDiv(emit.constant(taskGrain), emit.max(inner, one)), one);
  auto innerKnown = constantOf(inner), extentKnown = constantOf(sizes[dim]);
  auto outerKnown = constantOf(emit.product(sizes.take_front(dim)));
  if (innerKnown && extentKnown && outerKnown && *outerKnown > 0) {
    double cycles = double(*innerKnown) * leastTaskCycles / taskGrain;
    int64_t most = std::max<int64_t>(1, maxTasks / *outerKnown);
    chunk = emit.constant(unitsPerTask(*extentKnown, cycles, most));
  }
  if (dim + 2 >= sizes.size() && options.multiple > 1) {
    OpFoldResult multiple = emit.constant(options.multiple);
    chunk = emit.mul(emit.ceilDiv(chunk, multiple), multiple);
  }
  OpFoldResult chunks = emit.ceilDiv(sizes[dim], chunk);
  OpFoldResult count = emit.mul(emit.product(sizes.take_front(dim)), chunks);
  // Nothing to do under an empty dimension inside.
  for (OpFoldResult size : sizes.drop_front(dim + 1))
    if (isConstant(size, 0))
      count = emit.constant(0);
  return {dim, chunk, chunks, count};
}

TaskRange symc::codegen::rangeOfTask(Emission &emit, const TaskSplit &split,
                                     ArrayRef<OpFoldResult> sizes, Value task) {
  TaskRange range;
  if (sizes.empty())
    return range;
  range.fixed = split.dim;
  OpFoldResult zero = emit.constant(0), one = emit.constant(1);
  SmallVector<OpFoldResult> extents(sizes.take_front(split.dim));
  extents.push_back(split.chunks);
  bool single = isConstant(split.count, 1);
  SmallVector<OpFoldResult> place =
      single ? SmallVector<OpFoldResult>(extents.size(), zero) : emit.delinearize(task, extents);
  for (unsigned d = 0; d < sizes.size(); ++d) {
    if (d < split.dim) {
      range.lower.push_back(place[d]);
      range.upper.push_back(emit.add(place[d], one));
    } else if (d == split.dim && !isConstant(split.chunks, 1)) {
      OpFoldResult first = emit.mul(place[d], split.chunk);
      range.lower.push_back(first);
      range.upper.push_back(emit.min(emit.add(first, split.chunk), sizes[d]));
    } else {
      range.lower.push_back(zero);
      range.upper.push_back(sizes[d]);
    }
  }
  return range;
}

static void forDims(Emission &emit, const TaskRange &range, unsigned depth,
                    SmallVectorImpl<OpFoldResult> &position,
                    function_ref<void(ArrayRef<OpFoldResult>)> body) {
  unsigned d = position.size();
  if (d == depth)
    return body(position);
  auto iterate = [&](OpFoldResult index) {
    position.push_back(index);
    forDims(emit, range, depth, position, body);
    position.pop_back();
  };
  if (d < range.fixed)
    return iterate(range.lower[d]);
  emit.forLoop(range.lower[d], range.upper[d], emit.constant(1), {}, [&](Value index, ValueRange) {
    iterate(OpFoldResult(index));
    return SmallVector<Value>();
  });
}

void symc::codegen::forRange(Emission &emit, const TaskRange &range, unsigned depth,
                             function_ref<void(ArrayRef<OpFoldResult>)> body) {
  SmallVector<OpFoldResult> position;
  forDims(emit, range, depth, position, body);
}
