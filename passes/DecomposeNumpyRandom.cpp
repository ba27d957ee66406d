// DecomposeNumpyRandom.cpp: random numbers of sg-decompose-numpy.
//
//   sg.numpy_draw {kind = "bernoulli", prob} -> sg.random {kind = "uniform"} < prob
//   sg.numpy_draw_placed {kind = "gumbel"}   -> loc - scale * log(-log(1 - sg.random {kind = "uniform"}))
//
// Every distribution but the normal one is a function of even numbers from 0 to 1, 1 left out.
#include "ir/ops/Random.h"
#include "passes/Numpy.h"

using namespace mlir;
using namespace symc;
using namespace symc::sg;

namespace {

/// `random` of the node's shape; with rank 0, one number, since no shape means any there.
class Source {
public:
  Source(Operation *op, CoreBuilder &core)
      : core(core), shape(shapeOf(op->getResult(0).getType())),
        result(elementTypeOf(op->getResult(0).getType())) {
    for (Dim dim : shape.list())
      extents.push_back(dim.get());
    if (extents.empty())
      extents.push_back(1);
  }

  Value draw(StringRef kind, StringRef first, double a, StringRef second, double b) {
    Type type = result.isF64() ? result : Type(core.b.getF32Type());
    return core.make("random", {}, core.typeOf(Shape::of(extents, core.b.getContext()), type),
                     {core.text("kind", kind), core.real(first, a), core.real(second, b),
                      core.numbers("shape", extents), core.text("dtype", typeName(type))});
  }
  Value uniform(double low, double high) { return draw("uniform", "low", low, "high", high); }
  Value asResult(Value value) { return core.cast(core.reshape(value, shape), result); }

private:
  CoreBuilder &core;
  Shape shape;
  Type result;
  SmallVector<int64_t> extents;
};

} // namespace

template <typename Draw> static Value drawn(Draw op, CoreBuilder &core) {
  Source source(op, core);
  StringRef kind = op.getKind();
  double loc = op.getLoc().convertToDouble(), scale = op.getScale().convertToDouble();
  double a = op.getA().convertToDouble();
  if (kind == "uniform")
    return source.asResult(source.uniform(op.getLow().convertToDouble(), op.getHigh().convertToDouble()));
  if (kind == "normal")
    return source.asResult(source.draw("normal", "loc", loc, "scale", scale));
  Value even = source.uniform(0, 1);
  if (kind == "bernoulli")
    return source.asResult(core.scalar("lesser", even, op.getProb().convertToDouble()));
  Value rest = core.scalar("sub", even, 1, /*reverse=*/true); // above 0, up to 1
  if (kind == "powerd")
    return source.asResult(core.scalar("power", rest, 1 / a));
  Value wait = core.unary("negative", core.unary("log", rest)); // exponential
  auto placed = [&](Value value) {
    return source.asResult(core.scalar("add", core.scalar("mul", value, scale), loc));
  };
  if (kind == "gumbel")
    return placed(core.unary("negative", core.unary("log", wait)));
  if (kind == "logistic")
    return placed(core.binary("add", core.unary("log", even), wait));
  if (kind == "rayleigh")
    return placed(core.unary("sqrt", core.scalar("mul", wait, 2)));
  if (kind == "weibull")
    return source.asResult(core.scalar("power", wait, 1 / a));
  if (kind == "pareto")
    return source.asResult(core.unary("expm1", core.scalar("div", wait, a)));
  return placed(wait);
}

// Tensors repeat to the result, one number each.
static Value drawn(NumpyGammaOp op, CoreBuilder &core) {
  if (op.getTensors().empty()) {
    Source source(op, core);
    return source.asResult(source.draw("gamma", "alpha", op.getShape()->convertToDouble(), "beta",
                                       op.getScale()->convertToDouble()));
  }
  Shape shape = shapeOf(op.getOutput().getType());
  Type type = elementTypeOf(op.getTensors()[0].getType());
  Value form = op.getTensors().front(), width = op.getTensors().back();
  if (op.getScale())
    width = core.fillLike(form, op.getScale()->convertToDouble());
  else if (op.getShape())
    form = core.fillLike(width, op.getShape()->convertToDouble());
  return core.make("sample", {core.broadcastTo(form, shape), core.cast(core.broadcastTo(width, shape), type)},
                   op.getOutput().getType(), {core.text("kind", "gamma"), core.text("dtype", op.getDtype())});
}

bool symc::decomposeNumpyRandom(Operation *op, CoreBuilder &core, SmallVectorImpl<Value> &results) {
  if (auto draw = dyn_cast<NumpyDrawOp>(op))
    results.push_back(drawn(draw, core));
  else if (auto placed = dyn_cast<NumpyDrawPlacedOp>(op))
    results.push_back(drawn(placed, core));
  else if (auto gamma = dyn_cast<NumpyGammaOp>(op))
    results.push_back(drawn(gamma, core));
  return !results.empty();
}
