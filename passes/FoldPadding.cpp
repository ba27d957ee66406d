// FoldPadding.cpp: sg-fold-padding.
//
//   convolution(pad(x) {mode = "constant", pad_width = [0, 0, 0, 0, 1, 1, 0, 1]}, w) {pad = [0, 0]}
//       ->  convolution(x, w) {pad = [1, 0], pad_end = [1, 1]}
//
// Zeros around an image are the layer's own. Those of an average are where it counts them, and what
// lies around a maximum is where it is the least number and each window holds a pixel.
#include "ir/GraphDialect.h"
#include "ir/Windows.h"
#include "ir/ops/Nn.h"
#include "ir/ops/NumpySlice.h"
#include "ir/ops/Vision.h"
#include "mlir/IR/Remarks.h"
#include "passes/Passes.h"
#include "passes/PoolWindows.h"

namespace symc {
#define GEN_PASS_DEF_FOLDPADDING
#include "passes/Passes.h.inc"
} // namespace symc

using namespace mlir;
using namespace symc;
using namespace symc::sg;

namespace {

// Padding before and behind the extents of images.
struct Border {
  SmallVector<int64_t> begin, end;
  double value = 0;

  static Border of(ArrayRef<int64_t> widths, double value) {
    Border border;
    for (size_t axis = 2; axis < widths.size() / 2; ++axis) {
      border.begin.push_back(widths[2 * axis]);
      border.end.push_back(widths[2 * axis + 1]);
    }
    border.value = value;
    return border;
  }
  void add(const Padding &padding) {
    for (size_t i = 0; i < begin.size(); ++i) {
      begin[i] += padding.begin(i);
      end[i] += padding.end(i);
    }
  }
};

} // namespace

// What an operation puts around images; none where it does something else.
static std::optional<Border> borderOf(Operation *op) {
  if (auto pad = dyn_cast_or_null<PadOp>(op)) // the first two axes have none
    if (pad.getMode() == "constant")
      return Border::of(pad.getPadWidth(), pad.getConstantValue().convertToDouble());
  if (auto pad = dyn_cast_or_null<NumpyPadOp>(op))
    if (pad.getMode() == "constant") {
      SmallVector<int64_t> widths = pad.getWidths();
      if (widths.size() >= 4 &&
          llvm::all_of(ArrayRef(widths).take_front(4), [](int64_t width) { return width == 0; }))
        return Border::of(widths, pad.getConstantValue().convertToDouble());
    }
  return std::nullopt;
}

static bool takes(ConvolutionOp op, const Border &border) {
  return border.value == 0 && isChannelsFirst(op.getLayout()) &&
         op.getKernel().size() == border.begin.size();
}

static bool takes(PoolingOp op, const Border &border) {
  if (!isChannelsFirst(op.getLayout()) || op.getGlobalPool() ||
      op.getPoolingConvention() != "valid" || op.getKernel().size() != border.begin.size())
    return false;
  StringRef type = op.getPoolType();
  if (type == "sum")
    return border.value == 0;
  if (type == "avg")
    return border.value == 0 && op.getCountIncludePad().value_or(true);
  return type == "max" && border.value == -std::numeric_limits<double>::infinity();
}

// A window of padding alone is refused for averages, and for maxima has another value than the
// border.
static bool isAllowed(PoolingOp op, const Border &border) {
  ArrayRef<int64_t> kernel = op.getKernel();
  if (op.getPoolType() == "sum")
    return true;
  for (size_t i = 0; i < kernel.size(); ++i)
    if (border.begin[i] >= kernel[i] || border.end[i] >= kernel[i])
      return false;
  return op.getPoolType() == "avg" ||
         everyWindowHoldsAPixel(op, op.getData().getDefiningOp()->getOperand(0),
                                {border.begin, border.end});
}
static bool isAllowed(ConvolutionOp, const Border &) { return true; }

template <class Op> static void fold(Op op) {
  Operation *pad = op.getData().getDefiningOp();
  std::optional<Border> border = borderOf(pad);
  if (!border || !takes(op, *border))
    return;
  border->add({op.getPad(), op.getPadEnd()});
  if (!isAllowed(op, *border))
    return;
  remark::passed(op.getLoc(), remark::RemarkOpts::name("padding")
                                  .category("sg-fold-padding")
                                  .function(pad->getParentOfType<GraphOp>().getSymName()))
      << ("'" + nodeName(op) + "' puts the border of '" + nodeName(pad) +
          "' around its data itself")
             .str();
  op.setPad(border->begin);
  op.setPadEnd(border->begin == border->end ? ArrayRef<int64_t>() : border->end);
  op->setOperand(0, pad->getOperand(0));
  if (pad->use_empty())
    pad->erase();
}

namespace {
struct FoldPadding : symc::impl::FoldPaddingBase<FoldPadding> {
  void runOnOperation() override {
    for (auto graph : getOperation().getOps<GraphOp>())
      for (Operation &op : graph.getBlock()) {
        if (auto convolution = dyn_cast<ConvolutionOp>(op))
          fold(convolution);
        else if (auto pooling = dyn_cast<PoolingOp>(op))
          fold(pooling);
      }
  }
};
} // namespace
