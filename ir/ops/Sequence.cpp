// Sequence.cpp: shapes and types of operations over batches of sequences; the
// numbered constraints are those of Sequence.td.
#include "ir/ops/Sequence.h"

using namespace mlir;
using namespace symc::sg;

#define GET_OP_CLASSES
#include "ir/ops/Sequence.cpp.inc"

void symc::sg::registerSequenceOps(SGDialect &dialect) {
  dialect.addFamily<
#define GET_OP_LIST
#include "ir/ops/Sequence.cpp.inc"
      >();
}

static bool hasLength(StringRef name, const ParamView &params) {
  return name != "sequence_length" || params.getBool("use_sequence_length");
}
bool SequenceMaskOp::hasOperand(StringRef name, const ParamView &params) {
  return hasLength(name, params);
}
bool SequenceLastOp::hasOperand(StringRef name, const ParamView &params) {
  return hasLength(name, params);
}
bool SequenceReverseOp::hasOperand(StringRef name, const ParamView &params) {
  return hasLength(name, params);
}

// Data and result agree; lengths may have any type.
static LogicalResult inferDataType(TypeScope &scope) {
  if (failed(scope.refineOutput(0, scope.input(0))))
    return failure();
  return scope.refineInput(0, scope.output(0));
}
LogicalResult SequenceMaskOp::inferType(TypeScope &scope) { return inferDataType(scope); }
LogicalResult SequenceLastOp::inferType(TypeScope &scope) { return inferDataType(scope); }
LogicalResult SequenceReverseOp::inferType(TypeScope &scope) { return inferDataType(scope); }

// Data is a batch of sequences and the lengths fit it, or an error; `axis` is the time axis.
static LogicalResult checkSequence(ShapeScope &scope, int64_t axis) {
  const Shape &data = scope.input(0);
  if (!data.isRanked())
    return success();
  if (data.rank() < 2)
    return scope.error() << "data has shape " << data.str() << ", needs at least two extents";
  if (scope.numInputs() < 2)
    return success();
  return scope.refineInput(1, Shape({data[1 - axis]}));
}

LogicalResult SequenceMaskOp::inferShape(ShapeScope &scope) {
  if (failed(scope.refineOutput(0, scope.input(0))) || // C3
      failed(scope.refineInput(0, scope.output(0))))
    return failure();
  return checkSequence(scope, getAxis()); // C1, C2
}

LogicalResult SequenceReverseOp::inferShape(ShapeScope &scope) {
  if (failed(scope.refineOutput(0, scope.input(0))) || // C3
      failed(scope.refineInput(0, scope.output(0))))
    return failure();
  return checkSequence(scope, getAxis()); // C1, C2
}

LogicalResult SequenceLastOp::inferShape(ShapeScope &scope) {
  if (failed(checkSequence(scope, getAxis()))) // C1, C2
    return failure();
  if (!scope.input(0).isRanked())
    return success();
  SmallVector<Dim> dims(scope.input(0).list());
  dims.erase(dims.begin() + getAxis());
  return scope.refineOutput(0, Shape(dims)); // C3
}

//===----------------------------------------------------------------------===//
// Rows of a batch
//===----------------------------------------------------------------------===//

// [T, N, ...] or [N, T, ...] and lengths [N].
static int64_t rowsOfSequences(RowScope &rows, int64_t time, bool dropsTime) {
  if (!rows.needsRows(0) || !rows.apart(time) || (rows.hasRows(1) && !rows.at(0, 1 - time)))
    return kNoRows;
  return dropsTime ? rows.without(time) : rows.axis();
}

int64_t SequenceMaskOp::getRowAxis(RowScope &rows) {
  return rowsOfSequences(rows, getAxis(), /*dropsTime=*/false);
}
int64_t SequenceReverseOp::getRowAxis(RowScope &rows) {
  return rowsOfSequences(rows, getAxis(), /*dropsTime=*/false);
}
int64_t SequenceLastOp::getRowAxis(RowScope &rows) {
  return rowsOfSequences(rows, getAxis(), /*dropsTime=*/true);
}
