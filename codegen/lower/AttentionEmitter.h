// AttentionEmitter.h: the code of a task of kernel.attention: blocks of rows
// (AttentionLowering.cpp), or a single row (AttentionRow.cpp).
#ifndef SYMC_CODEGEN_LOWER_ATTENTIONEMITTER_H
#define SYMC_CODEGEN_LOWER_ATTENTIONEMITTER_H

#include "codegen/cpu/Polynomials.h"
#include "codegen/kernel/AttentionOps.h"
#include "codegen/lower/ElementAccess.h"
#include "codegen/lower/Emission.h"
#include "codegen/lower/TaskSplit.h"
#include "codegen/lower/products/ProductEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include <limits>

namespace symc::codegen {

class AttentionEmitter {
public:
  AttentionEmitter(kernel::AttentionOp op, llvm::ArrayRef<View> operands, LoweringContext &context)
      : e(context, op.getLoc()), op(op), b(e.builder()), loc(op.getLoc()), f32(b.getF32Type()) {
    const View *next = operands.begin();
    queries = *next++;
    keys = *next++;
    values = *next++;
    if (op.getLengths())
      lengths = *next++;
    for (size_t i = 0; i < op.getExtras().size(); ++i)
      extras.push_back(*next++);
    out = *next;
    width = *constantOf(queries.sizes[3]);
    valueWidth = *constantOf(values.sizes[3]);
    keyCount = keys.sizes[2];
    lanes = e.target().lanes(4);
    rows = op.getRowsAtOnce(lanes);
    const ProductRow *row = rowOf(e.target(), queries.elementType, keys.elementType);
    together = row ? row->termsPerStep : 1; // checkAttention reports types without a row
    word = together == 1 ? f32 : mlir::Type(b.getI32Type());
    if (row)
      products = productEmitter(*row, e, lanes, /*shifted=*/false);
    vectors = rows / lanes;
    space = {queries.sizes[0], queries.sizes[1], e.ceilDiv(queries.sizes[2], e.constant(rows))};
    bool manyRegisters = e.target().vectorRegisters >= 32;
    keysInTile = manyRegisters ? 8 : 6;
    keysWeighed = manyRegisters ? 4 : 2;
    valueVectors = std::min<int64_t>(manyRegisters ? 4 : 2, llvm::divideCeil(valueWidth, lanes));
  }

  TaskSplit split() { return splitTasks(e, op.getCutAttr(), space); }
  mlir::OpFoldResult countTasks() { return split().count; }
  void lower(mlir::Value task);

  /// The row of products over registers, or null.
  static const ProductRow *rowOf(const TargetDescription &target, mlir::Type queries,
                                 mlir::Type keys) {
    return productRowOf(target, queries, queries.isF32() ? queries : keys);
  }

private:
  static constexpr int64_t keysAtOnce = kernel::AttentionOp::keysAtOnce;
  // Rows whose values are added at once; rows of a block are a multiple.
  static constexpr int64_t rowsInTile = 4;

  using Vectors = llvm::SmallVector<mlir::Value>;
  using Factor = ProductEmitter::Factor;

  void lowerBlock(llvm::ArrayRef<mlir::OpFoldResult> at);
  void lowerRows();
  bool takesOneRow();
  void lowerRow();
  mlir::Value scoreKeys(mlir::Value query, mlir::OpFoldResult firstKey,
                        mlir::OpFoldResult keyInBlock, mlir::OpFoldResult count);
  mlir::Value steps();
  mlir::Value extraOfKeys(const View &extra, mlir::OpFoldResult key, mlir::Value there);
  Vectors addToRow(mlir::Value query, mlir::OpFoldResult firstKey, mlir::OpFoldResult count,
                   mlir::Value highest, mlir::Value total);
  void loop(mlir::OpFoldResult first, mlir::OpFoldResult end, int64_t step,
            llvm::function_ref<void(mlir::Value)> body) {
    e.forLoop(first, end, e.constant(step), {}, [&](mlir::Value induction, mlir::ValueRange) {
      body(induction);
      return Vectors();
    });
  }
  // Elements of keys or values as the products take them, in float32 or words.
  mlir::Value widened(mlir::Value elements) {
    return together == 1 ? e.convert(elements, f32) : elements;
  }
  Factor keyFactor(mlir::Value at);
  mlir::Value valueAt(mlir::Value first, mlir::OpFoldResult key, int64_t vector);
  mlir::Value wordsOf(mlir::Value low, mlir::Value high);
  mlir::OpFoldResult row(mlir::OpFoldResult number) { // of the block, as one of the head
    return e.add(firstRow, e.min(number, e.sub(rowsHere, e.constant(1))));
  }
  mlir::Value place(mlir::Value memory, mlir::OpFoldResult elements) {
    return e.offset(memory, f32, elements);
  }
  mlir::Value wordAt(mlir::Value memory, mlir::OpFoldResult elements) {
    return e.offset(memory, word, elements);
  }
  mlir::Type inMemory(mlir::Type element) {
    return element.isInteger(1) ? mlir::Type(b.getI8Type()) : element;
  }
  mlir::Value real(double number) { return e.splat(b.getF32FloatAttr(number), lanes); }
  mlir::Value infinite() { return real(-std::numeric_limits<double>::infinity()); }
  mlir::Value exponential(mlir::Value x) { return expandExpOfNegative(b, loc, x); }
  mlir::Value minus(mlir::Value x, mlir::Value y) {
    return mlir::arith::SubFOp::create(b, loc, x, y);
  }
  mlir::Value times(mlir::Value x, mlir::Value y) {
    return mlir::arith::MulFOp::create(b, loc, x, y);
  }
  mlir::Value plus(mlir::Value x, mlir::Value y) {
    return mlir::arith::AddFOp::create(b, loc, x, y);
  }
  mlir::Value larger(mlir::Value x, mlir::Value y) { // y where x is no number
    mlir::Value above = mlir::arith::CmpFOp::create(b, loc, mlir::arith::CmpFPredicate::OGT, x, y);
    return mlir::arith::SelectOp::create(b, loc, above, x, y);
  }

  /// An extra that differs from row to row lies transposed on the stack, [key][row].
  bool isTransposed(const View &extra) { return !isConstant(extra.strides[2], 0); }
  mlir::Value bodyOf(mlir::Region &region, mlir::Value first, mlir::OpFoldResult key,
                     mlir::OpFoldResult keyInBlock, int64_t vector);

  void transpose(mlir::Value memory, mlir::Type element, mlir::OpFoldResult count,
                 mlir::OpFoldResult stride,
                 llvm::function_ref<mlir::Value(mlir::OpFoldResult)> source);
  void transposeQueries();
  void readLengths();
  void transposeExtras(mlir::OpFoldResult firstKey, mlir::OpFoldResult count);
  Vectors scoreTile(mlir::OpFoldResult firstKey, mlir::OpFoldResult keyInBlock, int64_t count,
                    mlir::ValueRange highest);
  Vectors scoreBlock(mlir::OpFoldResult firstKey, mlir::OpFoldResult count,
                     mlir::ValueRange highest);
  Vectors weighBlock(mlir::OpFoldResult firstKey, mlir::OpFoldResult count,
                     mlir::ValueRange highest, mlir::ValueRange total);
  bool copiesValues() const;
  std::pair<mlir::Value, mlir::OpFoldResult> valuesOf(mlir::OpFoldResult firstKey,
                                                      mlir::OpFoldResult count);
  void pair(mlir::OpFoldResult count, int64_t across,
            llvm::function_ref<mlir::Value(mlir::OpFoldResult, int64_t)> source,
            mlir::Value target);
  void addValues(mlir::OpFoldResult firstKey, mlir::OpFoldResult count);
  Vectors addBlock(mlir::OpFoldResult firstKey, mlir::OpFoldResult count, mlir::ValueRange state);
  void finish(mlir::ValueRange total);

  Emission e;
  kernel::AttentionOp op;
  mlir::OpBuilder &b;
  mlir::Location loc;
  mlir::Type f32, word; // a word: an element in a register, or those that one step of a sum takes
  int64_t together;
  std::unique_ptr<ProductEmitter> products;
  View queries, keys, values, out;
  std::optional<View> lengths;
  llvm::SmallVector<View> extras;
  int64_t width, valueWidth, lanes, vectors, rows, keysInTile, keysWeighed, valueVectors;
  int64_t sumCount = 0; // floats of sums
  llvm::SmallVector<mlir::OpFoldResult> space;
  mlir::OpFoldResult keyCount;

  // Of the task.
  mlir::OpFoldResult outer, head, firstRow, rowsHere;
  mlir::Value transposed, scores, sums, factors, lengthsHere;
  mlir::Value copied, shares; // values and, as words of the products, their shares
  llvm::SmallVector<mlir::Value> transposedExtras; // null where the extra is the same for all rows
};

} // namespace symc::codegen

#endif // SYMC_CODEGEN_LOWER_ATTENTIONEMITTER_H
