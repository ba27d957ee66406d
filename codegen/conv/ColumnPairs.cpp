// ColumnPairs.cpp: see ColumnPairs.h.
#include "codegen/conv/ColumnPairs.h"

#include "codegen/cpu/ProductRow.h"
#include "codegen/cpu/TargetDescription.h"

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
