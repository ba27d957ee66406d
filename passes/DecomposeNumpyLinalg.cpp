// DecomposeNumpyLinalg.cpp: linear algebra of sg-decompose-numpy.
//
//   sg.numpy_eigh(%a)      -> sg.linalg_syevd(%a), whose rows of vectors become columns
//   sg.numpy_tensorinv(%a) -> sg.reshape(sg.linalg_inverse(sg.reshape(%a)))
//   sg.numpy_solve(%i, %b) -> sg.matrix_solve(sg.cast(%i), sg.cast(%b)), on matrices
//   sg.numpy_norm(%a) {ord = 1} -> sg.reduce(sg.reduce(|%a|) {kind = "sum"}) {kind = "max"}
#include "ir/ops/Linalg.h"
#include "ir/ops/NumpyReduce.h"
#include "passes/Numpy.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace symc;
using namespace symc::sg;

using Results = SmallVectorImpl<Value>;

static Type elementOf(Value value) { return elementTypeOf(value.getType()); }
static Shape resultShape(Operation *op) { return shapeOf(op->getResult(0).getType()); }

// A node with several results.
static Operation *makeSeveral(StringRef mnemonic, Value operand, ArrayRef<Shape> shapes,
                              CoreBuilder &core, ArrayRef<NamedAttribute> attributes = {}) {
  OperationState state(core.loc, ("sg." + mnemonic).str());
  state.addOperands(operand);
  for (const Shape &shape : shapes)
    state.addTypes(core.withShape(operand, shape));
  state.addAttributes(attributes);
  return core.b.create(state);
}

static Value transposed(Value x, CoreBuilder &core) {
  SmallVector<int64_t> axes;
  for (size_t i = 0; i < shapeOf(x.getType()).rank(); ++i)
    axes.push_back(i);
  std::swap(axes[axes.size() - 1], axes[axes.size() - 2]);
  return core.transpose(x, axes);
}

static void decompose(NumpyEighOp op, CoreBuilder &core, Results &results) {
  Value a = core.cast(op.getA(), elementOf(op->getResult(0)));
  if (op.getUPLO() == "U")
    a = transposed(a, core);
  Operation *pair = makeSeveral("linalg_syevd", a, {shapeOf(a.getType()), resultShape(op)}, core);
  results.push_back(pair->getResult(1));
  if (op.getVectors())
    results.push_back(transposed(pair->getResult(0), core));
}

static void decompose(NumpyEigOp op, CoreBuilder &core, Results &results) {
  Value a = core.cast(op.getA(), elementOf(op->getResult(0)));
  Operation *pair = makeSeveral("matrix_eig", a, {resultShape(op), shapeOf(a.getType())}, core,
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
  Value x =
      solve(core.reshape(a, Shape({count, count})),
            core.reshape(op.getB(), Shape({count, core.dim(1)})), elementOf(op.getOutput()), core);
  results.push_back(core.reshapeTo(x, op.getOutput().getType()));
}

static void decompose(NumpyTensorinvOp op, CoreBuilder &core, Results &results) {
  Shape a = shapeOf(op.getA().getType());
  Dim rows = a.product(0, op.getInd(), op.getContext());
  Value matrix = core.reshape(op.getA(), Shape({rows, rows}));
  results.push_back(core.reshapeTo(core.make("linalg_inverse", matrix, matrix.getType()),
                                   op.getOutput().getType()));
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

// Of matrices along two axes, [..., least]: transposed or not they are the same.
static Value singularValues(Value x, ArrayRef<int64_t> axes, CoreBuilder &core) {
  Shape shape = shapeOf(x.getType()), batch{size_t(0)};
  bool tall = shape[axes[0]].get() > shape[axes[1]].get();
  int64_t rows = axes[tall], columns = axes[!tall];
  SmallVector<int64_t> order;
  for (int64_t i = 0; i < static_cast<int64_t>(shape.rank()); ++i)
    if (i != rows && i != columns) {
      order.push_back(i);
      batch.push_back(shape[i]);
    }
  order.append({rows, columns});
  Shape left = batch, values = batch, right = batch;
  for (Dim extent : {shape[rows], shape[rows]})
    left.push_back(extent);
  values.push_back(shape[rows]);
  for (Dim extent : {shape[rows], shape[columns]})
    right.push_back(extent);
  return makeSeveral("numpy_svd", core.transpose(x, order), {left, values, right}, core)
      ->getResult(1);
}

static void decompose(NumpyNormOp op, CoreBuilder &core, Results &results) {
  Type result = elementOf(op->getResult(0));
  Value x = core.cast(op.getData(), typeBytes(result) < 4 ? Type(core.b.getF32Type()) : result);
  int64_t rank = shapeOf(x.getType()).rank(), flag = op.getFlag();
  double ord = op.getOrd().convertToDouble();
  SmallVector<int64_t> axes =
      flag == -2 ? llvm::to_vector(llvm::seq<int64_t>(0, rank)) : op.getAxes(rank);
  for (int64_t &axis : axes)
    axis = axis < 0 ? axis + rank : axis;
  bool matrices = flag != -2 && axes.size() == 2;
  StringRef extreme = ord > 0 ? "max" : "min";
  auto reduced = [&](StringRef kind, Value value) {
    return core.reduce(kind, value, axes, op.getKeepdims());
  };
  if (flag == -2 || (matrices ? flag == 1 : ord == 2)) {
    x = core.unary("sqrt", reduced("sum", core.unary("square", x)));
  } else if (op.takesSingularValues(rank)) {
    Value values = singularValues(x, axes, core);
    x = core.reduce(flag == 2 ? "sum" : extreme, values,
                    {int64_t(shapeOf(values.getType()).rank()) - 1}, false);
    x = core.reshape(x, resultShape(op));
  } else if (matrices) {
    bool columns = ord == 1 || ord == -1;
    Value sums = core.reduce("sum", core.unary("abs", x), {axes[!columns]}, true);
    x = core.reshape(core.reduce(extreme, sums, {axes[columns]}, true), resultShape(op));
  } else if (std::isinf(ord)) {
    x = reduced(extreme, core.unary("abs", x));
  } else if (ord == 0) {
    x = reduced("sum", core.scalar("not_equal", x, 0));
  } else if (ord == 1) {
    x = reduced("sum", core.unary("abs", x));
  } else {
    x = core.scalar("power", reduced("sum", core.scalar("power", core.unary("abs", x), ord)),
                    1 / ord);
  }
  results.push_back(core.cast(x, result));
}

bool symc::decomposeNumpyLinalg(Operation *op, CoreBuilder &core, Results &results) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<NumpyEighOp, NumpyEigOp, NumpySolveOp, NumpyTensorsolveOp, NumpyTensorinvOp,
            NumpyPinvOp, NumpyPinvScalarOp, NumpyNormOp>([&](auto node) {
        decompose(node, core, results);
        return true;
      })
      .Default(false);
}
