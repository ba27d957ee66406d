// Deformable.cpp: shapes and parameter checks of deformable convolutions and correlation; the
// numbered constraints are those of Deformable.td.
#include "ir/ops/Deformable.h"
#include "ir/Conditions.h"

#include "ir/WindowShapes.h"

using namespace mlir;
using namespace symc::sg;

#define GET_OP_CLASSES
#include "ir/ops/Deformable.cpp.inc"

void symc::sg::registerDeformableOps(SGDialect &dialect) {
  dialect.addFamily<
#define GET_OP_LIST
#include "ir/ops/Deformable.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// deformable_convolution, modulated_deformable_convolution
//===----------------------------------------------------------------------===//

static std::string checkDivides(StringRef name, const ParamView &params) {
  int64_t groups = params.getInt(name), filters = params.getInt("num_filter");
  if (filters % groups == 0)
    return {};
  return ("parameter 'num_filter' is " + std::to_string(filters) + ", needs a multiple of " + name +
          " = " + std::to_string(groups))
      .str();
}

static std::string checkWindowParams(const ParamView &params) {
  ArrayRef<int64_t> kernel = params.getTuple("kernel");
  if (kernel.size() != 2)
    return "parameter 'kernel' is " + tupleText(kernel) + ", needs two extents";
  for (auto [name, least] :
       {std::pair<StringRef, int64_t>{"kernel", 1}, {"stride", 1}, {"dilate", 1}, {"pad", 0}})
    if (std::string message = checkWindow(name, params.getTuple(name), kernel, least);
        !message.empty())
      return message;
  if (!params.isNone("layout") && params.getStr("layout") != "NCHW")
    return ("parameter 'layout' is " + params.getStr("layout") + ", needs NCHW").str();
  return checkDivides("num_group", params);
}

namespace {
/// The parameters that both convolutions have.
struct Taps {
  ArrayRef<int64_t> kernel, stride, dilate, pad;
  int64_t filters, groups, deformableGroups;

  template <class Op>
  explicit Taps(Op op)
      : kernel(op.getKernel()), stride(op.getStride()), dilate(op.getDilate()), pad(op.getPad()),
        filters(op.getNumFilter()), groups(op.getNumGroup()),
        deformableGroups(op.getNumDeformableGroup()) {}
};
} // namespace

// Shapes of data and weight, of the operands that have output's extents and `perTap` channels for
// each moved tap, and of output.
static LogicalResult inferDeformable(ShapeScope &scope, const Taps &taps, size_t weight,
                                     ArrayRef<std::pair<size_t, int64_t>> maps) {
  if (failed(scope.refineInput(0, Shape(4))))
    return failure();
  const Shape &data = scope.input(0);
  for (auto [name, groups] : {std::pair<StringRef, int64_t>{"num_group", taps.groups},
                              {"num_deformable_group", taps.deformableGroups}})
    if (failed(needChannels(scope, data, 1, groups, name))) // C2
      return failure();
  Dim inGroup = floorDiv(data[1], taps.groups);
  Shape output({data[0], scope.dim(taps.filters), Dim(), Dim()});
  for (size_t i = 0; i < 2; ++i) {
    int64_t extent = at(taps.dilate, i, 1) * (taps.kernel[i] - 1) + 1;
    Dim padded = data[2 + i] + 2 * at(taps.pad, i, 0);
    if (failed(needWindow(scope, data, 2 + i, padded, extent))) // C3
      return failure();
    output[2 + i] = floorDiv(padded - extent, at(taps.stride, i, 1)) + 1;
  }
  Dim moved = scope.dim(taps.deformableGroups) * taps.kernel[0] * taps.kernel[1];
  if (failed(scope.refineOutput(0, output)))
    return failure();
  const Shape &known = scope.output(0);
  for (auto [operand, perTap] : maps) // C4
    if (failed(scope.refineInput(operand, Shape({known[0], moved * perTap, known[2], known[3]}))))
      return failure();
  if (failed(
          scope.refineInput(weight, Shape({scope.dim(taps.filters), inGroup, // C4
                                           scope.dim(taps.kernel[0]), scope.dim(taps.kernel[1])}))))
    return failure();
  return weight + 1 < scope.numInputs()
             ? scope.refineInput(weight + 1, Shape({scope.dim(taps.filters)})) // C4
             : success();
}

// A column of taps, in double.
static CheckedSize columnBytes(ArrayRef<CheckedSize> data, ArrayRef<int64_t> kernel) {
  return data[1] * kernel[0] * kernel[1] * 8;
}

bool DeformableConvolutionOp::hasOperand(StringRef name, const ParamView &params) {
  return name != "bias" || !params.getBool("no_bias");
}

std::string DeformableConvolutionOp::checkParams(const ParamView &params) {
  return checkWindowParams(params); // C1
}

LogicalResult DeformableConvolutionOp::inferShape(ShapeScope &scope) {
  // C2, C3, C4
  return inferDeformable(scope, Taps(*this), 2, {{1, 2}});
}

CheckedSize DeformableConvolutionOp::getScratchBytes(const LargestShapes &shapes) {
  return columnBytes(shapes.operands[0], getKernel());
}

bool ModulatedDeformableConvolutionOp::hasOperand(StringRef name, const ParamView &params) {
  return name != "bias" || !params.getBool("no_bias");
}

std::string ModulatedDeformableConvolutionOp::checkParams(const ParamView &params) {
  if (std::string message = checkWindowParams(params); !message.empty()) // C1
    return message;
  return checkDivides("num_deformable_group", params); // C2
}

LogicalResult ModulatedDeformableConvolutionOp::inferShape(ShapeScope &scope) {
  // C2, C3, C4
  if (failed(inferDeformable(scope, Taps(*this), 3, {{1, 2}, {2, 1}})))
    return failure();
  Dim items = scope.input(0)[0];
  int64_t step = getIm2colStep();
  // One factor is 0 for up to `step` images, the other for a multiple.
  Need fits = Need::zero(floorDiv(items - 1, step) * remainder(items, step));
  return scope.need(fits, [&](raw_ostream &message) { // C5
    message << "data has " << items.str() << " images, needs at most im2col_step = " << step
            << " or a multiple of it";
  });
}

CheckedSize ModulatedDeformableConvolutionOp::getScratchBytes(const LargestShapes &shapes) {
  return columnBytes(shapes.operands[0], getKernel());
}

LogicalResult DeformableColumnsOp::inferShape(ShapeScope &scope) {
  const Shape &data = scope.input(0), &offset = scope.input(1);
  if (!data.isRanked() || !offset.isRanked())
    return success();
  return scope.refineOutput(0, Shape({data[0], data[1] * getKernel()[0] * getKernel()[1], // C1
                                      offset[2], offset[3]}));
}

// Data with a pixel's channels side by side, which runtime/kernels/reference/deformable.cpp reads
// in vectors, where they fill some.
CheckedSize DeformableColumnsOp::getScratchBytes(const LargestShapes &shapes) {
  constexpr int64_t fewestChannels = 16;
  CheckedSize channels = shapes.operands[0][1];
  if (channels.isTooLarge() || channels.get() / int64_t(getNumDeformableGroup()) < fewestChannels)
    return 0;
  int64_t bytes = elementTypeOf(getData().getType()).getIntOrFloatBitWidth() / 8;
  return alignTo(shapes.operandCount(0) * bytes, 64);
}

//===----------------------------------------------------------------------===//
// correlation
//===----------------------------------------------------------------------===//

std::string CorrelationOp::checkParams(const ParamView &params) { // C1
  if (params.getInt("kernel_size") % 2 != 0)
    return {};
  return "parameter 'kernel_size' is " + std::to_string(params.getInt("kernel_size")) +
         ", needs an odd number";
}

LogicalResult CorrelationOp::inferShape(ShapeScope &scope) {
  if (failed(scope.refineInput(0, Shape(4))) || // C2
      failed(scope.refineInput(1, scope.input(0))) || failed(scope.refineInput(0, scope.input(1))))
    return failure();
  const Shape &data = scope.input(0);
  int64_t border = getMaxDisplacement() + (getKernelSize() - 1) / 2;
  int64_t places = 2 * (getMaxDisplacement() / getStride2()) + 1;
  Shape output({data[0], scope.dim(places) * places, Dim(), Dim()});
  for (size_t axis : {2, 3}) {
    Dim inner = data[axis] + (2 * static_cast<int64_t>(getPadSize()) - 2 * border);
    if (failed(scope.need(atLeast(inner, 1), [&](raw_ostream &message) { // C3
          message << "data1 has shape " << data.str() << ": windows and displacements take "
                  << 2 * border << " elements along axis " << axis << " but the padded image has "
                  << (inner + 2 * border).str();
        })))
      return failure();
    output[axis] = ceilDiv(inner, getStride1());
  }
  return scope.refineOutput(0, output);
}

CheckedSize CorrelationOp::getScratchBytes(const LargestShapes &shapes) {
  return shapes.results[0][3] * 8; // the sums of a row, in double
}

LogicalResult DeformableColumnsGradientOp::inferShape(ShapeScope &scope) {
  return scope.refineOutput(0, scope.input(getOf() == "mask" ? 3 : getOf() == "offset")); // C1
}

LogicalResult CorrelationGradientOp::inferShape(ShapeScope &scope) {
  if (failed(scope.refineInput(1, scope.input(0))))
    return failure();
  return scope.refineOutput(0, scope.input(0)); // C1
}
