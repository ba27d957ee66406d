// CopyLowering.cpp: kernel.copy, elements from one strided view to another.
//
// Views arrive in normal form, ordered by the target. Where both walk the last
// dimension with stride 1, or the source repeats one element along it, rows are written in vectors.
// Where the source has its unit stride in another dimension (planar <-> blocked layouts,
// transposes), squares of lanes x lanes elements are loaded along the source's dimension,
// transposed in registers and stored along the target's; the next square is that behind
// it in the source, whose rows are read ahead by processors then. Everything else is
// gathered element by element into vectors of the target.
#include "codegen/cpu/CopyForm.h"
#include "codegen/kernel/ViewOrigin.h"
#include "codegen/lower/ElementAccess.h"
#include "codegen/lower/TaskSplit.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;

namespace {

class CopyEmitter {
public:
  CopyEmitter(kernel::CopyOp op, ArrayRef<View> operands, LoweringContext &context)
      : emit(context, op.getLoc()), cut(op.getCutAttr()), source(operands[0]), target(operands[1]) {
    // A bool is copied as the byte that it is.
    if (source.elementType.isInteger(1))
      source.elementType = target.elementType = emit.builder().getI8Type();
    chooseForm();
  }

  OpFoldResult countTasks() { return split().count; }
  TaskSplit split() { return splitTasks(emit, cut, target.sizes, lanes); }
  void lower(Value task);

private:
  void chooseForm();
  void moveBeforeLast(View &view, unsigned dim);
  void copyRow(Value from, Value to, OpFoldResult first, OpFoldResult last);
  void copySquares(Value from, Value to, const TaskRange &range);
  void copyElement(Value from, Value to, ArrayRef<OpFoldResult> place);
  Value walk(Value pointer, const View &view, unsigned dim, OpFoldResult index) {
    return emit.offset(pointer, view.elementType, emit.mul(index, view.strides[dim]));
  }
  void loop(OpFoldResult from, OpFoldResult to, int64_t step,
            function_ref<void(OpFoldResult)> body) {
    emit.forLoop(from, to, emit.constant(step), {}, [&](Value index, ValueRange) {
      body(OpFoldResult(index));
      return SmallVector<Value>();
    });
  }

  Emission emit;
  kernel::CutAttr cut;
  View source, target;
  int64_t lanes = 1;
  bool transposes = false; // the last two dimensions: the source's unit, the target's unit
};

} // namespace

// Moves `dim` to the place before the last dimension.
void CopyEmitter::moveBeforeLast(View &view, unsigned dim) {
  unsigned place = view.sizes.size() - 2;
  std::rotate(view.sizes.begin() + dim, view.sizes.begin() + dim + 1,
              view.sizes.begin() + place + 1);
  std::rotate(view.strides.begin() + dim, view.strides.begin() + dim + 1,
              view.strides.begin() + place + 1);
}

void CopyEmitter::chooseForm() {
  auto known = [](ArrayRef<OpFoldResult> values) {
    SmallVector<int64_t> constants;
    for (OpFoldResult value : values)
      constants.push_back(constantOf(value).value_or(ShapedType::kDynamic));
    return constants;
  };
  CopyForm form = copyForm(known(target.sizes), known(source.strides), known(target.strides),
                           kernel::elementBytes(target.elementType), emit.target());
  lanes = form.lanes;
  transposes = form.transposed.has_value();
  if (transposes) {
    moveBeforeLast(source, *form.transposed);
    moveBeforeLast(target, *form.transposed);
  }
}

void CopyEmitter::copyElement(Value from, Value to, ArrayRef<OpFoldResult> place) {
  unsigned first = target.sizes.size() - place.size();
  for (auto [i, index] : llvm::enumerate(place)) {
    from = walk(from, source, first + i, index);
    to = walk(to, target, first + i, index);
  }
  emit.store(emit.load(from, source.elementType, 1), to);
}

void CopyEmitter::copyRow(Value from, Value to, OpFoldResult first, OpFoldResult last) {
  unsigned dim = target.sizes.size() - 1;
  OpFoldResult width = emit.constant(lanes), whole = first;
  if (lanes > 1) {
    whole = emit.add(first, emit.mul(emit.floorDiv(emit.sub(last, first), width), width));
    loop(first, whole, lanes, [&](OpFoldResult place) {
      Value vector = emit.loadStrided(walk(from, source, dim, place), source.elementType,
                                      source.strides.back(), lanes);
      emit.store(vector, walk(to, target, dim, place));
    });
  }
  loop(whole, last, 1, [&](OpFoldResult place) { copyElement(from, to, {place}); });
}

// The last two dimensions, s (unit stride of the source) and t (of the target).
void CopyEmitter::copySquares(Value from, Value to, const TaskRange &range) {
  unsigned s = target.sizes.size() - 2, t = s + 1;
  OpFoldResult width = emit.constant(lanes);
  auto wholeEnd = [&](unsigned dim) {
    OpFoldResult extent = emit.sub(range.upper[dim], range.lower[dim]);
    return emit.add(range.lower[dim], emit.mul(emit.floorDiv(extent, width), width));
  };
  OpFoldResult sWhole = wholeEnd(s), tWhole = wholeEnd(t);
  auto elements = [&](OpFoldResult sFrom, OpFoldResult sTo, OpFoldResult tFrom, OpFoldResult tTo) {
    loop(sFrom, sTo, 1, [&](OpFoldResult row) {
      loop(tFrom, tTo, 1, [&](OpFoldResult column) { copyElement(from, to, {row, column}); });
    });
  };
  loop(range.lower[t], tWhole, lanes, [&](OpFoldResult column) {
    Value fromColumn = walk(from, source, t, column), toColumn = walk(to, target, t, column);
    loop(range.lower[s], sWhole, lanes, [&](OpFoldResult row) {
      SmallVector<Value> rows;
      Value fromSquare = walk(fromColumn, source, s, row);
      for (int64_t i = 0; i < lanes; ++i)
        rows.push_back(
            emit.load(walk(fromSquare, source, t, emit.constant(i)), source.elementType, lanes));
      rows = transposeRows(emit, rows);
      Value toSquare = walk(toColumn, target, s, row);
      for (int64_t i = 0; i < lanes; ++i)
        emit.store(rows[i], walk(toSquare, target, s, emit.constant(i)));
    });
  });
  elements(range.lower[s], sWhole, tWhole, range.upper[t]);
  elements(sWhole, range.upper[s], range.lower[t], range.upper[t]);
}

void CopyEmitter::lower(Value task) {
  size_t rank = target.sizes.size();
  if (rank == 0)
    return copyElement(source.pointer, target.pointer, {});
  TaskRange range = rangeOfTask(emit, split(), target.sizes, task);
  unsigned inner = transposes ? 2 : 1;
  auto body = [&](ArrayRef<OpFoldResult> position) {
    Value from = emit.at(source, position), to = emit.at(target, position);
    if (transposes)
      copySquares(from, to, range);
    else
      copyRow(from, to, range.lower.back(), range.upper.back());
  };
  forRange(emit, range, rank - inner, body);
}

static LogicalResult checkCopy(kernel::CopyOp op, ArrayRef<View> operands,
                               const TargetDescription &) {
  if (operands[0].elementType != operands[1].elementType)
    return op.emitError("internal error: copy from ")
           << operands[0].elementType << " to " << operands[1].elementType;
  return success();
}

namespace symc::codegen {
void registerCopyLowering(DialectRegistry &registry) {
  addEmitter<kernel::CopyOp, CopyEmitter, checkCopy>(registry);
}
} // namespace symc::codegen
