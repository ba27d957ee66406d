// Linalg.cpp: shapes of linear algebra, and the memory that LAPACK works in; the
// numbered constraints are those of Linalg.td.
#include "ir/ops/Linalg.h"
#include "ir/Broadcast.h"
#include "ir/Conditions.h"
#include "ir/NumpyShapes.h"
#include "ir/RowScratch.h"

using namespace mlir;
using namespace symc::sg;

#define GET_OP_CLASSES
#include "ir/ops/Linalg.cpp.inc"

void symc::sg::registerLinalgOps(SGDialect &dialect) {
  dialect.addFamily<
#define GET_OP_LIST
#include "ir/ops/Linalg.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

// The axis of rows, where the operands' ranks allow a product.
static FailureOr<size_t> rowAxis(ShapeScope &scope, int64_t axis) {
  int64_t rank = scope.input(0).rank();
  bool oneRank = true;
  for (size_t i = 1; i < scope.numInputs(); ++i)
    oneRank &= !scope.input(i).isRanked() || scope.input(i).rank() == scope.input(0).rank();
  if (!oneRank || rank < 2) {
    auto diagnostic = scope.error() << "A has shape " << scope.input(0).str() << " and B "
                                    << scope.input(1).str();
    if (scope.numInputs() > 2)
      diagnostic << " and C " << scope.input(2).str();
    return diagnostic << ", needs equal ranks of at least 2";
  }
  int64_t normal = axis < 0 ? axis + rank : axis;
  if (normal < 0 || normal >= rank - 1)
    return scope.error() << "axis " << axis << " is not one before the last of A's shape "
                         << scope.input(0).str();
  return size_t(normal);
}

static FailureOr<Shape> productShape(ShapeScope &scope, size_t rows, bool transposeA,
                                     bool transposeB) {
  const Shape &a = scope.input(0), &b = scope.input(1);
  size_t last = a.rank() - 1;
  Shape result = a;
  for (size_t i = 0; i < last; ++i) {
    if (i == rows)
      continue;
    if (a[i].isKnown() && b[i].isKnown() && a[i] != b[i])
      return scope.error() << "A has shape " << a.str() << " and B " << b.str()
                           << ", needs equal extents along axis " << i;
    if (!result[i].isKnown())
      result[i] = b[i];
  }
  Dim left = a[transposeA ? rows : last], right = b[transposeB ? last : rows];
  if (left.isKnown() && right.isKnown() && left != right)
    return scope.error() << "A has shape " << a.str() << " and B " << b.str() << ": the extents "
                         << left.str() << " and " << right.str()
                         << " are summed over, needs equal ones";
  result[rows] = a[transposeA ? last : rows];
  result[last] = b[transposeB ? rows : last];
  return result;
}

LogicalResult LinalgGemmOp::inferShape(ShapeScope &scope) {
  if (!scope.input(0).isRanked() || !scope.input(1).isRanked())
    return success();
  FailureOr<size_t> rows = rowAxis(scope, getAxis()); // C1
  if (failed(rows))
    return failure();
  FailureOr<Shape> result = productShape(scope, *rows, getTransposeA(), getTransposeB()); // C2
  if (failed(result) || failed(scope.refineInput(2, *result)))                            // C3
    return failure();
  return scope.refineOutput(0, *result);
}

LogicalResult LinalgGemm2Op::inferShape(ShapeScope &scope) {
  if (!scope.input(0).isRanked() || !scope.input(1).isRanked())
    return success();
  FailureOr<size_t> rows = rowAxis(scope, getAxis()); // C1
  if (failed(rows))
    return failure();
  FailureOr<Shape> result = productShape(scope, *rows, getTransposeA(), getTransposeB()); // C2
  return failed(result) ? failure() : scope.refineOutput(0, *result);                     // C3
}

LogicalResult LinalgSyrkOp::inferShape(ShapeScope &scope) {
  const Shape &a = scope.input(0);
  if (!a.isRanked())
    return success();
  if (a.rank() < 2) // C1
    return scope.error() << "A has shape " << a.str() << ", needs rank 2 or more";
  Shape result = a;
  size_t last = a.rank() - 1;
  result[last] = result[last - 1] = a[getTranspose() ? last : last - 1];
  return scope.refineOutput(0, result); // C2
}

static LogicalResult checkTriangular(ShapeScope &scope, bool rightside) {
  const Shape &a = scope.input(0), &b = scope.input(1);
  if (a.isRanked() && b.isRanked()) {
    size_t last = a.rank() - 1;
    bool fits = a.rank() == b.rank() && a.rank() >= 2;
    auto same = [](Dim x, Dim y) { return !x.isKnown() || !y.isKnown() || x == y; };
    for (size_t i = 0; fits && i + 1 < last; ++i)
      fits = same(a[i], b[i]);
    fits = fits && same(a[last], a[last - 1]) && same(a[last], b[rightside ? last : last - 1]);
    if (!fits)
      return scope.error() << "A has shape " << a.str() << " and B " << b.str()
                           << ", needs [..., N, N] and "
                           << (rightside ? "[..., M, N]" : "[..., N, M]");
  }
  return success();
}

static LogicalResult outputLike(ShapeScope &scope, size_t operand) {
  if (failed(scope.refineOutput(0, scope.input(operand))))
    return failure();
  return scope.refineInput(operand, scope.output(0));
}

LogicalResult LinalgTrmmOp::inferShape(ShapeScope &scope) {
  if (failed(checkTriangular(scope, getRightside()))) // C1
    return failure();
  return outputLike(scope, 1); // C2
}

LogicalResult LinalgTrsmOp::inferShape(ShapeScope &scope) {
  if (failed(checkTriangular(scope, getRightside()))) // C1
    return failure();
  return outputLike(scope, 1); // C2
}

//===----------------------------------------------------------------------===//
// Factorisations
//===----------------------------------------------------------------------===//

static LogicalResult checkSquare(ShapeScope &scope) {
  const Shape &a = scope.input(0);
  if (!a.isRanked())
    return success();
  size_t rank = a.rank();
  if (rank >= 2 && (!a[rank - 1].isKnown() || !a[rank - 2].isKnown() || a[rank - 1] == a[rank - 2]))
    return success();
  return scope.error() << "A has shape " << a.str() << ", needs square matrices [..., N, N]";
}

static LogicalResult squareLike(ShapeScope &scope) {
  return failed(checkSquare(scope)) ? failure() : scope.refineAllSame();
}

// A's extents before the matrices; [1] for one matrix.
static Shape batchOf(ShapeScope &scope, bool downToRank0 = false) {
  const Shape &a = scope.input(0);
  return a.rank() == 2 && !downToRank0 ? Shape({scope.dim(1)}) : Shape(a.list().drop_back(2));
}

// LAPACK counts extents, and the elements of its work, with 32 bits. A square matrix has 2^24 rows
// at most, as has one that is not tall: 2^48 elements are the most of any tensor.
static LogicalResult needCounted(ShapeScope &scope, const Need &need, const Twine &needed) {
  return scope.need(need, [&](raw_ostream &message) {
    message << "A has shape " << scope.input(0).str() << ", needs matrices of at most " << needed
            << ", which LAPACK counts in 32 bits";
  });
}
constexpr int64_t kMostCounted = INT32_MAX;
// Of syevd, whose work has 2 * n * n + 6 * n + 1 elements, and of what gesvd compares its work
// with.
constexpr int64_t kMostSquared = 32'766;

static LogicalResult needFewValues(ShapeScope &scope) {
  const Shape &a = scope.input(0);
  Dim rows = a[a.rank() - 2], columns = a[a.rank() - 1];
  Dim above = floorDiv(rows, kMostSquared + 1) * floorDiv(columns, kMostSquared + 1);
  if (failed(needCounted(scope, Need::zero(above), Twine(kMostSquared) + " rows or columns")))
    return failure();
  int64_t most = kMostCounted / 8;
  return needCounted(scope, atMost(rows + columns, most), Twine(most) + " rows and columns");
}

LogicalResult LinalgPotrfOp::inferShape(ShapeScope &scope) { return squareLike(scope); }   // C1, C2
LogicalResult LinalgPotriOp::inferShape(ShapeScope &scope) { return squareLike(scope); }   // C1, C2
LogicalResult LinalgInverseOp::inferShape(ShapeScope &scope) { return squareLike(scope); } // C1, C2

// A's matrices have no more rows than columns.
static LogicalResult checkWide(ShapeScope &scope) {
  const Shape &a = scope.input(0);
  auto wrong = [&](raw_ostream &message) {
    message << "A has shape " << a.str() << ", needs matrices with no more rows than columns";
  };
  if (a.rank() < 2)
    return scope.refuse(wrong);
  return scope.need(atLeast(a[a.rank() - 1], a[a.rank() - 2]), wrong);
}

LogicalResult LinalgGelqfOp::inferShape(ShapeScope &scope) {
  const Shape &a = scope.input(0);
  if (!a.isRanked())
    return success();
  size_t last = a.rank() - 1;
  if (failed(checkWide(scope))) // C1
    return failure();
  if (failed(needCounted(scope, atMost(a[last], kMostCounted), // C3
                         Twine(kMostCounted) + " columns")))
    return failure();
  Shape factor = a;
  factor[last] = a[last - 1];
  if (failed(scope.refineOutput(0, a))) // C2
    return failure();
  return scope.refineOutput(1, factor);
}

LogicalResult LinalgSyevdOp::inferShape(ShapeScope &scope) {
  if (failed(checkSquare(scope))) // C1
    return failure();
  if (!scope.input(0).isRanked())
    return success();
  if (failed(needCounted(scope, atMost(scope.input(0).list().back(), kMostSquared), // C3
                         Twine(kMostSquared) + " rows")))
    return failure();
  if (failed(scope.refineOutput(0, scope.input(0)))) // C2
    return failure();
  return scope.refineOutput(1, Shape(scope.input(0).list().drop_back(1)));
}

static LogicalResult inferBatch(ShapeScope &scope, bool downToRank0 = false) {
  if (failed(checkSquare(scope)))
    return failure();
  for (size_t i = 0; scope.input(0).isRanked() && i < scope.numOutputs(); ++i)
    if (failed(scope.refineOutput(i, batchOf(scope, downToRank0))))
      return failure();
  return success();
}

LogicalResult LinalgDetOp::inferShape(ShapeScope &scope) { // C1, C2
  return inferBatch(scope, hasNumpyShapes(scope));
}
LogicalResult LinalgSlogdetOp::inferShape(ShapeScope &scope) { // C1, C2
  return inferBatch(scope, hasNumpyShapes(scope));
}
LogicalResult LinalgSumlogdiagOp::inferShape(ShapeScope &scope) {
  return inferBatch(scope);
} // C1, C2

//===----------------------------------------------------------------------===//
// Diagonals and triangles
//===----------------------------------------------------------------------===//

// The length of the diagonal `offset` of A's matrices; an error where it is empty.
static FailureOr<Dim> diagonal(ShapeScope &scope, int64_t offset) {
  const Shape &a = scope.input(0);
  Dim length = a[a.rank() - 1] - std::abs(offset);
  if (failed(scope.need(atLeast(length, 1), [&](raw_ostream &message) {
        message << "offset " << offset << " lies outside the matrices of A's shape " << a.str();
      })))
    return failure();
  return length;
}

LogicalResult LinalgExtractdiagOp::inferShape(ShapeScope &scope) {
  if (failed(checkSquare(scope))) // C1
    return failure();
  if (!scope.input(0).isRanked())
    return success();
  FailureOr<Dim> length = diagonal(scope, getOffset()); // C2
  if (failed(length))
    return failure();
  Shape result(scope.input(0).list().drop_back(2));
  result.push_back(*length);
  return scope.refineOutput(0, result);
}

LogicalResult LinalgMakediagOp::inferShape(ShapeScope &scope) {
  const Shape &a = scope.input(0);
  if (!a.isRanked())
    return success();
  if (a.rank() < 1) // C1
    return scope.error() << "A has shape " << a.str() << ", needs at least one extent";
  Shape result = a;
  result[a.rank() - 1] = a[a.rank() - 1] + std::abs(int64_t(getOffset()));
  result.push_back(result[a.rank() - 1]);
  return scope.refineOutput(0, result); // C2
}

LogicalResult LinalgExtracttrianOp::inferShape(ShapeScope &scope) {
  if (failed(checkSquare(scope))) // C1
    return failure();
  if (!scope.input(0).isRanked())
    return success();
  FailureOr<Dim> length = diagonal(scope, getOffset()); // C2
  if (failed(length))
    return failure();
  Shape result(scope.input(0).list().drop_back(2));
  if (length->isKnown() && !length->isStatic()) // C3: no affine function of it
    return scope.error() << "A has shape " << scope.input(0).str()
                         << ", needs a constant last extent";
  result.push_back(length->isStatic() ? scope.dim(length->get() * (length->get() + 1) / 2) : Dim());
  return scope.refineOutput(0, result);
}

LogicalResult LinalgMaketrianOp::inferShape(ShapeScope &scope) {
  const Shape &a = scope.input(0);
  if (!a.isRanked() || (a.rank() > 0 && !a[a.rank() - 1].isKnown()))
    return success();
  if (a.rank() > 0 && !a[a.rank() - 1].isStatic()) // C3
    return scope.error() << "A has shape " << a.str() << ", needs a constant last extent";
  int64_t count = a.rank() ? a[a.rank() - 1].get() : 0, rows = 0;
  while (rows * (rows + 1) / 2 < count)
    ++rows;
  if (count < 1 || rows * (rows + 1) / 2 != count) // C1
    return scope.error() << "A has shape " << a.str()
                         << ", needs a last extent K * (K + 1) / 2: 1, 3, 6, 10, ...";
  Shape result = a;
  result[a.rank() - 1] = scope.dim(rows + std::abs(int64_t(getOffset())));
  result.push_back(result[a.rank() - 1]);
  return scope.refineOutput(0, result); // C2
}

//===----------------------------------------------------------------------===//
// Scratch
//===----------------------------------------------------------------------===//

// Elements, integers of LAPACK, as the kernels in linalg.cpp divide them.
static CheckedSize workBytes(Value a, CheckedSize elements, CheckedSize integers) {
  return elements * typeBytes(elementTypeOf(a.getType())) + integers * 4;
}

// A strip of columns for each row of A, as triangular.cpp cuts them.
static CheckedSize stripBytes(const LargestShapes &shapes) {
  constexpr int64_t vectors = 4 * 32;
  return rowScratchBytes(shapes, shapes.operandCount(1), shapes.operands[0].back() * vectors);
}
CheckedSize LinalgTrmmOp::getScratchBytes(const LargestShapes &shapes) {
  return stripBytes(shapes);
}
CheckedSize LinalgTrsmOp::getScratchBytes(const LargestShapes &shapes) {
  return stripBytes(shapes);
}

CheckedSize LinalgGelqfOp::getScratchBytes(const LargestShapes &shapes) {
  CheckedSize rows = shapes.operands[0].end()[-2];
  return workBytes(getA(), rows + 64 * rows, 0); // tau, work
}

CheckedSize LinalgSyevdOp::getScratchBytes(const LargestShapes &shapes) {
  CheckedSize n = shapes.operands[0].back();
  return workBytes(getA(), 1 + 6 * n + 2 * n * n, 3 + 5 * n);
}

CheckedSize LinalgInverseOp::getScratchBytes(const LargestShapes &shapes) {
  CheckedSize n = shapes.operands[0].back();
  return workBytes(getA(), 64 * n, n); // work, pivots
}

CheckedSize LinalgDetOp::getScratchBytes(const LargestShapes &shapes) {
  CheckedSize n = shapes.operands[0].back();
  return workBytes(getA(), n * n, n); // factors, pivots
}

CheckedSize LinalgSlogdetOp::getScratchBytes(const LargestShapes &shapes) {
  CheckedSize n = shapes.operands[0].back();
  return workBytes(getA(), n * n, n); // factors, pivots
}

//===----------------------------------------------------------------------===//
// NumPy's linear algebra: types
//===----------------------------------------------------------------------===//

// Results are float32 where all operands are, else float64.
static LogicalResult inferWide(TypeScope &scope) {
  bool single = true;
  for (size_t i = 0; i < scope.numInputs(); ++i) {
    Type type = scope.input(i);
    if (!type)
      return success();
    if (type.isF16())
      return scope.error() << "operand " << i << " is float16, which linear algebra does not take";
    single = single && type.isF32();
  }
  Type type = typeFromName(single ? "float32" : "float64", scope.context());
  for (size_t i = 0; i < scope.numOutputs(); ++i)
    if (failed(scope.refineOutput(i, type)))
      return failure();
  return success();
}

// All types are one, float32 or float64.
static LogicalResult inferReal(TypeScope &scope) {
  Type type = scope.input(0);
  if (!type)
    return success();
  if (!type.isF32() && !type.isF64())
    return scope.error() << "operand 0 is " << typeName(type) << ", needs float32 or float64";
  for (size_t i = 1; i < scope.numInputs(); ++i)
    if (failed(scope.refineInput(i, type)))
      return failure();
  return scope.refineOutput(0, type);
}

LogicalResult NumpyEighOp::inferType(TypeScope &scope) { return inferWide(scope); }        // C3
LogicalResult NumpyEigOp::inferType(TypeScope &scope) { return inferWide(scope); }         // C3
LogicalResult NumpySolveOp::inferType(TypeScope &scope) { return inferWide(scope); }       // C4
LogicalResult NumpyTensorsolveOp::inferType(TypeScope &scope) { return inferWide(scope); } // C4
LogicalResult NumpyTensorinvOp::inferType(TypeScope &scope) { return inferReal(scope); }   // C4
LogicalResult NumpyPinvOp::inferType(TypeScope &scope) { return inferReal(scope); }        // C4
LogicalResult NumpyPinvScalarOp::inferType(TypeScope &scope) { return inferReal(scope); }  // C3

//===----------------------------------------------------------------------===//
// NumPy's eigenvalues and singular values
//===----------------------------------------------------------------------===//

static LogicalResult inferEigen(ShapeScope &scope) {
  const Shape &a = scope.input(0);
  if (failed(checkSquare(scope)))
    return failure();
  if (!a.isRanked())
    return success();
  if (failed(scope.refineOutput(0, Shape(a.list().drop_back(1)))))
    return failure();
  return scope.numOutputs() > 1 ? scope.refineOutput(1, a) : success();
}

LogicalResult NumpyEighOp::inferShape(ShapeScope &scope) { return inferEigen(scope); } // C1, C2
LogicalResult NumpyEigOp::inferShape(ShapeScope &scope) { return inferEigen(scope); }  // C1, C2
LogicalResult MatrixEigOp::inferShape(ShapeScope &scope) { return inferEigen(scope); } // C1, C2

std::string NumpyEighOp::checkParams(const ParamView &params) { // C4
  StringRef triangle = params.getStr("UPLO");
  if (triangle == "L" || triangle == "U")
    return {};
  return "parameter 'UPLO' is '" + triangle.str() + "', needs L or U";
}

LogicalResult NumpySvdOp::inferShape(ShapeScope &scope) {
  const Shape &a = scope.input(0);
  if (!a.isRanked())
    return success();
  size_t last = a.rank() - 1;
  if (failed(checkWide(scope)) || failed(needFewValues(scope))) // C1, C3
    return failure();
  Shape left = a;
  left[last] = a[last - 1];
  if (failed(scope.refineOutput(0, left)) || failed(scope.refineOutput(2, a))) // C2
    return failure();
  return scope.refineOutput(1, Shape(a.list().drop_back(1)));
}

//===----------------------------------------------------------------------===//
// NumPy's equations and inverses
//===----------------------------------------------------------------------===//

static LogicalResult inferSolve(ShapeScope &scope, bool vectorsToo) {
  const Shape &a = scope.input(0), &b = scope.input(1);
  if (failed(checkSquare(scope)))
    return failure();
  if (!a.isRanked() || !b.isRanked())
    return success();
  bool fits = b.rank() == a.rank() || (vectorsToo && b.rank() + 1 == a.rank());
  for (size_t i = 0; fits && i + 1 < a.rank(); ++i)
    fits = !a[i].isKnown() || !b[i].isKnown() || a[i] == b[i];
  if (!fits)
    return scope.error() << "A has shape " << a.str() << " and B " << b.str()
                         << ", needs [..., N, N] and [..., N, K]"
                         << (vectorsToo ? " or [..., N]" : "");
  return scope.refineOutput(0, b);
}
LogicalResult NumpySolveOp::inferShape(ShapeScope &scope) {
  return inferSolve(scope, true);
} // C1, C2, C3
LogicalResult MatrixSolveOp::inferShape(ShapeScope &scope) { // C1, C2
  const Shape &b = scope.input(1);
  if (failed(inferSolve(scope, false)))
    return failure();
  if (!b.isRanked())
    return success();
  return scope.need(atMost(b[b.rank() - 1], kMostCounted), [&](raw_ostream &message) { // C3
    message << "B has shape " << b.str() << ", needs at most " << kMostCounted
            << " columns, which LAPACK counts in 32 bits";
  });
}

LogicalResult NumpyTensorinvOp::inferShape(ShapeScope &scope) {
  const Shape &a = scope.input(0);
  if (!a.isFullyKnown())
    return success();
  size_t rank = a.rank(), ind = getInd();
  if (ind >= rank) // C1
    return scope.error() << "a has shape " << a.str() << ", needs more than ind = " << ind
                         << " extents";
  if (a.product(0, ind, scope.context()) != a.product(ind, rank, scope.context())) // C2
    return scope.error() << "a has shape " << a.str() << ", whose extents before and behind axis "
                         << ind << " have different products";
  Shape output(rank);
  for (size_t i = 0; i < rank; ++i)
    output[i] = a[(i + ind) % rank];
  return scope.refineOutput(0, output); // C3
}

SmallVector<int64_t> NumpyTensorsolveOp::getOrder(int64_t rank) {
  SmallVector<int64_t> behind, order;
  for (int64_t axis : getAAxes())
    behind.push_back(axis < 0 ? axis + rank : axis);
  for (int64_t axis = 0; axis < rank; ++axis)
    if (!llvm::is_contained(behind, axis))
      order.push_back(axis);
  order.append(behind);
  return order;
}
LogicalResult NumpyTensorsolveOp::inferShape(ShapeScope &scope) {
  const Shape &a = scope.input(0), &b = scope.input(1);
  if (!a.isFullyKnown() || !b.isFullyKnown())
    return success();
  int64_t rank = a.rank(), given = b.rank();
  if (given < 1 || rank <= given) // C1
    return scope.error() << "a has shape " << a.str() << " and b " << b.str()
                         << ", needs more extents of a";
  SmallVector<int64_t> order = getOrder(rank);
  SmallVector<int64_t> sorted(order);
  llvm::sort(sorted);
  for (int64_t axis = 0; axis < rank; ++axis)
    if (static_cast<int64_t>(sorted.size()) != rank || sorted[axis] != axis) // C1
      return scope.error() << "parameter 'a_axes' names axes that a's shape " << a.str()
                           << " does not have, or one twice";
  Shape transposed(rank);
  for (int64_t i = 0; i < rank; ++i)
    transposed[i] = a[order[i]];
  Dim front = transposed.product(0, given, scope.context()),
      back = transposed.product(given, rank, scope.context());
  if (front != back || back != b.product(0, given, scope.context())) // C2
    return scope.error() << "a has shape " << a.str() << " and b " << b.str()
                         << ", whose extents do not make a square matrix and a vector";
  return scope.refineOutput(0, Shape(transposed.list().drop_front(given))); // C3
}

static FailureOr<Shape> transposedMatrices(ShapeScope &scope) {
  Shape output = scope.input(0);
  if (output.rank() < 2)
    return scope.error() << "A has shape " << output.str() << ", needs rank 2 or more";
  std::swap(output[output.rank() - 1], output[output.rank() - 2]);
  return output;
}
static LogicalResult inferPinv(ShapeScope &scope) {
  if (!scope.input(0).isRanked())
    return success();
  FailureOr<Shape> output = transposedMatrices(scope);
  return failed(output) ? failure() : scope.refineOutput(0, *output);
}
LogicalResult NumpyPinvOp::inferShape(ShapeScope &scope) {
  const Shape &a = scope.input(0), &rcond = scope.input(1);
  if (failed(inferPinv(scope))) // C1, C3
    return failure();
  if (!a.isRanked() || !rcond.isRanked())
    return success();
  Shape batch(a.list().drop_back(2));
  FailureOr<Shape> met = broadcastShapes(scope, batch, rcond, "A's batch", "rcond"); // C2
  if (failed(met))
    return failure();
  if (met->rank() != batch.rank() || (batch.isFullyKnown() && met->list() != batch.list())) // C2
    return scope.error() << "rcond has shape " << rcond.str()
                         << ", needs one that repeats to A's batch " << batch.str();
  return success();
}
LogicalResult NumpyPinvScalarOp::inferShape(ShapeScope &scope) {
  return inferPinv(scope);
} // C1, C2
LogicalResult MatrixPinvOp::inferShape(ShapeScope &scope) { // C1, C2
  if (failed(inferPinv(scope)))
    return failure();
  return scope.input(0).isRanked() ? needFewValues(scope) : success(); // C3
}

//===----------------------------------------------------------------------===//
// Scratch of kernels in numpy_linalg.cpp, which divide it in this order
//===----------------------------------------------------------------------===//

CheckedSize MatrixEigOp::getScratchBytes(const LargestShapes &shapes) {
  CheckedSize n = shapes.operands[0].back();
  return workBytes(getA(), 2 * n * n + n + 34 * n, 0); // matrix, vectors, imaginary parts, work
}
CheckedSize MatrixSolveOp::getScratchBytes(const LargestShapes &shapes) {
  CheckedSize n = shapes.operands[0].back(), columns = shapes.operands[1].back();
  return workBytes(getA(), n * n + n * columns, n); // matrix, right sides, pivots
}
CheckedSize NumpySvdOp::getScratchBytes(const LargestShapes &shapes) {
  CheckedSize rows = shapes.operands[0].end()[-2], columns = shapes.operands[0].back();
  return workBytes(getA(), rows * columns + 8 * (rows + columns), 0); // matrix, work
}
CheckedSize MatrixPinvOp::getScratchBytes(const LargestShapes &shapes) {
  CheckedSize rows = shapes.operands[0].end()[-2], columns = shapes.operands[0].back(),
              least = std::min(rows, columns);
  // matrix, both factors, values, work
  return workBytes(getA(), rows * columns + least * (rows + columns) + least + 8 * (rows + columns),
                   0);
}

// Each element of the result is a sum over the axis that both have.
template <class Op> static CheckedSize workOfProduct(Op op, const LargestShapes &shapes) {
  ArrayRef<CheckedSize> lhs = shapes.operands[0];
  int64_t rank = lhs.size(), axis = op.getAxis(), rows = axis < 0 ? axis + rank : axis;
  return shapes.resultCount(0) * lhs[op.getTransposeA() ? rows : rank - 1];
}
CheckedSize LinalgGemmOp::getReferenceWork(const LargestShapes &shapes) {
  return workOfProduct(*this, shapes);
}
CheckedSize LinalgGemm2Op::getReferenceWork(const LargestShapes &shapes) {
  return workOfProduct(*this, shapes);
}
