// DecomposeUpdates.cpp: steps of optimizers, by the formulas of update_formulas.h over terms:
// numbers, and values of the graph of which sg.binary and sg.scalar make others.
//
//   sg.sgd_update(%w, %g) {lr, wd}     -> %w * (1 - lr * wd) - %g * lr
//   sg.mp_sgd_update(%w, %g, %w32)     -> the same of %w32, sg.cast of that to the type of %w
//   sg.all_finite(%x, %y)              -> the least of |%x| <= the greatest number, and of %y's
//   sg.multi_sum_sq(%x, %y)            -> sg.concat of sums of %x * %x and of %y * %y
//
// Numbers are rounded to the elements' type where the reference kernels do (optimizer.cpp), float32
// of 16 bits. Of float16 without a copy in float32 sg-widen-halves has made float32 before.
#include "passes/DecomposeUpdates.h"
#include "ir/CustomOperators.h"
#include "ir/ops/Optimizer.h"
#include "runtime/include/symc/update_formulas.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace symc::sg;
using symc::CoreBuilder;

namespace {

/// A number of type C, or a value whose elements are such.
template <class C> class Term {
public:
  Term(C number) : number(number) {}
  Term(Value value, CoreBuilder &core) : value(value), core(&core) {}

  Value get() const { return value; }
  /// Bounds and settings are numbers.
  friend bool operator<(const Term &x, C bound) {
    assert(!x.value && "a value is compared by above()");
    return x.number < bound;
  }

  friend Term operator+(const Term &x, const Term &y) {
    return x.isNumber(y) ? Term(x.number + y.number) : apply("add", x, y);
  }
  friend Term operator-(const Term &x, const Term &y) {
    return x.isNumber(y) ? Term(x.number - y.number) : apply("sub", x, y);
  }
  friend Term operator*(const Term &x, const Term &y) {
    return x.isNumber(y) ? Term(x.number * y.number) : apply("mul", x, y);
  }
  friend Term operator/(const Term &x, const Term &y) {
    return x.isNumber(y) ? Term(x.number / y.number) : apply("div", x, y);
  }
  friend Term operator-(const Term &x) { return x.value ? x.unary("negative") : Term(-x.number); }
  friend Term sqrt(const Term &x) {
    return x.value ? x.unary("sqrt") : Term(symc::update::sqrt(x.number));
  }
  friend Term pow(const Term &x, const Term &y) {
    return Term(symc::update::pow(x.number, y.number));
  }
  friend Term sign(const Term &x) { return x.unary("sign"); }
  friend Term beyond(const Term &x, const Term &bound) {
    return apply("greater", x.unary("abs"), bound);
  }
  /// What is no number stays what it is.
  friend Term held(const Term &x, const Term &least, const Term &most) {
    return apply("maximum", apply("minimum", x, most), least);
  }

  Term unary(StringRef fn) const { return {core->unary(fn, value), *core}; }
  static Term apply(StringRef fn, const Term &x, const Term &y) {
    CoreBuilder &core = x.value ? *x.core : *y.core;
    if (x.value && y.value)
      return {core.binary(fn, x.value, y.value), core};
    return x.value ? Term(core.scalar(fn, x.value, y.number), core)
                   : Term(core.scalar(fn, y.value, x.number, /*reverse=*/true), core);
  }

private:
  bool isNumber(const Term &y) const { return !value && !y.value; }

  Value value;
  CoreBuilder *core = nullptr;
  C number = 0;
};

/// One node, whose terms have type C.
template <class C> struct Step {
  using T = Term<C>;
  Operation *op;
  CoreBuilder &core;
  Value like; // a tensor of the node's extents

  T of(Value value) { return {core.cast(value, elementTypeOf(like.getType())), core}; }
  /// One number for all elements.
  T each(Value value) { return {core.broadcastLike(of(value).get(), like), core}; }
  T where(const T &condition, const T &x, const T &y) {
    return {core.where(condition.get(), x.get(), y.get()), core};
  }
  SmallVector<Value> results(const T &weight, ArrayRef<T> states) {
    SmallVector<Value> values{weight.get()};
    for (const T &state : states)
      values.push_back(state.get());
    for (auto [value, result] : llvm::zip_equal(values, op->getResults()))
      value = core.cast(value, elementTypeOf(result.getType()));
    return values;
  }
  static T number(const APFloat &value) {
    if constexpr (std::is_same_v<C, float>)
      return T(float(value.convertToDouble()));
    else
      return T(value.convertToDouble());
  }
};

/// The formulas of one node, for each operator.
template <class C> struct Formulas : Step<C> {
  using T = Term<C>;
  using Step<C>::core;
  using Step<C>::of;
  using Step<C>::each;
  using Step<C>::number;
  using Step<C>::results;
  using Step<C>::where;
  using Values = SmallVector<Value>;

#define SYMC_N(name) number(op.get##name())
#define SYMC_COMMON SYMC_N(Lr), SYMC_N(Wd)
#define SYMC_BOUNDS SYMC_N(RescaleGrad), SYMC_N(ClipGradient)

  // --- Gradient descent
  Values make(SgdUpdateOp op) {
    return results(
        symc::update::sgd(of(op.getWeight()), of(op.getGrad()), SYMC_COMMON, SYMC_BOUNDS), {});
  }
  Values make(MpSgdUpdateOp op) {
    T moved = symc::update::sgd(of(op.getWeight32()), of(op.getGrad()), SYMC_COMMON, SYMC_BOUNDS);
    return results(moved, {moved});
  }
  template <class Op> std::pair<T, T> momentum(Op op, Value weight, bool nesterov) {
    T mom = of(op.getMom()), w = of(weight), g = of(op.getGrad());
    T moved = nesterov ? symc::update::nag(w, g, mom, SYMC_COMMON, SYMC_N(Momentum), SYMC_BOUNDS,
                                           /*in_place=*/false)
                       : symc::update::sgd_momentum(w, g, mom, SYMC_COMMON, SYMC_N(Momentum),
                                                    SYMC_BOUNDS);
    return {moved, mom};
  }
  template <class Op> Values plainMomentum(Op op, bool nesterov) {
    auto [moved, mom] = momentum(op, op.getWeight(), nesterov);
    return results(moved, {mom});
  }
  template <class Op> Values mixedMomentum(Op op, bool nesterov) {
    auto [moved, mom] = momentum(op, op.getWeight32(), nesterov);
    return results(moved, {mom, moved});
  }
  Values make(SgdMomUpdateOp op) { return plainMomentum(op, false); }
  Values make(NagMomUpdateOp op) { return plainMomentum(op, true); }
  Values make(MpSgdMomUpdateOp op) { return mixedMomentum(op, false); }
  Values make(MpNagMomUpdateOp op) { return mixedMomentum(op, true); }
  Values make(SignsgdUpdateOp op) {
    return results(symc::update::sign_sgd(of(op.getWeight()), of(op.getGrad()), SYMC_COMMON), {});
  }
  Values make(SignumUpdateOp op) {
    T mom = of(op.getMom());
    T moved = symc::update::signum(of(op.getWeight()), of(op.getGrad()), mom, SYMC_COMMON,
                                   SYMC_N(WdLh), SYMC_N(Momentum), SYMC_BOUNDS);
    return results(moved, {mom});
  }

  // --- By the sizes of gradients
  Values make(AdamUpdateOp op) {
    T mean = of(op.getMean()), var = of(op.getVar());
    T moved = symc::update::adam(of(op.getWeight()), of(op.getGrad()), mean, var, SYMC_COMMON,
                                 SYMC_N(Beta1), SYMC_N(Beta2), SYMC_N(Epsilon), SYMC_BOUNDS);
    return results(moved, {mean, var});
  }
  // Where the factor of gradients is 0 or no finite number, nothing changes.
  template <class Op> std::array<T, 3> adamw(Op op, Value weight) {
    T before = of(weight), mean = of(op.getMean()), var = of(op.getVar());
    T keptMean = mean, keptVar = var, factor = each(op.getRescaleGrad());
    T changes = T::apply("logical_and", factor, isFinite(factor));
    T moved = symc::update::adamw(before, of(op.getGrad()), mean, var, SYMC_N(Lr), SYMC_N(Eta),
                                  SYMC_N(Wd), SYMC_N(Beta1), SYMC_N(Beta2), SYMC_N(Epsilon), factor,
                                  SYMC_N(ClipGradient));
    return {where(changes, moved, before), where(changes, mean, keptMean),
            where(changes, var, keptVar)};
  }
  Values make(AdamwUpdateOp op) {
    auto [moved, mean, var] = adamw(op, op.getWeight());
    return results(moved, {mean, var});
  }
  Values make(MpAdamwUpdateOp op) {
    auto [moved, mean, var] = adamw(op, op.getWeight32());
    return results(moved, {mean, var, moved});
  }
  Values make(FtmlUpdateOp op) {
    T d = of(op.getD()), v = of(op.getV()), z = of(op.getZ()), t = C(op.getT());
    T beta1 = SYMC_N(Beta1), beta2 = SYMC_N(Beta2);
    T moved = symc::update::ftml(of(op.getWeight()), of(op.getGrad()), d, v, z, SYMC_COMMON, beta1,
                                 beta2, SYMC_N(Epsilon), SYMC_N(RescaleGrad), SYMC_N(ClipGrad),
                                 symc::update::begun(beta1, t), symc::update::begun(beta2, t));
    return results(moved, {d, v, z});
  }
  Values make(FtrlUpdateOp op) {
    T z = of(op.getZ()), n = of(op.getN());
    T moved = symc::update::ftrl(of(op.getWeight()), of(op.getGrad()), z, n, SYMC_COMMON,
                                 SYMC_N(Lamda1), SYMC_N(Beta), SYMC_BOUNDS);
    return results(moved, {z, n});
  }
  Values make(RmspropUpdateOp op) {
    T n = of(op.getN());
    T moved =
        symc::update::rmsprop(of(op.getWeight()), of(op.getGrad()), n, SYMC_COMMON, SYMC_N(Gamma1),
                              SYMC_N(Epsilon), SYMC_BOUNDS, SYMC_N(ClipWeights));
    return results(moved, {n});
  }
  Values make(RmspropalexUpdateOp op) {
    T n = of(op.getN()), g = of(op.getG()), delta = of(op.getDelta());
    T moved = symc::update::rmsprop_centered(of(op.getWeight()), of(op.getGrad()), n, g, delta,
                                             SYMC_COMMON, SYMC_N(Gamma1), SYMC_N(Gamma2),
                                             SYMC_N(Epsilon), SYMC_BOUNDS, SYMC_N(ClipWeights));
    return results(moved, {n, g, delta});
  }

  // --- LAMB
  template <class Op> Values direction(Op op, Value weight) {
    T mean = of(op.getMean()), var = of(op.getVar()), t = C(op.getT());
    T beta1 = SYMC_N(Beta1), beta2 = SYMC_N(Beta2);
    T g = symc::update::clipped(SYMC_N(RescaleGrad) * of(op.getGrad()), SYMC_N(ClipGradient));
    symc::update::run_moments(mean, var, g, beta1, beta2);
    T way = symc::update::lamb_direction(of(weight), mean, var, SYMC_N(Wd), SYMC_N(Epsilon),
                                         symc::update::begun(beta1, t),
                                         symc::update::begun(beta2, t), op.getBiasCorrection());
    return results(way, {mean, var});
  }
  Values make(LambUpdatePhase1Op op) { return direction(op, op.getWeight()); }
  Values make(MpLambUpdatePhase1Op op) { return direction(op, op.getWeight32()); }
  template <class Op> T lamb(Op op, Value weight) {
    T length = each(op.getR1()), step = each(op.getR2()), lr = SYMC_N(Lr);
    if (!(SYMC_N(LowerBound) < 0))
      length = T::apply("maximum", length, SYMC_N(LowerBound));
    if (!(SYMC_N(UpperBound) < 0))
      length = T::apply("minimum", length, SYMC_N(UpperBound));
    T scaled = lr * length / step;
    T rate = where(T::apply("logical_and", length, step), scaled,
                   {core.fillLike(scaled.get(), op.getLr().convertToDouble()), core});
    return symc::update::moved(of(weight), of(op.getG()), rate);
  }
  Values make(LambUpdatePhase2Op op) { return results(lamb(op, op.getWeight()), {}); }
  Values make(MpLambUpdatePhase2Op op) {
    T moved = lamb(op, op.getWeight32());
    return results(moved, {moved});
  }

  // --- Norms of layers
  Values make(MultiLarsOp op) {
    T rate = of(op.getLrs()), weight = sqrt(of(op.getWeightsSumSq()));
    T grad = SYMC_N(RescaleGrad) * sqrt(of(op.getGradsSumSq()));
    T scaled = rate * (SYMC_N(Eta) * weight / (grad + of(op.getWds()) * weight + SYMC_N(Eps)));
    T both =
        T::apply("logical_and", T::apply("greater", weight, C(0)), T::apply("greater", grad, C(0)));
    return results(where(both, scaled, rate), {});
  }
#undef SYMC_N
#undef SYMC_COMMON
#undef SYMC_BOUNDS

  T isFinite(const T &x) {
    return T::apply("lesser_equal", x.unary("abs"), std::numeric_limits<C>::max());
  }
};

// The reduction of all elements of each operand, [1]; none where an operand has no element.
SmallVector<Value> reduceEach(Operation *op, StringRef kind, CoreBuilder &core,
                              llvm::function_ref<Value(Value)> elements) {
  SmallVector<Value> parts;
  for (Value operand : op->getOperands()) {
    Shape shape = shapeOf(operand.getType());
    if (!shape.isStatic() || shape.product(0, shape.rank(), op->getContext()).get() == 0)
      return {};
    Value flat =
        core.reshape(elements(operand), Shape({shape.product(0, shape.rank(), op->getContext())}));
    parts.push_back(core.reduce(kind, flat, {0}, /*keep=*/true));
  }
  return parts;
}

SmallVector<Value> make(MultiSumSqOp op, CoreBuilder &core) {
  SmallVector<Value> sums = reduceEach(op, "sum", core, [&](Value x) {
    Type type = elementTypeOf(x.getType());
    if (!type.isF16() && !type.isBF16())
      return core.binary("mul", x, x);
    Value wide = core.cast(x, core.b.getF32Type()); // squares are of the operand's type
    return core.unary(type.isF16() ? "round_float16" : "round_bfloat16",
                      core.binary("mul", wide, wide));
  });
  if (sums.empty())
    return {};
  for (Value &sum : sums)
    sum = core.cast(sum, core.b.getF32Type());
  return {core.concat(sums, 0)};
}

SmallVector<Value> make(AllFiniteOp op, CoreBuilder &core) {
  SmallVector<Value> parts = reduceEach(op, "min", core, [&](Value x) {
    Type type = elementTypeOf(x.getType());
    auto greatest = APFloat::getLargest(cast<FloatType>(type).getFloatSemantics());
    Value finite = core.scalar("lesser_equal", core.unary("abs", x), greatest.convertToDouble());
    return core.cast(finite, core.b.getF32Type());
  });
  if (parts.empty())
    return {};
  return {core.reduce("min", core.concat(parts, 0), {0}, /*keep=*/true)};
}

template <class C> SmallVector<Value> makeOf(Operation *op, CoreBuilder &core, Value like) {
  Formulas<C> formulas{{op, core, like}};
  return llvm::TypeSwitch<Operation *, SmallVector<Value>>(op)
      .Case<SgdUpdateOp, MpSgdUpdateOp, SgdMomUpdateOp, MpSgdMomUpdateOp, NagMomUpdateOp,
            MpNagMomUpdateOp, SignsgdUpdateOp, SignumUpdateOp, AdamUpdateOp, AdamwUpdateOp,
            MpAdamwUpdateOp, FtmlUpdateOp, FtrlUpdateOp, RmspropUpdateOp, RmspropalexUpdateOp,
            LambUpdatePhase1Op, MpLambUpdatePhase1Op, LambUpdatePhase2Op, MpLambUpdatePhase2Op,
            MultiLarsOp>([&](auto node) { return formulas.make(node); })
      .Default(SmallVector<Value>());
}

} // namespace

SmallVector<Value> symc::decomposeUpdate(Operation *op, CoreBuilder &core) {
  if (auto sums = dyn_cast<MultiSumSqOp>(op))
    return make(sums, core);
  if (auto finite = dyn_cast<AllFiniteOp>(op))
    return make(finite, core);
  const OpInfo *info = infoOf(op);
  if (!info || StringRef(info->family) != "Optimizer")
    return {};
  // Mixed forms compute in float32, the type of their weight32.
  Value like = op->getOperand(0);
  for (auto [operand, row] : llvm::zip(op->getOperands(), info->operands))
    if (row.name == "weight32")
      like = operand;
  Type type = elementTypeOf(like.getType());
  if (type.isF32())
    return makeOf<float>(op, core, like);
  return type.isF64() ? makeOf<double>(op, core, like) : SmallVector<Value>();
}
