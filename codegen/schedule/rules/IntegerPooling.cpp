// IntegerPooling.cpp: maxima over quantised integers in blocks of channels.
//
//   %y:3 = sg.quantized_pooling(%x, %lo, %hi)  ->  kernel.pool "smax" or "umax" over bytes
#include "codegen/schedule/ImageNodes.h"
#include "codegen/schedule/IntegerLayer.h"
#include "ir/ops/Quantized.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;
using namespace symc::sg;

namespace {

struct IntegerPoolingRule {
  static constexpr RuleTraits traits{"integer-pooling", Benefit::Tiles, Use::Tiles};
  using Plan = IntegerPlan<QuantizedPoolingOp>;

  static Match<Plan> match(const GroupView &group) { return Plan::match(group); }
  static void emit(const GroupView &group, const Plan &plan, Tensors &t);
};

} // namespace

void IntegerPoolingRule::emit(const GroupView &, const Plan &plan, Tensors &t) {
  QuantizedPoolingOp op = plan.op;
  Location location = op.getLoc();
  Value result = op.getResult(0);
  Value in = t.materialise(t.blockedView(op.getData(), {}, location), location);
  Value out = t.materialise(t.createBlocked(result, location), location);
  Window window(op.getKernel(), op.getStride(), {}, op.getPad());
  OpBuilder &b = t.builder;
  auto step = kernel::PoolOp::create(
      b, location, in, ValueRange(), out,
      b.getStringAttr(isUnsigned(op.getData()) ? "umax" : "smax"),
      b.getDenseI64ArrayAttr(window.kernel), b.getDenseI64ArrayAttr(window.stride),
      window.padding.attribute(t.context()), b.getBoolAttr(true), /*piece=*/{}, /*cut=*/{});
  OpBuilder::InsertionGuard guard(b);
  Block *block = b.createBlock(&step.getBody());
  Value greatest = block->addArgument(b.getI8Type(), location);
  kernel::YieldOp::create(b, location, ValueRange{greatest});
}

namespace symc::codegen {
void registerIntegerPoolingRule(RuleList &rules) { rules.add<IntegerPoolingRule>(); }
} // namespace symc::codegen
