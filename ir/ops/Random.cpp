// Random.cpp: shapes, types and parameters of operators that draw random numbers; the
// numbered constraints are those of Random.td.
#include "ir/ops/Random.h"
#include "ir/Broadcast.h"
#include "ir/NumberText.h"
#include "ir/NumpyShapes.h"
#include "ir/RandomNumbers.h"
#include "ir/Windows.h"

using namespace mlir;
using namespace symc::sg;

#define GET_OP_CLASSES
#include "ir/ops/Random.cpp.inc"

void symc::sg::registerRandomOps(SGDialect &dialect) {
  dialect.addFamily<
#define GET_OP_LIST
#include "ir/ops/Random.cpp.inc"
      >();
}

static std::string outside(const ParamView &params, StringRef name, StringRef needs) {
  return "parameter '" + name.str() + "' is " + numberText(params.getFloat(name)) + ", needs " +
         needs.str();
}

// What the distribution allows.
static std::string checkDistribution(const ParamView &params) {
  StringRef kind = params.getStr("kind");
  auto is = [&](const char *name) { return kind == name; };
  if (is("uniform") && params.getFloat("high") < params.getFloat("low"))
    return outside(params, "high", "at least low = " + numberText(params.getFloat("low")));
  if (is("normal") && params.getFloat("scale") < 0)
    return outside(params, "scale", "a number that is not negative");
  if (is("gamma") && params.getFloat("alpha") <= 0)
    return outside(params, "alpha", "a positive number");
  if (is("gamma") && params.getFloat("beta") <= 0)
    return outside(params, "beta", "a positive number");
  if (is("exponential") && params.getFloat("lam") <= 0)
    return outside(params, "lam", "a positive number");
  if (is("poisson") && params.getFloat("lam") < 0)
    return outside(params, "lam", "a number that is not negative");
  if (is("negative_binomial") && params.getInt("k") < 0)
    return "parameter 'k' is " + std::to_string(params.getInt("k")) +
           ", needs a number that is not negative";
  if (is("negative_binomial") && (params.getFloat("p") <= 0 || params.getFloat("p") > 1))
    return outside(params, "p", "a number above 0 and at most 1");
  if (is("generalized_negative_binomial") && params.getFloat("mu") < 0)
    return outside(params, "mu", "a number that is not negative");
  if (is("generalized_negative_binomial") && params.getFloat("alpha") < 0)
    return outside(params, "alpha", "a number that is not negative");
  return {};
}

std::string RandomOp::checkParams(const ParamView &params) {
  return checkDistribution(params);
} // C1
std::string RandomLikeOp::checkParams(const ParamView &params) { // C1
  return checkDistribution(params);
}
std::string RandomIntOp::checkParams(const ParamView &params) { // C1, C2
  bool isWide = params.getStr("dtype") == "int64";
  double most = isWide ? 0x1p53 : 0x1p31; // from 2^53 on the parameters lose integers
  for (StringRef name : {"low", "high"})
    if (!(std::abs(params.getFloat(name)) <= most))
      return outside(params, name,
                     isWide ? "a number between -2^53 and 2^53"
                            : "a number between -2^31 and 2^31, or dtype = int64");
  if (params.getFloat("high") > params.getFloat("low"))
    return {};
  return outside(params, "high", "a number above low = " + numberText(params.getFloat("low")));
}

static LogicalResult inferGivenShape(ShapeScope &scope, ArrayRef<int64_t> extents,
                                     StringRef name = "shape") {
  if (extents.empty() && !hasNumpyShapes(scope))
    return success();
  Shape shape(extents.size());
  for (auto [i, extent] : llvm::enumerate(extents)) {
    if (extent < 0)
      return scope.error() << "parameter '" << name << "' is " << tupleText(extents)
                           << ", needs extents of at least 0";
    if (extent > 0 || hasNumpyShapes(scope))
      shape[i] = scope.dim(extent);
  }
  return scope.refineOutput(0, shape);
}

static Type givenType(StringRef name, StringRef otherwise, TypeScope &scope) {
  return typeFromName(name == "None" ? otherwise : name, scope.context());
}

LogicalResult RandomOp::inferShape(ShapeScope &scope) { // C2
  return inferGivenShape(scope, getShape());
}
LogicalResult RandomOp::inferType(TypeScope &scope) {
  return scope.refineOutput(0, givenType(getDtype(), "float32", scope));
}
LogicalResult RandomLikeOp::inferShape(ShapeScope &scope) { return scope.refineAllSame(); }
LogicalResult RandomIntOp::inferShape(ShapeScope &scope) {
  return inferGivenShape(scope, getShape());
}
LogicalResult RandomIntOp::inferType(TypeScope &scope) {
  return scope.refineOutput(0, givenType(getDtype(), "int32", scope));
}

//===----------------------------------------------------------------------===//
// unique_zipfian
//===----------------------------------------------------------------------===//

std::string UniqueZipfianOp::checkParams(const ParamView &params) { // C1
  ArrayRef<int64_t> shape = params.getTuple("shape");
  if (shape.size() != 2 || shape[0] < 1 || shape[1] < 1)
    return "parameter 'shape' is " + tupleText(shape) + ", needs two extents of at least 1";
  if (shape[1] > params.getInt("range_max"))
    return "parameter 'shape' is " + tupleText(shape) +
           ", but range_max = " + std::to_string(params.getInt("range_max")) +
           " classes do not give as many different ones";
  return {};
}
LogicalResult UniqueZipfianOp::inferShape(ShapeScope &scope) { // C2
  Shape output({scope.dim(getShape()[0]), scope.dim(getShape()[1])});
  if (failed(scope.refineOutput(0, output)))
    return failure();
  return scope.refineOutput(1, Shape({output[0]}));
}
LogicalResult UniqueZipfianOp::inferType(TypeScope &scope) {
  Type type = typeFromName("int64", scope.context());
  return failed(scope.refineOutput(0, type)) ? failure() : scope.refineOutput(1, type);
}
// The kernel's table of what a row has: a power of two, at least twice the row.
CheckedSize UniqueZipfianOp::getScratchBytes(const LargestShapes &) {
  return CheckedSize(8) * llvm::PowerOf2Ceil(2 * getShape()[1]);
}

//===----------------------------------------------------------------------===//
// sample, multinomial, shuffle
//===----------------------------------------------------------------------===//

bool SampleOp::hasOperand(StringRef, const ParamView &params) {
  return params.getStr("kind") != "exponential" && params.getStr("kind") != "poisson";
}

LogicalResult SampleOp::inferShape(ShapeScope &scope) { // C1
  if (scope.numInputs() > 1 && (failed(scope.refineInput(1, scope.input(0))) ||
                                failed(scope.refineInput(0, scope.input(1)))))
    return failure();
  if (!scope.input(0).isRanked())
    return success();
  Shape output = scope.input(0);
  for (int64_t extent : getShape())
    output.push_back(scope.dim(extent));
  return scope.refineOutput(0, output);
}
LogicalResult SampleOp::inferType(TypeScope &scope) {
  if (scope.numInputs() > 1 && (failed(scope.refineInput(1, scope.input(0))) ||
                                failed(scope.refineInput(0, scope.input(1)))))
    return failure();
  return scope.refineOutput(0, givenType(getDtype(), "float32", scope));
}

LogicalResult MultinomialOp::inferShape(ShapeScope &scope) {
  const Shape &data = scope.input(0);
  if (!data.isRanked())
    return success();
  if (data.rank() < 1) // C1
    return scope.error() << "data has no extents, needs at least 1";
  if (Dim classes = data[data.rank() - 1]; classes.isKnown()) { // C2
    int64_t count = classes.valueAt(largestSizes(scope.operation())).get();
    if (count - 1 > mostCounted(getDtype()))
      return scope.error() << "parameter 'dtype' is " << getDtype() << ", which counts to "
                           << mostCounted(getDtype()) << ", but there are " << count << " classes";
  }
  Shape output(data.list().drop_back());
  for (int64_t extent : getShape())
    output.push_back(scope.dim(extent));
  if (output.rank() == 0)
    output.push_back(scope.dim(1));
  for (size_t i = 0; i < scope.numOutputs(); ++i)
    if (failed(scope.refineOutput(i, output)))
      return failure();
  return success();
}
LogicalResult MultinomialOp::inferType(TypeScope &scope) {
  if (scope.numOutputs() > 1 && failed(scope.refineOutput(1, scope.input(0))))
    return failure();
  return scope.refineOutput(0, typeFromName(getDtype(), scope.context()));
}

LogicalResult ShuffleOp::inferShape(ShapeScope &scope) { // C1
  if (scope.input(0).isRanked() && scope.input(0).rank() < 1)
    return scope.error() << "data has no extents, needs at least 1";
  return scope.refineAllSame();
}
CheckedSize ShuffleOp::getScratchBytes(const LargestShapes &shapes) {
  return 8 * shapes.operands[0][0];
}

//===----------------------------------------------------------------------===//
// NumPy's names
//===----------------------------------------------------------------------===//

SmallVector<StringRef> symc::sg::tensorParameters(Operation *op) {
  StringRef kind = op->getAttrOfType<StringAttr>("kind").getValue();
  SmallVector<StringRef> names;
  if (kind == "uniform")
    names = {"low", "high"};
  else if (kind == "normal" || kind == "gumbel" || kind == "logistic")
    names = {"loc", "scale"};
  else if (kind == "exponential" || kind == "rayleigh")
    names = {"scale"};
  else if (kind != "bernoulli")
    names = {"a"};
  else if (!op->hasAttr("prob") && !op->hasAttr("logit"))
    names = {cast<NumpyDrawOp>(op).getIsLogit() ? "logit" : "prob"};
  llvm::erase_if(names, [&](StringRef name) { return op->hasAttr(name); });
  return names;
}

static std::string checkForm(const ParamView &params) { // C1
  auto isOut = [&](StringRef name, auto fits) {
    return !params.isNone(name) && !fits(params.getFloat(name));
  };
  if (isOut("a", [](double a) { return a > 0; }))
    return outside(params, "a", "a positive number");
  if (isOut("scale", [](double scale) { return scale >= 0; }))
    return outside(params, "scale", "a number that is not negative");
  if (isOut("prob", [](double prob) { return prob >= 0 && prob <= 1; }))
    return outside(params, "prob", "0 to 1");
  return {};
}
std::string NumpyDrawOp::checkParams(const ParamView &params) { return checkForm(params); } // C1
std::string NumpyDrawPlacedOp::checkParams(const ParamView &params) {
  return checkForm(params);
} // C1

static LogicalResult checkTensors(ShapeScope &scope, size_t needed) {
  if (scope.numInputs() == needed)
    return success();
  return scope.error() << "has " << scope.numInputs() << " tensors, but its parameters need "
                       << needed;
}

// The shape that parameters meet in, once theirs are known.
static FailureOr<std::optional<Shape>> metShape(ShapeScope &scope) {
  Shape met{size_t(0)};
  for (size_t i = 0; i < scope.numInputs(); ++i) {
    if (!scope.input(i).isRanked())
      return std::optional<Shape>();
    FailureOr<Shape> both = broadcastShapes(scope, met, scope.input(i), "first", "second");
    if (failed(both))
      return failure();
    met = *both;
  }
  return std::optional<Shape>(met);
}

// An error where tensors do not repeat to the size.
static LogicalResult checkRepeats(ShapeScope &scope, ArrayRef<int64_t> size, const Shape &met) {
  Shape given = Shape::of(size, scope.context());
  FailureOr<Shape> both = broadcastShapes(scope, given, met, "size", "a parameter");
  if (failed(both))
    return failure();
  if (both->list() == given.list())
    return success();
  return scope.error() << "parameter 'size' is " << given.str() << " but the parameters have shape "
                       << met.str();
}

template <typename Draw> static LogicalResult inferDrawn(Draw op, ShapeScope &scope) {
  if (failed(checkTensors(scope, tensorParameters(op).size()))) // C3
    return failure();
  auto found = metShape(scope); // C2
  if (failed(found) || !*found)
    return failed(found) ? failure() : success();
  Shape met = **found;
  ArrayRef<int64_t> size = op.getSize().value_or(ArrayRef<int64_t>());
  if (scope.numInputs() == 0)
    return size.empty() ? scope.refineOutput(0, met) : inferGivenShape(scope, size, "size");
  if (met.isFullyKnown() && !met.isStatic()) // C2
    return scope.error() << "the parameters have shape " << met.str() << ", needs a fixed one";
  if (op.getLeads()) {
    Shape whole = Shape::of(size, scope.context());
    for (Dim extent : met.list())
      whole.push_back(extent);
    met = whole;
  } else if (!size.empty()) {
    if (failed(checkRepeats(scope, size, met))) // C2
      return failure();
    met = Shape::of(size, scope.context());
  }
  return scope.refineOutput(0, met);
}
LogicalResult NumpyDrawOp::inferShape(ShapeScope &scope) {
  return inferDrawn(*this, scope);
} // C2, C3
LogicalResult NumpyDrawPlacedOp::inferShape(ShapeScope &scope) {
  return inferDrawn(*this, scope);
} // C2, C3

static LogicalResult inferDrawnType(TypeScope &scope, StringRef dtype) {
  for (size_t i = 1; i < scope.numInputs(); ++i) // C3
    if (failed(scope.refineInput(i, scope.input(0))) ||
        failed(scope.refineInput(0, scope.input(i))))
      return failure();
  return scope.refineOutput(0, typeFromName(dtype, scope.context()));
}
LogicalResult NumpyDrawOp::inferType(TypeScope &scope) { return inferDrawnType(scope, getDtype()); }
LogicalResult NumpyDrawPlacedOp::inferType(TypeScope &scope) {
  return inferDrawnType(scope, getDtype());
}

std::string NumpyGammaOp::checkParams(const ParamView &params) { // C1
  for (StringRef name : {"shape", "scale"})
    if (!params.isNone(name) && !(params.getFloat(name) > 0))
      return outside(params, name, "a positive number");
  return {};
}
LogicalResult NumpyGammaOp::inferShape(ShapeScope &scope) {
  if (failed(checkTensors(scope, !getShape() + !getScale()))) // C3
    return failure();
  auto met = metShape(scope); // C2
  if (failed(met) || !*met)
    return failed(met) ? failure() : success();
  if (!getSize() || getSize()->empty())
    return scope.refineOutput(0, **met);
  if (failed(checkRepeats(scope, *getSize(), **met))) // C2
    return failure();
  return scope.refineOutput(0, Shape::of(*getSize(), scope.context()));
}
LogicalResult NumpyGammaOp::inferType(TypeScope &scope) {
  return inferDrawnType(scope, getDtype());
}

bool NumpyMultinomialOp::hasOperand(StringRef, const ParamView &params) {
  return params.isNone("pvals");
}
std::string NumpyMultinomialOp::checkParams(const ParamView &params) { // C1
  double sum = 0;
  if (!params.isNone("pvals"))
    for (double chance : params.getFloats("pvals"))
      sum += chance;
  return sum <= 1 + 1e-12 ? ""
                          : "parameter 'pvals' sums to " + numberText(sum) + ", needs at most 1";
}
LogicalResult NumpyMultinomialOp::inferShape(ShapeScope &scope) {
  Dim outcomes;
  if (scope.numInputs()) {
    const Shape &a = scope.input(0);
    if (!a.isRanked())
      return success();
    if (a.rank() != 1) // C2
      return scope.error() << "a has shape " << a.str() << ", needs rank 1";
    outcomes = a[0];
  } else {
    outcomes = scope.dim(getPvals()->size());
  }
  Shape output = Shape::of(getSize().value_or(ArrayRef<int64_t>()), scope.context());
  output.push_back(outcomes);
  return scope.refineOutput(0, output); // C3
}
LogicalResult NumpyMultinomialOp::inferType(TypeScope &scope) {
  return scope.refineOutput(0, typeFromName("int64", scope.context()));
}

std::string NumpyChoiceOp::checkParams(const ParamView &params) { // C1
  if (params.isNone("a") || params.getInt("a") >= 1)
    return {};
  return "parameter 'a' is " + std::to_string(params.getInt("a")) + ", needs at least 1";
}
LogicalResult NumpyChoiceOp::inferShape(ShapeScope &scope) {
  if (failed(checkTensors(scope, !getA() + getWeighted()))) // C5
    return failure();
  Dim places;
  for (size_t i = 0; i < scope.numInputs(); ++i)
    if (!scope.input(i).isFullyKnown())
      return success();
  if (getA())
    places = scope.dim(*getA());
  else
    places = scope.input(0).product(0, scope.input(0).rank(), scope.context());
  if (getWeighted()) {
    const Shape &chances = scope.input(scope.numInputs() - 1);
    if (chances.product(0, chances.rank(), scope.context()) != places) // C2
      return scope.error() << "the chances have shape " << chances.str() << ", needs "
                           << places.str() << " of them";
  }
  Shape output = Shape::of(getSize().value_or(ArrayRef<int64_t>()), scope.context());
  Dim drawn = output.product(0, output.rank(), scope.context());
  if (!getReplace() && (!places.isStatic() || drawn.get() > places.get())) // C3
    return scope.error() << "draws " << drawn.str() << " of " << places.str()
                         << " places without replacement";
  return scope.refineOutput(0, output); // C4
}
LogicalResult NumpyChoiceOp::inferType(TypeScope &scope) {
  return scope.refineOutput(0, typeFromName("int64", scope.context()));
}
CheckedSize NumpyChoiceOp::getScratchBytes(const LargestShapes &shapes) {
  CheckedSize places = getA() ? CheckedSize(*getA()) : shapes.operandCount(0);
  return getReplace() ? 0 : 3 * 8 * places; // the places, as many to merge them, keys
}
