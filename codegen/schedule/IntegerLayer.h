// IntegerLayer.h: what rules of layers over quantised integers have in common: kernel.conv over
// bytes in blocks of channels, its image, its weights in quads of input channels (in @prepare, or
// in each run where the data's range is known only then) and its vectors over channels.
#ifndef SYMC_CODEGEN_SCHEDULE_INTEGERLAYER_H
#define SYMC_CODEGEN_SCHEDULE_INTEGERLAYER_H

#include "codegen/schedule/ScheduleRule.h"

namespace symc::codegen {

/// What kernel.conv over bytes has beside its operands; as it is, a product of matrices.
struct IntegerLayer {
  int64_t inputs, outputs;
  bool isSigned; // data, which is read plus 128 then
  int64_t kernel[2] = {1, 1}, stride[2] = {1, 1}, dilate[2] = {1, 1};

  IntegerLayer(int64_t inputs, int64_t outputs, bool isSigned)
      : inputs(inputs), outputs(outputs), isSigned(isSigned) {}
  /// Of a convolution over two extents.
  template <typename Op>
  IntegerLayer(Op op, int64_t inputs, bool isSigned)
      : IntegerLayer(inputs, op.getNumFilter(), isSigned) {
    auto take = [](int64_t (&both)[2], llvm::ArrayRef<int64_t> values) {
      llvm::copy(values, both);
    };
    take(kernel, op.getKernel());
    take(stride, op.getStride());
    take(dilate, op.getDilate());
  }
};

inline bool isUnsigned(mlir::Value value) {
  return sg::elementTypeOf(value.getType()).isUnsignedInteger();
}

/// Why a kernel over bytes in blocks does not take a node over images; nothing where it does.
std::optional<Refusal> integerRefusal(mlir::Operation *op);

/// The plan of a rule for such a node of kind Op.
template <typename Op> struct IntegerPlan {
  RuleForms forms;
  Op op;

  static Match<IntegerPlan> match(const GroupView &group) {
    auto op = llvm::dyn_cast<Op>(group.op);
    if (!op)
      return std::nullopt;
    if (auto refusal = integerRefusal(op))
      return *refusal;
    return IntegerPlan{RuleForms(RuleForms::Blocked), op};
  }
};

/// Copies weights [O, I, kH, kW] or [O, I] of bytes into panels of quads (kernel.conv over bytes).
void packQuads(Tensors &tensors, ViewSpec from, mlir::Value target, mlir::Location location);

/// The weights [O, I, kH, kW] or [O, I] of a layer in panels for that data, from @prepare where
/// they are known there.
mlir::Value integerPanels(mlir::Value weight, const ViewSpec &data, mlir::Location location,
                          Tensors &t);
/// Weights [C, 1, kH, kW] of a depthwise layer, from @prepare where they are known there.
mlir::Value depthwiseTaps(mlir::Value weight, mlir::Location location, Tensors &t);
/// The image as kernel.conv over bytes reads it: whole blocks, or one quad of few channels unless
/// `blocks`. `zero` surrounds it.
ViewSpec integerImage(mlir::Value data, const kernel::Padding &padding, mlir::Location location,
                      Tensors &t, int64_t zero = 0, bool blocks = false);
/// A vector over channels in the shape of the blocked result.
ViewSpec integerVector(mlir::Value vector, mlir::Value result, mlir::Location location, Tensors &t);
/// A vector of so many elements in whole blocks.
mlir::Value integerVectorMemory(mlir::Value vector, int64_t channels, mlir::Location location,
                                Tensors &t);
/// Rows of data, whole quads of them: a copy where a row ends inside of one.
ViewSpec quadRows(Tensors &t, mlir::Value data, mlir::AffineExpr rows, int64_t inner,
                  mlir::Location location);
kernel::ConvOp createIntegerConv(const ViewSpec &data, mlir::Value panels, mlir::ValueRange extras,
                                 mlir::Value out, const IntegerLayer &layer,
                                 mlir::Location location, Tensors &t);

} // namespace symc::codegen

#endif // SYMC_CODEGEN_SCHEDULE_INTEGERLAYER_H
