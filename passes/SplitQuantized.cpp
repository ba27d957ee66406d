// SplitQuantized.cpp: sg-split-quantized.
//
//   %r:3 = sg.fused_conv(%x, %w, %b, ..., %lo, %hi)       with calibration limits
//     ->  %q:5 = sg.quantize_rows(%w, %b, ..., %lo, %hi)  weights alone, where %lo, %hi are
//         %y = sg.integer_conv(%x, %q)                    known
//
// The limits of the result become sg.full and those of a pooling its operand's, so that
// the next layer's weights are known before the run, too: sg-hoist-prepare moves them.
// Layers with other followers than relu, groups or windows of other ranks stay as they are,
// which a `missed` remark prints.
#include "ir/GraphDialect.h"
#include "ir/ops/Fused.h"
#include "ir/ops/Init.h"
#include "ir/ops/Quantized.h"
#include "mlir/IR/Remarks.h"
#include "passes/Passes.h"

namespace symc {
#define GEN_PASS_DEF_SPLITQUANTIZED
#include "passes/Passes.h.inc"
} // namespace symc

using namespace mlir;
using namespace symc::sg;

namespace {

struct SplitQuantized : symc::impl::SplitQuantizedBase<SplitQuantized> {
  void runOnOperation() override {
    for (auto graph : getOperation().getOps<GraphOp>())
      for (Operation &op : llvm::make_early_inc_range(graph.getBlock())) {
        if (auto pool = dyn_cast<QuantizedPoolingOp>(op))
          for (unsigned limit : {1u, 2u})
            pool.getResult(limit).replaceAllUsesWith(pool.getOperand(limit));
        auto conv = dyn_cast<FusedConvOp>(op);
        if (!conv)
          continue;
        if (const char *reason = whyNot(conv))
          remark::missed(op.getLoc(),
                         remark::RemarkOpts::name("integers").category("sg-split-quantized"))
              << ("'" + nodeName(&op) + "' stays whole: " + reason).str();
        else
          split(conv);
      }
  }

  static const char *whyNot(FusedConvOp op) {
    auto other = [](bool follows, StringRef fn) { return follows && fn != "none" && fn != "relu"; };
    if (!op.getMinCalibRange() || !op.getMaxCalibRange())
      return "its result has no calibration limits";
    if (other(op.getWithAct(), op.getAct()) || other(op.getWithPostsumAct(), op.getPostsumAct()))
      return "a function other than relu follows";
    if (op.getNumGroup() != 1 || op.getKernel().size() != 2)
      return "it has groups or is not over two extents";
    if (op.getSum() && elementTypeOf(op.getSum().getType()).isInteger(32))
      return "what it adds is int32";
    return nullptr;
  }

  static Value limit(OpBuilder &b, Location loc, FloatAttr value) {
    OperationState state(loc, FullOp::getOperationName());
    state.addTypes(RankedTensorType::get({1}, b.getF32Type()));
    state.addAttribute("shape", b.getDenseI64ArrayAttr({1}));
    state.addAttribute("dtype", b.getStringAttr("float32"));
    state.addAttribute("value", value);
    return b.create(state)->getResult(0);
  }

  // The greater size of two limits, as float32, where both are known.
  static FloatAttr reachOf(OpBuilder &b, Value min, Value max) {
    auto low = min ? min.getDefiningOp<FullOp>() : FullOp();
    auto high = max ? max.getDefiningOp<FullOp>() : FullOp();
    if (!low || !high)
      return {};
    auto size = [](FullOp op) {
      return std::abs(static_cast<float>(op.getValue().convertToDouble()));
    };
    return b.getF64FloatAttr(std::max(size(low), size(high)));
  }

  void split(FusedConvOp op) {
    OpBuilder b(op);
    Location loc = op.getLoc();
    MLIRContext *context = b.getContext();
    int64_t filters = op.getNumFilter();
    bool isUnsigned = elementTypeOf(op.getOutput().getType()).isUnsignedInteger();
    auto typed = [&](Shape shape, StringRef element) {
      return makeTensorType(shape, typeFromName(element, context), context);
    };
    Shape rows = Shape::of({filters}, context), one = Shape::of({1}, context);
    OperationState quantise(loc, QuantizeRowsOp::getOperationName());
    SmallVector<int32_t> segments;
    auto operand = [&](OperationState &state, Value value) {
      if (value)
        state.addOperands(value);
      segments.push_back(value ? 1 : 0);
    };
    for (Value value :
         {op.getWeight(), op.getBias(), op.getGamma(), op.getBeta(), op.getMean(), op.getVar()})
      operand(quantise, value);
    auto limits = [&](StringRef name, Value min, Value max) {
      FloatAttr reach = reachOf(b, min, max);
      if (reach)
        quantise.addAttribute(name, reach);
      operand(quantise, reach ? Value() : min);
      operand(quantise, reach ? Value() : max);
    };
    limits("data_reach", op.getDataMin(), op.getDataMax());
    limits("sum_reach", op.getSumMin(), op.getSumMax());
    quantise.addTypes({typed(shapeOf(op.getWeight().getType()), "int8"), typed(rows, "int32"),
                       typed(rows, "float32"), typed(rows, "float32"), typed(one, "float32")});
    auto flag = [&](StringRef name, bool value) {
      quantise.addAttribute(name, b.getBoolAttr(value));
    };
    flag("no_bias", !op.getBias());
    flag("with_bn", static_cast<bool>(op.getGamma()));
    flag("with_sum", static_cast<bool>(op.getSum()));
    flag("bn_fix_gamma", op.getBnFixGamma());
    flag("data_signed", !elementTypeOf(op.getData().getType()).isUnsignedInteger());
    flag("sum_signed", !op.getSum() || !elementTypeOf(op.getSum().getType()).isUnsignedInteger());
    flag("result_signed", !isUnsigned);
    quantise.addAttribute("bn_eps", op.getBnEpsAttr());
    quantise.addAttribute("min_calib_range", op.getMinCalibRangeAttr());
    quantise.addAttribute("max_calib_range", op.getMaxCalibRangeAttr());
    quantise.addAttribute("operandSegmentSizes", b.getDenseI32ArrayAttr(segments));
    Operation *parts = b.create(quantise);

    OperationState conv(loc, IntegerConvOp::getOperationName());
    segments.clear();
    operand(conv, op.getData());
    for (unsigned i = 0; i < 4; ++i)
      operand(conv, parts->getResult(i));
    operand(conv, op.getSum());
    operand(conv, op.getSum() ? parts->getResult(4) : Value());
    conv.addTypes(op.getOutput().getType());
    for (StringRef name : {"kernel", "stride", "dilate", "pad", "num_filter", "num_group"})
      if (Attribute value = op->getAttr(name))
        conv.addAttribute(name, value);
    conv.addAttribute("with_sum", b.getBoolAttr(static_cast<bool>(op.getSum())));
    conv.addAttribute("relu", b.getBoolAttr(op.getWithAct() && op.getAct() == "relu"));
    conv.addAttribute("postsum_relu",
                      b.getBoolAttr(op.getWithPostsumAct() && op.getPostsumAct() == "relu"));
    conv.addAttribute("operandSegmentSizes", b.getDenseI32ArrayAttr(segments));
    op.getOutput().replaceAllUsesWith(b.create(conv)->getResult(0));
    op.getOutputMin().replaceAllUsesWith(limit(b, loc, op.getMinCalibRangeAttr()));
    op.getOutputMax().replaceAllUsesWith(limit(b, loc, op.getMaxCalibRangeAttr()));
    op.erase();
  }
};

} // namespace
