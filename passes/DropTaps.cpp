// DropTaps.cpp: sg-drop-taps.
//
//   convolution(x [N, C, 20, 20], w [O, C, 3, 3]) dilate 36, pad 36
//       ->  convolution(x, w [O, C, 1, 1], the tap in the middle)
//
// Rows and columns of a window that lie in the padding at every place of it add nothing but
// zeros. They are left out where what is left has padding of its own, not a part of the image.
#include "ir/CoreBuilder.h"
#include "ir/GraphDialect.h"
#include "ir/ops/Nn.h"
#include "mlir/IR/Remarks.h"
#include "passes/Passes.h"

namespace symc {
#define GEN_PASS_DEF_DROPTAPS
#include "passes/Passes.h.inc"
} // namespace symc

using namespace mlir;
using namespace symc;
using namespace symc::sg;

namespace {

// The window along one axis of an image.
struct Axis {
  int64_t kernel, stride, dilate, pad, padEnd, input, output;
  int64_t first = 0, last = 0; // of the taps that stay

  Axis(ConvolutionOp op, unsigned i) {
    auto at = [&](ArrayRef<int64_t> list, int64_t other) { return list.empty() ? other : list[i]; };
    kernel = op.getKernel()[i];
    stride = at(op.getStride(), 1);
    dilate = at(op.getDilate(), 1);
    pad = at(op.getPad(), 0);
    padEnd = at(op.getPadEnd(), pad);
    input = shapeOf(op.getData().getType())[2 + i].get();
    output = shapeOf(op.getOutput().getType())[2 + i].get();
    last = kernel - 1;
    while (first < last && !meetsImage(first))
      ++first;
    while (last > first && !meetsImage(last))
      --last;
    if (padBegin() < 0 || padBehind() < 0)
      first = 0, last = kernel - 1;
  }
  // At one place of the window at least.
  bool meetsImage(int64_t tap) const {
    int64_t place = tap * dilate - pad; // of the first; the next that is no longer before the image
    int64_t steps = place < 0 ? (-place + stride - 1) / stride : 0;
    return steps < output && place + steps * stride < input;
  }
  int64_t taps() const { return last - first + 1; }
  int64_t padBegin() const { return pad - first * dilate; }
  int64_t padBehind() const { return padEnd - (kernel - 1 - last) * dilate; }
};

struct DropTaps : symc::impl::DropTapsBase<DropTaps> {
  void runOnOperation() override {
    for (auto graph : getOperation().getOps<GraphOp>())
      for (auto conv : graph.getBlock().getOps<ConvolutionOp>())
        visit(conv);
  }

  static void visit(ConvolutionOp op) {
    auto isFixed = [](Value value) {
      Shape shape = shapeOf(value.getType());
      return llvm::all_of(ArrayRef<Dim>(shape.list()).drop_front(2),
                          [](Dim dim) { return dim.isStatic(); });
    };
    if ((op.getLayout() && !op.getLayout()->starts_with("NC")) || !isFixed(op.getData()) ||
        !isFixed(op.getOutput()))
      return;
    CoreBuilder core(op);
    Value weight = op.getWeight();
    SmallVector<int64_t> kernel, pad, padEnd;
    int64_t before = 1, after = 1;
    for (unsigned i = 0; i < op.getKernel().size(); ++i) {
      Axis axis(op, i);
      weight = core.slice(weight, 2 + i, axis.first, axis.last + 1);
      kernel.push_back(axis.taps());
      pad.push_back(axis.padBegin());
      padEnd.push_back(axis.padBehind());
      before *= axis.kernel;
      after *= axis.taps();
    }
    if (before == after)
      return;
    op->setOperand(1, weight);
    op.setKernel(kernel);
    op.setPad(pad);
    op.setPadEnd(padEnd == pad ? ArrayRef<int64_t>() : padEnd);
    remark::passed(op.getLoc(), remark::RemarkOpts::name("taps")
                                    .category("sg-drop-taps")
                                    .function(op->getParentOfType<GraphOp>().getSymName()))
        << ("'" + nodeName(op) + "' computes " + llvm::Twine(after) + " of its " +
            llvm::Twine(before) + " taps: the others lie in the padding")
               .str();
  }
};

} // namespace
