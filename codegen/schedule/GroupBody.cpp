// GroupBody.cpp: see GroupBody.h.
#include "codegen/schedule/GroupBody.h"

#include "codegen/schedule/ScalarBody.h"
#include "ir/ops/Elementwise.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;
using namespace symc::sg;

void symc::codegen::buildBody(Region &region, const GroupView &group, Value rootResult,
                              bool hasBias, ArrayRef<Operand> operands, Type elementType,
                              OpBuilder &builder) {
  OpBuilder::InsertionGuard guard(builder);
  Location location = group.location;
  Block *block = builder.createBlock(&region);
  DenseMap<Value, Value> scalars;
  Value last;
  if (rootResult) {
    last = block->addArgument(elementType, location);
    if (hasBias)
      last = ScalarOps(elementType, builder, location)
                 .make(ScalarPrimitive::add, {last, block->addArgument(elementType, location)});
    scalars[rootResult] = last;
  }
  SmallVector<Value> outer;
  for (const Operand &operand : operands)
    outer.push_back(
        block->addArgument(Tensors::storageType(elementTypeOf(operand.value.getType())), location));
  if (!group.chain.empty())
    last = emitChain(
        group, group.chain, scalars,
        [&](const Operand &operand) {
          return outer[llvm::find(operands, operand) - operands.begin()];
        },
        builder);
  kernel::YieldOp::create(builder, location, ValueRange{last});
}

Value symc::codegen::emitChain(const GroupView &group, ArrayRef<Operation *> chain,
                               DenseMap<Value, Value> &scalars,
                               function_ref<Value(const Operand &)> outer, OpBuilder &builder) {
  Value last;
  for (Operation *op : chain) {
    SmallVector<Value> inputs;
    for (unsigned i = 0; i < op->getNumOperands(); ++i) {
      auto found = scalars.find(op->getOperand(i));
      inputs.push_back(found != scalars.end() ? found->second : outer(group.operandOf(op, i)));
    }
    Type result = elementTypeOf(op->getResult(0).getType());
    auto convert = [&](unsigned input, Type to) {
      return convertElement(inputs[input], elementTypeOf(op->getOperand(input).getType()), to,
                            builder, op->getLoc());
    };
    if (isa<WhereOp>(op))
      inputs[0] = convert(0, builder.getI1Type());
    last = isa<CastOp>(op) ? convert(0, result)
                           : buildScalar(cast<ElementwiseInterface>(op), inputs,
                                         Tensors::storageType(result), builder, op->getLoc());
    scalars[op->getResult(0)] = last;
  }
  return last;
}
