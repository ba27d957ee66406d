// Patches.cpp: shapes and parameter checks of windows as columns and channels; the numbered
// constraints are those of Patches.td.
#include "ir/ops/Patches.h"
#include "ir/Conditions.h"

#include "ir/Windows.h"

using namespace mlir;
using namespace symc::sg;

#define GET_OP_CLASSES
#include "ir/ops/Patches.cpp.inc"

void symc::sg::registerPatchesOps(SGDialect &dialect) {
  dialect.addFamily<
#define GET_OP_LIST
#include "ir/ops/Patches.cpp.inc"
      >();
}

static std::string checkWindows(const ParamView &params) {
  ArrayRef<int64_t> kernel = params.getTuple("kernel");
  if (kernel.empty() || kernel.size() > 3 || llvm::any_of(kernel, [](int64_t e) { return e < 1; }))
    return "parameter 'kernel' is " + tupleText(kernel) +
           ", needs one to three extents of at least 1";
  if (std::string message = checkLargest("kernel", kernel); !message.empty())
    return message;
  for (auto [name, least] : {std::pair("stride", 1), {"dilate", 1}, {"pad", 0}})
    if (std::string message = checkWindow(name, params.getTuple(name), kernel, least);
        !message.empty())
      return message;
  return {};
}

// How many windows begin along an axis.
static Dim countWindows(Dim extent, int64_t kernel, int64_t stride, int64_t dilate, int64_t pad) {
  return floorDiv(extent + (2 * pad - dilate * (kernel - 1) - 1), stride) + 1;
}

std::string Im2colOp::checkParams(const ParamView &params) { return checkWindows(params); } // C1

LogicalResult Im2colOp::inferShape(ShapeScope &scope) {
  const Shape &data = scope.input(0);
  if (!data.isRanked())
    return success();
  ArrayRef<int64_t> kernel = getKernel();
  if (data.rank() != kernel.size() + 2) // C2
    return scope.error() << "data has shape " << data.str() << ", needs rank " << kernel.size() + 2
                         << " with kernel " << tupleText(kernel);
  Dim rows = data[1], windows = scope.dim(1);
  for (size_t i = 0; i < kernel.size(); ++i) {
    Dim count = countWindows(data[i + 2], kernel[i], at(getStride(), i, 1), at(getDilate(), i, 1),
                             at(getPad(), i, 0));
    if (failed(scope.need(atLeast(count, 1), [&](raw_ostream &message) { // C2
          message << "kernel " << tupleText(kernel) << " does not fit into data's shape "
                  << data.str() << " along axis " << i + 2;
        })))
      return failure();
    rows = rows * kernel[i];
    windows = windows * count;
  }
  return scope.refineOutput(0, Shape({data[0], rows, windows})); // C3
}

std::string Col2imOp::checkParams(const ParamView &params) { // C1
  std::string message = checkWindows(params);
  if (!message.empty())
    return message;
  ArrayRef<int64_t> size = params.getTuple("output_size"), kernel = params.getTuple("kernel");
  if (size.size() != kernel.size() || llvm::any_of(size, [](int64_t e) { return e < 1; }))
    return "parameter 'output_size' is " + tupleText(size) +
           ", needs one extent of at least 1 for each of kernel " + tupleText(kernel);
  return {};
}

LogicalResult Col2imOp::inferShape(ShapeScope &scope) {
  const Shape &data = scope.input(0);
  if (!data.isRanked())
    return success();
  ArrayRef<int64_t> kernel = getKernel();
  CheckedSize taps = 1;
  Dim windows = scope.dim(1);
  for (size_t i = 0; i < kernel.size(); ++i) {
    taps *= kernel[i];
    windows =
        windows * countWindows(scope.dim(getOutputSize()[i]), kernel[i], at(getStride(), i, 1),
                               at(getDilate(), i, 1), at(getPad(), i, 0));
  }
  auto wrong = [&](raw_ostream &message) {
    message << "data has shape " << data.str() << ", needs [N, a multiple of " << taps.get() << ", "
            << windows.str() << "] with kernel " << tupleText(kernel) << " and output_size "
            << tupleText(getOutputSize());
  };
  bool fits = data.rank() == 3 && (!data[2].isKnown() || data[2] == windows) && windows.get() >= 1;
  if (!fits) // C2
    return scope.refuse(wrong);
  if (failed(scope.need(multipleOf(data[1], taps.get()), wrong)))
    return failure();
  Shape output({data[0], floorDiv(data[1], taps.get())});
  for (int64_t extent : getOutputSize())
    output.push_back(scope.dim(extent));
  return scope.refineOutput(0, output); // C3
}

LogicalResult UnfoldImagesOp::inferShape(ShapeScope &scope) {
  const Shape &data = scope.input(0);
  if (!data.isRanked())
    return success();
  int64_t size = getSize();
  if (data.rank() != 4) // C1
    return scope.error() << "data has shape " << data.str() << ", needs rank 4";
  if (failed(scope.need(atLeast(data[0], size), [&](raw_ostream &message) { // C2
        message << "size is " << size << " but data has shape " << data.str();
      })))
    return failure();
  Dim count = floorDiv(data[0] - size, getStep()) + 1;
  return scope.refineOutput(0, Shape({count, data[1] * size, data[2], data[3]})); // C3
}
