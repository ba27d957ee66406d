// ReduceCombiner.cpp: see ReduceCombiner.h.
#include "codegen/lower/ReduceCombiner.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include <limits>

using namespace mlir;
using namespace symc::codegen;

using Values = SmallVector<Value>;

TypedAttr ReduceCombiner::startOf(Type type) {
  OpBuilder &b = e.builder();
  bool largest = name.starts_with("max") || name == "argmax";
  bool sums = name == "sum" || name == "sums" || name == "prod";
  if (isa<FloatType>(type)) {
    double infinity = std::numeric_limits<double>::infinity();
    return b.getFloatAttr(type, sums ? (name == "prod" ? 1 : 0) : largest ? -infinity : infinity);
  }
  unsigned width = type.getIntOrFloatBitWidth();
  APInt least = APInt::getSignedMinValue(width), most = APInt::getSignedMaxValue(width);
  return b.getIntegerAttr(type, sums      ? APInt(width, name == "prod" ? 1 : 0)
                                : largest ? least
                                          : most);
}

Values ReduceCombiner::identity(int64_t lanes) {
  Values start{e.splat(startOf(types[0]), lanes)};
  if (name == "sums")
    return {start[0], start[0]};
  if (states() == 2)
    start.push_back(e.splat(e.builder().getIntegerAttr(types[1], 0), lanes));
  return start;
}

Values ReduceCombiner::combine(ValueRange earlier, ValueRange later, bool anyOrder) {
  Value x = earlier[0], y = later[0];
  bool real = isa<FloatType>(types[0]);
  if (name == "sum")
    return {real ? make<arith::AddFOp>(x, y) : make<arith::AddIOp>(x, y)};
  if (name == "sums")
    return {make<arith::AddFOp>(x, y), make<arith::AddFOp>(earlier[1], later[1])};
  if (name == "prod")
    return {real ? make<arith::MulFOp>(x, y) : make<arith::MulIOp>(x, y)};
  if (name == "maxnum")
    return {real ? choose(compare(arith::CmpFPredicate::OGT, y, x), y, x)
                 : make<arith::MaxSIOp>(x, y)};
  bool largest = name.ends_with("max");
  if (states() == 1 && !real)
    return {largest ? make<arith::MaxSIOp>(x, y) : make<arith::MinSIOp>(x, y)};
  if (states() == 1) { // y where either is no number, unless x is none
    auto keeps = largest ? arith::CmpFPredicate::OGT : arith::CmpFPredicate::OLT;
    Value best = choose(compare(keeps, x, y), x, y);
    return {choose(compare(arith::CmpFPredicate::UNO, x, x), x, best)};
  }
  Value better;
  if (real) {
    auto beats = largest ? arith::CmpFPredicate::UGT : arith::CmpFPredicate::ULT;
    better = make<arith::AndIOp>(compare(beats, y, x), compare(arith::CmpFPredicate::ORD, x, x));
  } else {
    better = integer(largest ? arith::CmpIPredicate::sgt : arith::CmpIPredicate::slt, y, x);
  }
  if (anyOrder) {
    Value same =
        real ? make<arith::OrIOp>(compare(arith::CmpFPredicate::OEQ, x, y),
                                  make<arith::AndIOp>(compare(arith::CmpFPredicate::UNO, x, x),
                                                      compare(arith::CmpFPredicate::UNO, y, y)))
             : integer(arith::CmpIPredicate::eq, x, y);
    Value before = integer(arith::CmpIPredicate::slt, later[1], earlier[1]);
    better = make<arith::OrIOp>(better, make<arith::AndIOp>(same, before));
  }
  return {choose(better, y, x), choose(better, later[1], earlier[1])};
}

Values ReduceCombiner::masked(Value mask, Values values, int64_t lanes) {
  if (mask)
    for (auto [value, start] : llvm::zip(values, identity(lanes)))
      value = choose(mask, value, start);
  return values;
}

Values ReduceCombiner::halved(ArrayRef<Value> partials, int64_t lanes) {
  SmallVector<Values> parts;
  for (size_t i = 0; i < partials.size(); i += states())
    parts.push_back(Values(partials.slice(i, states())));
  for (size_t half = parts.size() / 2; half > 0; half /= 2)
    for (size_t i = 0; i < half; ++i)
      parts[i] = combine(parts[i], parts[i + half], /*anyOrder=*/true);
  Values value = parts[0];
  int64_t one[] = {1};
  for (int64_t half = lanes / 2; half > 0; half /= 2) {
    auto part = [&](int64_t from) {
      Values taken;
      int64_t offset[] = {from}, width[] = {half};
      for (Value each : value)
        taken.push_back(vector::ExtractStridedSliceOp::create(e.builder(), e.location(), each,
                                                              offset, width, one));
      return taken;
    };
    value = combine(part(0), part(half), /*anyOrder=*/true);
  }
  if (lanes > 1)
    for (Value &each : value)
      each = vector::ExtractOp::create(e.builder(), e.location(), each, 0);
  return value;
}
