// MovesSource.cpp: kernel.interpolate and the packing of operands that are no weights: one thread
// an element of the result, or four neighbours (VectorWalk.h).
#include "codegen/cuda/CudaStep.h"
#include "codegen/cuda/CudaTypes.h"
#include "codegen/cuda/VectorWalk.h"

using namespace mlir;

namespace symc::codegen::cuda {

static LogicalResult writeInterpolate(kernel::InterpolateOp op, KernelWriter &writer) {
  auto data = writer.view(op.getData(), "data"), out = writer.view(op.getOut(), "out");
  if (failed(data) || failed(out))
    return failure();
  unsigned axis = op.getAxis();
  std::string from = writer.size(data->sizes[axis]), to = writer.size(out->sizes[axis]);
  bool along = axis + 1 == out->sizes.size(); // of which four have places of their own
  VectorWalk walk = along ? VectorWalk(writer, 1) : VectorWalk(writer, out->sizes, {*data, *out});
  SmallVector<std::string> at = walk.open(out->sizes);
  std::string index = "(double)" + at[axis];
  std::string corners = "(" + from + " - 1.0) / (" + to + " - 1.0)", scale = from + ".0 / " + to;
  if (to == "1")
    writer.line("const float place = 0.0f;");
  else if (op.getCorners())
    writer.line("const float place = (float)(" + corners + " * " + index + ");");
  else
    writer.line("const float place = (float)fmax(" + scale + " * (" + index +
                " + 0.5) - 0.5, 0.0);");
  std::string type = writer.indexType(data->sizes[axis]).str();
  std::string last = (type == "int" ? "" : "(" + type + ")") + from + " - 1";
  writer.line("const " + type + " low = min((" + type + ")place, " + last +
              "), high = min(low + 1, " + last + ");");
  writer.line("const float part = place - (float)low;");
  SmallVector<std::string> below(at), above(at);
  below[axis] = "low", above[axis] = "high";
  VectorWalk::Access lows = walk.fetch(*data, below), highs = walk.fetch(*data, above),
                     result = walk.target(*out, at);
  walk.openLanes();
  std::string first = walk.value(lows), second = walk.value(highs);
  walk.set(result, first + " * (1.0f - part) + " + second + " * part");
  walk.closeLanes();
  walk.flush(result);
  writer.close();
  return success();
}

// Source [.., O, I, kH, kW] -> panels [.., OB, IB, kH, kW, L, B].
static LogicalResult writePackPanels(kernel::PackPanelsOp op, KernelWriter &writer) {
  auto source = writer.view(op.getSource(), "source"),
       target = writer.view(op.getTarget(), "target");
  if (failed(source) || failed(target))
    return failure();
  VectorWalk walk(writer, target->sizes, *target); // outputs, whose terms lie apart in the source
  SmallVector<std::string> at = walk.open(target->sizes);
  VectorWalk::Access result = walk.target(*target, at);
  bool batch = source->sizes.size() == 5;
  unsigned first = batch ? 1 : 0;
  walk.openLanes();
  writer.line("const int output = " + at[first] + " * " + writer.size(target->sizes[first + 5]) +
              " + " + walk.index(at[first + 5]) + ", input = " + at[first + 1] + " * " +
              writer.size(target->sizes[first + 4]) + " + " + at[first + 4] + ";");
  SmallVector<std::string> from{"output", "input", at[first + 2], at[first + 3]};
  if (batch)
    from.insert(from.begin(), at[0]);
  walk.setRaw(result, "output < " + writer.size(source->sizes[first]) + " && input < " +
                          writer.size(source->sizes[first + 1]) + " ? " +
                          converted(source->elementType, target->elementType,
                                    writer.element(*source, from)) +
                          " : 0");
  walk.closeLanes();
  walk.flush(result);
  writer.close();
  return success();
}

// Source [C, 1, kH, kW] -> [CB, kH, kW, B], or [C, G, kH, kW] -> [CB, kH, kW, G, B].
static LogicalResult writePackDepthwise(kernel::PackDepthwiseOp op, KernelWriter &writer) {
  auto source = writer.view(op.getSource(), "source"),
       target = writer.view(op.getTarget(), "target");
  if (failed(source) || failed(target))
    return failure();
  VectorWalk walk(writer, target->sizes, *target);
  SmallVector<std::string> at = walk.open(target->sizes);
  VectorWalk::Access result = walk.target(*target, at);
  bool groups = at.size() == 5;
  walk.openLanes();
  writer.line("const int channel = " + at[0] + " * " + writer.size(target->sizes.back()) + " + " +
              walk.index(at.back()) + ";");
  walk.setRaw(result, "channel < " + writer.size(source->sizes[0]) + " ? " +
                          writer.element(*source, {"channel", groups ? at[3] : "0", at[1], at[2]}) +
                          " : 0");
  walk.closeLanes();
  walk.flush(result);
  writer.close();
  return success();
}

void registerMovesSource(DialectRegistry &registry) {
  addSource<kernel::InterpolateOp, writeInterpolate, anyHalves>(registry);
  addSource<kernel::PackPanelsOp, writePackPanels, anyHalves>(registry);
  addSource<kernel::PackDepthwiseOp, writePackDepthwise>(registry);
}

} // namespace symc::codegen::cuda
