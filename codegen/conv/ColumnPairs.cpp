// ColumnPairs.cpp: see ColumnPairs.h.
#include "codegen/conv/ColumnPairs.h"

#include "codegen/cpu/ProductRow.h"
#include "codegen/cpu/TargetDescription.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;

const ProductRow *symc::codegen::columnPairsOf(kernel::ConvOp conv, const TargetDescription &target,
                                               FloatType half, bool exactly) {
  auto data = cast<MemRefType>(conv.getData().getType());
  auto panels = cast<MemRefType>(conv.getWeights().getType());
  bool isPrepared = conv.getWeights().getDefiningOp<kernel::WeightOp>() && panels.getRank() == 6;
  if (conv.getChoose() != "images" || !isPrepared || !panels.getElementType().isF32() ||
      !data.getElementType().isF32())
    return nullptr;
  bool isPlanar = conv.getInputLanes() != panels.getShape().back() && data.getDimSize(1) == 1 &&
                  int64_t(conv.getInChannels()) == conv.getInputLanes();
  int64_t columns = conv.getKernel()[1];
  if (!isPlanar || columns < 2 || (exactly && columns % 2) || conv.getDilations()[1] != 1)
    return nullptr;
  const ProductRow *row = productRowOf(target, half, half);
  return row && row->termsPerStep == 2 ? row : nullptr;
}

void symc::codegen::createMove(OpBuilder &builder, Location location, Value from, Value to) {
  auto step = kernel::LoopsOp::create(builder, location, from, to);
  step->setAttr(kernel::narrowName, builder.getUnitAttr());
  OpBuilder::InsertionGuard guard(builder);
  Block &body = step.getBody().emplaceBlock();
  body.addArgument(builder.getF32Type(), location);
  builder.setInsertionPointToEnd(&body);
  kernel::YieldOp::create(builder, location, body.getArguments());
}

void symc::codegen::writeRounded(const kernel::KnownView &from, const kernel::KnownView &to,
                                 OpBuilder &builder, Location location) {
  auto step = kernel::LoopsOp::create(builder, location, createView(builder, location, from),
                                      createView(builder, location, to));
  OpBuilder::InsertionGuard guard(builder);
  Block &body = step.getBody().emplaceBlock();
  body.addArgument(builder.getF32Type(), location);
  builder.setInsertionPointToEnd(&body);
  Type element = cast<MemRefType>(to.root.getType()).getElementType();
  Value rounded = arith::TruncFOp::create(builder, location, element, body.getArgument(0));
  kernel::YieldOp::create(builder, location, rounded);
}

void symc::codegen::roundPanels(Value exact, Value target, bool pairs, OpBuilder &builder,
                                Location location) {
  auto type = cast<MemRefType>(target.getType());
  int64_t outputs = type.getShape().back(), rows = type.getNumElements() / outputs;
  kernel::KnownView from{exact, 0, {rows, outputs}, {outputs, 1}}, to = from;
  if (pairs) {
    from.sizes = {rows / 2, outputs, 2};
    from.strides = {2 * outputs, 1, outputs};
    to.sizes = from.sizes;
    to.strides = {2 * outputs, 2, 1};
  }
  to.root = target;
  writeRounded(from, to, builder, location);
}
