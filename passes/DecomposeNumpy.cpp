// DecomposeNumpy.cpp: sg-decompose-numpy.
//
//   sg.numpy_binary(%i, %f) {fn = "add"}     -> sg.binary(sg.cast(%i), %f) {fn = "add", broadcast}
//   sg.numpy_binary(%x, %y) {fn = "greater"} -> sg.cast(sg.binary(%x, %y)) {dtype = "bool"}
//   sg.numpy_reduce(%x) {kind = "sum"}       -> sg.reduce(%x) {kind = "sum"}, of rank 0
//
// One function an operator, elementwise ones and reductions here, the others in the files that
// Numpy.h names. Shapes and types are known. Afterwards no operator of NumPy's is left, in
// prediction and for reference kernels alike.
#include "ir/CustomOperators.h"
#include "ir/Gradient.h"
#include "ir/ops/Elementwise.h"
#include "ir/ops/NumpyElementwise.h"
#include "ir/ops/NumpyReduce.h"
#include "passes/Numpy.h"
#include "passes/Passes.h"
#include "llvm/ADT/TypeSwitch.h"

namespace symc {
#define GEN_PASS_DEF_DECOMPOSENUMPY
#include "passes/Passes.h.inc"
} // namespace symc

using namespace mlir;
using namespace symc;
using namespace symc::sg;

namespace {

Type resultElement(Operation *op) { return elementTypeOf(op->getResult(0).getType()); }
Shape resultShape(Operation *op) { return shapeOf(op->getResult(0).getType()); }
bool isFloat(Value value) { return isa<FloatType>(elementTypeOf(value.getType())); }
Type boolType(CoreBuilder &core) { return core.b.getI1Type(); }

//===----------------------------------------------------------------------===//
// Elementwise
//===----------------------------------------------------------------------===//

Value decompose(NumpyBinaryOp op, CoreBuilder &core) {
  bool compares = resultElement(op).isInteger(1);
  Type meet = compares ? elementTypeOf(op.getLhs().getType()) : resultElement(op);
  Value value = core.broadcast(op.getFn(), core.cast(op.getLhs(), meet),
                               core.cast(op.getRhs(), meet), resultShape(op));
  return core.cast(value, resultElement(op));
}

Value decompose(NumpyScalarOp op, CoreBuilder &core) {
  Value data = op.getData();
  Type type = resultElement(op);
  if (type.isInteger(1)) { // a comparison, exact beside integers and fractions
    type = elementTypeOf(data.getType());
    if (!isFloat(data))
      type = op.getIsInt() ? Type(core.b.getI64Type()) : Type(core.b.getF64Type());
  }
  Value value = core.scalar(op.getFn(), core.cast(data, type), op.getScalar().convertToDouble(),
                            op.getReverse());
  return core.cast(value, resultElement(op));
}

// The older ones follow the same rule; the operation itself has one type.
Value decompose(ScalarOp op, CoreBuilder &core) {
  if (op.getData().getType() == op.getOutput().getType())
    return {};
  return core.scalar(op.getFn(), core.cast(op.getData(), resultElement(op)),
                     op.getScalar().convertToDouble(), op.getReverse());
}

Value decompose(NumpyTestOp op, CoreBuilder &core) {
  Value x = op.getData(), answer;
  double inf = std::numeric_limits<double>::infinity();
  StringRef fn = op.getFn();
  if (fn == "logical_not")
    answer = core.unary("logical_not", x);
  else if (!isFloat(x))
    answer = core.fillLike(x, fn == "isfinite");
  else if (fn == "isnan")
    answer = core.binary("not_equal", x, x);
  else if (fn == "isinf")
    answer = core.scalar("equal", core.unary("abs", x), inf);
  else if (fn == "isfinite")
    answer = core.scalar("lesser", core.unary("abs", x), inf);
  else
    answer = core.scalar("equal", x, fn == "isposinf" ? inf : -inf);
  return core.cast(answer, boolType(core));
}

Value decompose(NumpyAroundOp op, CoreBuilder &core) {
  Value x = op.getData();
  int64_t decimals = op.getDecimals();
  if (!isFloat(x)) {
    if (decimals >= 0)
      return x;
    x = core.cast(x, core.b.getF64Type());
  }
  if (decimals == 0)
    return core.unary("round_even", x);
  double scale = std::pow(10.0, decimals);
  Value rounded = core.unary("round_even", core.scalar("mul", x, scale));
  return core.cast(core.scalar("div", rounded, scale), resultElement(op));
}

Value decompose(NumpyNanToNumOp op, CoreBuilder &core) {
  Value x = op.getData();
  auto type = dyn_cast<FloatType>(elementTypeOf(x.getType()));
  if (!type)
    return x;
  double inf = std::numeric_limits<double>::infinity();
  double largest = APFloat::getLargest(type.getFloatSemantics()).convertToDouble();
  double above = op.getPosinf() ? op.getPosinf()->convertToDouble() : largest;
  double below = op.getNeginf() ? op.getNeginf()->convertToDouble() : -largest;
  Value value = core.where(core.scalar("equal", x, inf), core.fillLike(x, above), x);
  value = core.where(core.scalar("equal", x, -inf), core.fillLike(x, below), value);
  return core.where(core.binary("not_equal", x, x), core.fillLike(x, op.getNan().convertToDouble()),
                    value);
}

Value decompose(NumpyWhereOp op, CoreBuilder &core) {
  Shape shape = resultShape(op);
  return core.where(core.broadcastTo(op.getCondition(), shape), core.broadcastTo(op.getX(), shape),
                    core.broadcastTo(op.getY(), shape));
}

Value decompose(NumpyWhereScalarOp op, CoreBuilder &core) {
  Shape shape = resultShape(op);
  Value condition = core.broadcastTo(op.getCondition(), shape),
        x = core.broadcastTo(op.getX(), shape);
  double number = op.getScalar().convertToDouble();
  Value filled = core.fillLike(x, isFloat(x) ? number : std::trunc(number));
  return op.getLeft() ? core.where(condition, filled, x) : core.where(condition, x, filled);
}

Value decompose(NumpyWhereNumbersOp op, CoreBuilder &core) {
  Value condition = op.getCondition();
  Value like = core.cast(condition, resultElement(op));
  return core.where(condition, core.fillLike(like, op.getX().convertToDouble()),
                    core.fillLike(like, op.getY().convertToDouble()));
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

// The axes as written, all of them without.
SmallVector<int64_t> axesOf(Value data, std::optional<ArrayRef<int64_t>> given) {
  int64_t rank = shapeOf(data.getType()).rank();
  SmallVector<int64_t> axes;
  if (!given)
    return llvm::to_vector(llvm::seq<int64_t>(0, rank));
  for (int64_t axis : *given)
    axes.push_back(axis < 0 ? axis + rank : axis);
  return axes;
}

Value decompose(NumpyReduceOp op, CoreBuilder &core) {
  StringRef kind = op.getKind();
  SmallVector<int64_t> axes = axesOf(op.getA(), op.getAxis());
  Value x = op.getA();
  Type result = resultElement(op);
  if (kind == "any" || kind == "all") {
    Value nonzero = elementTypeOf(x.getType()).isInteger(1) ? x : core.scalar("not_equal", x, 0);
    Value byte = core.cast(nonzero, core.b.getI32Type());
    return core.cast(core.reduce(kind == "any" ? "max" : "min", byte, axes, op.getKeepdims()),
                     result);
  }
  // Floats are summed up as they are; integers in the type of the result, means in floats.
  if (kind == "mean" && !isFloat(x))
    x = core.cast(x, isa<FloatType>(result) ? result : Type(core.b.getF64Type()));
  else if (!isFloat(x) ||
           (isa<FloatType>(result) && typeBytes(result) > typeBytes(elementTypeOf(x.getType()))))
    x = core.cast(x, result);
  return core.cast(core.reduce(kind, x, axes, op.getKeepdims()), result);
}

template <typename Moment> Value variance(Moment op, CoreBuilder &core) {
  Type result = resultElement(op), own = elementTypeOf(op.getA().getType());
  Type type = isa<FloatType>(own) ? own : Type(core.b.getF64Type());
  if (typeBytes(type) < 4)
    type = core.b.getF32Type();
  if (isa<FloatType>(result) && typeBytes(result) > typeBytes(type))
    type = result;
  Value x = core.cast(op.getA(), type);
  Shape shape = shapeOf(x.getType());
  SmallVector<int64_t> axes = axesOf(x, op.getAxis());
  Value centred = core.broadcast("sub", x, core.reduce("mean", x, axes, true), shape);
  Value square = core.unary("square", centred);
  int64_t ddof = op.getDdof();
  if (ddof != 0 && !llvm::all_of(axes, [&](int64_t axis) { return shape[axis].isStatic(); }))
    return core.binary("div", core.reduce("sum", square, axes, op.getKeepdims()),
                       core.scalar("sub", core.countReduced(square, axes, op.getKeepdims()), ddof));
  Value value = core.reduce("mean", square, axes, op.getKeepdims());
  if (ddof != 0) {
    double count = 1;
    for (int64_t axis : axes)
      count *= shape[axis].get();
    value = core.scalar("mul", value, count / (count - ddof));
  }
  return value;
}
Value decompose(NumpyVarOp op, CoreBuilder &core) {
  return core.cast(variance(op, core), resultElement(op));
}
Value decompose(NumpyStdOp op, CoreBuilder &core) {
  return core.cast(core.unary("sqrt", variance(op, core)), resultElement(op));
}

Value decompose(NumpyArgReduceOp op, CoreBuilder &core) {
  Value x = op.getData();
  // Places come in the type of data: one that holds them all.
  Type type = elementTypeOf(x.getType());
  x = core.cast(x, isa<FloatType>(type) ? Type(core.b.getF64Type()) : Type(core.b.getI64Type()));
  Shape shape = shapeOf(x.getType());
  int64_t axis = op.getAxis() ? int64_t(*op.getAxis()) : 0;
  if (!op.getAxis()) {
    shape = Shape({shape.product(0, shape.rank(), op.getContext())});
    x = core.reshape(x, shape);
  }
  axis = axis < 0 ? axis + static_cast<int64_t>(shape.rank()) : axis;
  shape[axis] = core.dim(1);
  Value place = core.make(
      "arg_reduce", x, core.withShape(x, shape),
      {core.text("kind", op.getKind()), core.number("axis", axis), core.flag("keepdims", true)});
  return core.reshape(core.cast(place, resultElement(op)), resultShape(op));
}

struct DecomposeNumpy : symc::impl::DecomposeNumpyBase<DecomposeNumpy> {
  void runOnOperation() override {
    getOperation().walk([](Operation *op) {
      CoreBuilder core(op);
      SmallVector<Value> results;
      Value result =
          llvm::TypeSwitch<Operation *, Value>(op)
              .Case<NumpyBinaryOp, ScalarOp, NumpyScalarOp, NumpyTestOp, NumpyAroundOp,
                    NumpyNanToNumOp, NumpyWhereOp, NumpyWhereScalarOp, NumpyWhereNumbersOp,
                    NumpyReduceOp, NumpyVarOp, NumpyStdOp, NumpyArgReduceOp>(
                  [&](auto node) { return decompose(node, core); })
              .Default(Value());
      if (result)
        results.push_back(result);
      else if (!decomposeNumpyShape(op, core, results) &&
               !decomposeNumpyProduct(op, core, results) &&
               !decomposeNumpyLinalg(op, core, results))
        decomposeNumpyRandom(op, core, results);
      if (results.empty())
        return;
      // What replaces the node has gradients that MXNet does not give it.
      const OpInfo *info = infoOf(op);
      if (isTraining(op) && info && info->gradient == "zero")
        for (Value &result : results)
          result = core.make("block_grad", result, result.getType());
      op->replaceAllUsesWith(results);
      op->erase();
    });
  }
};

} // namespace
