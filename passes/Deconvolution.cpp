// Deconvolution.cpp: see Deconvolution.h. With stride s and taps k, output q*s + r is the sum
// over t of data[q - t] * weight[s*t + r]: for each of the s*s remainders a convolution
// without stride over ceil(k/s) taps, read backwards. They are one convolution to s*s times
// the channels, whose results are put between each other and cut to the output:
//
//   weight [C, O, k, k] -> zeros behind -> [C, O, T, s, T, s] -> taps reversed
//          -> [s*s*O, C, T, T]                                  (weights alone: @prepare)
//   data [N, C, H, W] -> [N, s*s*O, H+T-1, W+T-1] -> [N, O, s*(H+T-1), s*(W+T-1)] -> slices
//
// Two-dimensional float32 layers without groups, dilation and target_shape; extents of
// images are constants.
#include "passes/Deconvolution.h"

using namespace mlir;
using namespace symc;
using namespace symc::sg;

namespace {

// One axis of the image.
struct Axis {
  int64_t kernel, stride, pad, taps, positions, output;

  Axis(DeconvolutionOp op, unsigned i, int64_t input, int64_t output) : output(output) {
    auto at = [&](ArrayRef<int64_t> list, int64_t other) { return list.empty() ? other : list[i]; };
    kernel = op.getKernel()[i];
    stride = at(op.getStride(), 1);
    pad = at(op.getPad(), 0);
    taps = (kernel + stride - 1) / stride;
    positions = input + taps - 1;
  }
  bool fits() const { return pad + output <= positions * stride; }
};

} // namespace

static bool isPlain(DeconvolutionOp op) {
  auto all = [](ArrayRef<int64_t> list, int64_t value) {
    return llvm::all_of(list, [&](int64_t each) { return each == value; });
  };
  Shape data = shapeOf(op.getData().getType()), output = shapeOf(op.getOutput().getType());
  return op.getKernel().size() == 2 && op.getNumGroup() == 1 && all(op.getDilate(), 1) &&
         all(op.getTargetShape(), 0) && op.getLayout().value_or("NCHW") == "NCHW" &&
         elementTypeOf(op.getOutput().getType()).isF32() && data[1].isStatic() &&
         data[2].isStatic() && data[3].isStatic() && output[2].isStatic() && output[3].isStatic();
}

Value symc::decomposeDeconvolution(DeconvolutionOp op, CoreBuilder &core) {
  if (!isPlain(op))
    return {};
  Shape data = shapeOf(op.getData().getType()), output = shapeOf(op.getOutput().getType());
  Axis y(op, 0, data[2].get(), output[2].get()), x(op, 1, data[3].get(), output[3].get());
  // What lies between has stride * stride planes, however few of them output shows.
  constexpr int64_t mostStride = 256;
  if (!y.fits() || !x.fits() || std::max(y.stride, x.stride) > mostStride)
    return {};
  int64_t channels = data[1].get(), filters = op.getNumFilter(), phases = y.stride * x.stride;
  auto shape = [&](ArrayRef<int64_t> extents) { return Shape::of(extents, op.getContext()); };

  Value weight = op.getWeight();
  int64_t rows = y.taps * y.stride, columns = x.taps * x.stride;
  if (rows != y.kernel || columns != x.kernel) {
    int64_t around[] = {0, 0, 0, 0, 0, rows - y.kernel, 0, columns - x.kernel};
    weight =
        core.make("pad", weight, core.withShape(weight, shape({channels, filters, rows, columns})),
                  {core.text("mode", "constant"), core.numbers("pad_width", around)});
  }
  weight = core.reshape(weight, shape({channels, filters, y.taps, y.stride, x.taps, x.stride}));
  weight = core.transpose(core.reverse(weight, {2, 4}), {3, 5, 1, 0, 2, 4});
  weight = core.reshape(weight, shape({phases * filters, channels, y.taps, x.taps}));
  SmallVector<Value> operands{op.getData(), weight};
  if (Value bias = op.getBias()) {
    bias = core.broadcastTo(core.reshape(bias, shape({1, filters})), shape({phases, filters}));
    operands.push_back(core.reshape(bias, shape({phases * filters})));
  }

  Shape sums({data[0], core.dim(phases * filters), core.dim(y.positions), core.dim(x.positions)});
  int64_t kernel[] = {y.taps, x.taps}, pad[] = {y.taps - 1, x.taps - 1};
  Value result = core.make("convolution", operands, core.withShape(op.getData(), sums),
                           {core.numbers("kernel", kernel), core.numbers("pad", pad),
                            core.number("num_filter", phases * filters),
                            core.flag("no_bias", operands.size() == 2)});
  if (phases > 1) {
    result = core.reshape(result,
                          Shape({data[0], core.dim(y.stride), core.dim(x.stride), core.dim(filters),
                                 core.dim(y.positions), core.dim(x.positions)}));
    result = core.transpose(result, {0, 3, 4, 1, 5, 2});
    result =
        core.reshape(result, Shape({data[0], core.dim(filters), core.dim(y.positions * y.stride),
                                    core.dim(x.positions * x.stride)}));
  }
  result = core.slice(result, 2, y.pad, y.pad + y.output);
  return core.slice(result, 3, x.pad, x.pad + x.output);
}
