// TileLayer.cpp: see TileLayer.h.
#include "codegen/schedule/TileLayer.h"

#include "codegen/schedule/ImageNodes.h"
#include "codegen/schedule/OperandViews.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace symc;
using namespace symc::codegen;
using namespace symc::sg;

int64_t ConvolutionNode::channelsWithinBlock(int64_t blockWidth) const {
  if (!ConvolutionOp(op).getShuffle().empty())
    return 0;
  int64_t each = channels / groups;
  bool within = each < blockWidth && blockWidth % std::max<int64_t>(each, 1) == 0;
  return groups > 1 && within && filters == channels ? each : 0;
}

Match<ConvolutionNode> ConvolutionNode::of(const GroupView &group) {
  auto op = dyn_cast_or_null<ConvolutionOp>(group.root);
  if (!op)
    return std::nullopt;
  size_t axes = op.getKernel().size();
  if (axes != 1 && axes != 2)
    return Refusal{llvm::formatv("its window has {0} axes, tiles take one or two", axes)};
  if (!isChannelsFirst(op.getLayout()))
    return Refusal{"its channels are the last axis"};
  const ElementRow *elements = group.t.layerElements(op.getData());
  if (!elements)
    return elementRefusal(op.getData());
  ConvolutionNode conv{op,
                       group.resolve(op.getData()),
                       group.resolve(op.getWeight()),
                       op.getBias() ? group.resolve(op.getBias()) : Value(),
                       elements,
                       0,
                       static_cast<int64_t>(op.getNumGroup()),
                       static_cast<int64_t>(op.getNumFilter())};
  std::optional<int64_t> channels = constantOf(extentsOf(conv.data)[1]);
  if (!channels)
    return openChannelsRefusal();
  conv.channels = *channels;
  if (!Tensors::isWeight(conv.weight) && !elementTypeOf(conv.weight.getType()).isF32())
    return computedRefusal("weight");
  if (!group.chainIsEmittable())
    return chainRefusal();
  if (!group.readsInBlocks())
    return operandRefusal();
  return conv;
}

RuleForms symc::codegen::formsOf(const ConvolutionNode &conv, int64_t blockWidth) {
  RuleForms forms(RuleForms::Blocked);
  forms.operands.push_back({conv.weight, RuleForms::Plain});
  if (conv.channels < blockWidth && conv.groups == 1)
    forms.operands.push_back({conv.data, RuleForms::Either});
  return forms;
}

Value symc::codegen::weightIn(const WeightRequest &request, Location location, Tensors &t) {
  if (Tensors::isWeight(request.source))
    return t.requestWeight(request);
  SmallVector<AffineExpr> extents;
  for (int64_t extent : request.type.getShape())
    extents.push_back(t.constant(extent));
  Value target = t.buffer(extents, request.type.getElementType(), location);
  t.pack(request, t.stridedView(request.source, location), target, location);
  return target;
}

SmallVector<ViewSpec> symc::codegen::epilogueInBlocks(const GroupView &group, Value bias,
                                                      Tensors &t) {
  SmallVector<ViewSpec> views;
  if (bias)
    views.push_back(channelVector(bias, group.result, group.location, t));
  for (const Operand &operand : group.externalOperands())
    views.push_back(broadcastInBlocks(operand, group.result, group.location, t));
  return views;
}

ViewSpec symc::codegen::rowsAsPixels(Value base, AffineExpr rows, int64_t stride, int64_t channels,
                                     const Tensors &t) {
  AffineExpr zero = t.constant(0), one = t.constant(1), lanes = t.constant(t.blockWidth);
  return ViewSpec{base,
                  zero,
                  {one, t.constant(llvm::divideCeil(channels, t.blockWidth)), one, rows, lanes},
                  {zero, lanes, zero, t.constant(stride), one}};
}

std::optional<RowOperand> symc::codegen::rowOperand(const Operand &operand, Value result,
                                                    const Tensors &t) {
  SmallVector<AffineExpr, 4> have = extentsOf(operand.value), shape = extentsOf(result);
  auto areOnes = [&](ArrayRef<AffineExpr> extents) {
    return llvm::all_of(extents, [&](AffineExpr extent) { return extent == t.constant(1); });
  };
  if (have == shape)
    return RowOperand{operand, RowOperand::Rows};
  if (!have.empty() && have.back() == shape.back() &&
      operand.axes.back() == static_cast<int64_t>(shape.size()) - 1 &&
      areOnes(ArrayRef(have).drop_back()))
    return RowOperand{operand, RowOperand::Row};
  if (areOnes(have))
    return RowOperand{operand, RowOperand::Element};
  return std::nullopt;
}

ViewSpec RowOperand::view(AffineExpr rows, int64_t outputs, Location location, Tensors &t) const {
  ViewSpec view =
      rowsAsPixels(t.plainView(operand.value, location).base, rows, outputs, outputs, t);
  AffineExpr zero = t.constant(0);
  if (kind != RowOperand::Rows)
    view.strides[3] = zero;
  if (kind == RowOperand::Element)
    view.strides[1] = view.strides[4] = zero;
  return view;
}
