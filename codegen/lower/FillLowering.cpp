// FillLowering.cpp: kernel.fill, one value into every element of a view. The view
// arrives in normal form; the last dimension is stored in vectors.
#include "codegen/kernel/ViewOrigin.h"
#include "codegen/lower/ElementAccess.h"
#include "codegen/lower/TaskSplit.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;

static int64_t lanesFor(const View &view, const TargetDescription &target) {
  if (view.strides.empty() || !isConstant(view.strides.back(), 1))
    return 1;
  int64_t lanes = target.lanes(kernel::elementBytes(view.elementType));
  if (std::optional<int64_t> row = constantOf(view.sizes.back()))
    while (lanes > 1 && *row < lanes)
      lanes /= 2;
  return lanes;
}

static OpFoldResult countFillTasks(kernel::FillOp op, ArrayRef<View> operands,
                                   LoweringContext &context) {
  Emission emit(context, op.getLoc());
  const View &view = operands[0];
  return splitTasks(emit, op.getCutAttr(), view.sizes, lanesFor(view, context.target)).count;
}

static LogicalResult lowerFill(kernel::FillOp op, ArrayRef<View> operands, Value task,
                               LoweringContext &context) {
  Emission emit(context, op.getLoc());
  const View &view = operands[0];
  auto value = cast<TypedAttr>(op.getValue());
  if (value.getType() != view.elementType)
    return op.emitError("internal error: value of type ")
           << value.getType() << " in a view of " << view.elementType;
  if (view.sizes.empty()) {
    storeElements(emit, emit.splat(value, 1), view.pointer, emit.constant(0));
    return success();
  }
  int64_t lanes = lanesFor(view, context.target);
  TaskRange range =
      rangeOfTask(emit, splitTasks(emit, op.getCutAttr(), view.sizes, lanes), view.sizes, task);
  forRange(emit, range, view.sizes.size() - 1, [&](ArrayRef<OpFoldResult> position) {
    Value row = emit.at(view, position);
    auto loop = [&](OpFoldResult from, OpFoldResult to, int64_t width) {
      emit.forLoop(from, to, emit.constant(width), {}, [&](Value place, ValueRange) {
        OpFoldResult distance = emit.mul(OpFoldResult(place), view.strides.back());
        storeElements(emit, emit.splat(value, width), emit.offset(row, view.elementType, distance),
                      emit.constant(1));
        return SmallVector<Value>();
      });
    };
    OpFoldResult first = range.lower.back(), last = range.upper.back();
    OpFoldResult width = emit.constant(lanes);
    OpFoldResult whole =
        emit.add(first, emit.mul(emit.floorDiv(emit.sub(last, first), width), width));
    loop(first, whole, lanes);
    if (lanes > 1)
      loop(whole, last, 1);
  });
  return success();
}

namespace symc::codegen {
void registerFillLowering(DialectRegistry &registry) {
  addLowering<kernel::FillOp, countFillTasks, lowerFill>(registry);
}
} // namespace symc::codegen
