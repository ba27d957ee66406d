// ReducedNodes.cpp: see ReducedNodes.h.
#include "codegen/schedule/ReducedNodes.h"

#include "codegen/schedule/ImageNodes.h"
#include "codegen/schedule/OperandViews.h"
#include "ir/Gradient.h"
#include "ir/ops/Backward.h"
#include "ir/ops/Nn.h"
#include "ir/ops/Norm.h"
#include "ir/ops/Reduce.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;
using namespace symc::sg;

static bool isReal(Type type) {
  return type.isF32() || type.isF16() || type.isBF16() || type.isF64();
}

bool symc::codegen::hasReducedTypes(Operation *root) {
  Type dataType = elementTypeOf(root->getOperand(0).getType());
  Type result = elementTypeOf(root->getResult(0).getType());
  auto integer = dyn_cast_or_null<IntegerType>(dataType);
  bool counts = integer && integer.getWidth() >= 8;
  if (!dataType || !result || !(isReal(dataType) || counts))
    return false;
  if (auto op = dyn_cast<ReduceOp>(root); op && counts && op.getKind() == "mean")
    return false;
  if (!isReal(dataType) && !isa<ReduceOp, ArgReduceOp>(root))
    return false;
  // Functions of doubles are the reference kernels' own.
  if (dataType.isF64() && isa<SoftmaxOp, SoftmaxOutputOp, SoftmaxActivationOp>(root))
    return false;
  if (isReal(dataType) ? !isReal(result) || (result.isF64() && !dataType.isF64())
                       : result != dataType || (integer.isUnsigned() && integer.getWidth() > 16))
    return false;
  if (isa<LayerNormOp, InstanceNormOp, GroupNormOp>(root))
    for (Value operand : root->getOperands().drop_front())
      if (!isReal(elementTypeOf(operand.getType())))
        return false;
  auto op = dyn_cast<SoftmaxOp>(root);
  if (!op || !op.getLength())
    return true;
  Type length = elementTypeOf(op.getLength().getType());
  return length.isInteger(32) || length.isInteger(64);
}

// The statistics of channels, or sums of their gradients, in training: images of one pixel.
static bool measuresChannels(const GroupView &group) {
  Operation *root = group.root;
  SmallVector<bool> reduced;
  if (auto moments = dyn_cast<MomentsOp>(root); moments && moments.getKeepdims())
    reduced = moments.getReducedAxes();
  if (auto sums = dyn_cast<NormSumsOp>(root))
    reduced = sums.getReducedAxes();
  if (reduced.size() < 3 || reduced.size() > 4 || !isTraining(group.op) || !group.chain.empty())
    return false;
  for (size_t axis = 0; axis < reduced.size(); ++axis)
    if (reduced[axis] == (axis == 1))
      return false;
  const Tensors &t = group.t;
  Value data = root->getOperand(0);
  if (!elementTypeOf(data.getType()).isF32() || !t.layerElements(group.result) ||
      !channelsOf(group.result))
    return false;
  GroupView before = group.beforeRoot();
  if (!before.chainIsEmittable() || !before.readsInBlocks())
    return false;
  return llvm::all_of(root->getOperands().drop_front(), [&](Value operand) {
    SmallVector<int64_t> axes = llvm::to_vector(llvm::seq<int64_t>(0, reduced.size()));
    return canReadInBlocks({group.resolve(operand), axes}, data, t);
  });
}

bool symc::codegen::reducesInBlocks(const GroupView &group) {
  if (isa<MomentsOp, NormSumsOp>(group.root))
    return measuresChannels(group);
  const Tensors &t = group.t;
  Operation *root = group.root;
  bool overImages = isa<InstanceNormOp>(root);
  if (auto norm = dyn_cast<L2NormalizationOp>(root))
    overImages = norm.getMode() == "spatial";
  if (!overImages || root->getNumResults() != 1 || !t.layerElements(group.result) ||
      !channelsOf(group.result))
    return false;
  Type type = elementTypeOf(group.result.getType());
  if (elementTypeOf(root->getOperand(0).getType()) != type)
    return false;
  for (Value vector : root->getOperands().drop_front())
    if (!Tensors::isWeight(group.resolve(vector)) || elementTypeOf(vector.getType()) != type)
      return false;
  auto allFit = [&](const GroupView &nodes) {
    return nodes.chainIsEmittable() && nodes.readsInBlocks() &&
           llvm::all_of(nodes.externalOperands(), [&](const Operand &operand) {
             return elementTypeOf(operand.value.getType()) == type;
           });
  };
  return allFit(group) && allFit(group.beforeRoot());
}
