// IntegerPooling.cpp: maxima over quantised integers in blocks of channels.
//
//   %y:3 = sg.quantized_pooling(%x, %lo, %hi)  ->  kernel.pool "smax" or "umax" over bytes
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
  auto pair = [&](ArrayRef<int64_t> values, int64_t missing) {
    int64_t both[] = {values.empty() ? missing : values[0], values.empty() ? missing : values[1]};
    return t.builder.getDenseI64ArrayAttr(both);
  };
  auto step =
      kernel::PoolOp::create(t.builder, location, in, ValueRange(), out,
                             t.builder.getStringAttr(isUnsigned(op.getData()) ? "umax" : "smax"),
                             pair(op.getKernel(), 1), pair(op.getStride(), 1), pair(op.getPad(), 0),
                             pair(op.getPad(), 0), t.builder.getBoolAttr(true));
  OpBuilder::InsertionGuard guard(t.builder);
  Block *block = t.builder.createBlock(&step.getBody());
  Value greatest = block->addArgument(t.builder.getI8Type(), location);
  kernel::YieldOp::create(t.builder, location, ValueRange{greatest});
}

namespace symc::codegen {
void registerIntegerPoolingRule(RuleList &rules) { rules.add<IntegerPoolingRule>(); }
} // namespace symc::codegen
