// PackRecurrent.cpp: see PackRecurrent.h.
#include "codegen/conv/strassen/PackRecurrent.h"

#include "codegen/conv/strassen/kernel/StrassenScheme.h"
#include "codegen/kernel/ViewOrigin.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace symc;

// sum = +- quarter +- quarter ...
static void fillBody(Region &region, ArrayRef<int> signs, OpBuilder &b, Location location) {
  OpBuilder::InsertionGuard guard(b);
  Block *block = b.createBlock(&region);
  Type f32 = b.getF32Type(), f64 = b.getF64Type();
  for (size_t i = 0; i < signs.size(); ++i)
    block->addArgument(f32, location);
  Value sum = arith::ConstantOp::create(b, location, b.getF64FloatAttr(0));
  for (auto [value, sign] : llvm::zip(block->getArguments(), signs)) {
    Value wide = arith::ExtFOp::create(b, location, f64, value);
    sum = sign > 0 ? Value(arith::AddFOp::create(b, location, sum, wide))
                   : Value(arith::SubFOp::create(b, location, sum, wide));
  }
  Value rounded = arith::TruncFOp::create(b, location, f32, sum);
  kernel::YieldOp::create(b, location, ValueRange{rounded});
}

void symc::codegen::packRecurrentSums(Value source, Value target, OpBuilder &b, Location location) {
  ArrayRef<int64_t> shape = cast<MemRefType>(target.getType()).getShape();
  int64_t pairs = shape[0], groups = shape[1], states = shape[3], gates = shape[4],
          width = shape[5];
  kernel::KnownView from = *kernel::traceKnownView(source);
  int64_t unit = from.strides[0], state = from.strides[1], gate = from.strides[2];
  SmallVector<int64_t, 6> extents{pairs, groups, states, gates, width};
  int64_t panel = states * gates * width, group = panel * kernel::strassenProductCount;
  for (auto [number, product] : llvm::enumerate(kernel::strassenProducts)) {
    SmallVector<Value> quarters;
    SmallVector<int> signs;
    for (auto [q, sign] : llvm::enumerate(product.weights)) {
      if (!sign)
        continue;
      int64_t offset =
          from.offset + unit * int64_t(q / 2 * pairs * width) + state * int64_t(q % 2 * states);
      quarters.push_back(kernel::createView(
          b, location,
          {from.root, offset, extents, {unit * width, gate * gates, state, gate, unit}}));
      signs.push_back(sign);
    }
    Value sums = kernel::createView(b, location,
                                    {target,
                                     int64_t(number) * panel,
                                     extents,
                                     {group * groups, group, gates * width, width, 1}});
    auto loops = kernel::LoopsOp::create(b, location, quarters, ValueRange{sums});
    fillBody(loops.getBody(), signs, b, location);
  }
}
