// DecomposeNumpyRandom.cpp: random numbers of sg-decompose-numpy.
//
//   sg.numpy_draw {kind = "bernoulli", prob} -> sg.random {kind = "uniform"} < prob
//   sg.numpy_draw_placed {kind = "gumbel"}   -> loc - scale * log(-log(1 - sg.random {kind =
//   "uniform"}))
//
// Every distribution but the normal one is a function of even numbers from 0 to 1, 1 left out.
#include "ir/RandomNumbers.h"
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
  /// A tensor of parameters, one for each number.
  Value repeated(Value x) {
    Value real = core.cast(x, result.isF64() ? result : Type(core.b.getF32Type()));
    return core.reshape(core.broadcastTo(real, shape), Shape::of(extents, core.b.getContext()));
  }

private:
  CoreBuilder &core;
  Shape shape;
  Type result;
  SmallVector<int64_t> extents;
};

/// The parameters of the node's distribution, numbers or tensors.
class Parameters {
public:
  template <typename Draw>
  Parameters(Draw op, Source &source, CoreBuilder &core) : op(op), core(core) {
    for (auto [name, tensor] : llvm::zip(tensorParameters(op), op.getTensors()))
      tensors[name] = source.repeated(tensor);
    // Numbers beside tensors of integers are cut off.
    cut = !op.getTensors().empty() && !isa<FloatType>(elementTypeOf(op.getTensors()[0].getType()));
  }
  bool isTensor(StringRef name) const { return tensors.count(name); }
  double number(StringRef name) const {
    double value = op->getAttrOfType<FloatAttr>(name).getValueAsDouble();
    return cut ? std::trunc(value) : value;
  }
  /// fn(x, parameter).
  Value apply(StringRef fn, Value x, StringRef name) {
    return isTensor(name) ? core.binary(fn, x, tensors[name]) : core.scalar(fn, x, number(name));
  }
  /// The parameter as a tensor of x's type.
  Value like(Value x, StringRef name) {
    return isTensor(name) ? tensors[name] : core.fillLike(x, number(name));
  }
  /// NaN where `fn` does not hold between the parameter, if it is a tensor, and 0.
  Value inRange(Value x, StringRef fn, StringRef name) {
    if (!isTensor(name))
      return x;
    return core.where(core.scalar(fn, tensors[name], 0), x,
                      core.fillLike(x, std::numeric_limits<double>::quiet_NaN()));
  }

private:
  Operation *op;
  CoreBuilder &core;
  llvm::StringMap<Value> tensors;
  bool cut;
};

} // namespace

// Of even numbers; below 1 by a chance or its logit.
static Value bernoulli(Value even, Parameters &form, bool logit, CoreBuilder &core) {
  if (!logit)
    return form.apply("lesser", even, "prob");
  Value chance = core.unary("sigmoid", form.like(even, "logit"));
  return core.binary("lesser", even, chance);
}

// From the waiting times of a process, which are above 0.
static Value drawnOfWaits(StringRef kind, Value even, Parameters &form, CoreBuilder &core) {
  Value rest = core.scalar("sub", even, 1, /*reverse=*/true); // above 0, up to 1
  Value wait = core.unary("negative", core.unary("log", rest));
  auto placed = [&](Value value) {
    return form.inRange(form.apply("add", form.apply("mul", value, "scale"), "loc"),
                        "greater_equal", "scale");
  };
  auto formed = [&](Value value) { return form.inRange(value, "greater", "a"); };
  auto root = [&](Value value) {
    if (!form.isTensor("a"))
      return core.scalar("power", value, 1 / form.number("a"));
    return core.binary("power", value,
                       core.scalar("div", form.like(value, "a"), 1, /*reverse=*/true));
  };
  if (kind == "powerd")
    return formed(root(rest));
  if (kind == "weibull")
    return formed(root(wait));
  if (kind == "pareto")
    return formed(core.unary("expm1", form.apply("div", wait, "a")));
  if (kind == "gumbel")
    return placed(core.unary("negative", core.unary("log", wait)));
  if (kind == "logistic")
    return placed(core.binary("add", core.unary("log", even), wait));
  if (kind == "rayleigh")
    return placed(core.unary("sqrt", core.scalar("mul", wait, 2)));
  return placed(wait);
}

template <typename Draw> static Value drawn(Draw op, CoreBuilder &core) {
  Source source(op, core);
  Parameters form(op, source, core);
  StringRef kind = op.getKind();
  bool numbers = op.getTensors().empty();
  if (kind == "uniform" && numbers)
    return source.asResult(source.uniform(form.number("low"), form.number("high")));
  if (kind == "normal" && numbers)
    return source.asResult(
        source.draw("normal", "loc", form.number("loc"), "scale", form.number("scale")));
  if (kind == "normal") {
    Value value = form.apply("mul", source.draw("normal", "loc", 0, "scale", 1), "scale");
    return source.asResult(form.inRange(form.apply("add", value, "loc"), "greater_equal", "scale"));
  }
  Value even = source.uniform(0, 1);
  if (kind == "uniform") {
    Value low = form.like(even, "low"), width = core.binary("sub", form.like(even, "high"), low);
    return source.asResult(core.binary("add", low, core.binary("mul", even, width)));
  }
  if (kind == "bernoulli")
    return source.asResult(
        bernoulli(even, form, !op.getProb() && (op.getLogit() || op.getIsLogit()), core));
  return source.asResult(drawnOfWaits(kind, even, form, core));
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
  return core.make(
      "sample", {core.broadcastTo(form, shape), core.cast(core.broadcastTo(width, shape), type)},
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
