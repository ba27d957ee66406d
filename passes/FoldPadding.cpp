// FoldPadding.cpp: sg-fold-padding.
//
//   convolution(pad(x) {mode = "constant", pad_width = [0, 0, 0, 0, 1, 1, 1, 1]}, w) {pad = [0, 0]}
//       ->  convolution(x, w) {pad = [1, 1]}
//
// Zeros around an image are the layer's own where both sides have as many; of an average they
// are where it counts them.
#include "ir/GraphDialect.h"
#include "ir/ops/Nn.h"
#include "ir/ops/Vision.h"
#include "mlir/IR/Remarks.h"
#include "passes/Passes.h"

namespace symc {
#define GEN_PASS_DEF_FOLDPADDING
#include "passes/Passes.h.inc"
} // namespace symc

using namespace mlir;
using namespace symc;
using namespace symc::sg;

// The zeros that a pad puts on both sides of each axis behind the channels; none where it does
// something else.
static std::optional<SmallVector<int64_t>> zerosAround(PadOp op) {
  if (!op || op.getMode() != "constant" || !op.getConstantValue().isZero())
    return std::nullopt;
  SmallVector<int64_t> zeros;
  ArrayRef<int64_t> widths = op.getPadWidth();
  for (size_t axis = 2; axis < widths.size() / 2; ++axis) { // the first two have none
    if (widths[2 * axis] != widths[2 * axis + 1])
      return std::nullopt;
    zeros.push_back(widths[2 * axis]);
  }
  return zeros;
}

// The layer's own padding with `zeros` more.
static SmallVector<int64_t> widened(ArrayRef<int64_t> pad, ArrayRef<int64_t> zeros) {
  SmallVector<int64_t> sum(zeros);
  for (size_t i = 0; i < pad.size(); ++i)
    sum[i] += pad[i];
  return sum;
}

static bool takesZeros(ConvolutionOp op, ArrayRef<int64_t> zeros) {
  return (!op.getLayout() || op.getLayout()->starts_with("NC")) &&
         op.getKernel().size() == zeros.size();
}

static bool takesZeros(PoolingOp op, ArrayRef<int64_t> zeros) {
  if ((op.getLayout() && !op.getLayout()->starts_with("NC")) || op.getPoolType() != "avg" ||
      op.getGlobalPool() || op.getPoolingConvention() != "valid" ||
      !op.getCountIncludePad().value_or(true) || op.getKernel().size() != zeros.size())
    return false;
  SmallVector<int64_t> pad = widened(op.getPad(), zeros);
  for (size_t i = 0; i < pad.size(); ++i)
    if (pad[i] >= op.getKernel()[i])
      return false;
  return true;
}

template <class Op> static void fold(Op op) {
  auto pad = op.getData().template getDefiningOp<PadOp>();
  std::optional<SmallVector<int64_t>> zeros = zerosAround(pad);
  if (!zeros || !takesZeros(op, *zeros))
    return;
  remark::passed(op.getLoc(), remark::RemarkOpts::name("padding")
                                  .category("sg-fold-padding")
                                  .function(pad->template getParentOfType<GraphOp>().getSymName()))
      << ("'" + nodeName(op) + "' puts the zeros of '" + nodeName(pad) + "' around its data itself")
             .str();
  op.setPad(widened(op.getPad(), *zeros));
  op->setOperand(0, pad.getData());
  if (pad->use_empty())
    pad.erase();
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
