// TileLayer.h: what rules of layers over floats have in common: which layers have tile kernels,
// and the forms of their weights.
#ifndef SYMC_CODEGEN_SCHEDULE_TILELAYER_H
#define SYMC_CODEGEN_SCHEDULE_TILELAYER_H

#include "codegen/schedule/Refusals.h"
#include "ir/ops/Nn.h"

namespace symc::codegen {

/// A convolution of a group, with the graph's values of its operands.
struct ConvolutionNode {
  sg::ConvolutionOp op;
  mlir::Value data, weight, bias; // bias: null without
  const ElementRow *elements;
  int64_t channels, groups, filters;

  /// The channels of a group, in and out, where groups lie within blocks: 1 of a depthwise
  /// convolution; 0: other groups, or none.
  int64_t channelsWithinBlock(int64_t blockWidth) const;

  /// The group's convolution, where it has one or two axes, channels first, elements that the
  /// target has a row for, and an epilogue that reads blocks.
  static Match<ConvolutionNode> of(const GroupView &group);
};

/// The forms of a convolution whose step is over blocks.
RuleForms formsOf(const ConvolutionNode &conv, int64_t blockWidth);

/// The form of a layer's weight: @prepare's, or, of one that the graph computes, made in each run.
mlir::Value weightIn(const WeightRequest &request, mlir::Location location, Tensors &t);

/// Bias and other operands of the epilogue as views in the shape of the blocked result.
llvm::SmallVector<ViewSpec> epilogueInBlocks(const GroupView &group, mlir::Value bias, Tensors &t);

/// [1, blocks, 1, rows, lanes]: a row-major matrix as an image whose pixels are its rows.
ViewSpec rowsAsPixels(mlir::Value base, mlir::AffineExpr rows, int64_t stride, int64_t channels,
                      const Tensors &t);

/// How an operand of the epilogue of a product is read: in rows of the result, as one row, or as
/// one element.
struct RowOperand {
  Operand operand;
  enum Kind { Rows, Row, Element } kind;
  /// So many rows of that length.
  ViewSpec view(mlir::AffineExpr rows, int64_t outputs, mlir::Location location, Tensors &t) const;
};
std::optional<RowOperand> rowOperand(const Operand &operand, mlir::Value result, const Tensors &t);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_SCHEDULE_TILELAYER_H
