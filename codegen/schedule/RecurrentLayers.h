// RecurrentLayers.h: what the rules of recurrent layers in training and of their gradients share:
// the layer's sizes, where its parameters lie, and the steps that both are made of.
#ifndef SYMC_CODEGEN_SCHEDULE_RECURRENTLAYERS_H
#define SYMC_CODEGEN_SCHEDULE_RECURRENTLAYERS_H

#include "codegen/schedule/IntegerBody.h"
#include "codegen/schedule/ScalarBody.h"
#include "codegen/schedule/Tensors.h"
#include "ir/ScalarFunctions.h"
#include "ir/ops/Recurrent.h"

namespace symc::codegen::recurrent {

/// Why the reference kernel computes a layer, or its gradient; null where steps do.
const char *obstacleOf(sg::RnnOp op, const Tensors &t);

/// Rows of floats in memory: number r begins at offset + r * stride.
struct Rows {
  mlir::Value base;
  int64_t offset = 0, stride = 0, width = 0;
  bool repeats = false; // one number, in all columns
  Rows from(int64_t row) const { return {base, offset + row * stride, stride, width, repeats}; }
  Rows part(int64_t column, int64_t columns) const {
    return {base, offset + column, stride, columns};
  }
  Rows spread(int64_t columns) const { return {base, offset, stride, columns, true}; }
};

/// A matrix of the parameters or of rows: its element (r, c) is at offset + r * row + c * column.
struct Matrix {
  mlir::Value base;
  int64_t offset, row, column;
};

using Values = mlir::SmallVector<mlir::Value>;
using Body = mlir::function_ref<Values(ScalarOps &ops, mlir::ArrayRef<mlir::Value> x)>;
using P = sg::ScalarPrimitive;

/// What both rules share: the layer's sizes and the steps that they are made of.
template <typename Op> class Layers {
public:
  Layers(Tensors &t, Op op, mlir::Value data) : t(t), op(op), loc(op->getLoc()) {
    sg::Shape extents = sg::shapeOf(data.getType());
    steps = extents[0].get();
    batch = extents[1].get();
    features = extents[2].get();
    hidden = op.getStateSize();
    mode = op.getMode();
    gates = mode == "lstm" ? 4 : mode == "gru" ? 3 : 1;
    layers = op.getNumLayers();
    directions = op.getBidirectional() ? 2 : 1;
    projects = op.getProjectionSize().value_or(0) != 0;
    projected = projects ? *op.getProjectionSize() : hidden;
    outWidth = directions * projected;
    rows = gates * hidden;
  }

protected:
  int64_t width(int64_t layer) const { return layer ? outWidth : features; }
  // Where the matrices and biases of a direction begin in the parameters.
  int64_t weightsAt(int64_t way) const {
    int64_t at = 0;
    for (int64_t i = 0; i < way; ++i)
      at += rows * (width(i / directions) + projected) + (projects ? projected * hidden : 0);
    return at;
  }
  int64_t projectionAt(int64_t way) const {
    return weightsAt(way) + rows * (width(way / directions) + projected);
  }
  int64_t biasesAt(int64_t way) const { return weightsAt(layers * directions) + 2 * rows * way; }
  // The time that comes i-th.
  int64_t timeOf(int64_t i, int64_t way) const { return way % directions ? steps - 1 - i : i; }

  Rows plain(mlir::Value value, int64_t width) {
    return {t.plainView(value, loc).base, 0, width, width};
  }
  Rows make(int64_t count, int64_t width) {
    return {t.buffer({t.constant(count), t.constant(width)}, t.builder.getF32Type(), loc), 0, width,
            width};
  }
  mlir::Value view(const Rows &of, int64_t count) {
    return t.materialise({of.base,
                          t.constant(of.offset),
                          {t.constant(count), t.constant(of.width)},
                          {t.constant(of.stride), t.constant(of.repeats ? 0 : 1)}},
                         loc);
  }
  // Of each time and sequence whether it is within that sequence's length, 1 or 0.
  Rows makeMask(mlir::Value lengths) {
    Rows mask = make(steps * batch, 1);
    ViewSpec length = t.plainView(lengths, loc);
    mlir::Type type = sg::elementTypeOf(lengths.getType());
    mlir::SmallVector<mlir::AffineExpr> sizes{t.constant(steps), t.constant(batch)};
    ViewSpec out = t.rowMajor(mask.base, sizes), repeated = out;
    repeated.base = length.base;
    repeated.strides = {t.constant(0), length.strides[0]};
    integerStep(t, {repeated}, {out}, loc,
                [&](IntegerBody &body, mlir::ArrayRef<mlir::Value> x) -> Values {
                  return {mlir::arith::SelectOp::create(body.b, body.loc,
                                                        body.isWithin(x[0], x[1], type),
                                                        body.real(1), body.real(0))};
                },
                {0});
    return mask;
  }
  // As the pixels of an image; stride 0 repeats a row.
  mlir::Value pixels(const Rows &of, int64_t count) {
    mlir::AffineExpr zero = t.constant(0), one = t.constant(1), lanes = t.constant(t.blockWidth);
    return t.materialise(
        {of.base,
         t.constant(of.offset),
         {one, t.constant(llvm::divideCeil(of.width, t.blockWidth)), one, t.constant(count), lanes},
         {zero, lanes, zero, t.constant(of.stride), one}},
        loc);
  }

  // A [inner, columns] matrix as panels.
  mlir::Value pack(const Matrix &from, int64_t inner, int64_t columns) {
    mlir::AffineExpr one = t.constant(1), lanes = t.constant(t.blockWidth);
    mlir::Value panels =
        t.buffer({t.constant(llvm::divideCeil(columns, t.blockWidth)),
                  t.constant(llvm::divideCeil(inner, t.blockWidth)), one, one, lanes, lanes},
                 t.builder.getF32Type(), loc);
    mlir::Value source = t.materialise(
        {from.base,
         t.constant(from.offset),
         {t.constant(columns), t.constant(inner), one, one},
         {t.constant(from.column), t.constant(from.row), t.constant(0), t.constant(0)}},
        loc);
    kernel::PackPanelsOp::create(t.builder, loc, source, panels);
    return panels;
  }

  // out = in * panels + extras.
  void multiply(const Rows &in, mlir::Value panels, mlir::ArrayRef<Rows> extras, const Rows &out,
                int64_t count) {
    Values more;
    for (const Rows &extra : extras)
      more.push_back(pixels(extra, count));
    int64_t ones[] = {1, 1};
    auto step = kernel::ConvOp::create(t.builder, loc, pixels(in, count), panels, more,
                                       pixels(out, count), ones, ones, ones, in.width, out.width);
    fill(step.getBody(), extras.size() + 1,
         [](ScalarOps &ops, mlir::ArrayRef<mlir::Value> x) -> Values {
           mlir::Value sum = x[0];
           for (mlir::Value extra : x.drop_front())
             sum = ops.make(P::add, {sum, extra});
           return {sum};
         });
  }

  // out = left^T * right: rows of both are what is summed over.
  void multiplyTransposed(const Rows &left, const Rows &right, mlir::ArrayRef<Rows> extras,
                          const Rows &out, int64_t count) {
    Rows transposed = make(left.width, count);
    t.copy({left.base,
            t.constant(left.offset),
            {t.constant(left.width), t.constant(count)},
            {t.constant(1), t.constant(left.stride)}},
           {transposed.base,
            t.constant(0),
            {t.constant(left.width), t.constant(count)},
            {t.constant(count), t.constant(1)}},
           loc);
    mlir::Value panels = pack({right.base, right.offset, right.stride, 1}, count, right.width);
    multiply(transposed, panels, extras, out, left.width);
  }

  void elementwise(mlir::ArrayRef<Rows> ins, mlir::ArrayRef<Rows> outs, int64_t count, Body body) {
    Values from, to;
    for (const Rows &in : ins)
      from.push_back(view(in, count));
    for (const Rows &out : outs)
      to.push_back(view(out, count));
    auto step = kernel::LoopsOp::create(t.builder, loc, from, to);
    fill(step.getBody(), ins.size(), body);
  }

  void fill(mlir::Region &region, size_t arguments, Body body) {
    mlir::OpBuilder::InsertionGuard guard(t.builder);
    mlir::Block *block = t.builder.createBlock(&region);
    mlir::Type f32 = t.builder.getF32Type();
    block->addArguments(mlir::SmallVector<mlir::Type>(arguments, f32),
                        mlir::SmallVector<mlir::Location>(arguments, loc));
    ScalarOps ops(f32, t.builder, loc);
    Values arguments_(block->getArguments());
    kernel::YieldOp::create(t.builder, loc, body(ops, arguments_));
  }

  void copyRows(const Rows &from, const Rows &to, int64_t count) {
    auto spec = [&](const Rows &of) {
      return ViewSpec{of.base,
                      t.constant(of.offset),
                      {t.constant(count), t.constant(of.width)},
                      {t.constant(of.stride), t.constant(1)}};
    };
    t.copy(spec(from), spec(to), loc);
  }

  Tensors &t;
  Op op;
  mlir::Location loc;
  mlir::StringRef mode;
  int64_t steps, batch, features, hidden, projected, gates, layers, directions, outWidth, rows;
  bool projects;
};

// The cell of an LSTM within its limits.
template <typename Op> mlir::Value limited(Op op, ScalarOps &ops, mlir::Value cell) {
  if (!op.getLstmStateClipMin())
    return cell;
  mlir::Value least = ops.constant(op.getLstmStateClipMin()->convertToDouble()),
              most = ops.constant(op.getLstmStateClipMax()->convertToDouble());
  mlir::Value value = ops.make(P::where, {ops.make(P::less, {cell, least}), least, cell});
  value = ops.make(P::where, {ops.make(P::greater, {value, most}), most, value});
  if (op.getLstmStateClipNan())
    value = ops.make(P::where, {ops.make(P::isnan, {cell}), least, value});
  return value;
}

// Of a slope of the limited cell that of the cell: 0 where a limit took its place, or NaN.
template <typename Op>
mlir::Value slopeOfLimited(Op op, ScalarOps &ops, mlir::Value cell, mlir::Value slope) {
  if (!op.getLstmStateClipMin())
    return slope;
  mlir::Value zero = ops.constant(0);
  mlir::Value least = ops.constant(op.getLstmStateClipMin()->convertToDouble()),
              most = ops.constant(op.getLstmStateClipMax()->convertToDouble());
  slope = ops.make(P::where, {ops.make(P::greater_equal, {cell, least}), slope, zero});
  return ops.make(P::where, {ops.make(P::less_equal, {cell, most}), slope, zero});
}

} // namespace symc::codegen::recurrent

#endif // SYMC_CODEGEN_SCHEDULE_RECURRENTLAYERS_H
