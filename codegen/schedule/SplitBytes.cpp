// SplitBytes.cpp: see SplitBytes.h.
#include "codegen/schedule/SplitBytes.h"

#include "codegen/kernel/ViewOrigin.h"
#include "codegen/schedule/Tensors.h"

#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;

// In a step of the kernel for 16 outputs of 6 pixels on x86-64-v3, 48 of 72 instructions multiply
// and add, 18 take data apart and 6 weights. Taken apart before, they are twice the bytes in
// caches.
static constexpr int64_t leastUses = 4;       // of a byte of data: taps times blocks of outputs
static constexpr int64_t leastPixels = 64;    // that share weights: fewer gain nothing (7x7, Zen 3)
static constexpr int64_t assumedExtent = 100; // of one that a run chooses

static bool pays(kernel::ConvOp conv) {
  ArrayRef<int64_t> out = cast<MemRefType>(conv.getOut().getType()).getShape();
  int64_t pixels = 1;
  for (int64_t extent : {out[0], out[2], out[3]})
    pixels *= ShapedType::isDynamic(extent) ? assumedExtent : extent;
  int64_t uses = out[1] * conv.getKernel()[0] * conv.getKernel()[1];
  return uses >= leastUses && pixels >= leastPixels;
}

// The operand's words, in a buffer that a step before the layer fills.
static Value splitOperand(kernel::ConvOp conv, Value bytes, bool shifted, Tensors &t) {
  Location location = conv.getLoc();
  kernel::ViewOrigin view = *kernel::traceView(bytes);
  SmallVector<AffineExpr> sizes(view.sizes);
  sizes[4] = t.constant(cast<AffineConstantExpr>(sizes[4]).getValue() / 2);
  Value words = t.buffer(sizes, t.builder.getI32Type(), location);
  kernel::SplitBytesOp::create(t.builder, location, bytes, words, shifted, conv.getInChannels(),
                               /*cut=*/{});
  return words;
}

void symc::codegen::splitBytes(kernel::ProgramOp program, const Target &target, StringRef name) {
  for (auto conv : llvm::make_early_inc_range(program.getBody().front().getOps<kernel::ConvOp>())) {
    if (!conv.sumsBytes() || !pays(conv))
      continue;
    OpBuilder builder(conv);
    Tensors t(builder, program, target);
    conv.getDataMutable().assign(splitOperand(conv, conv.getData(), conv.getShifted(), t));
    conv.getWeightsMutable().assign(splitOperand(conv, conv.getWeights(), false, t));
    conv.setShifted(false);
    std::string text = "steps before the layer make 16 bits of the bytes of its data and weights, "
                       "which " +
                       name.str() + " multiplies in pairs";
    remark::passed(conv.getLoc(), remark::RemarkOpts::name("bytes").category("kernel-split-bytes"))
        << text;
  }
}
