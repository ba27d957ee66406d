// ScaledBytes.cpp: see ScaledBytes.h. The chain is followed from the result up:
//
//   bytes -> i32 -> f32, * scale, at least `low`, at most `high`, rounded -> i32 -> result
#include "codegen/lower/ScaledBytes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include <limits>

using namespace mlir;
using namespace symc::codegen;

// The operand of the only operation of that kind that makes a value, or null.
template <typename Op> static Value before(Value value) {
  auto op = value ? value.getDefiningOp<Op>() : Op();
  return op ? op->getOperand(0) : Value();
}

namespace {

/// Whole numbers between which all the values of a chain lie.
struct Limits {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();

  bool hold(double least, double most) const { return low <= least && most <= high; }
};

} // namespace

// `value` before comparisons with constants, which are added to `limits`; null where it is chosen
// otherwise.
static Value beforeLimits(Value value, Limits &limits) {
  while (auto select = value ? value.getDefiningOp<arith::SelectOp>() : arith::SelectOp()) {
    auto holds = select.getCondition().getDefiningOp<arith::CmpFOp>();
    FloatAttr limit;
    if (!holds || holds.getLhs() != select.getTrueValue() ||
        holds.getRhs() != select.getFalseValue() ||
        !matchPattern(holds.getRhs(), m_Constant(&limit)))
      return {};
    double bound = limit.getValueAsDouble();
    if (holds.getPredicate() == arith::CmpFPredicate::OGT)
      limits.low = std::max(limits.low, bound);
    else if (holds.getPredicate() == arith::CmpFPredicate::OLT)
      limits.high = std::min(limits.high, bound);
    else
      return {};
    value = select.getTrueValue();
  }
  return value;
}

std::optional<ScaledBytes> symc::codegen::matchScaledBytes(Block &body) {
  Operation *yield = body.getTerminator();
  if (yield->getNumOperands() != 1 || !yield->getOperand(0).getType().isInteger(8))
    return std::nullopt;
  Value integer = before<arith::TruncIOp>(yield->getOperand(0));
  Limits limits;
  Value limited = before<math::RoundEvenOp>(before<arith::FPToSIOp>(integer));
  Value scaled = beforeLimits(limited, limits);
  auto product = scaled ? scaled.getDefiningOp<arith::MulFOp>() : arith::MulFOp();
  if (!product)
    return std::nullopt;
  Value wide = before<arith::SIToFPOp>(product.getLhs()), of = before<arith::ExtSIOp>(wide);
  bool fits = of ? limits.hold(-128, 127) : limits.hold(0, 255);
  auto bytes = dyn_cast_or_null<BlockArgument>(of ? of : before<arith::ExtUIOp>(wide));
  auto scale = dyn_cast<BlockArgument>(product.getRhs());
  if (!fits || !bytes || !scale || !bytes.getType().isInteger(8))
    return std::nullopt;
  return ScaledBytes{bytes.getArgNumber(), scale.getArgNumber()};
}
