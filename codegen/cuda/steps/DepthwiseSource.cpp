// DepthwiseSource.cpp: kernel.depthwise: one thread an output, or four channels of one
// (VectorWalk.h). Taps in the order of rows, then columns, then channels of the group, each a
// multiply-add: the order of a CPU.
#include "codegen/cuda/CudaStep.h"
#include "codegen/cuda/CudaTypes.h"
#include "codegen/cuda/steps/FusedResult.h"

using namespace mlir;

namespace symc::codegen::cuda {

static LogicalResult writeDepthwise(kernel::DepthwiseOp op, KernelWriter &writer) {
  auto data = writer.view(op.getData(), "data"), weights = writer.view(op.getWeights(), "filter"),
       out = writer.view(op.getOut(), "out");
  if (failed(data) || failed(weights) || failed(out))
    return failure();
  FailureOr<SmallVector<View>> extras = viewExtras(writer, op.getExtras());
  if (failed(extras))
    return failure();
  if (!op.getBody().getArgument(0).getType().isF32())
    return op.emitOpError("internal error: no code on a CUDA device for ") << data->elementType;
  int64_t group = op.getGroupChannels();
  auto number = [](int64_t value) { return std::to_string(value); };
  SmallVector<View> all{*data, *weights, *out};
  llvm::append_range(all, *extras);
  VectorWalk walk(writer, out->sizes, all);
  SmallVector<std::string> at = walk.open(out->sizes);
  walk.declare("float", "sums", "0.0f");
  writer.open("for (int row = 0; row < " + number(op.getKernel()[0]) + "; ++row)");
  writer.open("for (int column = 0; column < " + number(op.getKernel()[1]) + "; ++column)");
  auto pixel = [&](unsigned axis, const std::string &tap) {
    return "(" + at[2 + axis] + " * " + number(op.getStrides()[axis]) + " + " + tap + " * " +
           number(op.getDilations()[axis]) + ")";
  };
  // Lanes read channels together: their own, or `step` of a group, which serve each of them.
  int64_t step = walk.isVector() ? std::min<int64_t>(group, 4) : 1;
  std::string lane = at[4], channel = "0";
  if (group > step) {
    writer.open("for (int channel = 0; channel < " + number(group) +
                "; channel += " + number(step) + ")");
    lane = "(" + at[4] + " / " + number(group) + " * " + number(group) + " + channel)";
    channel = "channel";
  }
  VectorWalk::Access pixels =
      walk.fetch(*data, {at[0], at[1], pixel(0, "row"), pixel(1, "column"), lane});
  if (step > 1) {
    writer.line("#pragma unroll");
    writer.open("for (int i = 0; i < " + number(step) + "; ++i)");
    channel = group > step ? "(channel + i)" : "i";
  }
  SmallVector<std::string> tap{at[1], "row", "column"};
  if (group > 1)
    tap.push_back(channel);
  tap.push_back(at[4]);
  VectorWalk::Access filters = walk.fetch(*weights, tap);
  std::string sum = walk.own("sums");
  walk.openLanes();
  std::string x =
      step == 1 ? walk.value(pixels) : pixels.name + (step == 2 ? "[lane / 2 * 2 + i]" : "[i]");
  writer.line(sum + " = fmaf(" + x + ", " + walk.value(filters) + ", " + sum + ");");
  walk.closeLanes();
  for (bool opened : {step > 1, group > step})
    if (opened)
      writer.close();
  writer.close();
  writer.close();
  if (failed(writeFusedResult(writer, walk, *out, at, *extras, op.getBody(), sum)))
    return failure();
  writer.close();
  return success();
}

// Weights are few.
static bool takesHalves(kernel::DepthwiseOp op, OpOperand &operand) {
  return operand.getOperandNumber() != op.getWeightsMutable().getOperandNumber();
}

void registerDepthwiseSource(DialectRegistry &registry) {
  addSource<kernel::DepthwiseOp, writeDepthwise, takesHalves>(registry);
}

} // namespace symc::codegen::cuda
