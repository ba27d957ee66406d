// DecomposeNumpyLinalg.cpp: linear algebra of sg-decompose-numpy.
//
//   sg.numpy_eigh(%a)      -> sg.linalg_syevd(%a), whose rows of vectors become columns
//   sg.numpy_tensorinv(%a) -> sg.reshape(sg.linalg_inverse(sg.reshape(%a)))
//   sg.numpy_solve(%i, %b) -> sg.matrix_solve(sg.cast(%i), sg.cast(%b)), on matrices
#include "ir/ops/Linalg.h"
#include "passes/Numpy.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace symc;
using namespace symc::sg;

using Results = SmallVectorImpl<Value>;

static Type elementOf(Value value) { return elementTypeOf(value.getType()); }
static Shape resultShape(Operation *op) { return shapeOf(op->getResult(0).getType()); }

// A node with two results.
static Operation *makeTwo(StringRef mnemonic, Value operand, const Shape &first, const Shape &second,
                          CoreBuilder &core, ArrayRef<NamedAttribute> attributes = {}) {
  OperationState state(core.loc, ("sg." + mnemonic).str());
  state.addOperands(operand);
  state.addTypes({core.withShape(operand, first), core.withShape(operand, second)});
  state.addAttributes(attributes);
  return core.b.create(state);
}

static Value turned(Value x, CoreBuilder &core) {
  SmallVector<int64_t> axes;
  for (size_t i = 0; i < shapeOf(x.getType()).rank(); ++i)
    axes.push_back(i);
  std::swap(axes[axes.size() - 1], axes[axes.size() - 2]);
  return core.transpose(x, axes);
}

static void decompose(NumpyEighOp op, CoreBuilder &core, Results &results) {
  Value a = core.cast(op.getA(), elementOf(op->getResult(0)));
  if (op.getUPLO() == "U")
    a = turned(a, core);
  Operation *pair = makeTwo("linalg_syevd", a, shapeOf(a.getType()), resultShape(op), core);
  results.push_back(pair->getResult(1));
  if (op.getVectors())
    results.push_back(turned(pair->getResult(0), core));
}

static void decompose(NumpyEigOp op, CoreBuilder &core, Results &results) {
  Value a = core.cast(op.getA(), elementOf(op->getResult(0)));
  Operation *pair = makeTwo("matrix_eig", a, resultShape(op), shapeOf(a.getType()), core,
                            core.flag("vectors", op.getVectors()));
  results.push_back(pair->getResult(0));
  if (op.getVectors())
    results.push_back(pair->getResult(1));
}

static Value solve(Value a, Value b, Type type, CoreBuilder &core) {
  Value right = core.cast(b, type);
  return core.make("matrix_solve", {core.cast(a, type), right}, right.getType());
}
static void decompose(NumpySolveOp op, CoreBuilder &core, Results &results) {
  Value b = op.getB();
  Shape shape = shapeOf(b.getType());
  if (shape.rank() < shapeOf(op.getA().getType()).rank())
    shape.push_back(core.dim(1));
  Value x = solve(op.getA(), core.reshape(b, shape), elementOf(op.getOutput()), core);
  results.push_back(core.reshapeTo(x, op.getOutput().getType()));
}

static void decompose(NumpyTensorsolveOp op, CoreBuilder &core, Results &results) {
  Shape b = shapeOf(op.getB().getType());
  Dim count = b.product(0, b.rank(), op.getContext());
  Value a = core.transpose(op.getA(), op.getOrder(shapeOf(op.getA().getType()).rank()));
  Value x = solve(core.reshape(a, Shape({count, count})), core.reshape(op.getB(), Shape({count, core.dim(1)})),
                  elementOf(op.getOutput()), core);
  results.push_back(core.reshapeTo(x, op.getOutput().getType()));
}

static void decompose(NumpyTensorinvOp op, CoreBuilder &core, Results &results) {
  Shape a = shapeOf(op.getA().getType());
  Dim rows = a.product(0, op.getInd(), op.getContext());
  Value matrix = core.reshape(op.getA(), Shape({rows, rows}));
  results.push_back(core.reshapeTo(core.make("linalg_inverse", matrix, matrix.getType()), op.getOutput().getType()));
}

static void decompose(NumpyPinvOp op, CoreBuilder &core, Results &results) {
  Shape a = shapeOf(op.getA().getType()), batch(a.list().drop_back(2));
  results.push_back(core.make("matrix_pinv", {op.getA(), core.broadcastTo(op.getRcond(), batch)},
                              op.getOutput().getType()));
}
static void decompose(NumpyPinvScalarOp op, CoreBuilder &core, Results &results) {
  Value rcond = core.arange(op.getRcond().convertToDouble(), 0, 1, elementOf(op.getA()));
  results.push_back(core.make("matrix_pinv", {op.getA(), rcond}, op.getOutput().getType()));
}

bool symc::decomposeNumpyLinalg(Operation *op, CoreBuilder &core, Results &results) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<NumpyEighOp, NumpyEigOp, NumpySolveOp, NumpyTensorsolveOp, NumpyTensorinvOp, NumpyPinvOp,
            NumpyPinvScalarOp>([&](auto node) {
        decompose(node, core, results);
        return true;
      })
      .Default(false);
}
