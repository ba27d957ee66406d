// TaskSplit.cpp: see TaskSplit.h.
#include "codegen/lower/TaskSplit.h"

using namespace mlir;
using namespace symc::codegen;

TaskSplit symc::codegen::splitTasks(Emission &emit, kernel::CutAttr cut,
                                    ArrayRef<OpFoldResult> sizes, int64_t multiple) {
  OpFoldResult one = emit.constant(1);
  if (sizes.empty())
    return {0, one, one, one};
  unsigned dim = std::min<int64_t>(cut.getAxis(), sizes.size() - 1);
  OpFoldResult chunk = emit.constant(cut.getIndices());
  if (cut.getIndices() == 0) {
    OpFoldResult inner =
        emit.mul(emit.product(sizes.drop_front(dim + 1)), emit.constant(cut.getWork()));
    chunk = emit.max(emit.floorDiv(emit.constant(cut.getGrain()), emit.max(inner, one)), one);
  }
  if (dim + 2 >= sizes.size() && multiple > 1) {
    OpFoldResult whole = emit.constant(multiple);
    chunk = emit.mul(emit.ceilDiv(chunk, whole), whole);
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
