// SumStart.cpp: see SumStart.h.
#include "codegen/lower/SumStart.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace symc::codegen;

static std::optional<unsigned> startOf(Block &body, ArrayRef<View> extras) {
  Value sum = body.getArgument(0);
  if (!sum.getType().isF32() || !sum.hasOneUse())
    return std::nullopt;
  auto add = dyn_cast<arith::AddFOp>(*sum.user_begin());
  if (!add)
    return std::nullopt;
  auto other = dyn_cast<BlockArgument>(add.getLhs() == sum ? add.getRhs() : add.getLhs());
  if (!other || other.getOwner() != &body || other == sum)
    return std::nullopt;
  unsigned number = other.getArgNumber() - 1;
  const View &view = extras[number];
  bool common = isConstant(view.strides[2], 0) && isConstant(view.strides[3], 0);
  return common ? std::optional(number) : std::nullopt;
}

SumStart::SumStart(Region &body, ArrayRef<View> extras)
    : whole(body), number(startOf(body.front(), extras)) {
  if (!number)
    return;
  IRMapping mapping;
  body.cloneInto(&rest, mapping);
  Value sum = rest.front().getArgument(0);
  Operation *add = *sum.user_begin();
  add->getResult(0).replaceAllUsesWith(sum);
  add->erase();
}
