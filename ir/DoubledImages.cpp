// DoubledImages.cpp: see DoubledImages.h.
#include "ir/DoubledImages.h"

using namespace mlir;
using namespace symc;
using namespace symc::sg;

static constexpr int64_t largestWindow = 6;

static bool all(ArrayRef<int64_t> list, int64_t value) {
  return llvm::all_of(list, [&](int64_t each) { return each == value; });
}

bool symc::sg::doublesImages(DeconvolutionOp op) {
  Shape data = shapeOf(op.getData().getType()), output = shapeOf(op.getOutput().getType());
  if (op.getKernel().size() != 2 || op.getStride().size() != 2 || !all(op.getStride(), 2) ||
      !all(op.getDilate(), 1) || !all(op.getTargetShape(), 0) ||
      op.getLayout().value_or("NCHW") != "NCHW" || !data.isRanked() || !output.isRanked() ||
      !elementTypeOf(op.getOutput().getType()).isF32())
    return false;
  for (size_t axis = 1; axis < 4; ++axis)
    if (!data[axis].isStatic() || !output[axis].isStatic() || data[axis].get() < 1 ||
        (axis > 1 && output[axis].get() % 2))
      return false;
  int64_t groups = op.getNumGroup();
  return data[1].isStatic(groups) && int64_t(op.getNumFilter()) == groups &&
         llvm::all_of(op.getKernel(),
                      [](int64_t taps) { return taps % 2 == 0 && taps <= largestWindow; }) &&
         llvm::all_of(op.getOutput().getUsers(),
                      [](Operation *reader) { return isa<HeadsOp>(reader); });
}
